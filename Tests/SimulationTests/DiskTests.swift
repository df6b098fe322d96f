import Glibc
import LinuxSupport
import MediaTime
import Testing

@testable import Simulation

@Suite("The disk of a simulated box")
struct DiskTests {
    private func makeFolder() -> String {
        var template = Array("/tmp/marquee-disk-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    @Test("A power cut tears what was not synchronised, and leaves drafts beside files that are replaced")
    func powerCut() {
        var seen: Set<String> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            let path = makeFolder()
            defer { Folder.remove(path) }
            Folder.make(path + "/feed")
            Folder.make(path + "/sessions")
            for name in ["feed/feed.json", "sessions/1.access.log", "library.sqlite", "library.sqlite-wal"] {
                WholeFile.write(Array(name.utf8), to: "\(path)/\(name)")
            }
            let folder = SimulatedDisk(path: path)
            let contents = folder.contents()
            // What is written after the cut is gone.
            WholeFile.write([1], to: path + "/late")
            WholeFile.write([1], to: path + "/feed/feed.json")
            var dice = Dice(seed: seed)
            folder.cutPower(contents, &dice)
            func text(_ name: String) -> String? { WholeFile.read("\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) } }
            #expect(text("late") == nil && text("feed/feed.json") == "feed/feed.json")
            #expect(
                text("library.sqlite") == "library.sqlite" && text("library.sqlite-wal")?.hasPrefix("library.sqlite-wal") == true)
            if text("sessions/1.access.log") != "sessions/1.access.log" { seen.insert("torn") }
            if text("feed/feed.json.new") != nil { seen.insert("draft") }
            if text("library.sqlite-wal") != "library.sqlite-wal" { seen.insert("log") }
        }
        #expect(seen == ["torn", "draft", "log"])
    }

    @Test("A damaged disk has blocks of other bytes, and files that are empty or gone")
    func damage() {
        var seen: Set<String> = []
        for seed in 1...80 as ClosedRange<UInt64> {
            let path = makeFolder()
            defer { Folder.remove(path) }
            let whole = [UInt8](repeating: 7, count: 10_000)
            WholeFile.write(whole, to: path + "/library.sqlite")
            var dice = Dice(seed: seed)
            SimulatedDisk(path: path).damage(&dice)
            guard let bytes = WholeFile.read(path + "/library.sqlite") else {
                seen.insert("gone")
                continue
            }
            if bytes.isEmpty { seen.insert("empty") }
            if bytes.count == whole.count {
                // Whole blocks of a memory card.
                let blocks = stride(from: 0, to: bytes.count, by: 4096).filter {
                    bytes[$0..<min($0 + 4096, bytes.count)].contains { $0 != 7 }
                }
                #expect((1...3).contains(blocks.count))
                if bytes.contains(0) { seen.insert("zeros") }
                if Set(bytes).count > 100 { seen.insert("other bytes") }
            }
        }
        #expect(seen == ["gone", "empty", "zeros", "other bytes"])
    }

    @Test("While writing is refused no file changes, and afterwards it is possible again")
    func refused() async {
        // The limit concerns the whole process, so that it is a process of its own.
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let path = "/tmp/marquee-refused-\(getpid())"
                guard WholeFile.write([1, 2], to: path) else { exit(1) }
                FileWriting.isRefused = true
                guard !WholeFile.write([3], to: path), WholeFile.read(path) == [1, 2] else { exit(2) }
                FileWriting.isRefused = false
                guard WholeFile.write([4], to: path), WholeFile.read(path) == [4] else { exit(3) }
                unlink(path)
            }
        }
    }
}

@Suite("The rules about what survives a power cut")
struct MemoryRuleTests {
    private let places = PlaceRule(film: .seconds(600), advertisement: SimulatedServer.advertisement)

    private func rule(_ settings: [String], picture: MediaTime? = nil) -> MemoryRule {
        var rule = MemoryRule(places: places)
        rule.powerIsCut(.init(settings: settings, picture: picture.map { ($0, .zero) }))
        return rule
    }

    @Test("A setting that is lost, changed or new is a breach")
    func settings() {
        for (settings, isBreach) in [(["a=1"], false), ([], true), (["a=2"], true), (["a=1", "b=1"], true)] {
            var rule = rule(["a=1"])
            #expect((rule.started(settings: settings, place: nil) != nil) == isBreach)
        }
    }

    @Test("A position that is far from the last picture is a breach")
    func place() {
        for (place, isBreach) in [(95, false), (94, true)] as [(Int64, Bool)] {
            var rule = rule([], picture: .seconds(100))
            #expect((rule.started(settings: [], place: .seconds(place)) != nil) == isBreach)
        }
    }

    @Test("It is judged once, at the next start, and not when nothing could be stored")
    func once() {
        var rule = rule(["a=1"])
        #expect(rule.started(settings: [], place: nil) != nil)
        #expect(rule.started(settings: [], place: nil) == nil)
        rule.powerIsCut(nil)
        #expect(rule.started(settings: ["b=1"], place: nil) == nil)
    }
}
