import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import SQLite
import Synchronization
import Testing

@testable import Library

@Suite("The library of another version", .serialized)
@MainActor
struct VersionTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-versions-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/library.sqlite" }
    private var copy: String { path + ".before-second" }

    /// A version that adds to the tables, in two changes, as the rule of `LibrarySchema` allows.
    private static let adding = LibrarySchema(
        migrations: LibrarySchema.current.migrations + [
            .init(name: "first", statements: "ALTER TABLE place ADD COLUMN device TEXT"),
            .init(
                name: "second",
                statements:
                    "CREATE TABLE profile (name TEXT PRIMARY KEY); ALTER TABLE setting ADD COLUMN profile TEXT NOT NULL DEFAULT ''"
            ),
        ])
    /// A version that breaks the rule, in two changes.
    private static let breaking = LibrarySchema(
        migrations: LibrarySchema.current.migrations + [
            .init(name: "first", statements: "ALTER TABLE place ADD COLUMN device TEXT"),
            .init(name: "second", statements: "ALTER TABLE place RENAME COLUMN timescale TO scale; DROP TABLE watched"),
        ])

    /// The files, without the second copy, which each version makes for itself.
    private func names() -> [String] { Folder.names(folder).filter { !$0.hasSuffix(".copy") } }

    private func store(_ schema: LibrarySchema = .current, seconds: Int64 = 1) throws {
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock, schema: schema)
        library.save(.init(time: .seconds(seconds), owedInterstitial: "ad"), of: "e1")
        library.markWatched(interstitial: "a", of: "e1")
        library.setValue("de", "viewer.language")
        library.close()
    }

    private func expectEverything(_ schema: LibrarySchema = .current, seconds: Int64 = 1, _ comment: Comment? = nil) throws {
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock, schema: schema)
        #expect(library.startFailure == nil, comment)
        #expect(library.place(of: "e1") == .init(time: .seconds(seconds), owedInterstitial: "ad"), comment)
        #expect(library.watchedInterstitials(of: "e1") == ["a"], comment)
        #expect(library.value("viewer.language") == "de", comment)
        library.close()
    }

    private func run(_ loop: MainLoop, for length: Duration) {
        let end = loop.clock.now + length
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run(until: { loop.clock.now >= end })
    }

    private func bytes() -> [[UInt8]?] { ["", "-wal"].map { WholeFile.read(path + $0) } }

    /// Changes the file by a connection of its own, which is closed behind it.
    private func change(_ work: (Connection) throws -> Void) throws { try work(Connection(path: path)) }

    private func applied() throws -> Set<String> {
        var names: Set<String> = []
        try Connection(path: path).rows("SELECT identifier FROM grdb_migrations") { row in
            row.text(0).map { _ = names.insert($0) }
        }
        return names
    }

    @Test("a version that adds is followed by the older one, and by itself again, without a loss")
    func adds() throws {
        defer { Folder.remove(folder) }
        try store()
        try expectEverything(Self.adding)
        #expect(try applied() == ["places", "settings", "first", "second"])
        try store(seconds: 7)
        try expectEverything(seconds: 7, "the older version has written the newer file")
        try expectEverything(Self.adding, seconds: 7, "the newer version reads what the older one has written")
        #expect(names() == ["library.sqlite", "library.sqlite.before-second"])
    }

    @Test("what a version before the first release wrote is read")
    func oldest() throws {
        defer { Folder.remove(folder) }
        let first = LibrarySchema(migrations: [LibrarySchema.current.migrations[0]])
        try change { connection in
            try first.migrate(connection)
            try connection.execute(
                "INSERT INTO place (item, value, timescale, debt) VALUES ('e1', 5, 1, 'ad'); INSERT INTO watched VALUES ('e1', 'a')"
            )
        }
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock)
        #expect(library.place(of: "e1") == .init(time: .seconds(5), owedInterstitial: "ad"))
        library.close()
        #expect(names().contains("library.sqlite.before-settings"))
    }

    @Test("a version that breaks the rule is followed by the older one with what was stored before the update")
    func breaks() throws {
        defer { Folder.remove(folder) }
        try store()
        let newer = Library(path: path, clock: try MainLoop(time: .simulated).clock, schema: Self.adding)
        newer.close()
        // The changes of the version that cannot be followed.
        try change { try $0.execute("ALTER TABLE place RENAME COLUMN timescale TO scale; DROP TABLE watched") }
        try expectEverything()
        #expect(names() == ["library.sqlite", "library.sqlite.before-second", "library.sqlite.newer"])
        try expectEverything()
        #expect(
            names() == ["library.sqlite", "library.sqlite.newer"], "the copy is kept until the file is of this version again")
        #expect(try applied() == ["places", "settings"])
        // The next attempt makes a copy of what is stored then.
        try store(seconds: 9)
        let again = Library(path: path, clock: try MainLoop(time: .simulated).clock, schema: Self.adding)
        again.close()
        var seconds: [Int64?] = []
        try Connection(path: copy).rows("SELECT value / timescale FROM place WHERE item = 'e1'") { seconds.append($0.integer(0)) }
        #expect(seconds == [9])
    }

    @Test("without a copy a file that cannot be used is kept, and the box starts without it")
    func noCopy() throws {
        defer { Folder.remove(folder) }
        try store()
        try change { try Self.breaking.migrate($0) }
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock)
        #expect(library.startFailure == nil && library.place(of: "e1") == nil)
        library.save(.init(time: .seconds(3)), of: "e1")
        library.close()
        #expect(names() == ["library.sqlite", "library.sqlite.newer"])
    }

    @Test(
        "on trial the file stays as it is, byte for byte; it is changed when the trial has ended well, with what changed meanwhile"
    )
    func trial() throws {
        defer { Folder.remove(folder) }
        try store()
        let before = bytes()
        let allowed = Flag(false)
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock, schema: Self.adding, mayMigrate: { allowed.value })
        #expect(library.isDeferred && library.startFailure == nil)
        #expect(library.place(of: "e1") == .init(time: .seconds(1), owedInterstitial: "ad"))
        var failures: [String] = []
        library.onFailure = { failures.append($0) }
        library.save(.init(time: .seconds(2), owedInterstitial: "ad"), of: "e1")
        run(loop, for: .seconds(120))
        #expect(bytes() == before && library.isDeferred && failures.isEmpty)
        allowed.value = true
        run(loop, for: .seconds(11))
        #expect(!library.isDeferred)
        library.save(.init(time: .seconds(4), owedInterstitial: "ad"), of: "e1")
        library.close()
        try expectEverything(Self.adding, seconds: 4)
        #expect(names() == ["library.sqlite", "library.sqlite.before-second"])
    }

    @Test("a trial that ends badly leaves the older version its places, also when the newer one was closed in order")
    func failedTrial() throws {
        defer { Folder.remove(folder) }
        try store()
        let before = bytes()
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock, schema: Self.breaking, mayMigrate: { false })
        library.save(.init(time: .seconds(2)), of: "e1")
        run(loop, for: .seconds(30))
        library.close()
        #expect(bytes() == before)
        try expectEverything()
        #expect(names() == ["library.sqlite"])
    }

    @Test("a trial does not hold up a version whose tables are the same, nor a box without a file")
    func nothingToChange() throws {
        defer { Folder.remove(folder) }
        let loop = try MainLoop(time: .simulated)
        let new = Library(path: path, clock: loop.clock, schema: .current, mayMigrate: { false })
        #expect(!new.isDeferred)
        new.close()
        try store()
        let library = Library(path: path, clock: loop.clock, schema: .current, mayMigrate: { false })
        #expect(!library.isDeferred)
        library.save(.init(time: .seconds(8), owedInterstitial: "ad"), of: "e1")
        library.close()
        try expectEverything(seconds: 8)
    }

    /// The states in which a power cut leaves the folder, each made by the steps before it.
    @Test(
        "a power cut at each step of the changes loses nothing, for the newer version and for the older one", arguments: 0..<6,
        [false, true])
    func cuts(steps: Int, isRolledBack: Bool) throws {
        defer { Folder.remove(folder) }
        try store()
        try change { connection in
            func step(_ number: Int, _ work: () throws -> Void) throws { if steps >= number { try work() } }
            try step(1) { try #require(WholeFile.write([1, 2, 3], to: copy + ".new", isSynced: false)) }
            try step(2) { try LibrarySnapshot.take(of: path, in: connection, before: "second") }
            try step(3) { try LibrarySchema(migrations: Array(Self.breaking.migrations.dropLast())).migrate(connection) }
            try step(4) { try Self.breaking.migrate(connection) }
            // The older version puts the copy back.
            try step(5) { try #require(link(path, path + ".newer") == 0) }
        }
        // After the last change the newer version has nothing left to do.
        if !isRolledBack, steps < 4 {
            let library = Library(path: path, clock: try MainLoop(time: .simulated).clock, schema: Self.breakingReader)
            #expect(library.startFailure == nil)
            library.close()
            #expect(try applied() == ["places", "settings", "first", "second"])
        }
        try expectEverything(seconds: 1, "after \(steps) steps")
        try expectEverything(seconds: 1, "after \(steps) steps, once more")
    }

    /// The newer version of `cuts`: it is only asked to make its changes.
    private static let breakingReader = LibrarySchema(
        migrations: LibrarySchema.current.migrations + [
            breaking.migrations[2],
            // Readable by this code, so that its end can be looked at.
            .init(name: "second", statements: "CREATE TABLE profile (name TEXT PRIMARY KEY)"),
        ])

    @Test("on a full disk the file is not changed without its copy, and nothing is lost")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) { try await Self.migrateOnFullDisk() }
    }

    /// In a process of its own: the limit concerns all files of a process.
    private static func migrateOnFullDisk() throws {
        let test = VersionTests()
        defer { Folder.remove(test.folder) }
        try test.store()
        let before = test.bytes()
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = 0
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: test.path, clock: loop.clock, schema: adding)
        try #require(library.startFailure != nil && !library.isDeferred)
        library.setValue("fr", "viewer.language")
        test.run(loop, for: .seconds(60))
        let after = test.bytes()[0]
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try #require(after == before[0])
        test.run(loop, for: .seconds(301))
        library.close()
        let next = Library(path: test.path, clock: loop.clock, schema: adding)
        try #require(next.startFailure == nil)
        try #require(next.value("viewer.language") == "fr" && next.place(of: "e1")?.time == .seconds(1))
        next.close()
        try #require(access(test.copy, F_OK) == 0)
    }
}

/// A condition that threads read.
private final class Flag: Sendable {
    private let state: Mutex<Bool>

    init(_ value: Bool) { state = Mutex(value) }

    var value: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
