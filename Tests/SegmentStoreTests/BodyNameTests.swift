import Cryptography
import LinuxSupport
import MediaModel
import TestSupport
import Testing

@testable import SegmentStore

/// Names of bodies, which are checksums and not proofs.
@Suite("Segment store: names of bodies")
@MainActor
struct BodyNameTests {
    /// Two bodies with one checksum: for a point r of the polynomial, 0·r² + r·r and 1·r² + 0·r are equal (RFC 8439, 2.5).
    private var twins: ([UInt8], [UInt8]) {
        var r = Array(RunningBodyDigest.key.prefix(16))
        for index in [3, 7, 11, 15] { r[index] &= 15 }
        for index in [4, 8, 12] { r[index] &= 252 }
        let zero = [UInt8](repeating: 0, count: 16)
        return (zero + r, [1] + zero.dropFirst() + zero)
    }

    @Test("two bodies with one checksum are never confused", arguments: [false, true])
    func sameName(isSealed: Bool) throws {
        let (one, other) = twins
        try #require(one != other && BodyDigest(of: one) == BodyDigest(of: other))
        let folder = ScratchFolder("store-key")
        let rig = try StoreRig.opened(options: isSealed ? .init(keyFile: folder.path + "/key") : .init())
        rig.put(one, named("one"))
        #expect(rig.put(other, named("other")).failure?.reason == .sameName)
        rig.settle()
        #expect(try rig.read(named("one")).get() == one)
        #expect(rig.read(named("other")).failure?.reason == .absent && rig.disk.names(StoreRig.bodies).count == 1)
        rig.put(one, named("again"))
        #expect(try rig.read(named("again")).get() == one && rig.disk.names(StoreRig.bodies).count == 1)
    }

    @Test("bodies of another length have another name, also where the sum is the same")
    func lengths() throws {
        let digests = [0, 1, 15, 16, 17, 1 << 20].map { BodyDigest(of: [UInt8](repeating: 0, count: $0)) }
        #expect(Set(digests).count == digests.count && Set(digests.map(\.hexadecimal)).count == digests.count)
        #expect(digests.allSatisfy { $0.hexadecimal.count == 64 && BodyDigest($0.bytes) == $0 })
    }

    @Test("a damaged body is replaced when it is stored again")
    func replaced() throws {
        let rig = try StoreRig.opened()
        let bytes = body(1, 3_000_000)
        rig.put(bytes, named("a"))
        rig.disk.damage("\(StoreRig.bodies)/\(BodyDigest(of: bytes).hexadecimal)") { $0[2_900_000] ^= 1 }
        #expect(rig.put(bytes, named("b")).failure == nil)
        #expect(try rig.read(named("a")).get() == bytes && rig.disk.names(StoreRig.bodies).count == 1)
    }

    @Test("bodies that an earlier version named by their SHA-256 are read, verified and found damaged")
    func earlierNames() throws {
        let disk = MemoryDisk()
        let bytes = body(1, 1000)
        let digest = BodyDigest(SHA256.digest(bytes))
        let folder = StoreFolder(path: StoreRig.folder, disk: disk, format: BodyFormat(key: nil))
        try disk.makeFolder(folder.bodies)
        let file = try disk.openForWriting(folder.bodyPath(digest))
        try file.write(bytes, at: 0)
        try file.sync()
        try disk.syncFolder(folder.bodies)
        let journal = Journal(folder: folder.path, disk: disk, format: folder.format, names: folder.names, after: .init())
        try journal.append([
            .asset("film", metadata: [], isRequired: true), .members("film", [named("a")]),
            .stored(named("a"), digest, length: 1000, BodyDescription()), .completed("film", metadata: [], members: 1),
        ])
        let rig = try StoreRig.opened(disk)
        #expect(rig.store.asset("film")?.isComplete == true)
        #expect(try rig.read(named("a")).get() == bytes)
        #expect(try rig.verify("film").get() == [])
        disk.damage(folder.bodyPath(digest)) { $0[7] ^= 1 }
        #expect(try rig.verify("film").get() == [named("a")])
    }
}
