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
        /// How a damaged file was replaced; nil if it was sound.
        var recovery: LibraryCopy.Recovery?
    }

    /// The file has to be changed, which may not be done yet.
    struct Deferred: Error {}

    /// Opens or creates the file and reads it. A damaged one is moved aside, and its second copy takes its place (`LibraryCopy`), as it does for one that is lost.
    ///
    /// A file of an older version is changed after a copy of it was made (`LibrarySnapshot`). One of a newer version is used as it is, if that is
    /// possible; otherwise the copy from before its changes takes its place.
    ///
    /// - Parameter mayMigrate: whether a file of an older version may be changed.
    /// - Throws: `Deferred`, `DatabaseError`, `LibrarySnapshot.Failure`.
    static func open(_ path: String, schema: LibrarySchema, mayMigrate: Bool) throws -> Opened {
        let isCopied = DamagedFile.isLost(path) && LibraryCopy.putBack(path)
        do {
            var opened = try openSound(path, schema, mayMigrate)
            opened.recovery = isCopied ? .copied : nil
            return opened
        } catch {
            guard isDamaged(error), DamagedFile.putAside(path) else { throw error }
            return try openReplaced(path, schema, mayMigrate, hasCopy: !isCopied)
        }
    }

    /// Opens the copy in the place of a damaged file, or if that is damaged too an empty one.
    private static func openReplaced(_ path: String, _ schema: LibrarySchema, _ mayMigrate: Bool, hasCopy: Bool) throws -> Opened
    {
        if hasCopy, LibraryCopy.putBack(path) {
            do {
                var opened = try openSound(path, schema, mayMigrate)
                opened.recovery = .copied
                return opened
            } catch {
                guard isDamaged(error), DamagedFile.putAside(path) else { throw error }
            }
        }
        var opened = try openSound(path, schema, mayMigrate)
        opened.recovery = .lost
        return opened
    }

    /// What is stored in a file that cannot be opened in its place, because SQLite cannot read a write-ahead log on a disk that is read-only, or that may not be
    /// changed there.
    ///
    /// - Returns: nil if it cannot be read.
    static func contentsOfCopy(_ path: String, schema: LibrarySchema) -> LibraryContents? {
        inMemory(path) { copy in
            // One of a newer version that cannot be used is not read: only in its place the copy from before its changes is found.
            if let database = try? connect(copy, locking: "NORMAL"), (try? schema.state(of: database)) == .newer {
                return usable(database)
            }
            return (try? openSound(copy, schema, true))?.contents
        }
    }

    /// Works on a copy of a file with its write-ahead log, in the folder for temporary files, which is in memory.
    private static func inMemory<Result>(_ path: String, _ work: (_ copy: String) -> Result?) -> Result? {
        guard let bytes = WholeFile.read(path) else { return nil }
        var template = Array("/tmp/marquee-library-XXXXXX".utf8CString)
        guard let folder = template.withUnsafeMutableBufferPointer({ mkdtemp($0.baseAddress!).map { String(cString: $0) } })
        else { return nil }
        defer { Folder.remove(folder) }
        let copy = folder + "/library.sqlite"
        guard WholeFile.write(bytes, to: copy, isSynced: false) else { return nil }
        if let log = WholeFile.read(path + "-wal"), !WholeFile.write(log, to: copy + "-wal", isSynced: false) { return nil }
        return work(copy)
    }

    private static func openSound(_ path: String, _ schema: LibrarySchema, _ mayMigrate: Bool) throws -> Opened {
        do {
            return try open(path, schema, mayMigrate, locking: "NORMAL")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR || error.resultCode == .SQLITE_FULL {
            // The index of the write-ahead log is in memory with this mode, else in a file, for which a full disk has no room.
            return try open(path, schema, mayMigrate, locking: "EXCLUSIVE")
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

    private static func open(
        _ path: String, _ schema: LibrarySchema, _ mayMigrate: Bool, locking: String
    ) throws -> Opened {
        let database = try connect(path, locking: locking)
        try LibraryCopy.check(database)
        switch try schema.state(of: database) {
        case .empty: try schema.migrate(database)
        case .older:
            guard mayMigrate else { throw Deferred() }
            LibrarySnapshot.tidy(path, newest: schema.newest)
            try LibrarySnapshot.take(of: path, in: database, before: schema.newest)
            try schema.migrate(database)
        case .current: LibrarySnapshot.tidy(path, newest: schema.newest)
        case .newer:
            if let contents = usable(database) { return Opened(database: database, contents: contents) }
            _ = try LibrarySnapshot.restore(path, database) { canOpen($0, schema) }
            let restored = try connect(path, locking: locking)
            try schema.migrate(restored)
            return Opened(database: restored, contents: try restored.read(contents))
        }
        return Opened(database: database, contents: try database.read(contents))
    }

    private static func connect(_ path: String, locking: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            // A power cut loses no committed change and damages nothing.
            try database.execute(sql: "PRAGMA locking_mode = \(locking); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The contents of a file whose tables a newer version has changed; nil if this version cannot read them, or not write them.
    private static func usable(_ database: DatabaseQueue) -> LibraryContents? {
        try? database.writeWithoutTransaction { database in
            var stored = LibraryContents()
            try database.inTransaction {
                stored = try contents(database)
                try replace(with: stored, database)
                return .rollback
            }
            return stored
        }
    }

    /// Whether a copy is in the form of this schema, or of an older one.
    private static func canOpen(_ copy: String, _ schema: LibrarySchema) -> Bool {
        inMemory(copy) { file in
            (try? connect(file, locking: "NORMAL")).map { [.current, .older].contains(try? schema.state(of: $0)) }
        } ?? false
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
