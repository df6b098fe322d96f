import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import SQLite
import Testing

@testable import Library

/// The last program that used GRDB.swift is in the other slot of boxes: each reads what the other has written.
@Suite("The file of the program that used GRDB", .serialized)
@MainActor
struct FormerFileTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-former-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/library.sqlite" }

    /// `sqlite3 library.sqlite .dump` of a file that it has written.
    private static let dump = """
        PRAGMA journal_mode = WAL;
        PRAGMA foreign_keys=OFF;
        BEGIN TRANSACTION;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES('places');
        INSERT INTO grdb_migrations VALUES('settings');
        CREATE TABLE place (item TEXT PRIMARY KEY, value INTEGER NOT NULL, timescale INTEGER NOT NULL, debt TEXT, touched INTEGER NOT NULL DEFAULT 0);
        INSERT INTO place VALUES('e1',1001,30000,'a1',1);
        INSERT INTO place VALUES('фильм 2',5,1,NULL,2);
        INSERT INTO place VALUES('e''3',100000000,1,NULL,3);
        CREATE TABLE watched (item TEXT NOT NULL, interstitial TEXT NOT NULL, PRIMARY KEY (item, interstitial));
        INSERT INTO watched VALUES('e1','a1');
        INSERT INTO watched VALUES('e9','');
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
        INSERT INTO setting VALUES('viewer.language','de');
        INSERT INTO setting VALUES('viewer.empty','');
        INSERT INTO setting VALUES('viewer.name',replace('line\\nbreak 📺','\\n',char(10)));
        INSERT INTO setting VALUES('pin','1234');
        COMMIT;
        """

    @Test("everything in it is read, it is changed in nothing but what viewers do, and the other program finds its marks")
    func opens() throws {
        defer { Folder.remove(folder) }
        try Connection(path: path).execute(Self.dump)
        let tables = try schema()
        // On trial too: there is nothing to migrate.
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock, mayMigrate: { false })
        #expect(library.startFailure == nil && !library.isDeferred && library.recovery == nil)
        #expect(library.place(of: "e1") == .init(time: MediaTime(1001, 30_000), owedInterstitial: "a1"))
        #expect(library.place(of: "e'3") == .init(time: .seconds(100_000_000)))
        #expect(library.recentPlaces == ["e'3", "фильм 2", "e1"])
        #expect(library.watchedInterstitials(of: "e1") == ["a1"] && library.isWatched("e9") && !library.isWatched("e1"))
        #expect(library.values(under: "viewer.").map(\.value) == ["", "de", "line\nbreak 📺"] && library.value("pin") == "1234")
        library.save(.init(time: .seconds(6)), of: "фильм 2")
        library.setValue("fr", "viewer.language")
        library.close()
        #expect(try schema() == tables)
        #expect(
            try rows("SELECT item || ' ' || value || ' ' || timescale || ' ' || touched FROM place ORDER BY touched")
                == ["e1 1001 30000 1", "e'3 100000000 1 3", "фильм 2 6 1 4"])
        #expect(try rows("SELECT identifier FROM grdb_migrations ORDER BY identifier") == ["places", "settings"])
        #expect(try rows("SELECT value FROM setting WHERE name = 'viewer.language'") == ["fr"])
    }

    @Test("a new file has the tables and marks of that program's, and its form")
    func creates() throws {
        defer { Folder.remove(folder) }
        try Connection(path: path).execute(Self.dump)
        let former = try schema()
        let new = folder + "/new.sqlite"
        Library(path: new, clock: try MainLoop(time: .simulated).clock).close()
        #expect(try schema(of: new) == former)
        #expect(try rows("SELECT identifier FROM grdb_migrations ORDER BY identifier", of: new) == ["places", "settings"])
        // Page size, versions of the format for writing and reading (2: write-ahead log); encoding, user_version (https://www.sqlite.org/fileformat.html).
        let head = try #require(WholeFile.read(new))
        #expect(Array(head[16..<20]) == [0x10, 0, 2, 2] && Array(head[56..<64]) == [0, 0, 0, 1, 0, 0, 0, 0])
    }

    private func schema(of file: String? = nil) throws -> [String?] {
        try rows("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY name", of: file)
    }

    private func rows(_ question: String, of file: String? = nil) throws -> [String?] {
        var answers: [String?] = []
        try Connection(path: file ?? path).rows(question) { answers.append($0.text(0)) }
        return answers
    }
}
