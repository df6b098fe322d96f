import ChannelFeed
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import StatusModel

/// Loads and stores the feed. A start uses the last good feed on the disk, so that it needs no network. Newer ones are requested at the feed's
/// refresh interval.
@MainActor
final class FeedKeeper {
    /// The result of a request.
    enum News {
        /// A feed to apply.
        case feed(Feed)
        /// The source still has the applied feed.
        case unchanged
        /// The response was refused, with the rule's reason; the last good feed stays.
        case refused(code: String)
        /// The request failed.
        case failed(ErrorCode)
    }

    /// A source from the settings or the command line.
    struct Source {
        /// The feed's URL or path.
        var address: String
        /// Sent with each request for it.
        var headers: [String] = []
        var plainHTTPHosts: Set<String>
        /// How to recognise the operator's feeds; nil accepts any valid feed.
        var trust: FeedTrust?
        /// Differs between boxes.
        var seed: UInt64
    }

    private let source: Source
    private let before: Source?
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let folder: String?
    private let thread: WorkerThread
    private var schedule: FeedSchedule
    private var refresh: (interval: Duration, jitter: Int) = (.seconds(900), 20)
    private let revision: RevisionMark
    /// The pages of the last good feed; empty without one.
    private var last: [LoadedPage] = []
    /// The result of the last check; nil before the first.
    private(set) var check: FeedCheck?
    /// Whether the source has given a good feed since the start.
    private(set) var isReached = false
    /// Whether the last good feed of the settings before stays on the disk, in place of that of this source, until `settle`.
    private var isOnTrial: Bool
    private var request: FeedLoad?
    private var timer: ScheduledEvent?
    private var isClosed = false
    private let deliver: @MainActor (News) -> Void

    /// - Parameters:
    ///   - before: the source whose last good feed is shown until this one has given a feed.
    ///   - folder: where the last good feed is stored; nil for nowhere.
    ///   - deliver: called with each result.
    init(
        _ source: Source, before: Source? = nil, loader: any ByteLoading, clock: any HostClock, log: LogBook, folder: String?,
        deliver: @escaping @MainActor (News) -> Void
    ) {
        self.deliver = deliver
        self.source = source
        self.before = before
        isOnTrial = before.map { $0.address != source.address || $0.trust?.keys != source.trust?.keys } ?? false
        revision = RevisionMark(file: folder.map { $0 + "/feed/revision" }, source: source.address)
        self.loader = loader
        self.clock = clock
        self.log = log
        self.folder = folder
        schedule = FeedSchedule(seed: source.seed)
        thread = WorkerThread(name: "feed", clock: clock)
    }

    /// Applies the last good feed, and requests a newer one some time later; at once if there is none of this source.
    func start() {
        if let stored = stored(of: source) {
            check = FeedCheck(stored.verdict)
            if let feed = stored.verdict.feed {
                log.note("feed: the last good feed is used until a newer one arrives")
                last = stored.pages
                use(feed)
                return load(after: schedule.first(interval: refresh.interval))
            }
        }
        if let feed = before.flatMap({ stored(of: $0) })?.verdict.feed {
            log.note("feed: the last good feed of the settings before is used until one arrives")
            use(feed)
        }
        load()
    }

    /// The stored feed of a source, if it is complete and the operator's. Its pages are those that the next request compares with.
    private func stored(of source: Source) -> (verdict: FeedVerdict, pages: [LoadedPage])? {
        guard let kept = copy(of: source)?.read() else { return nil }
        let isTrusted = kept.allSatisfy { page in
            source.trust.map { (try? $0.keys.verify(page.bytes, signature: page.signature)) != nil } ?? true
        }
        guard isTrusted else {
            log.note("feed: the last good feed is not signed by a pinned key and is not used")
            return nil
        }
        var addresses = [source.address]
        var pages = FeedFile.pages(
            first: kept[0].bytes, url: kept[0].url, plainHTTPHosts: source.plainHTTPHosts, group: source.trust?.group)
        for page in kept.dropFirst() {
            guard case .load(let address) = pages.step else { return nil }
            addresses.append(address)
            pages.append(page.bytes, url: page.url)
        }
        if case .load = pages.step { return nil }
        let loaded = zip(addresses, kept).map { LoadedPage(address: $0, url: $1.url, bytes: $1.bytes, signature: $1.signature) }
        return (FeedReader.read(pages), loaded)
    }

    private func copy(of source: Source) -> FeedCopy? {
        folder.map { FeedCopy(folder: $0 + "/feed", address: source.address) }
    }

    /// The settings with this source are kept: its feed takes the place of that of the settings before.
    func settle() {
        guard isOnTrial else { return }
        isOnTrial = false
        if isReached { keep(last) }
    }

    /// Asks for the feed now, unless that is under way.
    func loadNow() {
        guard !isClosed, request == nil else { return }
        timer?.cancel()
        load()
    }

    /// Stops; `deliver` is not called any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        request?.cancel()
        thread.stop()
    }

    private func load() {
        guard FeedFile.isLetIn(source.address, plainHTTPHosts: source.plainHTTPHosts) else {
            log.note(
                "feed: FEED-060: its address is plain http and its host is not in [feed] allow_http; use https, or add the host")
            deliver(.refused(code: "FEED-060"))
            return
        }
        let request = FeedLoad(
            source, last: last, appliedRevision: source.trust.map { $0.floor(revision.newest) }, loader: loader, clock: clock,
            thread: thread
        ) { [weak self] in self?.take($0) }
        self.request = request
        request.start()
    }

    private func take(_ outcome: FeedLoad.Outcome) {
        request = nil
        switch outcome {
        case .failed(let code, let words):
            log.note("feed: \(words)\(last.isEmpty ? "" : "; the last good feed stays in use")", .warning)
            deliver(.failed(code))
            again(after: .failed)
        case .unchanged(let pages):
            last = pages
            isReached = true
            deliver(.unchanged)
            again(after: .good)
        case .refused(let code, let words): refuse(code, words)
        case .judged(let pages, let verdict): take(verdict, of: pages)
        }
    }

    private func take(_ verdict: FeedVerdict, of pages: [LoadedPage]) {
        for finding in verdict.findings { log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            return refuse(verdict.refusal, "refused", FeedCheck(verdict))
        }
        check = FeedCheck(verdict)
        last = pages
        isReached = true
        keep(pages)
        if source.trust != nil, let number = feed.revision, !revision.note(number) {
            log.note("feed: its revision could not be saved; after a restart an older feed would be accepted", .error)
        }
        use(feed)
        again(after: .good)
    }

    /// - Parameter check: the result of the check; nil if the feed was refused before.
    private func refuse(_ code: FeedCode, _ words: String, _ check: FeedCheck? = nil) {
        self.check = check ?? FeedCheck(refused: words)
        log.note("feed: \(words); the last good feed stays in use", .error)
        deliver(.refused(code: code.rawValue))
        again(after: .refused)
    }

    private func use(_ feed: Feed) {
        refresh = (.nanoseconds(feed.refresh.interval.nanoseconds), feed.refresh.jitterPercent)
        deliver(.feed(feed))
    }

    private func keep(_ pages: [LoadedPage]) {
        guard !isOnTrial, let copy = copy(of: source) else { return }
        clock.compute(on: thread, rank: .timer) {
            copy.write(pages.map { FeedCopy.Page(bytes: $0.bytes, signature: $0.signature, url: $0.url) })
        } then: { [weak self] isKept in
            if !isKept { self?.log.note("feed: it could not be saved; without a network the next start has no feed", .error) }
        }
    }

    private func again(after outcome: FeedSchedule.Outcome) {
        let wait = schedule.wait(
            after: outcome, interval: refresh.interval, jitterPercent: refresh.jitter, hasFeed: !last.isEmpty)
        load(after: wait)
    }

    private func load(after wait: Duration) { timer = clock.schedule(after: wait) { [weak self] in self?.load() } }
}
