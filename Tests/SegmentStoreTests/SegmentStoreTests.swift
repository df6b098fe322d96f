import Cryptography
import Glibc
import LinuxSupport
import MediaSources
import TestSupport
import Testing

@testable import SegmentStore

@Suite("Segment store")
@MainActor
struct SegmentStoreTests {
    private let version = BodyDescription(
        contentType: "video/mp4", version: ResourceVersion(validator: "\"v1\"", length: 10_000_000))

    @Test("assets, bodies and their descriptions are there after a restart")
    func remembers() throws {
        let first = try StoreRig.opened()
        #expect(first.setAsset("film", [1], isRequired: true) == nil)
        #expect(first.add([named("a"), named("b")], to: "film") == nil)
        #expect(first.complete("film")?.reason == .incomplete)
        let stored: Result<StoredBody, StoreError> = first.wait {
            first.store.store(body(1, 1000), as: named("a"), BodyDescription(contentType: "video/mp4", url: "http://x/a"), $0)
        }
        #expect(try stored.get().length == 1000)
        first.put(body(2, 2000), named("b"))
        #expect(first.complete("film", [7, 8]) == nil)
        first.store.close()

        let second = try StoreRig(first.disk)
        #expect(try second.open().get() == StoreReport(resources: 2, assets: 1))
        let film = try #require(second.store.asset("film"))
        #expect(film.metadata == [7, 8] && film.isRequired && film.isComplete && film.members == [named("a"), named("b")])
        #expect(
            second.store.bodies.body(of: named("a"))?.description == BodyDescription(contentType: "video/mp4", url: "http://x/a"))
        #expect(try second.read(named("b")).get() == body(2, 2000))
        #expect(try second.read(named("b"), 500..<700).get() == Array(body(2, 2000)[500..<700]))
        #expect(try second.read(named("b"), 1990..<5000).get() == Array(body(2, 2000)[1990...]))
        #expect(second.store.usage == StoreUsage(assets: 3000, cache: 0, partials: 0, resources: 2))
        #expect(second.read(named("c")).failure?.reason == .absent)
    }

    @Test("a range of a stored file is found, a range beyond it is not")
    func ranges() throws {
        let rig = try StoreRig.opened()
        rig.put(body(1, 1000), named("a"))
        #expect(try rig.read(ResourceKey(name: "a", range: 100..<200)).get() == Array(body(1, 1000)[100..<200]))
        #expect(try rig.read(ResourceKey(name: "a", range: 900..<Int64.max)).get() == Array(body(1, 1000)[900...]))
        #expect(rig.store.bodies.body(of: ResourceKey(name: "a", range: 900..<1001)) == nil)
        #expect(rig.store.bodies.body(of: ResourceKey(name: "a", range: 1000..<Int64.max)) == nil)
        #expect(ResourceKey(name: "a", range: -5..<5) == named("a"))
    }

    @Test("equal bodies are one file, counted once and removed with the last resource")
    func sharing() throws {
        let rig = try StoreRig.opened()
        for asset in ["one", "two"] {
            #expect(rig.setAsset(asset) == nil)
            #expect(rig.add([ResourceKey(name: asset)], to: asset) == nil)
            rig.put(body(1, 1000), ResourceKey(name: asset))
        }
        #expect(rig.store.usage.total == 1000)
        #expect(rig.disk.names(StoreRig.bodies).count == 1)
        #expect(rig.removeAsset("one") == nil)
        #expect(try rig.read(named("two")).get() == body(1, 1000))
        #expect(rig.store.usage.total == 1000)
        #expect(rig.removeAsset("two") == nil)
        rig.settle()
        #expect(rig.disk.names(StoreRig.bodies).isEmpty && rig.store.usage == StoreUsage())
    }

    @Test("a body stays when another resource gets it while its file is about to go")
    func removedWhileArriving() throws {
        let rig = try StoreRig.opened()
        rig.put(body(1, 1000), named("old"))
        var stored: Result<StoredBody, StoreError>?
        rig.store.store(body(1, 1000), as: named("new")) { stored = $0 }
        rig.store.removeResource(named("old"))
        rig.loop.run(until: { stored != nil })
        rig.settle()
        #expect(try rig.read(named("new")).get() == body(1, 1000))
        for wait in 0..<8 {
            // The removal falls into each step of the arrival.
            rig.put(body(2, 1000), named("old"))
            stored = nil
            rig.store.store(body(2, 1000), as: named("new")) { stored = $0 }
            var turns = 0
            rig.loop.run(until: {
                turns += 1
                return turns > wait || stored != nil
            })
            rig.store.removeResource(named("old"))
            rig.loop.run(until: { stored != nil })
            rig.settle()
            #expect(try rig.read(named("new")).get() == body(2, 1000))
            #expect(rig.removeResource(named("new")) == nil)
        }
    }

    @Test("length and SHA-256 are checked before a body becomes visible")
    func expectations() throws {
        let rig = try StoreRig.opened()
        let bytes = body(1, 1000)
        #expect(rig.put(bytes, named("a"), expecting: ExpectedBody(length: 999)).failure?.reason == .wrongLength)
        #expect(rig.put(bytes, named("a"), expecting: ExpectedBody(sha256: SHA256.digest([1]))).failure?.reason == .wrongDigest)
        rig.settle()
        #expect(rig.store.bodies.body(of: named("a")) == nil && rig.disk.names(StoreRig.bodies).isEmpty)
        #expect(rig.put(bytes, named("a"), expecting: ExpectedBody(length: 1000, sha256: SHA256.digest(bytes))).failure == nil)
    }

    @Test("an unfinished body continues to the byte after a restart, and is dropped when its version has changed")
    func partials() throws {
        let first = try StoreRig.opened()
        let bytes = body(1, 10_000_000)
        #expect(first.setAsset("film") == nil && first.add([named("a")], to: "film") == nil)
        let writer = try first.store.makeWriter(for: named("a"), version)
        #expect(throws: StoreError.self) { try first.store.makeWriter(for: named("a"), version) }
        writer.append(Array(bytes[..<5_000_000]))
        writer.append(Array(bytes[5_000_000..<5_000_123]))
        first.suspend(writer)
        #expect(first.store.bodies.partialLength(of: named("a")) == 5_000_123)
        #expect(first.store.size(of: "film") == AssetSize(bytes: 5_000_123, storedMembers: 0, members: 1))
        first.store.close()

        let second = try StoreRig.opened(MemoryDisk(first.disk.contents))
        let rest = try second.store.makeWriter(for: named("a"), version)
        #expect(rest.offset == 5_000_123)
        rest.append(Array(bytes[5_000_123...]))
        #expect(try second.finish(rest, expecting: ExpectedBody(sha256: SHA256.digest(bytes))).get().length == 10_000_000)
        #expect(try second.read(named("a")).get() == bytes)
        second.settle()
        #expect(second.disk.names(StoreRig.bodies).count == 1 && second.store.usage.partials == 0)

        let third = try StoreRig.opened(MemoryDisk(first.disk.contents))
        var other = version
        other.version.validator = "\"v2\""
        let anew = try third.store.makeWriter(for: named("a"), other)
        #expect(anew.offset == 0)
        anew.append([1, 2, 3])
        #expect(try third.finish(anew).get().length == 3)
        third.settle()
        #expect(third.disk.names(StoreRig.bodies).count == 1)
    }

    @Test("bodies that end together share the sync of their names and of the journal")
    func sharedSyncs() throws {
        let rig = try StoreRig.opened()
        let before = rig.disk.log.count
        var left = 8
        for number in 0..<left {
            rig.store.store(body(number, 1000), as: named("\(number)")) { result in
                #expect(result.failure == nil)
                left -= 1
            }
        }
        rig.loop.run(until: { left == 0 })
        var folders = 0
        var files = 0
        for operation in rig.disk.log[before...] {
            switch operation {
            case .syncFolder: folders += 1
            case .sync: files += 1
            case .create, .write, .truncate, .rename, .remove: break
            }
        }
        #expect(folders <= 4, "one for each body would be 8")
        #expect(files <= 8 + 4, "each body is synced, and the journal for several at once")
    }

    @Test("what is given up leaves no file: a discarded body, a cancelled one, the partials of a removed asset")
    func givenUp() throws {
        let rig = try StoreRig.opened()
        let writer = try rig.store.makeWriter(for: named("a"), version)
        writer.append(body(1, 100))
        writer.discard()
        let unversioned = try rig.store.makeWriter(for: named("a"), BodyDescription())
        unversioned.append(body(1, 100))
        rig.suspend(unversioned)
        #expect(rig.setAsset("film") == nil && rig.add([named("b")], to: "film") == nil)
        let partial = try rig.store.makeWriter(for: named("b"), version)
        partial.append(body(1, 100))
        rig.suspend(partial)
        #expect(rig.disk.names(StoreRig.bodies) == ["partial-3"])
        #expect(rig.removeAsset("film") == nil)
        rig.settle()
        #expect(rig.disk.names(StoreRig.bodies).isEmpty && rig.store.usage == StoreUsage())
    }

    @Test("eviction takes cached resources first, then assets by last use, never required or spared ones")
    func eviction() throws {
        let rig = try StoreRig.opened()
        for (index, asset) in ["a", "b", "c", "d"].enumerated() {
            #expect(rig.setAsset(asset, isRequired: asset == "a") == nil && rig.add([ResourceKey(name: asset)], to: asset) == nil)
            rig.put(body(index, 100_000), ResourceKey(name: asset))
        }
        rig.put(body(10, 100_000), named("cached 1"))
        rig.put(body(11, 100_000), named("cached 2"))
        _ = rig.read(named("cached 1"))
        rig.store.noteUse(of: "b")
        rig.disk.setFree(800_000)
        _ = try rig.makeRoom(250_000).get()
        #expect(rig.store.bodies.body(of: named("cached 2")) == nil && rig.store.bodies.body(of: named("cached 1")) != nil)
        _ = try rig.makeRoom(450_000, sparing: ["c"]).get()
        #expect(rig.store.assetIDs == ["a", "b", "c"] && rig.store.bodies.body(of: named("cached 1")) == nil)
        // The order of use survives a restart, and what may not go stays even if the room is not enough.
        rig.store.close()
        let second = try StoreRig.opened(MemoryDisk(rig.disk.contents))
        second.disk.setFree(800_000)
        _ = try second.makeRoom(550_000).get()
        #expect(second.store.assetIDs == ["a", "b"])
        let free = try second.makeRoom(1 << 40).get()
        #expect(second.store.assetIDs == ["a"] && free < 1 << 40 && free > 600_000)
    }

    @Test("a damaged body is noticed by reading and by verifying, and is absent afterwards")
    func damage() throws {
        let rig = try StoreRig.opened()
        #expect(rig.setAsset("film") == nil && rig.add([named("a"), named("b"), named("c")], to: "film") == nil)
        for (index, key) in ["a", "b", "c"].map(named).enumerated() { rig.put(body(index, 1000), key) }
        #expect(rig.complete("film") == nil)
        func path(_ seed: Int) -> String { "\(StoreRig.bodies)/\(BodyDigest(of: body(seed, 1000)).hexadecimal)" }
        rig.disk.damage(path(1)) { $0[500] ^= 1 }
        #expect(try rig.verify("film").get() == [named("b")])
        #expect(rig.store.bodies.body(of: named("b")) == nil && rig.store.asset("film")?.isComplete == false)
        rig.disk.damage(path(2)) { $0.removeLast() }
        #expect(rig.read(named("c")).failure?.reason == .damaged)
        rig.settle()
        #expect(rig.store.bodies.body(of: named("c")) == nil)
        #expect(try rig.verify("film").get() == [])
        rig.put(body(1, 1000), named("b"))
        rig.put(body(2, 1000), named("c"))
        #expect(rig.store.asset("film")?.isComplete == true)
        // Missing and shortened files are noticed at the next start.
        rig.disk.damage(path(0)) { $0 = [] }
        rig.store.close()
        let second = try StoreRig(rig.disk)
        #expect(try second.open().get().bodiesMissing == 1)
        #expect(second.store.bodies.body(of: named("a")) == nil && second.store.asset("film")?.isComplete == false)
    }

    @Test("a read-only disk is a warning: what is stored is read, and changes fail with a reason")
    func readOnly() throws {
        let first = try StoreRig.opened()
        first.put(body(1, 1000), named("a"))
        first.store.close()
        let rig = try StoreRig(first.disk)
        rig.disk.refuseChanges(EROFS)
        #expect(try rig.open().get().warning?.reason == .readOnly)
        #expect(try rig.read(named("a")).get() == body(1, 1000))
        #expect(rig.put(body(2, 1000), named("b")).failure?.reason == .readOnly)
        #expect(rig.setAsset("film")?.reason == .readOnly)
        rig.store.close()
        let empty = try StoreRig()
        empty.disk.refuseChanges(EROFS)
        #expect(empty.open().failure?.reason == .readOnly)
    }

    @Test("a store that is not open, or whose disk is gone, answers with a reason")
    func gone() throws {
        let rig = try StoreRig()
        #expect(rig.setAsset("film")?.reason == .notOpen)
        #expect(rig.read(named("a")).failure?.reason == .notOpen)
        #expect(throws: StoreError.self) { try rig.store.makeWriter(for: named("a"), version) }
        _ = try rig.open().get()
        rig.put(body(1, 1000), named("a"))
        rig.disk.vanish()
        #expect(rig.read(named("a")).failure?.reason == .folderLost)
        #expect(rig.put(body(2, 1000), named("b")).failure?.reason == .folderLost)
        #expect(rig.makeRoom(1).failure?.reason == .folderLost)
    }

    @Test("a second store on one folder is refused until the first is closed, on a disk and in memory")
    func oneOwner() throws {
        let disk = MemoryDisk()
        let first = try StoreRig.opened(disk)
        let second = try StoreRig(disk)
        #expect(second.open().failure?.reason == .inUse)
        first.store.close()
        #expect(second.open().failure == nil)

        let folder = ScratchFolder("segments")
        let loop = try MainLoop(time: .simulated)
        var results: [StoreError?] = []
        let stores = (0..<2).map { _ in SegmentStore(folder: folder.path + "/store", clock: loop.clock) }
        func open(_ index: Int) {
            let count = results.count
            stores[index].open { result in
                do throws(StoreError) {
                    _ = try result.get()
                    results.append(nil)
                } catch { results.append(error) }
            }
            loop.run(until: { results.count > count })
        }
        open(0)
        open(1)
        #expect(results[0] == nil && results[1]?.reason == .inUse)
        #expect(results[1]?.sentence.contains("another process has them open") == true)
        stores[0].close()
        open(1)
        #expect(results[2] == nil)
        stores[1].close()
    }

    @Test("a disk that refuses changes is remembered until it takes one", arguments: [ENOSPC, EROFS, EIO])
    func refusal(code: Int32) throws {
        let rig = try StoreRig.opened()
        #expect(rig.store.refusal == nil)
        rig.disk.refuseChanges(code)
        let failure = rig.put(body(1, 1000), named("a")).failure
        #expect(failure != nil && rig.store.refusal == failure)
        #expect(rig.wait { rig.store.probe($0) }?.reason == failure?.reason)
        #expect(rig.store.refusal?.reason == failure?.reason)
        rig.disk.failNothing()
        #expect(rig.wait { (done: @escaping @MainActor @Sendable (StoreError?) -> Void) in rig.store.probe(done) } == nil)
        #expect(rig.store.refusal == nil && !rig.disk.names(StoreRig.bodies).contains("probe"))
        rig.disk.failChange(1, code, andAllAfter: true)
        #expect(rig.put(body(2, 1000), named("b")).failure != nil)
        #expect(rig.store.refusal != nil)
        rig.disk.failNothing()
        #expect(rig.put(body(3, 1000), named("c")).failure == nil)
        #expect(rig.store.refusal == nil)
        // What is wrong with one body says nothing about the disk.
        #expect(rig.put(body(4, 10), named("d"), expecting: ExpectedBody(length: 11)).failure?.reason == .wrongLength)
        #expect(rig.store.refusal == nil)
    }

    @Test("a disk that is full at any one change, or from any change on, loses nothing that was stored")
    func fullDisk() throws {
        for repeats in [false, true] {
            for number in 1...40 {
                let rig = try StoreRig.opened()
                #expect(rig.setAsset("kept") == nil && rig.add([named("kept")], to: "kept") == nil)
                rig.put(body(0, 1000), named("kept"))
                rig.disk.failChange(number, ENOSPC, andAllAfter: repeats)
                var reasons: [StoreError?] = [rig.setAsset("film"), rig.add([named("a")], to: "film")]
                reasons.append(rig.put(body(1, 1000), named("a")).failure)
                reasons += [rig.complete("film"), rig.removeAsset("film")]
                for error in reasons.compactMap(\.self) { #expect([.diskFull, .incomplete].contains(error.reason), "\(error)") }
                rig.disk.failNothing()
                // What could not be recorded is recorded later.
                var isLater = false
                rig.loop.clock.schedule(after: .seconds(30)) { isLater = true }
                rig.loop.run(until: { isLater })
                rig.put(body(2, 1000), named("after"))
                #expect(try rig.read(named("kept")).get() == body(0, 1000))
                rig.store.close()
                let second = try StoreRig.opened(MemoryDisk(rig.disk.contents))
                #expect(second.store.assetIDs == ["kept"])
                #expect(try second.read(named("kept")).get() == body(0, 1000))
                #expect(try second.read(named("after")).get() == body(2, 1000))
                #expect(second.disk.names(StoreRig.bodies).count == 2)
            }
        }
    }

    @Test("a disk slower than the network refuses bytes beyond a bound")
    func overload() throws {
        let rig = try StoreRig.opened()
        let writer = try rig.store.makeWriter(for: named("a"), version)
        let bytes = [UInt8](repeating: 1, count: 8 << 20)
        // None of it reaches the disk before the loop turns.
        for _ in 0..<20 { writer.append(bytes) }
        #expect(writer.failure?.reason == .overloaded)
        #expect(rig.finish(writer).failure?.reason == .overloaded)
        #expect(rig.put(body(1, 100), named("b")).failure == nil)
    }

    @Test("the store works on a real disk, and is closed to others")
    func realDisk() throws {
        let scratch = ScratchFolder("store")
        let folder = scratch.path + "/a/store"
        func run(_ body: (SegmentStore, MainLoop) throws -> Void) throws {
            let loop = try MainLoop(time: .real)
            let store = SegmentStore(folder: folder, clock: loop.clock)
            var report: Result<StoreReport, StoreError>?
            store.open { report = $0 }
            loop.run(until: { report != nil })
            _ = try report!.get()
            try body(store, loop)
            store.close()
        }
        try run { store, loop in
            var stored: Result<StoredBody, StoreError>?
            store.store(body(1, 100_000), as: named("a")) { stored = $0 }
            loop.run(until: { stored != nil })
            _ = try stored!.get()
        }
        Folder.names(folder + "/bodies").forEach { name in
            var status = stat()
            #expect(stat("\(folder)/bodies/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
        scratch.put("x", "a/store/bodies/orphan")
        try run { store, _ in
            let bytes = try store.bodies.read(named("a"), 10..<20)
            #expect(bytes == Array(body(1, 100_000)[10..<20]))
        }
        let free = try MachineDisk().freeBytes(folder)
        #expect(free > 0)
        #expect(Folder.names(folder + "/bodies").count == 1)
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
