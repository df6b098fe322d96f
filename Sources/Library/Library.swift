import GRDB
import LinuxSupport
import MediaTime

/// What the box remembers over power cuts: where viewers left things, which interstitials they have seen, and what they have set.
///
/// Everything is in memory from the start, so that nobody waits for the disk; changes go to SQLite (write-ahead log, synchronous) on a thread of
/// its own, in the order in which they were made. Main loop only.
@MainActor
package final class Library {
    /// Where an item was left.
    package struct Place: Sendable, Hashable {
        /// Asset time.
        package var time: MediaTime
        /// The interstitial that is still owed.
        package var debt: String?

        package init(time: MediaTime, debt: String? = nil) {
            self.time = time
            self.debt = debt
        }
    }

    private let database: DatabaseQueue
    private let thread: WorkerThread
    private var places: [String: Place]
    private var watched: [String: Set<String>]
    /// Items that were left somewhere, the newest last.
    private var order: [String]
    private var values: [String: String]
    /// Told of a change that could not be written; what is in memory stays right.
    package var onFailure: (@MainActor (String) -> Void)?
    private let clock: any HostClock
    private var isClosed = false

    /// Opens the library, making it where there is none, and reads it. A damaged file is put aside and a new one begun: a box must start.
    ///
    /// - Parameter path: of the database; its folder must exist.
    package init(path: String, clock: any HostClock) throws(LibraryError) {
        self.clock = clock
        let opened: (DatabaseQueue, Contents)
        do {
            opened = try Self.open(path)
        } catch let first {
            guard Self.isDamaged(first), DamagedFile.putAside(path) else { throw LibraryError(path: path, reason: "\(first)") }
            do {
                opened = try Self.open(path)
            } catch {
                throw LibraryError(path: path, reason: "\(error)")
            }
        }
        database = opened.0
        places = opened.1.places
        watched = opened.1.watched
        order = opened.1.order
        values = opened.1.values
        thread = WorkerThread(name: "library", clock: clock)
    }

    /// Where an item was left.
    package func place(of id: String) -> Place? { places[id] }

    /// Remembers where an item was left; nil forgets it.
    package func save(_ place: Place?, of id: String) {
        guard places[id] != place else { return }
        places[id] = place
        order.removeAll { $0 == id }
        if place != nil { order.append(id) }
        write { database in
            guard let place else { return try database.execute(sql: "DELETE FROM place WHERE item = ?", arguments: [id]) }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO place (item, value, timescale, debt, touched)
                    VALUES (?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM place))
                    """, arguments: [id, place.time.value, place.time.timescale, place.debt])
        }
    }

    /// The ids of what was left somewhere, the newest first.
    package var recentPlaces: [String] { order.reversed() }

    /// Forgets where everything was left, and what was watched.
    package func forgetPlaces() {
        places = [:]
        watched = [:]
        order = []
        write { try $0.execute(sql: "DELETE FROM place; DELETE FROM watched") }
    }

    /// What was set under a name; nil: nothing.
    package func value(_ name: String) -> String? { values[name] }

    /// All names with something under them, sorted, that begin with a prefix.
    package func values(under prefix: String) -> [(name: String, value: String)] {
        values.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sets what stands under a name; nil takes it away.
    package func setValue(_ value: String?, _ name: String) {
        guard values[name] != value else { return }
        values[name] = value
        write { database in
            guard let value else { return try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name]) }
            try database.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
        }
    }

    /// The interstitials of an item that were watched.
    package func watchedInterstitials(of id: String) -> Set<String> { watched[id] ?? [] }

    /// Remembers that an interstitial was watched.
    package func markWatched(interstitial: String, of id: String) {
        guard watched[id, default: []].insert(interstitial).inserted else { return }
        write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO watched (item, interstitial) VALUES (?, ?)", arguments: [id, interstitial])
        }
    }

    /// Writes what is still to be written, and closes.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thread.stop()
    }

    private func write(_ change: @escaping @Sendable (Database) throws -> Void) {
        guard !isClosed else { return }
        let database = database
        clock.compute(on: thread, rank: .timer) { () -> String? in
            do {
                try database.write(change)
                return nil
            } catch {
                return "\(error)"
            }
        } then: { [weak self] failure in
            if let failure { self?.onFailure?("the library could not be written: \(failure)") }
        }
    }

    private struct Contents {
        var places: [String: Place] = [:]
        var watched: [String: Set<String>] = [:]
        var order: [String] = []
        var values: [String: String] = [:]
    }

    private nonisolated static func open(_ path: String) throws -> (DatabaseQueue, Contents) {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            // A power cut loses nothing that was written and damages nothing.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
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
        return (database, try database.read(contents))
    }

    private nonisolated static func contents(_ database: Database) throws -> Contents {
        var contents = Contents()
        for row in try Row.fetchAll(database, sql: "SELECT item, value, timescale, debt FROM place ORDER BY touched, item") {
            // A row that makes no time is as good as none.
            guard let timescale = Int32(exactly: row["timescale"] as Int64), timescale > 0 else { continue }
            contents.places[row["item"]] = Place(time: MediaTime(row["value"], timescale), debt: row["debt"])
            contents.order.append(row["item"])
        }
        for row in try Row.fetchAll(database, sql: "SELECT item, interstitial FROM watched") {
            contents.watched[row["item"], default: []].insert(row["interstitial"])
        }
        for row in try Row.fetchAll(database, sql: "SELECT name, value FROM setting") {
            contents.values[row["name"]] = row["value"]
        }
        return contents
    }

    private nonisolated static func isDamaged(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    }
}
