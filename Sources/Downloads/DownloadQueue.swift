import BoxModel
import LinuxSupport
import MediaModel

/// What a viewer or an operator is told about one item.
package enum DownloadState: Sendable, Equatable {
    case none
    case queued
    /// The stored part, from 0 to 1.
    case downloading(Double)
    /// It can be played without a network. Further options may still be added to it.
    case saved
    case failed(MediaError)
}

/// An asset that is to be stored.
package struct WantedDownload: Sendable, Hashable {
    package var asset: DownloadableAsset
    package var priority: DownloadPriority

    package init(_ asset: DownloadableAsset, _ priority: DownloadPriority) {
        self.asset = asset
        self.priority = priority
    }
}

/// The download of one asset: its default selection, or one further option of an asset that is stored.
package struct DownloadID: Sendable, Hashable {
    package let item: String
    /// The option that this download adds; nil for the default selection.
    package let option: RenditionID?

    package init(item: String, option: RenditionID? = nil) {
        self.item = item
        self.option = option
    }
}

/// The downloads of a box, one after the other: required ones, then opportunistic ones, and among those of one priority in the order of
/// the feed. The further options of an asset come after the default selections of its priority. A value without clock and transfers.
///
/// At every event the queue decides anew which task may run, so that a jump of the clock, a change of the feed or of the network needs no case of its own.
package struct DownloadQueue: Sendable {
    package enum Event: Sendable {
        /// The assets of the feed, in order. Others are removed from the store.
        case wanted([WantedDownload])
        case conditions(DownloadConditions)
        /// An answer to an effect of a task.
        case task(DownloadID, AssetDownloadTask.Event)
        /// The instant of `wake` has come.
        case woken
        /// What was stored is gone, because the store needed room or a body was damaged.
        case lost(item: String)
        /// The disk takes changes again.
        case storeRecovered
        /// Further options of an item are gone; its default selection is stored.
        case optionsLost(item: String)
    }

    package enum Effect: Sendable, Equatable {
        case task(DownloadID, AssetDownloadTask.Effect)
        /// Remove an item with all its options.
        case remove(item: String)
        /// Free this many bytes of what is not required.
        case makeRoom(Int64)
        /// Send `woken` at an instant.
        case wake(HostTime)
    }

    private struct Entry: Sendable {
        var wanted: WantedDownload
        var task: AssetDownloadTask
        /// The further options that are stored, beside the default selection.
        var storedOptions: [RenditionID] = []
        /// The further options that are still to be stored; nil until the default selection is stored.
        var waitingOptions: [RenditionID]?
        /// The download of the next further option, once the default selection is stored.
        var extra: (option: RenditionID, task: AssetDownloadTask)?

        var isSaved: Bool { task.state == .completed }
    }

    private let configuration: AssetDownloadConfiguration
    package var policy: DownloadPolicy
    package private(set) var conditions: DownloadConditions
    private var entries: [Entry] = []
    /// The places of the items in `entries`.
    private var places: [String: Int] = [:]
    private var running: DownloadID?
    /// What is known of earlier downloads, by item, until they are wanted.
    private var records: [String: StoredRecords]

    /// What the store has of an item.
    package struct StoredRecords: Sendable {
        package var main: DownloadRecord
        /// Complete downloads of further options.
        package var options: [RenditionID] = []
    }

    /// - Parameter records: what the store has, by item.
    package init(
        policy: DownloadPolicy, configuration: AssetDownloadConfiguration, conditions: DownloadConditions,
        records: [String: StoredRecords] = [:]
    ) {
        self.policy = policy
        self.configuration = configuration
        self.conditions = conditions
        self.records = records
    }

    // MARK: Questions

    /// The items in the order in which they are stored.
    package var items: [String] { entries.map(\.wanted.asset.id) }

    private func entry(of item: String) -> Entry? { places[item].map { entries[$0] } }

    package func state(of item: String) -> DownloadState {
        entry(of: item).map(Self.state) ?? .none
    }

    /// The states of all items.
    package var states: [String: DownloadState] {
        Dictionary(entries.map { ($0.wanted.asset.id, Self.state($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func state(_ entry: Entry) -> DownloadState {
        switch entry.task.state {
        case .completed: return .saved
        case .running: return .downloading(entry.task.fractionCompleted)
        case .failed(let error, nil): return .failed(error)
        case .waiting, .suspended, .failed, .cancelled: return .queued
        }
    }

    package func task(_ id: DownloadID) -> AssetDownloadTask? {
        guard let entry = entry(of: id.item) else { return nil }
        guard let option = id.option else { return entry.task }
        return entry.extra?.option == option ? entry.extra?.task : nil
    }

    /// The options of an item that are stored: those of the default selection, then the further ones.
    package func localOptions(of item: String) -> [RenditionID] {
        guard let entry = entry(of: item), entry.isSaved else { return [] }
        return (entry.task.plan?.selection ?? []) + entry.storedOptions
    }

    /// How many items there are.
    package var count: Int { entries.count }

    /// What operators are told about items, in the order in which they are stored; without titles and without what they have on the disk.
    ///
    /// - Parameter range: places in that order; what is beyond its end is left out.
    package func statuses(_ range: Range<Int>, at now: HostTime) -> [DownloadStatus] {
        entries[range.clamped(to: entries.indices)].map { entry in
            let task = entry.task
            var status = DownloadStatus(
                id: entry.wanted.asset.id, state: .queued, isRequired: entry.wanted.priority == .required)
            switch Self.state(entry) {
            case .none, .queued: status.waitsFor = obstacle(to: entry, at: now)?.rawValue
            case .downloading: status.state = .downloading
            case .saved: status.state = .saved
            case .failed: status.state = .failed
            }
            status.progress = task.fractionCompleted
            status.expectedBytes = task.plan?.expectedBytes
            if case .failed(let error, _) = task.state { status.error = error }
            return status
        }
    }

    /// Why an item that is not being stored is not.
    private func obstacle(to entry: Entry, at now: HostTime) -> AssetDownloadTask.SuspensionReason? {
        let obstacle = policy.obstacle(to: entry.wanted.priority, missingBytes: entry.task.missingBytes, in: conditions, at: now)
        return obstacle ?? (running.map { $0.item != entry.wanted.asset.id } == true ? .queue : nil)
    }

    /// Whether the disk has too little room for a required item, also after eviction. The window and the network make no difference to that.
    package var lacksSpace: Bool {
        entries.contains { entry in
            switch Self.state(entry) {
            case .queued, .downloading:
                entry.wanted.priority == .required
                    && policy.lacksSpace(for: .required, missingBytes: entry.task.missingBytes, in: conditions)
            case .none, .saved, .failed: false
            }
        }
    }

    /// The most bytes that one of the downloads still has to store, as far as known.
    package var mostMissingBytes: Int64 {
        entries.reduce(0) { max($0, $1.isSaved ? 0 : $1.task.missingBytes) }
    }

    /// The priority of an item; nil if it is not wanted.
    package func priority(of item: String) -> DownloadPriority? {
        entry(of: item)?.wanted.priority
    }

    // MARK: Events

    package mutating func handle(_ event: Event, at now: HostTime) -> [Effect] {
        switch event {
        case .wanted(let wanted): return take(wanted, at: now) + schedule(at: now)
        case .conditions(let new):
            conditions = new
            return schedule(at: now)
        case .woken: return schedule(at: now)
        case .storeRecovered:
            let effects = entries.indices.flatMap { index in
                [false, true].flatMap { send(.storeRecovered, to: index, isExtra: $0, at: now) }
            }
            return effects + schedule(at: now)
        case .lost(let item):
            guard let index = places[item] else { return [] }
            let effects = send(.cancel, to: index, isExtra: true, at: now).filter { !$0.isRemoval }
            entries[index] = Entry(wanted: entries[index].wanted, task: makeTask(entries[index].wanted.asset))
            return effects + schedule(at: now)
        case .optionsLost(let item):
            guard let index = places[item] else { return [] }
            let effects = send(.suspend(.queue), to: index, isExtra: true, at: now)
            entries[index].extra = nil
            entries[index].storedOptions = []
            entries[index].waitingOptions = nil
            return effects + schedule(at: now)
        case .task(let id, let event):
            guard let index = places[id.item] else { return [] }
            if let option = id.option, entries[index].extra?.option != option { return [] }
            let effects = send(event, to: index, isExtra: id.option != nil, at: now)
            finish(index)
            // One more resource of the task that runs changes nothing about which one runs, and there may be 100,000 tasks.
            if case .stored = event, id == running, task(id)?.state == .running { return effects }
            return effects + schedule(at: now)
        }
    }

    private mutating func take(_ wanted: [WantedDownload], at now: HostTime) -> [Effect] {
        var effects: [Effect] = []
        var old = Dictionary(entries.map { ($0.wanted.asset.id, $0) }, uniquingKeysWith: { first, _ in first })
        var kept: [Entry] = []
        var seen: Set<String> = []
        for want in wanted where seen.insert(want.asset.id).inserted {
            if var entry = old.removeValue(forKey: want.asset.id) {
                guard entry.wanted.asset.isSameContent(as: want.asset) else {
                    effects += remove(entry, at: now)
                    kept.append(Entry(wanted: want, task: makeTask(want.asset)))
                    continue
                }
                entry.wanted = want
                kept.append(entry)
            } else {
                kept.append(restored(want, &effects))
            }
        }
        // Dictionaries have no order.
        for (_, entry) in old.sorted(by: { $0.key < $1.key }) { effects += remove(entry, at: now) }
        for item in records.keys.sorted() { effects.append(.remove(item: item)) }
        records = [:]
        entries = kept.enumerated().sorted { ($0.element.wanted.priority, $0.offset) < ($1.element.wanted.priority, $1.offset) }
            .map(\.element)
        places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.wanted.asset.id, $0.offset) })
        return effects
    }

    /// Continues what the store has of an item. What it has of other content is removed.
    private mutating func restored(_ want: WantedDownload, _ effects: inout [Effect]) -> Entry {
        guard let stored = records.removeValue(forKey: want.asset.id) else {
            return Entry(wanted: want, task: makeTask(want.asset))
        }
        guard stored.main.asset.isSameContent(as: want.asset) else {
            effects.append(.remove(item: want.asset.id))
            return Entry(wanted: want, task: makeTask(want.asset))
        }
        var entry = Entry(
            wanted: want, task: AssetDownloadTask(stored.main.asset, configuration: configuration, record: stored.main))
        entry.storedOptions = stored.options
        return entry
    }

    private func makeTask(_ asset: DownloadableAsset) -> AssetDownloadTask {
        AssetDownloadTask(asset, configuration: configuration)
    }

    private mutating func remove(_ entry: Entry, at now: HostTime) -> [Effect] {
        let item = entry.wanted.asset.id
        var effects: [Effect] = []
        if let running, running.item == item {
            effects.append(.task(running, .cancelLoads))
            self.running = nil
        }
        return effects + [.remove(item: item)]
    }

    private mutating func send(_ event: AssetDownloadTask.Event, to index: Int, isExtra: Bool, at now: HostTime) -> [Effect] {
        let item = entries[index].wanted.asset.id
        guard isExtra else {
            return entries[index].task.handle(event, at: now).map { .task(DownloadID(item: item), $0) }
        }
        guard let option = entries[index].extra?.option else { return [] }
        let effects = entries[index].extra?.task.handle(event, at: now) ?? []
        return effects.map { .task(DownloadID(item: item, option: option), $0) }
    }

    // MARK: Further options

    /// Takes note of downloads that have ended, and prepares the next option.
    private mutating func finish(_ index: Int) {
        guard entries[index].isSaved else { return }
        if let extra = entries[index].extra {
            switch extra.task.state {
            case .completed: entries[index].storedOptions.append(extra.option)
            case .failed(_, nil): break
            case .waiting, .running, .suspended, .failed, .cancelled: return
            }
            // An option that cannot be stored is left out; what is stored stays.
            entries[index].waitingOptions?.removeAll { $0 == extra.option }
            entries[index].extra = nil
        } else if entries[index].waitingOptions == nil {
            let stored = entries[index].storedOptions
            entries[index].waitingOptions = entries[index].task.furtherOptions.filter { !stored.contains($0) }
        }
        guard let next = entries[index].waitingOptions?.first else { return }
        let options = (entries[index].task.plan?.selection ?? []) + entries[index].storedOptions + [next]
        entries[index].extra = (
            next, AssetDownloadTask(entries[index].task.asset, options: options, configuration: configuration)
        )
    }

    // MARK: Schedule

    /// Lets the first task run that may, and only this one.
    private mutating func schedule(at now: HostTime) -> [Effect] {
        for index in entries.indices where entries[index].isSaved && entries[index].extra == nil { finish(index) }
        var effects: [Effect] = []
        var next: (index: Int, isExtra: Bool)?
        var wake: HostTime?
        var room: Int64?
        for (index, isExtra) in order {
            guard let task = isExtra ? entries[index].extra?.task : entries[index].task else { continue }
            if case .failed(_, let retryAt) = task.state {
                guard let retryAt else { continue }
                if retryAt > now {
                    wake = min(wake ?? retryAt, retryAt)
                    continue
                }
            }
            let priority = entries[index].wanted.priority
            let obstacle = policy.obstacle(to: priority, missingBytes: task.missingBytes, in: conditions, at: now)
            if obstacle == nil, next == nil {
                next = (index, isExtra)
                if let free = conditions.freeBytes, free - task.missingBytes < policy.freeBytes {
                    room = policy.freeBytes + task.missingBytes
                }
            } else {
                effects += suspend(index, isExtra, obstacle ?? .queue, at: now)
            }
        }
        if let room { effects.append(.makeRoom(room)) }
        if let next {
            running = DownloadID(
                item: entries[next.index].wanted.asset.id, option: next.isExtra ? entries[next.index].extra?.option : nil)
            effects += send(.resume, to: next.index, isExtra: next.isExtra, at: now)
        } else {
            running = nil
        }
        if let wake { effects.append(.wake(wake)) }
        return effects
    }

    /// The downloads that are not complete, the next one first.
    private var order: [(index: Int, isExtra: Bool)] {
        var order: [(index: Int, isExtra: Bool)] = []
        for priority in [DownloadPriority.required, .opportunistic] {
            let own = entries.indices.filter { entries[$0].wanted.priority == priority }
            order += own.filter { !entries[$0].isSaved }.map { ($0, false) }
            order += own.filter { entries[$0].isSaved && entries[$0].extra != nil }.map { ($0, true) }
        }
        return order
    }

    private mutating func suspend(
        _ index: Int, _ isExtra: Bool, _ reason: AssetDownloadTask.SuspensionReason, at now: HostTime
    ) -> [Effect] {
        let task = isExtra ? entries[index].extra?.task : entries[index].task
        switch task?.state {
        case .running: return send(.suspend(reason), to: index, isExtra: isExtra, at: now)
        // The pause after a failure is not shortened.
        case .waiting, .suspended, .failed, .completed, .cancelled, nil: return []
        }
    }
}

extension DownloadQueue.Effect {
    fileprivate var isRemoval: Bool { if case .task(_, .removePartials) = self { true } else { false } }
}
