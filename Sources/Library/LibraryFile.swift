import GRDB
import Glibc
import LinuxSupport
import MediaModel
import MediaTime

/// The library's file in SQLite. Any thread; all functions block on the disk.
enum LibraryFile {
    struct Opened {
        let database: DatabaseQueue
        let contents: LibraryContents
    }

    /// Opens or creates the file and reads it. A damaged one is moved aside.
    ///
    /// - Throws: `DatabaseError`.
    static func open(_ path: String) throws -> Opened {
        do {
            return try openSound(path)
        } catch {
            guard isDamaged(error), DamagedFile.putAside(path) else { throw error }
            return try openSound(path)
        }
    }

    /// What is stored in a file that cannot be opened in its place: SQLite cannot read a write-ahead log on a disk that is read-only.
    ///
    /// - Returns: nil if it cannot be read.
    static func contentsOfCopy(_ path: String) -> LibraryContents? {
        guard let bytes = WholeFile.read(path) else { return nil }
        var template = Array("/tmp/marquee-library-XXXXXX".utf8CString)
        guard let folder = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!).map { String(cString: $0) } })
        else { return nil }
        defer { Folder.remove(folder) }
        let copy = folder + "/library.sqlite"
        guard WholeFile.write(bytes, to: copy, isSynced: false) else { return nil }
        if let log = WholeFile.read(path + "-wal"), !WholeFile.write(log, to: copy + "-wal", isSynced: false) { return nil }
        return (try? openSound(copy))?.contents
    }

    private static func openSound(_ path: String) throws -> Opened {
        do {
            return try open(path, locking: "NORMAL")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR || error.resultCode == .SQLITE_FULL {
            // The index of the write-ahead log is in memory with this mode, else in a file, for which a full disk has no room.
            return try open(path, locking: "EXCLUSIVE")
        }
    }

    /// Writes everything.
    static func replace(with contents: LibraryContents, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM place; DELETE FROM watched; DELETE FROM setting")
        for (touched, id) in contents.order.enumerated() {
            guard let place = contents.places[id] else { continue }
            try database.execute(
                sql: "INSERT INTO place (item, value, timescale, debt, touched) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, place.time.value, place.time.timescale, place.owedInterstitial, touched + 1])
        }
        for (id, interstitials) in contents.watched {
            for interstitial in interstitials {
                try database.execute(
                    sql: "INSERT INTO watched (item, interstitial) VALUES (?, ?)", arguments: [id, interstitial])
            }
        }
        for (name, value) in contents.values {
            try database.execute(sql: "INSERT INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
        }
    }

    private static func open(_ path: String, locking: String) throws -> Opened {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            // A power cut loses no committed change and damages nothing.
            try database.execute(sql: "PRAGMA locking_mode = \(locking); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        // `debt` stores `SavedPlace.owedInterstitial`. The column keeps its name because the older system in the other slot reads it too.
        migrator.registerMigration("places") { database in
            try database.execute(
                sql: """
                    CREATE TABLE place (item TEXT PRIMARY KEY, value INTEGER NOT NULL, timescale INTEGER NOT NULL, debt TEXT);
                    CREATE TABLE watched (item TEXT NOT NULL, interstitial TEXT NOT NULL, PRIMARY KEY (item, interstitial));
                    """)
        }
        migrator.registerMigration("settings") { database in
            try database.execute(
                sql: """
                    ALTER TABLE place ADD COLUMN touched INTEGER NOT NULL DEFAULT 0;
                    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
                    """)
        }
        try migrator.migrate(database)
        return Opened(database: database, contents: try database.read(contents))
    }

    /// Rows whose values have other types than their columns are ignored: SQLite stores any type in any column, so a damaged file may
    /// have them.
    private static func contents(_ database: Database) throws -> LibraryContents {
        var contents = LibraryContents()
        for row in try Row.fetchAll(database, sql: "SELECT item, value, timescale, debt FROM place ORDER BY touched, item") {
            guard let item = String.fromDatabaseValue(row["item"]), let value = Int64.fromDatabaseValue(row["value"]),
                let timescale = Int32.fromDatabaseValue(row["timescale"]), timescale > 0
            else { continue }
            contents.places[item] = SavedPlace(
                time: MediaTime(value, timescale), owedInterstitial: String.fromDatabaseValue(row["debt"]))
            contents.order.append(item)
        }
        for row in try Row.fetchAll(database, sql: "SELECT item, interstitial FROM watched") {
            guard let item = String.fromDatabaseValue(row["item"]),
                let interstitial = String.fromDatabaseValue(row["interstitial"])
            else { continue }
            contents.watched[item, default: []].insert(interstitial)
        }
        for row in try Row.fetchAll(database, sql: "SELECT name, value FROM setting") {
            guard let name = String.fromDatabaseValue(row["name"]), let value = String.fromDatabaseValue(row["value"]) else {
                continue
            }
            contents.values[name] = value
        }
        return contents
    }

    private static func isDamaged(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    }
}
