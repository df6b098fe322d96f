import LinuxSupport
import MediaModel
import Synchronization

/// The stored bodies, as any thread may read them.
///
/// The index is changed on the main loop only, by `SegmentStore`; in simulated time that is while all other threads are quiet.
package final class StoredBodies: Sendable {
    private struct State {
        var index = StoreIndex()
        var folder: StoreFolder?
        var damaged: Set<BodyDigest> = []
    }
    private let state = Mutex(State())
    private let bell: Doorbell

    /// - Parameter onDamage: called on the main loop after a body could not be read.
    @MainActor
    init(clock: any HostClock, onDamage: @escaping @MainActor @Sendable () -> Void) {
        bell = clock.makeDoorbell(rank: .transfer, onDamage)
    }

    /// The stored body of a resource, or of the whole file of which the key is a part; nil if there is none. Any thread; does not block
    /// on the disk.
    package func body(of key: ResourceKey) -> StoredBody? { find(key)?.body }

    /// Whether a resource belongs to an asset. Any thread; does not block on the disk.
    package func isMember(_ key: ResourceKey) -> Bool { state.withLock { $0.index.hasOwner(key) } }

    /// How many first bytes of an unfinished resource are durable. Any thread; does not block on the disk.
    package func partialLength(of key: ResourceKey) -> Int64 {
        state.withLock { if case .partial(_, let length, _) = $0.index.place(of: key) { length } else { 0 } }
    }

    /// The names of the files in the folder of bodies that belong to a resource. Any thread; linear in the number of resources.
    package var fileNames: Set<String> {
        state.withLock { state in state.folder?.fileNames(of: state.index) ?? [] }
    }

    /// Reads bytes of a stored resource. Worker threads only; blocks on the disk.
    ///
    /// - Parameters:
    ///   - range: within the resource; nil for all. What is beyond its end is left out.
    ///   - comparing: whether the checksum of a file that is read whole is compared. One that is played is not, for the time that it takes.
    /// - Throws: `absent` if it is not stored; `damaged`, after which it counts as absent; a failure of the disk.
    package func read(_ key: ResourceKey, _ range: Range<Int64>? = nil, comparing: Bool = false) throws(StoreError) -> [UInt8] {
        guard let found = find(key) else { throw Self.absence(key) }
        let wanted = (range ?? 0..<Int64.max).clamped(to: 0..<found.part.upperBound - found.part.lowerBound)
        let inBody = found.part.lowerBound + wanted.lowerBound..<found.part.lowerBound + wanted.upperBound
        do throws(StoreError) {
            let bytes = try found.folder.read(found.digest, inBody, of: found.length)
            guard comparing, inBody == 0..<found.length else { return bytes }
            var sum = RunningBodyDigest(like: found.digest)
            sum.update(bytes)
            guard sum.finish() == found.digest else { throw StoreFolder.damage(found.digest) }
            return bytes
        } catch {
            if [.damaged, .folderLost].contains(error.reason) { noteDamage(found.digest) }
            throw error
        }
    }

    private struct Found {
        var digest: BodyDigest
        var body: StoredBody
        /// The length of the file that holds it.
        var length: Int64
        /// The resource within that file.
        var part: Range<Int64>
        var folder: StoreFolder
    }

    private func find(_ key: ResourceKey) -> Found? {
        state.withLock { state in
            guard let folder = state.folder else { return nil }
            if let (digest, body) = state.index.body(of: key) {
                return Found(digest: digest, body: body, length: body.length, part: 0..<body.length, folder: folder)
            }
            guard let range = key.range, let (digest, body) = state.index.body(of: key.whole) else { return nil }
            let part = range.clamped(to: 0..<body.length)
            guard !part.isEmpty, range.upperBound <= body.length || range.upperBound == .max else { return nil }
            return Found(
                digest: digest, body: StoredBody(length: Int64(part.count), description: body.description), length: body.length,
                part: part, folder: folder)
        }
    }

    private static func absence(_ key: ResourceKey) -> StoreError {
        StoreError(.absent, "Reading \(key.name) failed: it is not stored; connect the network.")
    }

    /// Notes a body for the main loop, which forgets it.
    private func noteDamage(_ digest: BodyDigest) {
        state.withLock { _ = $0.damaged.insert(digest) }
        bell.ring()
    }

    // MARK: - For the store, on the main loop

    @MainActor
    func open(_ index: StoreIndex, _ folder: StoreFolder) {
        state.withLock { state in
            state.index = index
            state.folder = folder
        }
    }

    @MainActor
    func close() { state.withLock { $0 = State() } }

    /// A copy of the index.
    var index: StoreIndex { state.withLock { $0.index } }

    var recordEstimate: Int { state.withLock { $0.index.recordEstimate } }

    @MainActor
    func change<Result: Sendable>(_ body: (inout StoreIndex) -> Result) -> Result { state.withLock { body(&$0.index) } }

    @MainActor
    func takeDamaged() -> Set<BodyDigest> {
        state.withLock { state in
            defer { state.damaged = [] }
            return state.damaged
        }
    }
}
