import Foundation
import Glibc
import LinuxSupport
import MediaTime
import Testing

@testable import Library

@Suite("A file that cannot be opened at the start", .serialized)
@MainActor
struct RefusedOpeningTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-opening-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/state/library.sqlite" }

    private func run(_ loop: MainLoop, for length: Duration) {
        let end = loop.clock.now + length
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run(until: { loop.clock.now >= end })
    }

    private func store(at path: String) throws {
        let library = Library(path: path, clock: try MainLoop(time: .simulated).clock)
        library.save(.init(time: .seconds(1)), of: "e1")
        library.save(.init(time: .seconds(2)), of: "e2")
        library.markWatched(interstitial: "a", of: "e1")
        library.setValue("1234", "pin")
        library.setValue("de", "language")
        library.close()
    }

    @Test(
        "on a disk that is full at the start everything is read, and what changes is written when there is room",
        arguments: [false, true])
    func fullDisk(wasCut: Bool) async throws {
        await #expect(processExitsWith: .success) { [wasCut] in
            try await Self.startOnFullDisk(wasCut: wasCut)
        }
    }

    /// In a process of its own: the limit concerns all files of a process.
    private static func startOnFullDisk(wasCut: Bool) throws {
        let test = RefusedOpeningTests()
        defer { Folder.remove(test.folder) }
        Folder.make(test.folder + "/state")
        // A power cut leaves the write-ahead log.
        let written = wasCut ? test.folder + "/written.sqlite" : test.path
        try test.store(at: written)
        if wasCut {
            let open = Library(path: written, clock: try MainLoop(time: .simulated).clock)
            for suffix in ["", "-wal"] {
                try #require(WholeFile.write(try #require(WholeFile.read(written + suffix)), to: test.path + suffix))
            }
            open.close()
        }
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = 0
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: test.path, clock: loop.clock)
        library.save(.init(time: .seconds(30)), of: "e1")
        let isRead = library.value("pin") == "1234" && library.place(of: "e2")?.time == .seconds(2)
        test.run(loop, for: .seconds(30))
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        try #require(isRead)
        test.run(loop, for: .seconds(600))
        library.close()
        let next = Library(path: test.path, clock: loop.clock)
        try #require(next.startFailure == nil)
        try #require(
            next.place(of: "e1")?.time == .seconds(30) && next.value("pin") == "1234" && next.recentPlaces == ["e1", "e2"])
        next.close()
    }

    @Test("a file that can only be read is read, and written when that is possible")
    func readOnly() throws {
        defer { Folder.remove(folder) }
        Folder.make(folder + "/state")
        try store(at: path)
        // SQLite cannot open its write-ahead log, as on a disk that is read-only.
        Folder.remove(path + "-wal")
        Folder.make(path + "-wal")
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        let failure = try #require(library.startFailure)
        #expect(failure.isRead && failure.description.contains("what is stored was read"))
        #expect(
            library.value("language") == "de" && library.recentPlaces == ["e2", "e1"]
                && library.watchedInterstitials(of: "e1") == ["a"])
        library.setValue("fr", "language")
        library.save(nil, of: "e2")
        run(loop, for: .seconds(100))
        Folder.remove(path + "-wal")
        run(loop, for: .seconds(400))
        library.setValue("5678", "pin")
        library.close()
        let next = Library(path: path, clock: loop.clock)
        #expect(
            next.startFailure == nil && next.value("language") == "fr" && next.value("pin") == "5678"
                && next.recentPlaces == ["e1"])
        next.close()
    }

    @Test(
        "a folder that appears later keeps what it has, and takes what the viewer has done meanwhile", arguments: [false, true])
    func late(forgets: Bool) throws {
        defer { Folder.remove(folder) }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        #expect(library.startFailure?.isRead == false)
        library.setValue("fr", "language")
        if forgets { library.forgetPlaces() }
        library.save(.init(time: .seconds(9)), of: "e1")
        run(loop, for: .seconds(60))
        try store(at: folder + "/library.sqlite")
        Folder.make(folder + "/state")
        try #require(WholeFile.write(try #require(WholeFile.read(folder + "/library.sqlite")), to: path))
        if let log = WholeFile.read(folder + "/library.sqlite-wal") { try #require(WholeFile.write(log, to: path + "-wal")) }
        run(loop, for: .seconds(400))
        #expect(library.value("pin") == "1234" && library.value("language") == "fr")
        #expect(library.recentPlaces == (forgets ? ["e1"] : ["e1", "e2"]))
        library.close()
        let next = Library(path: path, clock: loop.clock)
        #expect(next.place(of: "e1")?.time == .seconds(9) && next.value("language") == "fr" && next.value("pin") == "1234")
        #expect(
            next.recentPlaces == (forgets ? ["e1"] : ["e1", "e2"])
                && next.watchedInterstitials(of: "e1") == (forgets ? [] : ["a"]))
        next.close()
    }

    @Test("changes are written at the end if the file can be opened then")
    func closing() throws {
        defer { Folder.remove(folder) }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        library.setValue("fr", "language")
        Folder.make(folder + "/state")
        library.close()
        let next = Library(path: path, clock: loop.clock)
        #expect(next.value("language") == "fr")
        next.close()
    }
}
