import LinuxSupport
import MediaModel

@testable import SegmentStore

/// A store on a disk in memory and a simulated clock, with functions that wait for their answers.
@MainActor
final class StoreRig {
    let loop: MainLoop
    let disk: MemoryDisk
    let store: SegmentStore
    static let folder = "/store"
    static let bodies = folder + "/bodies"

    init(_ disk: MemoryDisk = MemoryDisk(), options: SegmentStore.Options = .init()) throws {
        loop = try MainLoop(time: .simulated)
        self.disk = disk
        store = SegmentStore(folder: Self.folder, clock: loop.clock, options: options, disk: disk)
    }

    isolated deinit { store.close() }

    /// A store that is open.
    static func opened(_ disk: MemoryDisk = MemoryDisk(), options: SegmentStore.Options = .init()) throws -> StoreRig {
        let rig = try StoreRig(disk, options: options)
        _ = try rig.open().get()
        return rig
    }

    func wait<Value>(_ body: (@escaping @MainActor @Sendable (Value) -> Void) -> Void) -> Value {
        var value: Value?
        body { value = $0 }
        loop.run(until: { value != nil })
        return value!
    }

    func open() -> Result<StoreReport, StoreError> { wait { store.open($0) } }
    func setAsset(_ id: String, _ metadata: [UInt8] = [], isRequired: Bool = false) -> StoreError? {
        wait { store.setAsset(id, metadata: metadata, isRequired: isRequired, $0) }
    }
    func add(_ keys: [ResourceKey], to id: String) -> StoreError? { wait { store.add(keys, to: id, $0) } }
    func complete(_ id: String, _ metadata: [UInt8] = []) -> StoreError? { wait { store.complete(id, metadata: metadata, $0) } }
    func removeAsset(_ id: String) -> StoreError? { wait { store.removeAsset(id, $0) } }
    func removeResource(_ key: ResourceKey) -> StoreError? { wait { store.removeResource(key, $0) } }
    @discardableResult
    func put(_ bytes: [UInt8], _ key: ResourceKey, expecting expected: ExpectedBody = .init()) -> Result<StoredBody, StoreError> {
        wait { store.store(bytes, as: key, expecting: expected, $0) }
    }
    func read(_ key: ResourceKey, _ range: Range<Int64>? = nil) -> Result<[UInt8], StoreError> {
        wait { store.read(key, range, $0) }
    }
    func makeRoom(_ bytes: Int64, sparing: Set<String> = []) -> Result<Int64, StoreError> {
        wait { store.makeRoom(bytes, sparing: sparing, $0) }
    }
    func verify(_ id: String) -> Result<[ResourceKey], StoreError> { wait { store.verify(id, $0) } }
    func finish(_ writer: BodyWriter, expecting expected: ExpectedBody = .init()) -> Result<StoredBody, StoreError> {
        wait { writer.finish(expecting: expected, $0) }
    }
    func suspend(_ writer: BodyWriter) { wait { done in writer.suspend { done(()) } } }

    /// Waits until the disk has done everything.
    func settle() { _ = makeRoom(0) }
}

func named(_ name: String) -> ResourceKey { ResourceKey(name: name) }

/// Bytes that are told apart by their seed.
func body(_ seed: Int, _ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(seed))
    let words = (0..<count / 8 + 1).map { _ in random.next() }
    return words.withUnsafeBytes { Array($0.prefix(count)) }
}
