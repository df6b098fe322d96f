import GRDB
import LinuxSupport
import MediaModel
import MediaTime

/// The box's persistent memory: where viewers stopped watching, which interstitials they have seen, and their settings.
///
/// Everything is kept in memory, so that no caller waits for the disk. Changes are written to SQLite (write-ahead log,
/// synchronous) on a separate thread, in order. When one cannot be written, because the disk is full for example, everything is written again
/// later, until it succeeds. Main loop only.
@MainActor
package final class Library {
    private let database: DatabaseQueue
    private let thread: WorkerThread
    private var places: [String: SavedPlace]
    private var watched: [String: Set<String>]
    /// Items with a stored position, the newest last.
    private var order: [String]
    private var values: [String: String]
    /// Called when a change could not be written for the first time since the file was complete; the memory stays correct.
    package var onFailure: (@MainActor (String) -> Void)?
    private let clock: any HostClock
    private var isClosed = false
    /// Whether the file lacks a change.
    private var isBehind = false
    private static let firstRetry = Duration.seconds(10)
    private static let lastRetry = Duration.seconds(300)

    /// Opens or creates the library, and reads it. A damaged file is moved aside and a new one created: the box must start.
    ///
    /// - Parameter path: the database; its folder must exist.
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

    /// Where viewing of an item stopped.
    package func place(of id: String) -> SavedPlace? { places[id] }

    /// Stores where viewing of an item stopped; nil removes it.
    package func save(_ place: SavedPlace?, of id: String) {
        guard places[id] != place else { return }
        places[id] = place
        order.removeAll { $0 == id }
        if place != nil { order.append(id) }
        write { database in
            guard let place else { return try database.execute(sql: "DELETE FROM place WHERE item = ?", arguments: [id]) }
            try database.execute(
                // Written every few seconds of play: a row that is updated in place changes one page, one that is replaced also its index.
                sql: """
                    INSERT INTO place (item, value, timescale, debt, touched)
                    VALUES (?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM place))
                    ON CONFLICT (item) DO UPDATE
                    SET value = excluded.value, timescale = excluded.timescale, debt = excluded.debt, touched = excluded.touched
                    """, arguments: [id, place.time.value, place.time.timescale, place.owedInterstitial])
        }
    }

    /// The ids of items with a stored position, the newest first.
    package var recentPlaces: [String] { order.reversed() }

    /// Removes all positions and all watched interstitials.
    package func forgetPlaces() {
        places = [:]
        watched = [:]
        order = []
        write { try $0.execute(sql: "DELETE FROM place; DELETE FROM watched") }
    }

    /// The value of a name; nil: there is none.
    package func value(_ name: String) -> String? { values[name] }

    /// All names that start with a prefix and have a value, sorted.
    package func values(under prefix: String) -> [(name: String, value: String)] {
        values.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sets the value of a name; nil removes it.
    package func setValue(_ value: String?, _ name: String) {
        guard values[name] != value else { return }
        values[name] = value
        write { database in
            guard let value else { return try database.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name]) }
            try database.execute(sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, value])
        }
    }

    /// The watched interstitials of an item.
    package func watchedInterstitials(of id: String) -> Set<String> { watched[id] ?? [] }

    /// Stores that an interstitial was watched.
    package func markWatched(interstitial: String, of id: String) {
        guard watched[id, default: []].insert(interstitial).inserted else { return }
        write { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO watched (item, interstitial) VALUES (?, ?)", arguments: [id, interstitial])
        }
    }

    /// Writes pending changes and closes.
    package func close() {
        guard !isClosed else { return }
        if isBehind { writeEverything { _ in } }
        isClosed = true
        thread.stop()
    }

    private func write(_ change: @escaping @Sendable (Database) throws -> Void) {
        perform(change) { [weak self] failure in
            guard let self, let failure, !isBehind else { return }
            isBehind = true
            onFailure?("the library could not be written: \(failure); it is tried again")
            catchUp(after: Self.firstRetry)
        }
    }

    /// Writes everything after a pause, and if that fails again after a longer one.
    private func catchUp(after pause: Duration) {
        clock.schedule(after: pause, rank: .timer) { [weak self] in
            self?.writeEverything { failure in
                guard let self else { return }
                if failure == nil { self.isBehind = false } else { self.catchUp(after: min(pause * 2, Self.lastRetry)) }
            }
        }
    }

    private func writeEverything(_ then: @escaping @MainActor @Sendable (_ failure: String?) -> Void) {
        let contents = Contents(places: places, watched: watched, order: order, values: values)
        perform({ try Self.replace(with: contents, $0) }, then)
    }

    /// Changes the file in one transaction.
    private func perform(
        _ change: @escaping @Sendable (Database) throws -> Void,
        _ then: @escaping @MainActor @Sendable (_ failure: String?) -> Void
    ) {
        guard !isClosed else { return }
        let database = database
        clock.compute(on: thread, rank: .timer) { () -> String? in
            do {
                try database.write(change)
                return nil
            } catch {
                return "\(error)"
            }
        } then: {
            then($0)
        }
    }

    private struct Contents: Sendable {
        var places: [String: SavedPlace] = [:]
        var watched: [String: Set<String>] = [:]
        var order: [String] = []
        var values: [String: String] = [:]
    }

    private nonisolated static func replace(with contents: Contents, _ database: Database) throws {
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

    private nonisolated static func open(_ path: String) throws -> (DatabaseQueue, Contents) {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { database in
            // A power cut loses no committed change and damages nothing.
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
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
        return (database, try database.read(contents))
    }

    /// Rows whose values have other types than their columns are ignored: SQLite stores any type in any column, so a damaged file may
    /// have them.
    private nonisolated static func contents(_ database: Database) throws -> Contents {
        var contents = Contents()
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

    private nonisolated static func isDamaged(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
    }
}
