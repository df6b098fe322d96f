import LinuxSupport
import MediaModel

/// The content-addressed store of downloaded and cached resources, in one folder of the data partition.
///
/// Bodies are files named by a checksum; an index, kept in memory and recorded in a journal, leads from resource keys to them
/// (docs/offline.md). Changes apply to the index at once and are then made durable on the thread `segment-store`; their completions run
/// on the main loop. Bodies are read on the thread `segment-read`. After a power cut, at most what was not completed is missing. Until
/// `open` has answered, everything counts as absent and changes fail with `notOpen`. Main loop only, except for `bodies`.
@MainActor
package final class SegmentStore {
    package struct Options: Sendable {
        /// The file with the key of the box, made at the first start; nil: bodies and journal are not encrypted.
        package var keyFile: String?
        /// What it holds, for its sentences.
        package var contents: String

        package init(keyFile: String? = nil, contents: String = "saved programmes") {
            self.keyFile = keyFile
            self.contents = contents
        }
    }
    package typealias Completion = @MainActor @Sendable (StoreError?) -> Void

    /// What is stored, for any thread.
    nonisolated package let bodies: StoredBodies
    /// Called when the disk begins to refuse changes, and for a body that turned out to be damaged.
    package var onFailure: (@MainActor (StoreError) -> Void)?
    let clock: any HostClock
    /// Writes, in order.
    let thread: WorkerThread
    /// Reads, so that a player does not wait until a download is durable.
    private let readThread: WorkerThread
    private enum Phase {
        case closed
        case opening
        case open(StoreFolder, JournalWriter)
    }
    private var phase = Phase.closed
    private var lock: (any FolderLock)?
    /// Why the disk did not take the last change; nil when it did. `probe` asks it again.
    package private(set) var refusal: StoreError?
    private var isEnded = false
    private let folder: String
    private let options: Options
    private let disk: any StoreDisk
    private let damage: DamageBell
    /// The resources that are being written.
    private var writing: Set<ResourceKey> = []
    /// The bodies that are getting their final names, so that none of these files is removed.
    private var arriving: [BodyDigest: Int] = [:]
    /// Bytes that wait for the disk.
    private var bytesWaiting = 0
    /// Whether so many bytes wait for the disk that downloads take no more from the network.
    private(set) var isBehind = false
    /// Reports `isBehind`.
    let paceChanges = EventSource<Bool>()

    /// The longest metadata of an asset.
    nonisolated package static let longestMetadata = 1 << 20
    /// Downloads pause when more bytes than the first number wait for the disk, and go on when fewer than the second do.
    static let pacing = (pause: 32 << 20, resume: 16 << 20)
    /// The most bytes that may wait for the disk before writers are refused: those of transfers that cannot pause, because a player waits for them.
    static let mostBytesWaiting = 128 << 20

    /// - Parameter folder: it is made if there is none; everything in it belongs to the store.
    package init(
        folder: String, clock: any HostClock, options: Options = Options(), disk: any StoreDisk = MachineDisk()
    ) {
        self.folder = folder
        self.clock = clock
        self.options = options
        self.disk = disk
        let damage = DamageBell()
        self.damage = damage
        bodies = StoredBodies(clock: clock) { damage.ring?() }
        thread = WorkerThread(name: "segment-store", clock: clock)
        readThread = WorkerThread(name: "segment-read", clock: clock)
        damage.ring = { [weak self] in self?.forgetDamaged() }
    }

    // MARK: - Life

    /// Reads the journal, compares it with the files and removes orphans, on the store's thread.
    ///
    /// A disk that can only be read, or a wrong key, is a warning in the report. While another process has the folder open it fails with `inUse`; it may
    /// be called again after a failure.
    package func open(_ completion: @escaping @MainActor @Sendable (Result<StoreReport, StoreError>) -> Void) {
        guard case .closed = phase, !isEnded else { return later { completion(.failure(Self.notOpen)) } }
        phase = .opening
        let (folder, options, disk) = (folder, options, disk)
        clock.compute(on: thread, rank: .transfer) { () -> Result<(StoreFolder, StoreFolder.Opened), StoreError> in
            do throws(StoreError) {
                let key = try options.keyFile.map { path throws(StoreError) in try BoxKey.load(path) }
                let place = StoreFolder(path: folder, disk: disk, format: BodyFormat(key: key), contents: options.contents)
                do throws(SystemError) { return .success((place, try place.open())) } catch {
                    throw StoreError(error, while: "Opening the \(options.contents) in \(folder)")
                }
            } catch {
                return .failure(error)
            }
        } then: { [weak self] result in
            self?.finishOpening(result, completion)
        }
    }

    private func finishOpening(
        _ result: Result<(StoreFolder, StoreFolder.Opened), StoreError>,
        _ completion: @MainActor (Result<StoreReport, StoreError>) -> Void
    ) {
        guard !isEnded else { return }
        switch result {
        case .failure(let error):
            phase = .closed
            completion(.failure(error))
        case .success((let place, let opened)):
            bodies.open(opened.index, place)
            let journal = JournalWriter(
                opened.journal, of: options.contents, count: opened.recordCount, isToRewrite: opened.isJournalToRewrite,
                bodies: bodies, thread: thread, clock: clock)
            journal.onFailure = { [weak self] error in
                self?.note(error)
                self?.onFailure?(error)
            }
            lock = opened.lock
            note(opened.report.warning)
            phase = .open(place, journal)
            completion(.success(opened.report))
        }
    }

    /// Writes what waits and joins the thread. No completion is called any more.
    package func close() {
        guard !isEnded else { return }
        isEnded = true
        if case .open(_, let journal) = phase { journal.close() }
        phase = .closed
        bodies.close()
        thread.stop()
        readThread.stop()
        lock = nil
    }

    package var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    // MARK: - Assets

    /// The ids of all assets, sorted.
    package var assetIDs: [String] { bodies.index.assetIDs }

    /// Linear in the number of its members.
    package func asset(_ id: String) -> StoredAsset? { bodies.index.asset(id) }

    /// Linear in the number of its members.
    package func size(of id: String) -> AssetSize? { bodies.index.size(of: id) }

    package var usage: StoreUsage { bodies.index.usage }

    /// Makes an asset without members, or changes metadata and pin of one.
    ///
    /// - Parameter isRequired: whether eviction must leave it.
    package func setAsset(_ id: String, metadata: [UInt8], isRequired: Bool, _ completion: @escaping Completion = { _ in }) {
        precondition(metadata.count <= Self.longestMetadata, "metadata is bounded by its owner")
        commit([.asset(id, metadata: metadata, isRequired: isRequired)], completion)
    }

    /// Adds resources to an asset, whether they are stored already or not; the asset is then not complete. Resources that it has
    /// already are left out.
    package func add(_ keys: [ResourceKey], to id: String, _ completion: @escaping Completion = { _ in }) {
        guard let asset = asset(id) else { return refuse(Self.noAsset(id), completion) }
        var known = Set(asset.members)
        let new = keys.filter { known.insert($0).inserted }
        let parts = stride(from: 0, to: new.count, by: StoreIndex.membersPerRecord).map {
            JournalRecord.members(id, Array(new[$0...].prefix(StoreIndex.membersPerRecord)))
        }
        commit(parts, completion)
    }

    /// Records that an asset is complete, in one record: after a power cut it is complete with this metadata, or as before.
    ///
    /// Fails with `incomplete` if one of its members is not stored.
    package func complete(_ id: String, metadata: [UInt8], _ completion: @escaping Completion = { _ in }) {
        precondition(metadata.count <= Self.longestMetadata, "metadata is bounded by its owner")
        guard let size = size(of: id) else { return refuse(Self.noAsset(id), completion) }
        guard size.storedMembers == size.members else {
            let missing = size.members - size.storedMembers
            return refuse(
                StoreError(.incomplete, "Completing \(id) failed: \(missing) of its \(size.members) parts are not saved."),
                completion)
        }
        commit([.completed(id, metadata: metadata, members: size.members)], completion)
    }

    /// Removes an asset with its partials and with the bodies that no other asset has.
    package func removeAsset(_ id: String, _ completion: @escaping Completion = { _ in }) {
        guard bodies.index.hasAsset(id) else { return refuse(Self.noAsset(id), completion) }
        commit([.assetRemoved(id)], completion)
    }

    /// Removes a resource, whole or partial. Assets keep it as a member that is not stored.
    package func removeResource(_ key: ResourceKey, _ completion: @escaping Completion = { _ in }) {
        commit([.removed(key)], completion)
    }

    /// Notes that an asset is used now; eviction takes the longest unused first.
    package func noteUse(of id: String) {
        guard case .open(_, let journal) = phase, bodies.index.hasAsset(id) else { return }
        let record = JournalRecord.assetUsed(id, bodies.index.lastUse + 1)
        _ = bodies.change { $0.apply(record) }
        journal.addLazily(record)
    }

    /// Notes that a resource is used now, if no asset has it.
    func noteUse(of key: ResourceKey) {
        guard case .open(_, let journal) = phase, bodies.body(of: key) != nil, !bodies.isMember(key) else { return }
        let record = JournalRecord.resourceUsed(key, bodies.index.lastUse + 1)
        _ = bodies.change { $0.apply(record) }
        journal.addLazily(record)
    }

    // MARK: - Bodies

    /// Begins to write a resource, or continues after the durable bytes of its partial.
    ///
    /// - Parameter description: of the response. A partial of another version, or of a version that was never stated, is dropped.
    /// - Throws: `notOpen`, `busy`.
    package func makeWriter(for key: ResourceKey, _ description: BodyDescription) throws(StoreError) -> BodyWriter {
        guard case .open(let folder, _) = phase else { throw Self.notOpen }
        guard writing.insert(key).inserted else {
            throw StoreError(.busy, "Saving \(key.name) failed: it is being saved already.")
        }
        var start = BodyWriter.Start(offset: 0, number: 0)
        if case .partial(let number, let length, let old) = bodies.index.place(of: key), Self.continues(old, description) {
            start = BodyWriter.Start(offset: length, number: number)
        } else {
            start.number = bodies.change { $0.takePartialNumber() }
        }
        return BodyWriter(key, description, start, folder, self)
    }

    /// The version and the durable length of a resource's partial, for a request of the rest; nil if there is none that can be continued.
    package func partial(of key: ResourceKey) -> (length: Int64, description: BodyDescription)? {
        guard case .partial(_, let length, let description) = bodies.index.place(of: key), description.version.validator != nil
        else {
            return nil
        }
        return (length, description)
    }

    /// Reads the durable bytes of a partial.
    func readPartial(
        of key: ResourceKey, _ completion: @escaping @MainActor @Sendable (Result<[UInt8], StoreError>) -> Void
    ) {
        guard case .open(let folder, _) = phase, case .partial(let number, let length, _) = bodies.index.place(of: key) else {
            return later { completion(.failure(Self.notOpen)) }
        }
        clock.compute(on: readThread, rank: .transfer) { () -> Result<[UInt8], StoreError> in
            do throws(StoreError) { return .success(try folder.readPartial(number, length)) } catch { return .failure(error) }
        } then: {
            completion($0)
        }
    }

    private static func continues(_ old: BodyDescription, _ new: BodyDescription) -> Bool {
        old.version.validator != nil && old.version == new.version
    }

    /// Stores a body that is in memory.
    package func store(
        _ bytes: [UInt8], as key: ResourceKey, _ description: BodyDescription = BodyDescription(),
        expecting expected: ExpectedBody = ExpectedBody(),
        _ completion: @escaping @MainActor @Sendable (Result<StoredBody, StoreError>) -> Void
    ) {
        do throws(StoreError) {
            let writer = try makeWriter(for: key, BodyDescription(contentType: description.contentType, url: description.url))
            writer.append(bytes)
            writer.finish(description, expecting: expected, completion)
        } catch {
            later { completion(.failure(error)) }
        }
    }

    /// Reads bytes of a resource on the thread `segment-read`. `bodies.read` is for worker threads.
    ///
    /// - Parameter comparing: as of `bodies.read`.
    package func read(
        _ key: ResourceKey, _ range: Range<Int64>? = nil, comparing: Bool = false,
        _ completion: @escaping @MainActor @Sendable (Result<[UInt8], StoreError>) -> Void
    ) {
        guard isOpen else { return later { completion(.failure(Self.notOpen)) } }
        noteUse(of: key)
        let bodies = bodies
        clock.compute(on: readThread, rank: .transfer) { () -> Result<[UInt8], StoreError> in
            do throws(StoreError) { return .success(try bodies.read(key, range, comparing: comparing)) } catch {
                return .failure(error)
            }
        } then: {
            completion($0)
        }
    }

    /// Reads all bodies of an asset and compares their checksums. Damaged ones count as absent from then on.
    ///
    /// - Parameter completion: is given the damaged resources, or why nothing can be said.
    package func verify(_ id: String, _ completion: @escaping @MainActor @Sendable (Result<[ResourceKey], StoreError>) -> Void) {
        guard case .open(let folder, _) = phase, let asset = asset(id) else {
            return later { completion(.failure(Self.noAsset(id))) }
        }
        verify(asset.members[...], folder, [], completion)
    }

    /// One body a job, so that other work of the thread comes in between.
    private func verify(
        _ keys: ArraySlice<ResourceKey>, _ folder: StoreFolder, _ damaged: [ResourceKey],
        _ completion: @escaping @MainActor @Sendable (Result<[ResourceKey], StoreError>) -> Void
    ) {
        guard isOpen else { return }
        guard let key = keys.first else {
            if !damaged.isEmpty { commit(damaged.map { .removed($0) }) { _ in } }
            return completion(.success(damaged))
        }
        guard let (digest, body) = bodies.index.body(of: key) else {
            return verify(keys.dropFirst(), folder, damaged, completion)
        }
        clock.compute(on: readThread, rank: .transfer) { () -> Result<Bool, StoreError> in
            do throws(StoreError) { return .success(try folder.isIntact(digest, body.length)) } catch { return .failure(error) }
        } then: { [weak self] result in
            switch result {
            case .success(let isIntact): self?.verify(keys.dropFirst(), folder, isIntact ? damaged : damaged + [key], completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    // MARK: - Room

    /// Removes what was not used for the longest time until the file system has this many free bytes: first resources without an asset,
    /// then assets, never required ones.
    ///
    /// - Parameters:
    ///   - sparing: assets that stay, such as the one for which room is made.
    ///   - completion: is given the free bytes afterwards, which may be fewer.
    package func makeRoom(
        _ wanted: Int64, sparing: Set<String> = [],
        _ completion: @escaping @MainActor @Sendable (Result<Int64, StoreError>) -> Void
    ) {
        guard case .open(let folder, _) = phase else { return later { completion(.failure(Self.notOpen)) } }
        let index = bodies.index
        let writing = writing
        clock.compute(on: thread, rank: .transfer) { () -> Result<(Int64, [JournalRecord]), StoreError> in
            do throws(SystemError) {
                let free = try folder.disk.freeBytes(folder.path)
                return .success((free, Eviction.records(freeing: wanted - free, of: index, sparing: sparing, writing: writing)))
            } catch {
                return .failure(StoreError(error, while: "Asking for the free space"))
            }
        } then: { [weak self] result in
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success((let free, let records)):
                guard let self, !records.isEmpty else { return completion(.success(free)) }
                commit(records) { [weak self] _ in self?.measureRoom(completion) }
            }
        }
    }

    /// Removes resources without an asset until no more are left than the bounds allow: first those that are not wanted, then those that were not used for
    /// the longest time.
    ///
    /// - Parameter wanted: asked on the store's thread.
    package func trimCache(to bounds: CacheBounds, keeping wanted: @escaping @Sendable () -> Set<ResourceKey> = { [] }) {
        let (index, writing) = (bodies.index, writing)
        clock.compute(on: thread, rank: .transfer) {
            Eviction.records(trimming: index, to: bounds, keeping: wanted(), writing: writing)
        } then: { [weak self] records in
            if !records.isEmpty { self?.commit(records) { _ in } }
        }
    }

    private func measureRoom(_ completion: @escaping @MainActor @Sendable (Result<Int64, StoreError>) -> Void) {
        guard case .open(let folder, _) = phase else { return later { completion(.failure(Self.notOpen)) } }
        clock.compute(on: thread, rank: .transfer) { () -> Result<Int64, StoreError> in
            do throws(SystemError) { return .success(try folder.disk.freeBytes(folder.path)) } catch {
                return .failure(StoreError(error, while: "Asking for the free space"))
            }
        } then: {
            completion($0)
        }
    }

    // MARK: - Refusals

    /// Asks a disk that has refused changes whether it takes them again; `refusal` is the answer.
    package func probe(_ completion: @escaping Completion = { _ in }) {
        guard case .open(let folder, _) = phase else { return refuse(Self.notOpen, completion) }
        clock.compute(on: thread, rank: .transfer) { () -> StoreError? in
            do throws(SystemError) {
                try folder.probe()
                return nil
            } catch {
                return StoreError(error, while: "Writing to the folder of the \(folder.contents)")
            }
        } then: { [weak self] error in
            self?.refusal = error
            completion(error)
        }
    }

    /// Notes how the disk took a change.
    func note(_ error: StoreError?) { if error?.isOfDisk != false { refusal = error } }

    // MARK: - For writers

    /// Accepts bytes for the disk.
    ///
    /// - Returns: false when too many are waiting.
    func beginWriting(_ count: Int) -> Bool {
        guard bytesWaiting + count <= Self.mostBytesWaiting || bytesWaiting == 0 else { return false }
        bytesWaiting += count
        if !isBehind, bytesWaiting > Self.pacing.pause { setBehind(true) }
        return true
    }

    func endWriting(_ count: Int) {
        bytesWaiting -= count
        if isBehind, bytesWaiting < Self.pacing.resume { setBehind(false) }
    }

    private func setBehind(_ isBehind: Bool) {
        self.isBehind = isBehind
        paceChanges.send(isBehind)
    }

    func endWriting(_ key: ResourceKey) { writing.remove(key) }

    func beginArriving(_ digest: BodyDigest) { arriving[digest, default: 0] += 1 }

    func endArriving(_ digest: BodyDigest) {
        let left = (arriving[digest] ?? 1) - 1
        arriving[digest] = left > 0 ? left : nil
    }

    // MARK: - Changes

    /// Applies records to the index, removes the files that are needed no longer, and makes the records durable.
    ///
    /// The files go first, because a full disk may have no room for the record; a record without its file counts as absent.
    func commit(_ records: [JournalRecord], _ completion: @escaping Completion) {
        guard case .open(let folder, let journal) = phase else { return refuse(Self.notOpen, completion) }
        var leftovers = bodies.change { index in
            records.reduce(into: StoreIndex.Leftovers()) { sum, record in
                let leftovers = index.apply(record)
                sum.bodies += leftovers.bodies
                sum.partials += leftovers.partials
            }
        }
        let index = bodies.index
        leftovers.bodies.removeAll { arriving[$0] != nil || index.length(of: $0) != nil }
        if !leftovers.isEmpty {
            // What cannot be removed now is an orphan, which the next opening removes.
            thread.perform { [leftovers] in try? folder.remove(leftovers) }
        }
        journal.add(records, completion)
    }

    /// Forgets the resources whose bodies could not be read.
    private func forgetDamaged() {
        let keys = bodies.index.keys(of: bodies.takeDamaged())
        guard !keys.isEmpty else { return }
        onFailure?(
            StoreError(
                .damaged,
                "Reading \(keys[0].name) from the \(options.contents) failed: its file is damaged; it is loaded again."))
        commit(keys.map { .removed($0) }) { _ in }
    }

    /// Runs an answer after its question, as all others.
    func later(_ answer: @escaping @MainActor @Sendable () -> Void) { clock.reserve(rank: .transfer).fulfil(answer) }

    private func refuse(_ error: StoreError, _ completion: @escaping Completion) { later { completion(error) } }

    static let notOpen = StoreError(.notOpen, "The store is not open; try again later.")

    private static func noAsset(_ id: String) -> StoreError {
        StoreError(.noAsset, "There is no saved programme \(id); list them.")
    }
}

/// Leads from the bell of `StoredBodies`, which exists before the store does, to the store.
@MainActor
private final class DamageBell {
    var ring: (@MainActor () -> Void)?
    nonisolated init() {}
}
