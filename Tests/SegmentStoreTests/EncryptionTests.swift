import Cryptography
import Glibc
import LinuxSupport
import MediaSources
import TestSupport
import Testing

@testable import SegmentStore

@Suite("Encrypted store")
@MainActor
struct EncryptionTests {
    private let scratch = ScratchFolder("store-key")
    private var keyFile: String { scratch.path + "/key" }
    private var options: SegmentStore.Options { .init(keyFile: keyFile) }
    /// Three whole chunks and a part.
    private let bytes = body(1, 3 * BodyFormat.chunkLength + 777)

    @Test("any range of an encrypted body is read, also after a restart")
    func ranges() throws {
        let first = try StoreRig.opened(options: options)
        _ = try first.put(bytes, named("a"), expecting: ExpectedBody(sha256: SHA256.digest(bytes))).get()
        first.put([], named("empty"))
        first.put(Array(bytes.prefix(BodyFormat.chunkLength)), named("chunk"))
        first.store.close()
        let rig = try StoreRig.opened(first.disk, options: options)
        let chunk = Int64(BodyFormat.chunkLength)
        let edges = [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk, 3 * chunk + 776, 3 * chunk + 777]
        for lower in edges {
            for upper in edges where lower <= upper {
                #expect(try rig.read(named("a"), lower..<upper).get() == Array(bytes[Int(lower)..<Int(upper)]))
            }
        }
        #expect(try rig.read(named("empty")).get() == [])
        #expect(try rig.read(named("chunk")).get() == Array(bytes.prefix(BodyFormat.chunkLength)))
    }

    @Test("neither names nor bytes are on the disk, and the key is only for its owner")
    func hidden() throws {
        let rig = try StoreRig.opened(options: options)
        let secret = Array("a secret programme".utf8)
        #expect(rig.setAsset("film", secret) == nil && rig.add([named("a secret programme")], to: "film") == nil)
        rig.put(secret, named("a secret programme"))
        for file in rig.disk.contents.files.values { #expect(file.firstRange(of: secret) == nil) }
        #expect(rig.disk.names(StoreRig.bodies) != [BodyDigest(of: secret).hexadecimal])
        var status = stat()
        #expect(stat(keyFile, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_size == 32)
    }

    @Test("an unfinished body continues after its last whole chunk")
    func partials() throws {
        let version = BodyDescription(version: ResourceVersion(validator: "\"1\"", length: Int64(bytes.count)))
        let first = try StoreRig.opened(options: options)
        let writer = try first.store.makeWriter(for: named("a"), version)
        for start in stride(from: 0, to: 140_000, by: 1000) { writer.append(Array(bytes[start..<start + 1000])) }
        first.suspend(writer)
        first.store.close()
        let rig = try StoreRig.opened(first.disk, options: options)
        let rest = try rig.store.makeWriter(for: named("a"), version)
        #expect(rest.offset == 2 * Int64(BodyFormat.chunkLength))
        rest.append(Array(bytes[Int(rest.offset)...]))
        #expect(try rig.finish(rest, expecting: ExpectedBody(sha256: SHA256.digest(bytes))).get().length == Int64(bytes.count))
        #expect(try rig.read(named("a")).get() == bytes)
    }

    @Test("less than a chunk of an unfinished body leaves no file")
    func shortPartial() throws {
        let rig = try StoreRig.opened(options: options)
        let writer = try rig.store.makeWriter(for: named("a"), BodyDescription(version: ResourceVersion(validator: "\"1\"")))
        writer.append([1, 2, 3])
        rig.suspend(writer)
        rig.settle()
        #expect(rig.disk.names(StoreRig.bodies).isEmpty && rig.store.partial(of: named("a")) == nil)
    }

    @Test("with another key, or none, everything is absent, which is said once, and the store begins anew", arguments: [0, 1, 2])
    func otherKey(kind: Int) throws {
        let first = try StoreRig.opened(options: options)
        first.put(bytes, named("a"))
        first.store.close()
        var options = options
        switch kind {
        case 0: unlink(keyFile)
        case 1: WholeFile.write(AESGCM.makeKey(), to: keyFile, mode: 0o600)
        default: options.keyFile = nil
        }
        let second = try StoreRig(first.disk, options: options)
        let report = try second.open().get()
        #expect(report.warning?.reason == .noKey && report.resources == 0)
        #expect(second.store.bodies.body(of: named("a")) == nil)
        second.put(Array(bytes.prefix(100)), named("b"))
        second.settle()
        #expect(second.disk.names(StoreRig.bodies).count == 1)
        second.store.close()
        let third = try StoreRig(second.disk, options: options)
        #expect(try third.open().get() == StoreReport(resources: 1))
        #expect(try third.read(named("b")).get() == Array(bytes.prefix(100)))
    }

    @Test("a key that cannot be read or has another length keeps the store closed and removes nothing")
    func unreadableKey() throws {
        let first = try StoreRig.opened(options: options)
        first.put(bytes, named("a"))
        first.store.close()
        let key = try #require(WholeFile.read(keyFile))
        WholeFile.write(Array(key.prefix(31)), to: keyFile)
        let second = try StoreRig(first.disk, options: options)
        #expect(second.open().failure?.reason == .noKey)
        #expect(second.put([1], named("b")).failure?.reason == .notOpen)
        #expect(second.disk.names(StoreRig.bodies).count == 1)
        // It opens when the key is back.
        WholeFile.write(key, to: keyFile)
        #expect(try second.open().get().resources == 1)
        let folder = try StoreRig(first.disk, options: .init(keyFile: scratch.path + "/none/key"))
        #expect(folder.open().failure?.reason == .noKey)
    }

    @Test("changed, exchanged and cut chunks are damage")
    func tampering() throws {
        let stride = BodyFormat.chunkLength + AESGCM.overhead
        let changes: [(inout [UInt8]) -> Void] = [
            { $0[100] ^= 1 }, { $0[stride + 5] ^= 1 }, { $0.removeLast() }, { $0 = Array($0[stride...]) + $0[..<stride] },
            { $0 = $0[stride..<2 * stride] + Array($0[..<stride]) + $0[(2 * stride)...] },
        ]
        for change in changes {
            let rig = try StoreRig.opened(options: options)
            #expect(rig.setAsset("film") == nil && rig.add([named("a")], to: "film") == nil)
            rig.put(bytes, named("a"))
            rig.disk.damage("\(StoreRig.bodies)/\(rig.disk.names(StoreRig.bodies)[0])", change)
            #expect(rig.read(named("a")).failure?.reason == .damaged)
        }
    }
}
