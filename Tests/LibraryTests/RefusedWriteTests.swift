import Glibc
import LinuxSupport
import MediaTime
import SQLite
import Testing

@testable import Library

@Suite("A file that cannot be written for a while", .serialized)
@MainActor
struct RefusedWriteTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-refused-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/library.sqlite" }

    /// Another connection, which refuses the library's writes while it holds the lock.
    private func makeLock() throws -> Connection { try Connection(path: path) }

    private func set(_ lock: Connection, _ isHeld: Bool) throws { try lock.execute(isHeld ? "BEGIN IMMEDIATE" : "ROLLBACK") }

    private func run(_ loop: MainLoop, for length: Duration) {
        let end = loop.clock.now + length
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run(until: { loop.clock.now >= end })
    }

    /// What another process would read.
    private func stored() throws -> Library { Library(path: path, clock: try MainLoop(time: .real).clock) }

    @Test("what could not be written is written later, with all that changed meanwhile, and the failure is told once")
    func later() throws {
        defer { Folder.remove(folder) }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        var failures = 0
        library.onFailure = { _ in failures += 1 }
        library.setValue("old", "removed")
        library.save(.init(time: .seconds(1)), of: "e1")
        run(loop, for: .seconds(1))
        let lock = try makeLock()
        try set(lock, true)
        library.save(.init(time: .seconds(2)), of: "e1")
        library.save(.init(time: .seconds(3)), of: "e2")
        library.markWatched(interstitial: "ad", of: "e2")
        library.setValue("de", "language")
        library.setValue(nil, "removed")
        run(loop, for: .seconds(60))
        #expect(failures == 1)
        try set(lock, false)
        run(loop, for: .seconds(80))
        let other = try stored()
        #expect(other.place(of: "e1")?.time == .seconds(2) && other.place(of: "e2")?.time == .seconds(3))
        #expect(other.recentPlaces == ["e2", "e1"] && other.watchedInterstitials(of: "e2") == ["ad"])
        #expect(other.value("language") == "de" && other.value("removed") == nil)
        other.close()
        library.setValue("fr", "language")
        run(loop, for: .seconds(1))
        try set(lock, true)
        library.setValue("it", "language")
        run(loop, for: .seconds(1))
        #expect(failures == 2, "a new failure is told again")
        try set(lock, false)
        library.close()
    }

    @Test("what could not be written is written at the latest when the library is closed")
    func closed() throws {
        defer { Folder.remove(folder) }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        // The second copy is made.
        run(loop, for: .seconds(1))
        let lock = try makeLock()
        try set(lock, true)
        library.setValue("de", "language")
        run(loop, for: .seconds(1))
        try set(lock, false)
        library.close()
        let other = try stored()
        #expect(other.value("language") == "de")
        other.close()
    }
}
