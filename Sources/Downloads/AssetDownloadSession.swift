import BoxModel
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import SegmentStore
import StatusModel

/// The downloads of a box (AVAssetDownloadURLSession): carries out what the `DownloadQueue` decides, with the network and the segment store. Main loop only.
///
/// It begins when the store is open and its records are read. From then on it follows `want` and `conditionsChanged`.
@MainActor
package final class AssetDownloadSession {
    /// What it is made of.
    package struct Parts {
        package var store: SegmentStore
        /// Loads resources into the store.
        package var loading: StoredLoading
        /// Loads playlists: the loader below the store.
        package var network: any ByteLoading
        package var clock: any HostClock
        package var log: LogBook
        /// Which addresses are the same resource; as in `loading`.
        package var matching = ResourceMatching()

        package init(
            store: SegmentStore, loading: StoredLoading, network: any ByteLoading, clock: any HostClock, log: LogBook
        ) {
            self.store = store
            self.loading = loading
            self.network = network
            self.clock = clock
            self.log = log
        }
    }

    /// An item whose `state` may have changed.
    package let changes = EventSource<String>()
    private let parts: Parts
    private let policy: DownloadPolicy
    private var configuration: AssetDownloadConfiguration
    private let keeping: DownloadKeeping
    private var queue: DownloadQueue?
    /// What was wanted before the records were read.
    private var wanted: [WantedDownload]?
    private var conditions: DownloadConditions
    /// The bytes of items on the disk, as far as they were asked for. To count them is linear in the number of resources, so that it is done once, and what
    /// is stored meanwhile is added.
    private var sizes: [String: Int64] = [:]
    private var timer: ScheduledEvent?
    private var pending: [DownloadQueue.Event] = []
    private var isHandling = false
    private var isClosed = false
    private lazy var transfers = DownloadTransfers(
        bodies: parts.store.bodies, network: parts.network, loading: parts.loading, clock: parts.clock, matching: parts.matching,
        cap: RateCap(bitRate: policy.bitRate)
    ) { [weak self] in self?.handle(.task($0, $1)) }

    package init(
        _ parts: Parts, policy: DownloadPolicy, configuration: AssetDownloadConfiguration, conditions: DownloadConditions
    ) {
        self.parts = parts
        self.policy = policy
        self.configuration = configuration
        self.conditions = conditions
        keeping = DownloadKeeping(store: parts.store, clock: parts.clock, matching: parts.matching)
        keeping.onPlan = { [weak self] in self?.sizes[$0] = nil }
    }

    /// Reads the records. Called once, when the store is open.
    ///
    /// - Parameter languages: of sound and captions, best first.
    package func start(languages: [String]) {
        configuration.languages = languages
        keeping.readAll { [weak self] records in
            guard let self, !isClosed else { return }
            queue = DownloadQueue(policy: policy, configuration: configuration, conditions: conditions, records: records)
            if let wanted { want(wanted) }
        }
    }

    /// Stops all requests. What is stored stays, and is continued by the next session.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        transfers.close()
        keeping.close()
    }

    /// The assets that are to be stored, in order. Others are removed.
    package func want(_ wanted: [WantedDownload]) {
        self.wanted = wanted
        guard queue != nil else { return }
        handle(.wanted(wanted))
        keeping.pin(Dictionary(wanted.map { ($0.asset.id, $0.priority) }, uniquingKeysWith: { first, _ in first }))
    }

    package func conditionsChanged(_ new: DownloadConditions) {
        guard new != conditions else { return }
        conditions = new
        handle(.conditions(new))
    }

    /// The disk takes changes again: what failed because of it is tried at once.
    package func storeRecovered() { handle(.storeRecovered) }

    /// Whether the disk has too little room for a required item.
    package var lacksSpace: Bool { queue?.lacksSpace ?? false }

    /// A body of the store was damaged, or was removed to make room: what is no longer complete is loaded again.
    package func storeChanged() {
        guard let queue else { return }
        sizes = [:]
        for item in queue.items where queue.state(of: item) == .saved {
            if !keeping.isComplete(DownloadID(item: item)) {
                parts.log.note("downloads: \(item) is no longer saved")
                handle(.lost(item: item))
            } else {
                loseOptions(of: item)
            }
        }
    }

    /// Compares what is stored of an item with all its options. What is damaged is loaded again.
    ///
    /// - Parameter completion: is given the damaged resources, or why nothing can be said.
    package func verify(_ item: String, _ completion: @escaping @MainActor (Result<[ResourceKey], StoreError>) -> Void) {
        keeping.verify(item: item) { [weak self] result in
            guard let self, !isClosed else { return }
            if case .success(let damaged) = result, !damaged.isEmpty { storeChanged() }
            completion(result)
        }
    }

    private func loseOptions(of item: String) {
        guard let queue, let task = queue.task(DownloadID(item: item)), let plan = task.plan, let record = task.record else {
            return
        }
        let options = queue.localOptions(of: item).filter { !plan.selection.contains($0) }
        guard options.contains(where: { !keeping.isComplete(DownloadID(item: item, option: $0)) }) else { return }
        // The stored playlist lists the default selection again, then the options that are stored anew.
        keeping.publish(DownloadID(item: item), record, plan) { [weak self] _ in self?.handle(.optionsLost(item: item)) }
    }

    // MARK: Questions

    package func state(of item: String) -> DownloadState { queue?.state(of: item) ?? .none }

    /// The states of all wanted items.
    package var states: [String: DownloadState] { queue?.states ?? [:] }

    /// How many items are wanted.
    package var count: Int { queue?.count ?? 0 }

    /// What operators are told about wanted items, in the order in which they are stored; without titles.
    ///
    /// - Parameter range: places in that order; what is beyond its end is left out.
    package func statuses(_ range: Range<Int>) -> [DownloadStatus] {
        let statuses = queue?.statuses(range, at: parts.clock.now) ?? []
        let unknown = Set(statuses.map(\.id)).subtracting(sizes.keys)
        if !unknown.isEmpty { sizes.merge(keeping.sizes(of: unknown)) { $1 } }
        return statuses.map { status in
            var status = status
            status.bytes = sizes[status.id] ?? 0
            status.expectedBytes = status.state == .saved ? status.bytes : status.expectedBytes.map { max($0, status.bytes) }
            return status
        }
    }

    /// The most bytes that one of the downloads still has to store, as far as known.
    package var mostMissingBytes: Int64 { queue?.mostMissingBytes ?? 0 }

    /// The bytes that an item has on the disk.
    func size(of item: String) -> Int64 {
        if let known = sizes[item] { return known }
        let size = keeping.sizes(of: [item])[item] ?? 0
        sizes[item] = size
        return size
    }

    /// The ranges of an item that can be played from the store.
    package func loadedTimeRanges(of item: String) -> [TimeRange] { queue?.task(DownloadID(item: item))?.loadedTimeRanges ?? [] }

    /// Whether everything that belongs to an item is in the store.
    func isComplete(_ item: String) -> Bool { queue?.state(of: item) == .saved && keeping.isComplete(DownloadID(item: item)) }

    /// The options of sound and captions with playlists of their own that an item has in the store.
    func localOptions(of item: String) -> [RenditionID] { isComplete(item) ? queue?.localOptions(of: item) ?? [] : [] }

    /// What eviction can free. Linear in the number of resources, so it is asked only when space is short.
    package var evictableBytes: Int64 {
        let opportunistic = states.filter { $0.value == .saved && queue?.priority(of: $0.key) == .opportunistic }
        return parts.store.usage.cache + opportunistic.keys.reduce(0) { $0 + size(of: $1) }
    }

    /// Whether there is something left to store.
    package var hasWork: Bool {
        states.values.contains {
            switch $0 {
            case .queued, .downloading: true
            case .none, .saved, .failed: false
            }
        }
    }

    // MARK: Effects

    private func handle(_ event: DownloadQueue.Event) {
        guard !isClosed, queue != nil else { return }
        // An effect that answers at once does not interrupt the effects before it.
        pending.append(event)
        guard !isHandling else { return }
        isHandling = true
        defer { isHandling = false }
        while !pending.isEmpty {
            let event = pending.removeFirst()
            let before = storedBytes(event)
            let effects = queue?.handle(event, at: parts.clock.now) ?? []
            note(event, before)
            for effect in effects { carryOut(effect) }
            if case .task(let id, _) = event { changes.send(id.item) }
        }
    }

    /// The bytes of the task that an event is about, if the event says that a resource is stored which counts already: an optional one counts when it is
    /// published.
    private func storedBytes(_ event: DownloadQueue.Event) -> Int64? {
        guard case .task(let id, .stored(let index, _)) = event, let task = queue?.task(id), let resources = task.plan?.resources,
            resources.indices.contains(index), !resources[index].isOptional
        else { return nil }
        return task.storedBytes
    }

    /// Keeps the size of an item after an event about it.
    ///
    /// - Parameter before: the bytes of its task before the event, if a resource was stored.
    private func note(_ event: DownloadQueue.Event, _ before: Int64?) {
        guard case .task(let id, _) = event, let known = sizes[id.item] else { return }
        let new = before.flatMap { before in storedBytes(event).map { $0 - before } }
        sizes[id.item] = new.map { known + $0 }
    }

    private func carryOut(_ effect: DownloadQueue.Effect) {
        switch effect {
        case .task(let id, let effect): carryOut(effect, id)
        case .remove(let item):
            parts.log.note("downloads: \(item) is removed")
            keeping.remove(item: item)
            sizes[item] = nil
            changes.send(item)
        case .makeRoom(let bytes): makeRoom(bytes)
        case .wake(let instant):
            timer?.cancel()
            timer = parts.clock.schedule(at: instant, rank: .timer) { [weak self] in self?.handle(.woken) }
        }
    }

    private func carryOut(_ effect: AssetDownloadTask.Effect, _ id: DownloadID) {
        guard let task = queue?.task(id) else { return transfers.cancel(id) }
        switch effect {
        case .loadPlaylist(let role, let url): transfers.loadPlaylist(role, url, for: id)
        case .cancelLoads: transfers.cancel(id)
        case .removePartials: keeping.remove(id)
        case .record:
            if task.state == .completed { return parts.log.note("downloads: \(Self.words(id)) is saved") }
            guard let plan = task.plan, let record = task.record else { return }
            do throws(MediaError) {
                try keeping.record(id, record, plan, isRequired: queue?.priority(of: id.item) != .opportunistic)
            } catch {
                parts.log.note("downloads: \(error.sentence)")
                handle(.task(id, .recordRefused(error)))
            }
        case .takeInventory:
            guard let plan = task.plan else { return }
            handle(.task(id, .inventory(keeping.inventory(of: plan))))
        case .load(let index):
            guard let plan = task.plan, plan.resources.indices.contains(index) else { return }
            transfers.load(index, plan.resources[index], for: id)
        case .discard: if let plan = task.plan { keeping.discard(plan) }
        case .discardRanges(let url): if let plan = task.plan { keeping.discardRanges(of: url, plan) }
        case .verify(let digest):
            guard let plan = task.plan else { return }
            keeping.verify(plan, digest: digest) { [weak self] in self?.handle(.task(id, .verified(matches: $0))) }
        case .publish:
            guard let plan = task.plan, let record = task.record else { return }
            keeping.publish(id, record, plan) { [weak self] error in
                guard let error else { self?.handle(.task(id, .published)); return }
                self?.handle(.task(id, .storeFailed(MediaError(.storage, error.sentence))))
            }
        }
    }

    private func makeRoom(_ bytes: Int64) {
        parts.store.makeRoom(bytes) { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(let free):
                var new = conditions
                new.freeBytes = free
                conditionsChanged(new)
            case .failure(let error): parts.log.note("downloads: \(error.sentence)")
            }
            storeChanged()
        }
    }

    private static func words(_ id: DownloadID) -> String { id.option.map { "\(id.item), \($0.name)," } ?? id.item }
}
