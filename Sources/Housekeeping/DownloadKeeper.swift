import BoxModel
import ChannelFeed
import Configuration
import Downloads
import LinuxSupport
import MediaTime
import SegmentStore
import StatusModel

/// Keeps the programmes of the feed on the disk that are marked `offline`: tells the download session what is wanted, and what surrounds it. Main loop only.
@MainActor
package final class DownloadKeeper: DownloadDoor {
    /// What it asks.
    @MainActor
    package struct Surroundings {
        /// The wall clock, if it can be trusted.
        package var date: @MainActor () -> FeedDate?
        /// Seconds since local midnight, if the clock can be trusted.
        package var timeOfDay: @MainActor () -> Int?
        package var hasNetwork: @MainActor () -> Bool
        package var isMetered: @MainActor () -> Bool
        /// Whether playback needs the network now: it loads, or its buffer is short.
        package var playbackNeedsNetwork: @MainActor () -> Bool
        /// The free space of the disk, in bytes.
        package var freeBytes: @MainActor () -> Int64?

        package init(
            date: @escaping @MainActor () -> FeedDate?, timeOfDay: @escaping @MainActor () -> Int?,
            hasNetwork: @escaping @MainActor () -> Bool, isMetered: @escaping @MainActor () -> Bool,
            playbackNeedsNetwork: @escaping @MainActor () -> Bool, freeBytes: @escaping @MainActor () -> Int64?
        ) {
            self.date = date
            self.timeOfDay = timeOfDay
            self.hasNetwork = hasNetwork
            self.isMetered = isMetered
            self.playbackNeedsNetwork = playbackNeedsNetwork
            self.freeBytes = freeBytes
        }
    }

    private struct Candidate {
        var item: Item
        var priority: DownloadPriority
    }

    private enum Phase {
        case created
        /// The store is being opened, or there is no feed yet.
        case started
        /// The session was told the languages of the feed.
        case running
        case closed
    }

    package let session: AssetDownloadSession
    /// Called with the state of each wanted item and `trouble`, when one of them may have changed.
    package var onStates: (@MainActor ([String: DownloadState], StorageTrouble?) -> Void)?
    /// The loader that is told whether there is a network.
    private let loading: SavedAssetLoading
    private let store: SegmentStore
    private let surroundings: Surroundings
    private let policy: DownloadPolicy
    /// Of the viewer, best first.
    private let languages: [String]
    private let clock: any HostClock
    private let log: LogBook
    private var feed: Feed?
    /// Read from the store when it is open.
    private var choices = DownloadChoices()
    /// What the feed marks and what was chosen, the required items first, each in the order of the feed.
    private var candidates: [Candidate] = []
    /// What comparisons since the start have found, by item.
    private var verifications: [String: DownloadStatus.Verification] = [:]
    /// What the session was told last; nil before the first time.
    private var wanted: [WantedDownload]?
    private var phase = Phase.created
    private var storedResources = 0
    private var disk = DiskAttempts()
    private var timer: ScheduledEvent?

    /// While something is stored, or cannot be, the surroundings are looked at this often; otherwise rarely.
    private static let interval = (busy: Duration.seconds(2), idle: Duration.seconds(30))
    /// What can be evicted takes time to count. It is asked only when less than this, or less than the largest download, is free beyond what must stay
    /// free.
    private static let ampleBytes: Int64 = 4 << 30

    package init(
        session: AssetDownloadSession, loading: SavedAssetLoading, store: SegmentStore, surroundings: Surroundings,
        policy: DownloadPolicy,
        languages: [String], clock: any HostClock, log: LogBook
    ) {
        self.session = session
        self.loading = loading
        self.store = store
        self.surroundings = surroundings
        self.policy = policy
        self.languages = languages
        self.clock = clock
        self.log = log
    }

    /// Opens the store. What is saved can be played from then on. Further calls have no effect.
    package func start() {
        guard phase == .created else { return }
        phase = .started
        store.onFailure = { [weak self] error in
            self?.log.note("downloads: \(error.sentence)", .error)
            if error.reason == .damaged { self?.session.storeChanged() }
        }
        look()
    }

    /// Why programmes cannot be stored; nil if they can.
    package var trouble: StorageTrouble? {
        if let failure = disk.openingFailure ?? store.refusal { return failure.reason == .diskFull ? .full : .unusable }
        return session.lacksSpace ? .full : nil
    }

    private func openStore() {
        disk.ask()
        store.open { [weak self] result in
            guard let self, phase != .closed else { return }
            switch result {
            case .failure(let error):
                if disk.failed(error, at: clock.now) { log.note("downloads: \(error.sentence)", .error) }
                look()
            case .success(let report):
                disk.opened(at: clock.now)
                if let warning = report.warning { log.note("downloads: \(warning.sentence)") }
                begin()
            }
        }
    }

    /// Asks the disk again that has refused something.
    private func askDisk() {
        guard phase == .started || phase == .running, disk.mayBeAsked(at: clock.now) else { return }
        if !store.isOpen { return openStore() }
        guard store.refusal != nil else { return }
        disk.ask()
        store.probe { [weak self] error in
            guard let self, phase != .closed else { return }
            disk.answered(at: clock.now)
            guard error == nil else { return }
            log.note("downloads: the disk takes changes again")
            session.storeRecovered()
            look()
        }
    }

    /// A feed was applied.
    package func take(_ feed: Feed) {
        self.feed = feed
        begin()
    }

    package func close() {
        guard phase != .closed else { return }
        phase = .closed
        timer?.cancel()
        session.close()
        store.close()
    }

    /// Begins when both store and feed are there: the feed says what may stay.
    private func begin() {
        guard let feed, store.isOpen, phase != .closed else { return }
        if phase != .running {
            phase = .running
            choices = DownloadChoices(in: store)
            session.start(languages: languages + feed.languages.filter { !languages.contains($0) })
        }
        var choices = choices
        choices.keepOnly { feed.item($0) != nil }
        if choices != self.choices { keep(choices) }
        candidates = candidates(of: feed, choices)
        verifications = verifications.filter { feed.item($0.key) != nil }
        tellWanted(feed)
        look()
    }

    private func keep(_ new: DownloadChoices) {
        choices = new
        new.keep(in: store) { [log] error in if let error { log.note("downloads: \(error.sentence)", .error) } }
    }

    // MARK: Choices

    /// What is stored or is to be stored, in the order in which that is done.
    ///
    /// - Parameters:
    ///   - range: places in that order; nil for all.
    ///   - languages: of the titles, best first.
    package func downloads(_ range: Range<Int>? = nil, languages: [String]) -> [DownloadStatus] {
        session.statuses(range ?? 0..<session.count).map { status in
            var status = status
            status.verification = verifications[status.id]
            status.title = feed?.item(status.id)?.title?.best(for: languages)
            return status
        }
    }

    package func downloads(_ range: Range<Int>) -> (total: Int, downloads: [DownloadStatus]) {
        (session.count, downloads(range, languages: languages + (feed?.languages ?? [])))
    }

    package var freeBytes: Int64? { surroundings.freeBytes() }

    /// - Returns: `notReady` while there is no store or no feed, `unknownID`, `noChange`, or `notSupported` when no more choices can be kept.
    package func addDownload(_ id: String, isRequired: Bool) -> CommandResult {
        choose(id) { choices, _ in choices.add(id, isRequired ? .required : .opportunistic) }
    }

    /// - Returns: as `addDownload`.
    package func removeDownload(_ id: String) -> CommandResult {
        choose(id) { choices, marked in choices.remove(id, isMarked: marked != nil) }
    }

    /// - Returns: `notReady` also while something is being compared, because the disk has one head and other work.
    package func verifyDownload(_ id: String) -> CommandResult {
        guard phase == .running, !verifications.values.contains(.running) else { return .failed(.notReady) }
        guard session.state(of: id) != .none else { return .failed(.unknownID) }
        verifications[id] = .running
        session.verify(id) { [weak self] result in
            guard let self, phase != .closed else { return }
            switch result {
            case .success(let damaged):
                verifications[id] = damaged.isEmpty ? .intact : .damaged
                log.note(
                    "downloads: \(id) was compared, \(damaged.isEmpty ? "and is intact" : "\(damaged.count) of its parts are damaged and loaded again")"
                )
            case .failure(let error):
                verifications[id] = .failed
                log.note("downloads: \(error.sentence)", .error)
            }
        }
        return .success
    }

    private func choose(_ id: String, _ change: (inout DownloadChoices, DownloadPriority?) -> Void) -> CommandResult {
        guard phase == .running, let feed else { return .failed(.notReady) }
        guard let item = feed.item(id) else { return .failed(.unknownID) }
        let marked = DownloadPriority(item.offline.priority)
        var new = choices
        change(&new, marked)
        guard new.priority(of: id, marked: marked) != choices.priority(of: id, marked: marked) else { return .failed(.noChange) }
        let candidates = candidates(of: feed, new)
        let isRefused =
            new.priority(of: id, marked: marked) != nil && !wanted(among: candidates, of: feed).contains { $0.asset.id == id }
        guard new.canBeKept, !isRefused else { return .failed(.notSupported) }
        keep(new)
        self.candidates = candidates
        tellWanted(feed)
        look()
        return .success
    }

    // MARK: What is wanted

    /// Programmes expire while the feed stays the same.
    private func tellWanted(_ feed: Feed) {
        let new = wanted(among: candidates, of: feed)
        guard new != wanted else { return }
        wanted = new
        session.want(new)
    }

    private func candidates(of feed: Feed, _ choices: DownloadChoices) -> [Candidate] {
        let all = feed.items.compactMap { item in
            choices.priority(of: item.id, marked: DownloadPriority(item.offline.priority)).map {
                Candidate(item: item, priority: $0)
            }
        }
        return all.filter { $0.priority == .required } + all.filter { $0.priority == .opportunistic }
    }

    /// The candidates that can be stored, except what was withdrawn or has expired. What is not available yet is stored before its time.
    private func wanted(among candidates: [Candidate], of feed: Feed) -> [WantedDownload] {
        let feedClock = surroundings.date().map { FeedClock.trusted($0) } ?? .untrusted
        let stored = candidates.lazy.filter { candidate in
            switch feed.availability(of: candidate.item, clock: feedClock) {
            case .withdrawn, .expired: false
            case .playable, .notYet, .notNow, .clockNotTrusted, .feedExpired: true
            }
        }
        return stored.prefix(Item.Offline.mostItems).map { WantedDownload(DownloadableAsset($0.item), $0.priority) }
    }

    private func look() {
        timer?.cancel()
        guard phase != .closed else { return }
        askDisk()
        if phase == .running, let feed { tellWanted(feed) }
        let hasNetwork = surroundings.hasNetwork()
        loading.setOffline(!hasNetwork)
        let free = surroundings.freeBytes()
        let isShort = free.map { $0 - policy.freeBytes < max(Self.ampleBytes, session.mostMissingBytes) } ?? false
        session.conditionsChanged(
            DownloadConditions(
                timeOfDay: surroundings.timeOfDay(), hasNetwork: hasNetwork, isMetered: surroundings.isMetered(),
                allowsMetered: feed?.policy.metered == .allow, freeBytes: free,
                evictableBytes: isShort ? session.evictableBytes : 0,
                playback: surroundings.playbackNeedsNetwork() ? .needsNetwork : .idle))
        // Another part of the store may have removed what a programme needs.
        if store.usage.resources < storedResources { session.storeChanged() }
        storedResources = store.usage.resources
        onStates?(session.states, trouble)
        timer = clock.schedule(after: session.hasWork || trouble != nil ? Self.interval.busy : Self.interval.idle) {
            [weak self] in self?.look()
        }
    }
}

extension DownloadPriority {
    /// nil for an item that is not stored.
    init?(_ priority: Item.Offline.Priority) {
        switch priority {
        case .none: return nil
        case .opportunistic: self = .opportunistic
        case .required: self = .required
        }
    }
}

extension DownloadableAsset {
    /// An item of the feed with its pictures, thumbnails and captions.
    init(_ item: Item) {
        // The pieces of a composition are not stored.
        let streams = item.streams.compactMap { stream in stream.location.url.map { Stream(url: $0, sha256: stream.sha256) } }
        let pictures = (item.artwork?.all ?? []) + item.markers.compactMap(\.image).filter { !$0.isEmpty }
        var companions = pictures.map { Companion(.artwork, url: $0) }
        if let thumbnails = item.thumbnails { companions.append(Companion(.thumbnails, url: thumbnails)) }
        companions += item.subtitles.map { Companion(.captions, url: $0.url) }
        var seen: Set<Companion> = []
        self.init(
            id: item.id, streams: streams,
            companions: companions.filter { seen.insert($0).inserted }, minimumBitRate: item.offline.minimumBitRate)
    }
}

extension DownloadPolicy {
    /// The operator's settings.
    ///
    /// - Parameter seed: any number that differs between boxes.
    package init(_ configuration: Configuration, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.init(
            window: DailyWindow(configuration.downloadWindow), bitRate: configuration.downloadBitRate,
            freeBytes: configuration.downloadFreeBytes, spread: random.nextUnit())
    }
}
