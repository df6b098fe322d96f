import BoxModel
import Glibc
import LinuxSupport
import MediaTime
import SQLite

/// The library's file in SQLite. Any thread; all functions block on the disk.
enum LibraryFile {
    struct Opened {
        let database: Database
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
            if let connection = try? connect(copy, .normal), (try? schema.state(of: connection)) == .newer {
                return usable(connection)
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
            return try open(path, schema, mayMigrate, .normal)
        } catch let error as DatabaseError where error.cause == .disk {
            return try open(path, schema, mayMigrate, .exclusive)
        }
    }

    /// Writes everything.
    static func replace(with contents: LibraryContents, _ connection: Connection) throws(DatabaseError) {
        try connection.execute("DELETE FROM place; DELETE FROM watched; DELETE FROM setting")
        let place = try connection.prepare("INSERT INTO place (item, value, timescale, debt, touched) VALUES (?, ?, ?, ?, ?)")
        for (touched, id) in contents.order.enumerated() {
            guard let stored = contents.places[id] else { continue }
            try place.run([
                .text(id), .integer(stored.time.value), .integer(Int64(stored.time.timescale)),
                DatabaseValue(stored.owedInterstitial), .integer(Int64(touched + 1)),
            ])
        }
        let watched = try connection.prepare("INSERT INTO watched (item, interstitial) VALUES (?, ?)")
        for (id, interstitials) in contents.watched {
            for interstitial in interstitials { try watched.run([.text(id), .text(interstitial)]) }
        }
        let setting = try connection.prepare("INSERT INTO setting (name, value) VALUES (?, ?)")
        for (name, value) in contents.values { try setting.run([.text(name), .text(value)]) }
    }

    private static func open(
        _ path: String, _ schema: LibrarySchema, _ mayMigrate: Bool, _ locking: Locking
    ) throws -> Opened {
        if let opened = try openUsable(path, schema, mayMigrate, locking) { return opened }
        try LibrarySnapshot.restore(path) { canOpen($0, schema) }
        let restored = try connect(path, locking)
        try schema.migrate(restored)
        return try opened(restored)
    }

    /// - Returns: nil if a newer version has changed the file so that it is of no use to this one. It is then complete, and closed.
    private static func openUsable(
        _ path: String, _ schema: LibrarySchema, _ mayMigrate: Bool, _ locking: Locking
    ) throws -> Opened? {
        let connection = try connect(path, locking)
        try connection.checkIntegrity()
        switch try schema.state(of: connection) {
        case .empty: try schema.migrate(connection)
        case .older:
            guard mayMigrate else { throw Deferred() }
            LibrarySnapshot.tidy(path, newest: schema.newest)
            try LibrarySnapshot.take(of: path, in: connection, before: schema.newest)
            try schema.migrate(connection)
        case .current: LibrarySnapshot.tidy(path, newest: schema.newest)
        case .newer:
            if let contents = usable(connection) { return Opened(database: Database(connection), contents: contents) }
            try connection.completeLog()
            return nil
        }
        return try opened(connection)
    }

    private static func opened(_ connection: sending Connection) throws(DatabaseError) -> Opened {
        let contents = try connection.transaction(.deferred) { () throws(DatabaseError) -> LibraryContents in
            try Self.contents(connection)
        }
        return Opened(database: Database(connection), contents: contents)
    }

    private enum Locking: String {
        case normal = "NORMAL"
        /// The index of the write-ahead log is in memory, otherwise in a file, for which a full disk has no room.
        case exclusive = "EXCLUSIVE"
    }

    private static func connect(_ path: String, _ locking: Locking) throws(DatabaseError) -> Connection {
        let connection = try Connection(path: path)
        // A power cut loses no committed change and damages nothing.
        try connection.execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA locking_mode = \(locking.rawValue); PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL
            """)
        return connection
    }

    /// The contents of a file whose tables a newer version has changed; nil if this version cannot read them, or not write them.
    private static func usable(_ connection: Connection) -> LibraryContents? {
        try? connection.transaction(.immediate, end: .rollback) { () throws(DatabaseError) -> LibraryContents in
            let stored = try contents(connection)
            try replace(with: stored, connection)
            return stored
        }
    }

    /// Whether a copy is in the form of this schema, or of an older one.
    private static func canOpen(_ copy: String, _ schema: LibrarySchema) -> Bool {
        inMemory(copy) { file in
            (try? connect(file, .normal)).map { [.current, .older].contains(try? schema.state(of: $0)) }
        } ?? false
    }

    /// Rows whose values have other types than their columns are ignored: SQLite stores any type in any column, so a damaged file may
    /// have them.
    private static func contents(_ connection: Connection) throws(DatabaseError) -> LibraryContents {
        var contents = LibraryContents()
        try connection.rows("SELECT item, value, timescale, debt FROM place ORDER BY touched, item") { row in
            guard let item = row.text(0), let value = row.integer(1), let scale = row.integer(2).flatMap(Int32.init(exactly:)),
                scale > 0
            else { return }
            contents.setPlace(SavedPlace(time: MediaTime(value, scale), owedInterstitial: row.text(3)), of: item)
        }
        try connection.rows("SELECT item, interstitial FROM watched") { row in
            guard let item = row.text(0), let interstitial = row.text(1) else { return }
            contents.watched[item, default: []].insert(interstitial)
        }
        try connection.rows("SELECT name, value FROM setting") { row in
            guard let name = row.text(0), let value = row.text(1) else { return }
            contents.values[name] = value
        }
        return contents
    }

    private static func isDamaged(_ error: any Error) -> Bool { (error as? DatabaseError)?.cause == .damaged }
}
