import Cryptography
import LinuxSupport
import MediaModel
import SegmentStore
import WireFormats

/// What downloads keep in the segment store: for each a stored asset with its record, its resources, and in the end its playlists. Main loop only.
@MainActor
final class DownloadKeeping {
    private let store: SegmentStore
    private let clock: any HostClock
    private let matching: ResourceMatching
    private let thread: WorkerThread
    /// Called with an item whose plan has been written.
    var onPlan: (@MainActor (String) -> Void)?

    init(store: SegmentStore, clock: any HostClock, matching: ResourceMatching) {
        self.store = store
        self.clock = clock
        self.matching = matching
        thread = WorkerThread(name: "downloads", clock: clock)
    }

    func close() { thread.stop() }

    // MARK: Reading

    /// Reads the records of all downloads.
    func readAll(_ completion: @escaping @MainActor @Sendable ([String: DownloadQueue.StoredRecords]) -> Void) {
        let stored = downloads
        let options = Dictionary(grouping: stored.filter { $0.option != nil && isComplete($0.id) }, by: \.item)
        let found = FoundRecords()
        var left = stored.filter { $0.option == nil }[...]
        func readNext() {
            guard let next = left.popFirst() else { return completion(found.records) }
            store.read(next.id.planKey) { [weak self] result in
                guard let self else { return }
                // A download whose plan cannot be read begins anew; what it has stored is found by its inventory.
                var record = next.record
                let playlists = (try? result.get()).flatMap { StoredDownload.playlists($0) }
                record.playlists = playlists
                record.isComplete = playlists != nil && isComplete(next.id)
                found.records[next.item] = .init(main: record, options: options[next.item]?.compactMap(\.option) ?? [])
                readNext()
            }
        }
        readNext()
    }

    private var downloads: [StoredDownload] {
        store.assetIDs.compactMap { store.asset($0) }.compactMap { StoredDownload(metadata: $0.metadata) }
    }

    /// The items of which something is stored, sorted.
    var items: [(id: String, isRequired: Bool)] {
        downloads.filter { $0.option == nil }.map { ($0.item, store.asset($0.id.storeID)?.isRequired ?? false) }
    }

    /// Whether everything that belongs to a download is stored.
    func isComplete(_ id: DownloadID) -> Bool { store.asset(id.storeID)?.isComplete ?? false }

    /// The bytes of items with all their options. One look at the names of all assets, and linear in the resources of these items.
    func sizes(of items: Set<String>) -> [String: Int64] {
        store.assetIDs.reduce(into: [:]) { sizes, id in
            let item = String(id.prefix { $0 != "\n" })
            if items.contains(item) { sizes[item, default: 0] += store.size(of: id)?.bytes ?? 0 }
        }
    }

    /// What the store has of the resources of a plan.
    func inventory(of plan: DownloadPlan) -> [StoredPart] {
        plan.resources.map { resource in
            let key = resource.key(matching)
            guard let body = store.bodies.body(of: key) else { return StoredPart(bytes: store.bodies.partialLength(of: key)) }
            return StoredPart(bytes: body.length, isComplete: true, version: body.description.version)
        }
    }

    // MARK: Writing

    /// Records the plan of a download and what belongs to it, before anything is loaded.
    ///
    /// - Throws: when its names and addresses are longer than the store records of an asset.
    func record(_ id: DownloadID, _ record: DownloadRecord, _ plan: DownloadPlan, isRequired: Bool) throws(MediaError) {
        let members = [id.planKey] + ownResources(id, plan).filter { !$0.isOptional }.map { $0.key(matching) }
        let metadata = StoredDownload(id, record).metadata
        guard metadata.count <= SegmentStore.longestMetadata else {
            throw MediaError(
                .sourceFormat,
                "Storing \(id.item) was refused: its addresses and the names of its options have \(metadata.count >> 10) KiB, and at most \(SegmentStore.longestMetadata >> 10) KiB are recorded; shorten them."
            )
        }
        let known = store.asset(id.storeID)?.members ?? []
        if !Set(known).isSubset(of: members) { replace(id, members, metadata, isRequired) }
        store.setAsset(id.storeID, metadata: metadata, isRequired: isRequired)
        store.add(members, to: id.storeID)
        store.store(StoredDownload.encoded(playlists: plan.playlists), as: id.planKey) { [weak self] _ in
            self?.onPlan?(id.item)
        }
    }

    /// Gives an asset other members. What both have stays stored, because another asset has it meanwhile.
    private func replace(_ id: DownloadID, _ members: [ResourceKey], _ metadata: [UInt8], _ isRequired: Bool) {
        let interim = id.storeID + "\ninterim"
        store.setAsset(interim, metadata: [], isRequired: isRequired)
        store.add(members, to: interim)
        store.removeAsset(id.storeID)
        store.setAsset(id.storeID, metadata: metadata, isRequired: isRequired)
        store.add(members, to: id.storeID)
        store.removeAsset(interim)
    }

    /// Changes which downloads eviction must leave.
    func pin(_ priorities: [String: DownloadPriority]) {
        for id in store.assetIDs {
            guard let priority = priorities[String(id.prefix { $0 != "\n" })], let asset = store.asset(id),
                asset.isRequired != (priority == .required)
            else { continue }
            store.setAsset(id, metadata: asset.metadata, isRequired: priority == .required)
        }
    }

    /// Writes the playlists of a download, the first one last, and completes its asset.
    func publish(
        _ id: DownloadID, _ record: DownloadRecord, _ plan: DownloadPlan,
        _ completion: @escaping @MainActor @Sendable (StoreError?) -> Void
    ) {
        let playlists = plan.playlists.filter {
            id.option == nil || $0.role == .root || $0.role == id.option.map { .rendition($0) }
        }
        let optional = ownResources(id, plan).filter(\.isOptional).map { $0.key(matching) }
        let keys = playlists.map { matching.key(for: $0.url) } + optional.filter { store.bodies.body(of: $0) != nil }
        store.add(keys, to: id.storeID)
        write(playlists[...]) { [weak self] error in
            guard let self else { return }
            if let error { return completion(error) }
            store.complete(id.storeID, metadata: StoredDownload(id, record).metadata, completion)
        }
    }

    private func write(_ playlists: ArraySlice<PlaylistText>, _ completion: @escaping @MainActor @Sendable (StoreError?) -> Void)
    {
        guard let first = playlists.first else { return completion(nil) }
        let description = BodyDescription(contentType: "application/vnd.apple.mpegurl")
        store.store(Array(first.text.utf8), as: matching.key(for: first.url), description) { [weak self] result in
            switch result {
            case .success: self?.write(playlists.dropFirst(), completion)
            case .failure(let error): completion(error)
            }
        }
    }

    /// Removes what a plan has stored, and keeps the download.
    func discard(_ plan: DownloadPlan) {
        for resource in plan.resources where resource.kind == .file { store.removeResource(resource.key(matching)) }
    }

    /// Removes the stored byte ranges of one file of a presentation.
    func discardRanges(of url: String, _ plan: DownloadPlan) {
        for resource in plan.resources where resource.url == url && resource.kind != .file && resource.range != nil {
            store.removeResource(resource.key(matching))
        }
    }

    /// Removes an item with all its options.
    func remove(item: String) { for id in ids(of: item) { store.removeAsset(id) } }

    func remove(_ id: DownloadID) { store.removeAsset(id.storeID) }

    // MARK: Comparing

    /// Compares everything that is stored of an item with all its options, one download after the other.
    func verify(item: String, _ completion: @escaping @MainActor @Sendable (Result<[ResourceKey], StoreError>) -> Void) {
        verify(ids(of: item)[...], [], completion)
    }

    private func verify(
        _ ids: ArraySlice<String>, _ damaged: [ResourceKey],
        _ completion: @escaping @MainActor @Sendable (Result<[ResourceKey], StoreError>) -> Void
    ) {
        guard let id = ids.first else { return completion(.success(damaged)) }
        store.verify(id) { [weak self] result in
            switch result {
            case .success(let more): self?.verify(ids.dropFirst(), damaged + more, completion)
            case .failure(let error): completion(.failure(error))
            }
        }
    }

    /// Compares the pieces of a file, one after the other, with the SHA-256 of the whole.
    func verify(_ plan: DownloadPlan, digest: String, _ completion: @escaping @MainActor @Sendable (Bool) -> Void) {
        let keys = plan.resources.filter { $0.kind == .file }.sorted { $0.place.sequence < $1.place.sequence }.map {
            $0.key(matching)
        }
        let bodies = store.bodies
        clock.compute(on: thread, rank: .transfer) { () -> Bool in
            let sum = RunningSHA256()
            for key in keys {
                guard let bytes = try? bodies.read(key) else { return false }
                sum.update(bytes)
            }
            return sum.finish().hexadecimal == digest.lowercased()
        } then: {
            completion($0)
        }
    }

    /// An option has the resources of its own playlist; the others belong to the default selection.
    private func ownResources(_ id: DownloadID, _ plan: DownloadPlan) -> [DownloadResource] {
        guard let option = id.option else { return plan.resources }
        return plan.resources.filter { $0.place.role == .rendition(option) }
    }

    private func ids(of item: String) -> [String] { store.assetIDs.filter { $0 == item || $0.hasPrefix(item + "\n") } }
}

/// Records that are read one after the other.
@MainActor
private final class FoundRecords {
    var records: [String: DownloadQueue.StoredRecords] = [:]
}
