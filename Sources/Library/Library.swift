import BoxModel
import LinuxSupport
import MediaTime
import SQLite

/// The box's persistent memory: where viewers stopped watching, which interstitials they have seen, and their settings.
///
/// Everything is kept in memory, so that no caller waits for the disk. Changes are written to SQLite (write-ahead log,
/// synchronous) on a separate thread, in order. When one cannot be written, because the disk is full for example, everything is written again
/// later, until it succeeds. The same holds for a file that could not be opened at the start. Main loop only.
@MainActor
package final class Library {
    private let path: String
    private let schema: LibrarySchema
    private let mayMigrate: @Sendable () -> Bool
    /// Nil until the file could be opened.
    private var database: Database?
    private let thread: WorkerThread
    private var contents: LibraryContents
    /// What the file may have that was not read at the start.
    private var unread: Unread
    /// Which of its names were forgotten before it could be read.
    private var forgotten: [@Sendable (String) -> Bool] = []
    /// The changes that are to be one; nil while each is one.
    private var group: [Change]?
    private typealias Change = @Sendable (Connection) throws(DatabaseError) -> Void
    /// Why the file could not be opened at the start; it is tried again.
    package let startFailure: LibraryError?
    /// Whether the file is of an older version and may not be changed yet: changes stay in memory until it may.
    package private(set) var isDeferred = false
    /// What was done about a file that was damaged or lost at the start, for the log; nil if it was sound.
    package let recovery: String?
    /// Called when a change could not be written for the first time since the file was complete; the memory stays correct.
    package var onFailure: (@MainActor (String) -> Void)?
    private let clock: any HostClock
    private var isClosed = false
    /// Whether the file lacks a change.
    private var isBehind: Bool
    /// Whether the file lacks a change that could not be written: it is lost if the machine stops now.
    package var isRefused: Bool { isBehind && !isDeferred }
    private static let firstRetry = Duration.seconds(10)
    private static let lastRetry = Duration.seconds(300)
    /// The time at which the second copy is made; nil while it has everything.
    private var nextCopy: ScheduledEvent?
    /// What a damaged file may cost. Shorter would wear the flash memory without need.
    private static let copyInterval = Duration.seconds(600)

    private enum Unread {
        case nothing
        case everything
        /// The viewer has removed all positions before the file could be read.
        case settings
    }

    /// Opens or creates the library, and reads it. A damaged file is moved aside and a new one created: the box must start. A file that cannot be
    /// written is read, and written once that is possible.
    ///
    /// - Parameters:
    ///   - path: the database.
    ///   - mayMigrate: whether a file of an older version may be changed now. While a version is on trial it may not, so that the older version
    ///     finds its file as it left it. Called on any thread; may block on the disk.
    package convenience init(path: String, clock: any HostClock, mayMigrate: @escaping @Sendable () -> Bool = { true }) {
        self.init(path: path, clock: clock, schema: .current, mayMigrate: mayMigrate)
    }

    init(path: String, clock: any HostClock, schema: LibrarySchema, mayMigrate: @escaping @Sendable () -> Bool = { true }) {
        self.path = path
        self.clock = clock
        self.schema = schema
        self.mayMigrate = mayMigrate
        thread = WorkerThread(name: "library", clock: clock)
        do {
            let opened = try LibraryFile.open(path, schema: schema, mayMigrate: mayMigrate())
            (database, contents, unread, isBehind, startFailure) = (opened.database, opened.contents, .nothing, false, nil)
            recovery = opened.recovery.map { Self.words($0, path) }
            makeCopy()
        } catch {
            recovery = nil
            let copied = LibraryFile.contentsOfCopy(path, schema: schema)
            (database, contents, unread) = (nil, copied ?? LibraryContents(), copied == nil ? .everything : .nothing)
            isBehind = true
            isDeferred = error is LibraryFile.Deferred
            startFailure = isDeferred ? nil : LibraryError(path: path, reason: "\(error)", isRead: copied != nil)
            catchUp(after: Self.firstRetry)
        }
    }

    /// Where viewing of an item stopped.
    package func place(of id: String) -> SavedPlace? { contents.places[id] }

    /// Stores where viewing of an item stopped; nil removes it.
    package func save(_ place: SavedPlace?, of id: String) {
        guard contents.places[id] != place else { return }
        contents.setPlace(place, of: id)
        write { connection throws(DatabaseError) in
            guard let place else { return try connection.run("DELETE FROM place WHERE item = ?", [.text(id)]) }
            try connection.run(
                // Written every few seconds of play: a row that is updated in place changes one page, one that is replaced also its index.
                """
                INSERT INTO place (item, value, timescale, debt, touched)
                VALUES (?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM place))
                ON CONFLICT (item) DO UPDATE
                SET value = excluded.value, timescale = excluded.timescale, debt = excluded.debt, touched = excluded.touched
                """,
                [
                    .text(id), .integer(place.time.value), .integer(Int64(place.time.timescale)),
                    DatabaseValue(place.owedInterstitial),
                ])
        }
    }

    /// The ids of items with a stored position, the newest first.
    package var recentPlaces: [String] { contents.order.reversed() }

    /// Removes all positions and all watched interstitials.
    package func forgetPlaces() {
        contents.forgetPlaces()
        if unread == .everything { unread = .settings }
        write { connection throws(DatabaseError) in try connection.execute("DELETE FROM place; DELETE FROM watched") }
        // What a viewer has removed does not come back from the copy.
        if group == nil { makeCopy() }
    }

    /// Removes the values of all names that a rule says.
    package func forgetValues(where isForgotten: @escaping @Sendable (String) -> Bool) {
        let names = contents.values.keys.filter(isForgotten).sorted()
        for name in names { contents.values[name] = nil }
        if database == nil { forgotten.append(isForgotten) }
        write { connection throws(DatabaseError) in
            for name in names { try connection.run("DELETE FROM setting WHERE name = ?", [.text(name)]) }
        }
    }

    /// Makes several changes one: after a power cut the file has all of them or none. What they have removed does not come back from the copy.
    package func together(_ makeChanges: () -> Void) {
        guard group == nil else { return makeChanges() }
        group = []
        makeChanges()
        let changes = group ?? []
        group = nil
        guard !changes.isEmpty else { return }
        write { connection throws(DatabaseError) in for change in changes { try change(connection) } }
        makeCopy()
    }

    /// The value of a name; nil: there is none.
    package func value(_ name: String) -> String? { contents.values[name] }

    /// All names that start with a prefix and have a value, sorted.
    package func values(under prefix: String) -> [(name: String, value: String)] {
        contents.values.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Sets the value of a name; nil removes it.
    package func setValue(_ value: String?, _ name: String) {
        guard contents.values[name] != value else { return }
        contents.values[name] = value
        write { connection throws(DatabaseError) in
            guard let value else { return try connection.run("DELETE FROM setting WHERE name = ?", [.text(name)]) }
            try connection.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [.text(name), .text(value)])
        }
    }

    /// The watched interstitials of an item.
    package func watchedInterstitials(of id: String) -> Set<String> { (contents.watched[id] ?? []).subtracting([Self.itself]) }

    /// The name under which an item itself is among its watched interstitials, so that an older system keeps it too. None of them has an empty id.
    private static let itself = ""

    /// Whether an item was ever watched to its end.
    package func isWatched(_ id: String) -> Bool { contents.watched[id]?.contains(Self.itself) == true }

    /// Stores that an item was watched to its end.
    package func markWatched(_ id: String) { markWatched(interstitial: Self.itself, of: id) }

    /// Stores that an interstitial was watched.
    package func markWatched(interstitial: String, of id: String) {
        guard contents.watched[id, default: []].insert(interstitial).inserted else { return }
        write { connection throws(DatabaseError) in
            try connection.run(
                "INSERT OR IGNORE INTO watched (item, interstitial) VALUES (?, ?)", [.text(id), .text(interstitial)])
        }
    }

    /// Writes pending changes and closes.
    package func close() {
        guard !isClosed else { return }
        if isBehind {
            if database == nil, let opened = try? LibraryFile.open(path, schema: schema, mayMigrate: mayMigrate()) {
                adopt(opened)
            }
            writeEverything { _ in }
        }
        if nextCopy != nil { makeCopy() }
        isClosed = true
        thread.stop()
        database = nil
    }

    private static func words(_ recovery: LibraryCopy.Recovery, _ path: String) -> String {
        let kept = "what there was is kept as \(path).damaged"
        return switch recovery {
        case .copied:
            "library: its file was damaged or lost, and its second copy is used: the last minutes before are missing; \(kept)"
        case .lost:
            "library: its file was damaged and has no sound copy: places, settings and the PIN are lost; \(kept); check the disk"
        }
    }

    /// Makes the second copy, behind the changes before.
    private func makeCopy() {
        nextCopy?.cancel()
        nextCopy = nil
        guard !isClosed, let database else { return }
        clock.compute(on: thread, rank: .timer) { [path] () -> String? in
            do {
                try database.perform { try LibraryCopy.make(of: path, $0) }
                return nil
            } catch {
                return "\(error)"
            }
        } then: { [weak self] failure in
            guard let self, let failure else { return }
            onFailure?("the second copy of the library could not be made: \(failure); it is tried again")
            scheduleCopy()
        }
    }

    private func scheduleCopy() {
        guard nextCopy == nil, !isClosed else { return }
        nextCopy = clock.schedule(after: Self.copyInterval, rank: .timer) { [weak self] in self?.makeCopy() }
    }

    private func write(_ change: @escaping Change) {
        guard group == nil else {
            group?.append(change)
            return
        }
        scheduleCopy()
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
            self?.open { isOpen in
                guard let self else { return }
                // A trial ends within minutes, and its end is not waited for longer than necessary.
                guard isOpen else { return self.catchUp(after: self.isDeferred ? pause : min(pause * 2, Self.lastRetry)) }
                self.writeEverything { failure in
                    if failure == nil { self.isBehind = false } else { self.catchUp(after: min(pause * 2, Self.lastRetry)) }
                }
            }
        }
    }

    /// Opens the file if it is not open yet, and takes from it what the memory lacks.
    private func open(_ then: @escaping @MainActor @Sendable (_ isOpen: Bool) -> Void) {
        guard !isClosed else { return }
        guard database == nil else { return then(true) }
        clock.compute(on: thread, rank: .timer) { [path, schema, mayMigrate] in
            Result { try LibraryFile.open(path, schema: schema, mayMigrate: mayMigrate()) }
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let opened):
                isDeferred = false
                if let recovery = opened.recovery { onFailure?(Self.words(recovery, path)) }
                adopt(opened)
                scheduleCopy()
                then(true)
            case .failure(let error):
                isDeferred = error is LibraryFile.Deferred
                then(false)
            }
        }
    }

    private func adopt(_ opened: LibraryFile.Opened) {
        database = opened.database
        switch unread {
        case .nothing: break
        case .everything: contents.fill(from: kept(of: opened.contents))
        case .settings:
            var stored = kept(of: opened.contents)
            stored.forgetPlaces()
            contents.fill(from: stored)
        }
        unread = .nothing
        forgotten = []
    }

    private func kept(of stored: LibraryContents) -> LibraryContents {
        guard !forgotten.isEmpty else { return stored }
        var stored = stored
        stored.values = stored.values.filter { name, _ in !forgotten.contains { $0(name) } }
        return stored
    }

    private func writeEverything(_ then: @escaping @MainActor @Sendable (_ failure: String?) -> Void) {
        let contents = contents
        perform({ connection throws(DatabaseError) in try LibraryFile.replace(with: contents, connection) }, then)
    }

    /// Changes the file in one transaction. Does nothing while it is not open: opening it writes everything.
    private func perform(
        _ change: @escaping @Sendable (Connection) throws(DatabaseError) -> Void,
        _ then: @escaping @MainActor @Sendable (_ failure: String?) -> Void
    ) {
        guard !isClosed, let database else { return }
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
}
