import Glibc
import LinuxSupport
import Testing

@testable import SQLite

@Suite("Databases", .serialized)
struct ConnectionTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-sqlite-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/a.sqlite" }

    /// All values of the column `v` of the table `t`, as SQLite writes them in statements.
    private func stored(_ connection: Connection) throws -> [String?] {
        var values: [String?] = []
        try connection.rows("SELECT quote(v) FROM t ORDER BY rowid") { values.append($0.text(0)) }
        return values
    }

    private func failure(_ work: () throws -> Void) throws -> DatabaseError {
        try #require(throws: DatabaseError.self, performing: work)
    }

    @Test("values are stored and read as they are, and outlive what they were given in")
    func values() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (v)")
        let texts = ["", "a", "it's; DROP TABLE t", "a\0b", "фильм 📺", String(repeating: "é", count: 100_000)]
        let insert = try connection.prepare("INSERT INTO t (v) VALUES (?)")
        for text in texts { try insert.run([.text(text)]) }
        for number in [Int64.min, 0, Int64.max] { try insert.run([.integer(number)]) }
        try insert.run([.null])
        try insert.run([DatabaseValue(nil)])
        var read: [DatabaseValue] = []
        try connection.rows("SELECT v FROM t ORDER BY rowid") { row in
            read.append(row.text(0).map { .text($0) } ?? row.integer(0).map { .integer($0) } ?? .null)
        }
        #expect(
            read == texts.map { .text($0) } + [.integer(.min), .integer(0), .integer(.max), .null, .null])
        #expect(try stored(connection)[0] == "''", "an empty text is not null")
    }

    @Test("a column has a value only in its own type")
    func types() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        var texts: [String?] = []
        var numbers: [Int64?] = []
        try connection.rows("VALUES (NULL), (1), (1.0), ('1'), (x'31'), (CAST(x'FF' AS TEXT))") {
            texts.append($0.text(0))
            numbers.append($0.integer(0))
        }
        #expect(texts == [nil, nil, nil, "1", nil, nil] && numbers == [nil, 1, nil, nil, nil, nil])
    }

    @Test("an error says what was tried, on what file and why, without the values")
    func errors() throws {
        defer { Folder.remove(folder) }
        let missing = try failure { _ = try Connection(path: folder + "/none/a.sqlite") }
        #expect(
            missing.description
                == "opening failed on \(folder)/none/a.sqlite: unable to open database file: No such file or directory (SQLite code 14)"
        )
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (v TEXT PRIMARY KEY)")
        try connection.run("INSERT INTO t VALUES (?)", [.text("secret")])
        let twice = try failure { try connection.run("INSERT INTO t\n  VALUES (?)", [.text("secret")]) }
        #expect(
            twice.description
                == "executing `INSERT INTO t VALUES (?)` failed on \(path): UNIQUE constraint failed: t.v (SQLite code 1555)")
        #expect(twice.cause == .other)
        #expect(try failure { try connection.execute("SELECT \(String(repeating: "a", count: 500))") }.action.count < 140)
    }

    @Test("a statement gets as many values as it has places, and a text has one statement")
    func mistakes() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (v)")
        for values in [[], [.null, .null]] as [[DatabaseValue]] {
            #expect(try failure { try connection.run("INSERT INTO t VALUES (?)", values) }.reason.contains("for 1 places"))
        }
        #expect(try failure { try connection.run("DELETE FROM t; DROP TABLE t") }.reason == "there is more than one statement")
        #expect(try failure { try connection.run(" ") }.reason == "there is no statement")
        try connection.run("DELETE FROM t;\n ")
        #expect(try stored(connection) == [])
    }

    @Test("a transaction is kept whole or not at all, and the next one begins")
    func transactions() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (v TEXT NOT NULL)")
        func insert(_ value: DatabaseValue) throws(DatabaseError) { try connection.run("INSERT INTO t VALUES (?)", [value]) }
        _ = try failure {
            try connection.transaction(.immediate) { () throws(DatabaseError) in
                try insert(.text("a"))
                try insert(.null)
            }
        }
        #expect(try stored(connection) == [])
        try connection.transaction(.immediate, end: .rollback) { () throws(DatabaseError) in try insert(.text("b")) }
        #expect(try stored(connection) == [])
        try connection.transaction(.immediate) { () throws(DatabaseError) in try insert(.text("c")) }
        #expect(try stored(connection) == ["'c'"])
    }

    @Test("a commit that fails leaves no transaction open")
    func commit() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute(
            "PRAGMA foreign_keys = ON; CREATE TABLE p (v INTEGER PRIMARY KEY); CREATE TABLE t (v REFERENCES p DEFERRABLE INITIALLY DEFERRED)"
        )
        let refused = try failure {
            try connection.transaction(.immediate) { () throws(DatabaseError) in
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(refused.action == "executing `COMMIT`")
        try connection.transaction(.immediate) { () throws(DatabaseError) in
            try connection.execute("INSERT INTO p VALUES (1); INSERT INTO t VALUES (1)")
        }
        #expect(try stored(connection) == ["1"])
    }

    @Test("another connection's lock refuses a change at once, and a statement can be executed again behind it")
    func locks() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)")
        let other = try Connection(path: path)
        try other.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        #expect(try failure { try insert.run([.integer(2)]) }.code == 5)
        #expect(try failure { _ = try connection.completedFile(most: 1 << 20) }.code == 5)
        try other.execute("COMMIT")
        try insert.run([.integer(2)])
        #expect(try stored(connection) == ["1", "2"])
    }

    @Test("what is no database, and one with a damaged page, are damaged; a folder is not")
    func damage() throws {
        defer { Folder.remove(folder) }
        #expect(WholeFile.write(Array(String(repeating: "this is no database. ", count: 400).utf8), to: path))
        #expect(try failure { try Connection(path: path).checkIntegrity() }.cause == .damaged)
        let damaged = folder + "/b.sqlite"
        var bytes: [UInt8] = []
        do {
            let connection = try Connection(path: damaged)
            try connection.execute("CREATE TABLE t (v UNIQUE)")
            for number in 0..<500 { try connection.run("INSERT INTO t VALUES (?)", [.text("row \(number)")]) }
            bytes = try connection.completedFile(most: 1 << 20)
        }
        try Connection(path: damaged).checkIntegrity()
        bytes.replaceSubrange(4096..<12288, with: repeatElement(0xA5, count: 8192))
        #expect(WholeFile.write(bytes, to: damaged))
        #expect(try failure { try Connection(path: damaged).checkIntegrity() }.cause == .damaged)
        #expect(try failure { try Connection(path: folder).checkIntegrity() }.cause == .other)
    }

    @Test("threads that change a database at the same time do so one after another")
    func threads() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES (0)")
        let database = Database(connection)
        let threads = (0..<4).map { WorkerThread(name: "writer \($0)") }
        for thread in threads {
            thread.perform {
                for _ in 0..<50 {
                    try? database.write { connection throws(DatabaseError) in
                        var number: Int64 = 0
                        try connection.rows("SELECT v FROM t") { number = $0.integer(0) ?? 0 }
                        try connection.run("UPDATE t SET v = ?", [.integer(number + 1)])
                    }
                }
            }
        }
        for thread in threads { thread.stop() }
        #expect(try database.perform { connection in try stored(connection) } == ["200"])
    }

    @Test("the whole file is what is in the file once its log is complete, also while the connection goes on")
    func wholeFile() throws {
        defer { Folder.remove(folder) }
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (v)")
        for number in 0..<500 { try connection.run("INSERT INTO t VALUES (?)", [.text("row \(number)")]) }
        let bytes = try connection.completedFile(most: 1 << 20)
        try connection.run("INSERT INTO t VALUES (?)", [.text("later")])
        #expect(WholeFile.write(bytes, to: folder + "/b.sqlite"))
        let copy = try Connection(path: folder + "/b.sqlite")
        try copy.checkIntegrity()
        #expect(try stored(copy).count == 500)
        #expect(try failure { _ = try connection.completedFile(most: bytes.count - 1) }.reason == "string or blob too big")
    }
}
