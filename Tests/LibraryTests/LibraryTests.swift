import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import SQLite
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
        Folder.remove(folder)
    }

    @Test("positions and watched interstitials survive a restart")
    func remembers() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        let first = Library(path: path, clock: loop.clock)
        first.save(.init(time: MediaTime(1001, 30_000), owedInterstitial: "a1"), of: "e1")
        first.save(.init(time: .seconds(5)), of: "e2")
        first.save(nil, of: "e2")
        first.markWatched(interstitial: "a1", of: "e1")
        first.markWatched(interstitial: "a1", of: "e1")
        first.close()
        let second = Library(path: path, clock: loop.clock)
        #expect(second.place(of: "e1") == .init(time: MediaTime(1001, 30_000), owedInterstitial: "a1"))
        #expect(second.place(of: "e2") == nil)
        #expect(second.watchedInterstitials(of: "e1") == ["a1"])
        second.close()
    }

    /// What a box finds that starts from the file as it is on the disk now, as after a power cut.
    private func found(_ suffix: String = "") throws -> (recent: [String], values: [String]) {
        let copy = folder + "/cut.sqlite"
        for end in ["", "-wal", "-shm", ".copy"] { unlink(copy + end) }
        try #require(WholeFile.write(try #require(WholeFile.read(path + suffix)), to: copy))
        if suffix.isEmpty, let log = WholeFile.read(path + "-wal") { try #require(WholeFile.write(log, to: copy + "-wal")) }
        let library = Library(path: copy, clock: try MainLoop(time: .simulated).clock)
        defer { library.close() }
        return (library.recentPlaces, library.values(under: "").map(\.name))
    }

    @Test(
        "changes that are made together are on the disk all or none, whenever the power is cut, and do not come back from the copy"
    )
    func together() throws {
        defer { remove() }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        for number in 0..<40 {
            library.save(.init(time: .seconds(1)), of: "film \(number)")
            library.setValue("x", "choice.\(number)")
        }
        library.setValue("de", "viewer.language")
        library.setValue("1234", "network.throughput")
        library.close()
        let second = Library(path: path, clock: loop.clock)
        func forget(in library: Library) {
            library.together {
                library.forgetPlaces()
                library.forgetValues { $0.hasPrefix("choice.") }
                library.forgetValues { $0.hasPrefix("viewer.") }
                library.setValue("3", "viewer.overscan")
            }
        }
        forget(in: second)
        #expect(second.recentPlaces.isEmpty && second.values(under: "").map(\.name) == ["network.throughput", "viewer.overscan"])
        // The worker writes meanwhile: each look sees one state or the other.
        for _ in 0..<40 {
            let (recent, values) = try found()
            #expect((recent.count == 40 && values.count == 42) || (recent.isEmpty && values.count == 2), "\(recent) \(values)")
        }
        second.close()
        #expect(try found().values == ["network.throughput", "viewer.overscan"])
        #expect(try found(".copy").values == ["network.throughput", "viewer.overscan"])
    }

    @Test("what was forgotten before the file could be read is not there when it can")
    func forgottenUnread() throws {
        defer { remove() }
        Folder.make(folder + "/state")
        let path = folder + "/state/library.sqlite"
        let loop = try MainLoop(time: .simulated)
        let first = Library(path: path, clock: loop.clock)
        first.save(.init(time: .seconds(1)), of: "film")
        first.setValue("x", "choice.a")
        first.setValue("5", "network.throughput")
        first.close()
        // As a disk that comes late.
        try #require(rename(folder + "/state", folder + "/later") == 0)
        let second = Library(path: path, clock: loop.clock)
        try #require(second.startFailure != nil)
        second.together {
            second.forgetPlaces()
            second.forgetValues { $0.hasPrefix("choice.") }
        }
        try #require(rename(folder + "/later", folder + "/state") == 0)
        let end = loop.clock.now + .seconds(60)
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run(until: { second.value("network.throughput") != nil || loop.clock.now >= end })
        #expect(second.recentPlaces.isEmpty && second.values(under: "").map(\.name) == ["network.throughput"])
        second.close()
        let third = Library(path: path, clock: loop.clock)
        #expect(third.recentPlaces.isEmpty && third.values(under: "").map(\.name) == ["network.throughput"])
        third.close()
    }

    /// The write-ahead log has a frame for each page that a change writes.
    private func pagesWritten() -> Int {
        var status = stat()
        return stat(path + "-wal", &status) == 0 ? Int(status.st_size - 32) / (4096 + 24) : 0
    }

    @Test("a position that is saved again and again writes one page each time, and the newest stays in front")
    func wear() throws {
        defer { remove() }
        let loop = try MainLoop(time: .simulated)
        let first = Library(path: path, clock: loop.clock)
        for id in 0..<50 { first.save(.init(time: .zero), of: "film \(id)") }
        first.close()
        let library = Library(path: path, clock: loop.clock)
        let before = pagesWritten()
        for second in 1...100 { library.save(.init(time: .seconds(Int64(second))), of: "film 7") }
        #expect(library.recentPlaces.first == "film 7")
        let end = loop.clock.now + .seconds(1)
        loop.clock.schedule(at: end, rank: .timer) {}
        loop.run(until: { loop.clock.now >= end })
        #expect(pagesWritten() - before == 100)
        library.close()
        let again = Library(path: path, clock: loop.clock)
        #expect(again.recentPlaces.first == "film 7" && again.recentPlaces.count == 50)
        #expect(again.place(of: "film 7")?.time == .seconds(100))
        again.close()
    }

    @Test("a damaged database is moved aside, and the box starts")
    func damaged() throws {
        defer { remove() }
        let file = try #require(fopen(path, "wb"))
        fputs(String(repeating: "this is no database. ", count: 400), file)
        fclose(file)
        let loop = try MainLoop(time: .real)
        let library = Library(path: path, clock: loop.clock)
        library.save(.init(time: .seconds(1)), of: "e1")
        library.close()
        #expect(access(path + ".damaged", F_OK) == 0)
        let again = Library(path: path, clock: loop.clock)
        #expect(again.place(of: "e1")?.time == .seconds(1))
        again.close()
    }

    /// A library with a place and a PIN, and what its file has then.
    private func written(_ loop: MainLoop) -> Library {
        let library = Library(path: path, clock: loop.clock)
        for id in 0..<200 { library.save(.init(time: .seconds(Int64(id))), of: "film \(id)") }
        library.setValue("1234", "pin")
        library.close()
        return library
    }

    private func overwrite(from offset: Int, _ bytes: [UInt8]) throws {
        let number = open(path, O_WRONLY)
        let written = pwrite(number, bytes, bytes.count, off_t(offset))
        close(number)
        try #require(written == bytes.count)
    }

    @Test(
        "a file that is damaged anywhere, empty or gone is replaced by its second copy: places, settings and the PIN stay",
        arguments: ["head", "middle", "cut", "empty", "gone", "folder"])
    func copied(damage: String) throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        _ = written(loop)
        switch damage {
        case "head": try overwrite(from: 0, [UInt8](repeating: 7, count: 100))
        case "middle": try overwrite(from: 4096, [UInt8](repeating: 0xA5, count: 8192))
        case "cut": truncate(path, 6000)
        case "empty": truncate(path, 0)
        default: unlink(path)
        }
        let again = Library(path: path, clock: loop.clock)
        #expect(again.recovery?.contains("second copy is used") == true && again.startFailure == nil)
        #expect(again.value("pin") == "1234" && again.place(of: "film 150")?.time == .seconds(150))
        #expect(again.recentPlaces.count == 200)
        again.save(.init(time: .seconds(9)), of: "new")
        again.close()
        let third = Library(path: path, clock: loop.clock)
        #expect(third.recovery == nil && third.place(of: "new")?.time == .seconds(9))
        third.close()
    }

    @Test("where the copy is damaged too, a new file is made, and the log is told; what a viewer removed is not in the copy")
    func copyDamaged() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        _ = written(loop)
        let bytes = try #require(WholeFile.read(path))
        let junk = [UInt8](repeating: 0xA5, count: bytes.count)
        #expect(WholeFile.write(junk, to: path) && WholeFile.write(junk, to: path + ".copy"))
        let again = Library(path: path, clock: loop.clock)
        #expect(again.recovery?.contains("lost") == true && again.value("pin") == nil)
        again.setValue("5678", "pin")
        again.save(.init(time: .seconds(9)), of: "secret")
        again.forgetPlaces()
        again.close()
        #expect(truncate(path, 0) == 0)
        let third = Library(path: path, clock: loop.clock)
        #expect(third.value("pin") == "5678" && third.place(of: "secret") == nil)
        third.close()
    }

    @Test("the copy is made ten minutes after a change, and not without one")
    func copyTime() throws {
        defer { remove() }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        func run(_ seconds: Int64) {
            var isOver = false
            loop.clock.schedule(after: .seconds(seconds), rank: .display) { isOver = true }
            loop.run(until: { isOver })
        }
        run(1)
        let first = WholeFile.read(path + ".copy")
        #expect(first != nil)
        library.setValue("1", "a")
        run(590)
        #expect(WholeFile.read(path + ".copy") == first)
        run(20)
        #expect(WholeFile.read(path + ".copy") != first)
        library.close()
    }

    @Test("another process that looks into the file, and ends, takes nothing of what is written afterwards")
    func otherProcess() async throws {
        defer { remove() }
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: path, clock: loop.clock)
        func run() {
            let end = loop.clock.now + .seconds(1)
            loop.clock.schedule(at: end, rank: .timer) {}
            loop.run(until: { loop.clock.now >= end })
        }
        library.setValue("1", "before")
        // The second copy is made too.
        run()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try Connection(path: path).rows("SELECT * FROM setting") { _ in }
        }
        library.setValue("2", "after")
        run()
        // What a power cut would leave.
        let cut = folder + "/cut.sqlite"
        for suffix in ["", "-wal"] { _ = WholeFile.write(try #require(WholeFile.read(path + suffix)), to: cut + suffix) }
        let next = Library(path: cut, clock: loop.clock)
        #expect(next.value("before") == "1" && next.value("after") == "2")
        next.close()
        library.close()
    }

    @Test("rows whose values have other types than their columns are ignored")
    func otherTypes() throws {
        defer { remove() }
        let loop = try MainLoop(time: .real)
        let first = Library(path: path, clock: loop.clock)
        first.save(.init(time: .seconds(7)), of: "good")
        first.close()
        // A blob that is UTF-8 is no text, and a text may not be UTF-8.
        try Connection(path: path).execute(
            """
            INSERT INTO place (item, value, timescale, debt) VALUES
                ('text', 'x', 1, NULL), ('scale', 1, 'x', NULL), ('zero', 1, 0, NULL), ('long', 1, 9223372036854775807, NULL),
                (NULL, 1, 1, NULL), ('real', 1e300, 1, NULL), ('debt', 1, 1, x'FF'), (x'FF', 1, 1, NULL),
                ('half', 1.5, 1, NULL), (x'676F6F64', 9, 1, NULL), (CAST(x'62C3' AS TEXT), 1, 1, NULL);
            INSERT INTO watched (item, interstitial) VALUES (x'FF', 'a'), ('w', x'FF'), ('w', 'b');
            INSERT INTO setting (name, value) VALUES (NULL, 'a'), ('blob', x'FF'), (x'FF', 'b');
            """)
        let second = Library(path: path, clock: loop.clock)
        #expect(second.place(of: "good")?.time == .seconds(7))
        #expect(Set(second.recentPlaces) == ["good", "debt"] && second.recentPlaces.count == 2)
        #expect(second.place(of: "debt") == .init(time: .seconds(1)))
        #expect(second.watchedInterstitials(of: "w") == ["b"])
        second.close()
    }
}
