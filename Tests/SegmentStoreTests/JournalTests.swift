import LinuxSupport
import MediaSources
import Testing

@testable import SegmentStore

@Suite("Journal")
@MainActor
struct JournalTests {
    private let records: [JournalRecord] = [
        .asset("film é", metadata: [0, 255], isRequired: true),
        .members("film é", [ResourceKey(name: "http://x/1"), ResourceKey(name: "", range: 5..<Int64.max)]),
        .stored(
            named("a"), BodyDigest(Array(0..<32)), length: 1 << 40,
            BodyDescription(contentType: "video/mp4", url: "u", version: ResourceVersion(validator: "\"1\"", length: 0))),
        .partial(named("b"), number: .max, length: 0, BodyDescription()),
        .removed(named("a")), .completed("film é", metadata: [], members: 2), .assetRemoved("film é"), .assetUsed("x", 9),
        .resourceUsed(named("b"), .max),
    ]

    @Test("each record is read as it was written, and no shorter, longer or changed one is taken for another")
    func encoding() {
        for record in records {
            let bytes = record.encoded
            #expect(JournalRecord(bytes[...]) == record)
            for count in 0..<bytes.count { #expect(JournalRecord(bytes[..<count]) == nil) }
            #expect(JournalRecord((bytes + [0])[...]) == nil)
        }
    }

    @Test("any bytes at all are read without a trap")
    func anyBytes() {
        var random = SeededGenerator(seed: 1)
        for round in 0..<5000 {
            var bytes = records[round % records.count].encoded
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = [0, 1, 127, 128, 255].randomElement(using: &random)!
            }
            var index = StoreIndex()
            if let record = JournalRecord(bytes[...]) {
                _ = index.apply(record)
                _ = index.apply(record)
            }
        }
    }

    @Test("a damaged frame is skipped, a torn end is cut off, and what comes after them is kept")
    func damage() throws {
        let rig = try StoreRig.opened()
        for id in ["a", "b", "c"] { #expect(rig.setAsset(id) == nil) }
        rig.store.close()
        let journal = StoreRig.folder + "/journal"
        let whole = rig.disk.contents
        // The last byte of the second record.
        let middle = MemoryDisk(whole)
        middle.damage(journal) {
            $0[$0.count - JournalRecord.asset("c", metadata: [], isRequired: false).encoded.count - 13] ^= 1
        }
        let afterDamage = try StoreRig.opened(middle)
        #expect(afterDamage.store.assetIDs == ["a", "c"])
        for cut in 1..<40 {
            let torn = MemoryDisk(whole)
            torn.damage(journal) { $0.removeLast(cut) }
            let second = try StoreRig(torn)
            let report = try second.open().get()
            #expect(
                second.store.assetIDs.starts(with: ["a", "b", "c"].prefix(second.store.assetIDs.count)) && report.warning == nil)
            let count = second.store.assetIDs.count
            #expect(second.setAsset("d") == nil)
            second.store.close()
            let third = try StoreRig.opened(torn)
            #expect(third.store.assetIDs.count == count + 1)
        }
    }

    @Test("garbage in place of the journal is an empty store or none of ours, never a trap")
    func garbage() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<50 {
            let rig = try StoreRig.opened()
            #expect(rig.setAsset("a") == nil)
            rig.store.close()
            let disk = rig.disk
            disk.damage(StoreRig.folder + "/journal") { bytes in
                for index in bytes.indices where Int.random(in: 0..<4, using: &random) == 0 {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let second = try StoreRig.opened(disk)
            #expect(second.setAsset("b") == nil)
            second.store.close()
            let third = try StoreRig.opened(disk)
            #expect(third.store.assetIDs.contains("b"))
        }
    }

    @Test("the journal is rewritten before superfluous records outnumber the others")
    func rewriting() throws {
        let rig = try StoreRig.opened()
        #expect(rig.setAsset("a") == nil)
        for round in 0..<30 {
            for number in 0..<200 { rig.store.setAsset("a", metadata: [UInt8(number)], isRequired: round == 29) }
            #expect(rig.setAsset("b") == nil)
        }
        rig.settle()
        let contents = rig.disk.contents
        let file = try #require(contents.names[StoreRig.folder + "/journal"])
        // One record of this kind has less than 50 bytes.
        #expect(contents.files[file, default: []].count < 50 * 2 * 2000)
        rig.store.close()
        let second = try StoreRig.opened(rig.disk)
        #expect(second.store.asset("a")?.metadata == [199] && second.store.asset("a")?.isRequired == true)
    }
}
