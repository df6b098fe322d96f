import Glibc
import LinuxSupport
import NetworkConditions
import Testing

@testable import KeptArtwork
@testable import SegmentStore

@Suite("The files of artwork")
@MainActor
struct ArtworkFilesTests {
    private static func limits(bytes: Int64 = 50 << 20, count: Int = 4096) -> ArtworkFiles.Limits {
        var limits = ArtworkFiles.Limits()
        limits.cache = CacheBounds(bytes: bytes, count: count)
        return limits
    }

    @Test(
        "a damaged file, a torn one and a lost one are dropped with a line and loaded again", arguments: ["bit", "torn", "lost"])
    func damage(_ kind: String) throws {
        let before = try ArtworkRig()
        before.put("a", "good")
        before.put("b", "other")
        _ = before.words(of: "a")
        _ = before.words(of: "b")
        before.settle()
        let file = try #require(
            before.bodies.first { name in
                let number = before.disk.contents.names["/artwork/bodies/\(name)"]
                return number.flatMap { before.disk.contents.files[$0] } == ArtworkRig.picture("good")
            })
        let path = "/artwork/bodies/\(file)"
        before.close()
        let rig = try ArtworkRig(after: before)
        _ = rig.words(of: "b")
        switch kind {
        case "bit": rig.disk.damage(path) { $0[500] ^= 4 }
        case "torn": rig.disk.damage(path) { $0.removeLast(400) }
        default: try rig.disk.remove(path)
        }
        #expect(rig.words(of: "a") == "good")
        rig.settle()
        #expect(rig.warnings.count == 1 && rig.warnings[0].contains("https://cdn.example/a.jpg is damaged"), "\(rig.warnings)")
        let again = try ArtworkRig(after: rig)
        again.script.fail("https://cdn.example/*", with: .refusal)
        #expect(again.words(of: "a") == "good" && again.words(of: "b") == "other")
    }

    @Test("a power cut after any operation leaves each picture whole or absent, and never another one")
    func powerCuts() throws {
        let rig = try ArtworkRig()
        for name in ["a", "b", "c"] {
            rig.put(name, name)
            _ = rig.words(of: name)
        }
        rig.settle()
        rig.put("a", "newer")
        rig.cache.networkReturned()
        rig.run(for: 3600)
        rig.cache.use(ArtworkRig.address("a"))
        rig.settle()
        #expect(rig.words(of: "a") == "newer")
        rig.settle()
        rig.close()
        let log = rig.disk.log
        #expect(log.count > 20)
        var random = SeededGenerator(seed: 7)
        for count in 0...log.count {
            let left = MemoryDisk.afterPowerCut(log, after: count, folders: rig.disk.contents.folders, &random)
            let after = try ArtworkRig(disk: MemoryDisk(left))
            after.script.fail("https://cdn.example/*", with: .refusal)
            for name in ["a", "b", "c"] {
                let words = after.words(of: name)
                #expect(words == nil || words == name || words == "newer" && name == "a", "after \(count): \(words ?? "")")
                if count == log.count { #expect(words == (name == "a" ? "newer" : name)) }
            }
            after.close()
        }
    }

    @Test(
        "a disk that is full, or can only be read, costs one line; pictures are shown, and kept again later",
        arguments: [ENOSPC, EROFS])
    func refusal(_ code: Int32) throws {
        let before = try ArtworkRig()
        before.put("a", "kept")
        _ = before.words(of: "a")
        before.settle()
        let rig = try ArtworkRig(after: before)
        rig.disk.refuseChanges(code)
        for number in 0..<20 { rig.put("\(number)", "shown") }
        #expect(rig.words(of: "a") == "kept")
        for number in 0..<20 {
            #expect(rig.words(of: "\(number)") == "shown")
            rig.run(for: 120)
        }
        #expect(rig.warnings.count == 1, "\(rig.warnings)")
        rig.disk.refuseChanges(nil)
        rig.run(for: 601)
        rig.put("late", "later")
        #expect(rig.words(of: "late") == "later")
        rig.settle()
        #expect(rig.bodies.count == 2 && rig.warnings.count == 2, "\(rig.warnings)")
    }

    @Test("little room of the disk is left to others")
    func room() throws {
        let rig = try ArtworkRig()
        rig.disk.setFree(10 << 20)
        rig.put("a", "shown")
        #expect(rig.words(of: "a") == "shown")
        rig.settle()
        #expect(rig.bodies == [] && rig.warnings.count == 1, "\(rig.warnings)")
    }

    @Test("the longest unused leave first, and before them what the feed has no longer")
    func order() throws {
        let rig = try ArtworkRig(limits: Self.limits(count: 8))
        rig.files.wanted = { (0..<9).filter { $0 != 5 }.map { ArtworkRig.address("\($0)") } }
        for number in 0..<8 {
            rig.put("\(number)", "\(number)")
            _ = rig.words(of: "\(number)")
            rig.settle()
        }
        _ = rig.words(of: "0")
        rig.put("8", "8")
        _ = rig.words(of: "8")
        rig.settle()
        let again = try ArtworkRig(after: rig)
        again.script.fail("https://cdn.example/*", with: .refusal)
        #expect((0..<9).filter { again.words(of: "\($0)") != nil } == [0, 2, 3, 4, 6, 7, 8])
    }

    @Test("five thousand posters stay within size and count, with few files and no error")
    func fiveThousand() throws {
        let disk = MemoryDisk(capacity: 1 << 30)
        let rig = try ArtworkRig(disk: disk, limits: Self.limits(bytes: 2 << 20, count: 1000))
        for number in 0..<5000 { rig.put("\(number)", "\(number)") }
        for first in stride(from: 0, to: 5000, by: 50) {
            var answers = 0
            for number in first..<first + 50 { rig.cache.load(ArtworkRig.address("\(number)")) { _ in answers += 1 } }
            rig.loop.run(until: { answers == 50 })
        }
        rig.settle()
        #expect(rig.files.bytes <= 2 << 20 && rig.bodies.count <= 1000 && rig.bodies.count >= 800)
        #expect(rig.warnings == [])
        #expect(rig.words(of: "4999") == "4999" && rig.requests(for: "4999").count == 1)
        rig.files.removeAll()
        rig.settle()
        #expect(rig.files.bytes == 0 && rig.bodies == [])
    }
}
