import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Library

@Suite("Library", .serialized)
@MainActor
struct LibraryTests {
    private let folder: String

    init() {
        var template = Array("/tmp/marquee-library-XXXXXX".utf8CString)
        folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    private var path: String { folder + "/library.sqlite" }

    private func remove() {
        for name in ["", "-wal", "-shm", ".damaged"] { unlink(path + name) }
        rmdir(folder)
    }

    @Test("positions and watched interstitials survive a restart")
    func remembers() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        let first = try Library(path: path, clock: loop.clock)
        first.save(.init(time: MediaTime(1001, 30_000), owedInterstitial: "a1"), of: "e1")
        first.save(.init(time: .seconds(5)), of: "e2")
        first.save(nil, of: "e2")
        first.markWatched(interstitial: "a1", of: "e1")
        first.markWatched(interstitial: "a1", of: "e1")
        first.close()
        let second = try Library(path: path, clock: loop.clock)
        #expect(second.place(of: "e1") == .init(time: MediaTime(1001, 30_000), owedInterstitial: "a1"))
        #expect(second.place(of: "e2") == nil)
        #expect(second.watchedInterstitials(of: "e1") == ["a1"])
        second.close()
    }

    @Test("a damaged database is moved aside, and the box starts")
    func damaged() throws {
        defer { remove() }
        let file = fopen(path, "wb")
        fputs(String(repeating: "this is no database. ", count: 400), file)
        fclose(file)
        let loop = try MainLoop(time: .real)
        let library = try Library(path: path, clock: loop.clock)
        library.save(.init(time: .seconds(1)), of: "e1")
        library.close()
        #expect(access(path + ".damaged", F_OK) == 0)
        let again = try Library(path: path, clock: loop.clock)
        #expect(again.place(of: "e1")?.time == .seconds(1))
        again.close()
    }

    @Test("a missing folder is reported in one sentence")
    func absent() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        #expect(throws: LibraryError.self) { try Library(path: "/nowhere/at/all/library.sqlite", clock: loop.clock) }
    }
}
