import ChannelFeed
import Glibc
import LinuxSupport
import MediaModel
import Signatures

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
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let copy: FeedCopy?
    private let thread: WorkerThread
    private var schedule: FeedSchedule
    private var refresh: (interval: Duration, jitter: Int) = (.seconds(900), 20)
    private let revision: RevisionMark
    private var last: [UInt8]?
    /// The ETag of `last`, if its server stated one.
    private var entityTag: String?
    /// The result of the last check; nil before the first.
    private(set) var check: FeedCheck?
    private var task: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var isClosed = false
    private let deliver: @MainActor (News) -> Void

    /// - Parameters:
    ///   - folder: where the last good feed is stored; nil for nowhere.
    ///   - deliver: called with each result.
    init(
        _ source: Source, loader: any ByteLoading, clock: any HostClock, log: LogBook, folder: String?,
        deliver: @escaping @MainActor (News) -> Void
    ) {
        self.deliver = deliver
        self.source = source
        revision = RevisionMark(file: folder.map { $0 + "/feed/revision" }, source: source.address)
        self.loader = loader
        self.clock = clock
        self.log = log
        copy = folder.map { FeedCopy(folder: $0 + "/feed", address: source.address) }
        schedule = FeedSchedule(seed: source.seed)
        thread = WorkerThread(name: "feed", clock: clock)
    }

    /// Applies the last good feed, and requests a newer one some time later; at once if there is none.
    func start() {
        if let kept = copy?.read() {
            let isTrusted = source.trust.map { (try? $0.keys.verify(kept.bytes, signature: kept.signature)) != nil } ?? true
            if !isTrusted { log.note("feed: the last good feed is not signed by a pinned key and is not used") }
            let verdict = FeedFile.verdict(bytes: kept.bytes, url: kept.url, plainHTTPHosts: source.plainHTTPHosts)
            if isTrusted { check = FeedCheck(verdict) }
            if isTrusted, let feed = verdict.feed {
                log.note("feed: the last good feed is used until a newer one arrives")
                last = kept.bytes
                use(feed)
                return load(after: schedule.first(interval: refresh.interval))
            }
        }
        load()
    }

    /// Stops; `deliver` is not called any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        task?.cancel()
        thread.stop()
    }

    private func load() {
        guard FeedFile.isLetIn(source.address, plainHTTPHosts: source.plainHTTPHosts) else {
            log.note(
                "feed: FEED-060: its address is plain http and its host is not in [feed] allow_http; use https, or add the host")
            deliver(.refused(code: "FEED-060"))
            return
        }
        let condition = entityTag.map { "If-None-Match: \($0)" }
        task = loader.load(
            ByteRequest(url: source.address, kind: .feed, headers: source.headers + [condition].compactMap(\.self))
        ) {
            [weak self] in
            self?.take($0)
        }
    }

    private func take(_ result: Result<ByteResponse, MediaError>) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .failure(let error):
            log.note("feed: \(error.description)")
            deliver(.failed(error.code))
            again(after: .failed)
        case .success(let response):
            guard response.bytes != last, response.status != 304 || entityTag == nil else {
                deliver(.unchanged)
                return again(after: .good)
            }
            guard source.trust != nil else { return judge(response, signature: []) }
            let address = FeedTrust.signatureAddress(of: source.address)
            task = loader.load(ByteRequest(url: address, kind: .feed, headers: source.headers)) { [weak self] in
                self?.take(signature: $0, of: response)
            }
        }
    }

    private func take(signature result: Result<ByteResponse, MediaError>, of response: ByteResponse) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .success(let signature): judge(response, signature: signature.bytes)
        case .failure(let error) where error.code == .sourceMissing && error.fault?.isOfServer != true:
            refuse(.badSignature, "FEED-090: it has no signature: \(error.sentence)")
        case .failure(let error):
            log.note("feed: its signature: \(error.description)")
            deliver(.failed(error.code))
            again(after: .failed)
        }
    }

    private func judge(_ response: ByteResponse, signature: [UInt8]) {
        if let trust = source.trust {
            do throws(PinnedKeys.Fault) {
                try trust.keys.verify(response.bytes, signature: signature)
            } catch {
                return refuse(.badSignature, "FEED-090: \(error)")
            }
        }
        let verdict = FeedFile.verdict(
            bytes: response.bytes, url: response.url, plainHTTPHosts: source.plainHTTPHosts,
            appliedRevision: source.trust.map { $0.floor(revision.newest) })
        for finding in verdict.findings { log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            let code = verdict.findings.first { $0.severity == .refusal }?.code ?? .notATime
            return refuse(code, "refused", FeedCheck(verdict))
        }
        check = FeedCheck(verdict)
        last = response.bytes
        entityTag = response.entityTag
        keep(response, signature: signature)
        if source.trust != nil, let number = feed.revision, !revision.note(number) {
            log.note("feed: its revision could not be saved; after a restart an older feed would be accepted")
        }
        use(feed)
        again(after: .good)
    }

    /// - Parameter check: the result of the check; nil if the feed was refused before.
    private func refuse(_ code: FeedCode, _ words: String, _ check: FeedCheck? = nil) {
        self.check = check ?? FeedCheck(refused: words)
        log.note("feed: \(words); the last good feed stays in use")
        deliver(.refused(code: code.rawValue))
        again(after: .refused)
    }

    private func use(_ feed: Feed) {
        refresh = (.nanoseconds(feed.refresh.interval.nanoseconds), feed.refresh.jitterPercent)
        deliver(.feed(feed))
    }

    private func keep(_ response: ByteResponse, signature: [UInt8]) {
        guard let copy else { return }
        clock.compute(on: thread, rank: .timer) {
            copy.write(response.bytes, signature: signature, url: response.url)
        } then: { [weak self] isKept in
            if !isKept { self?.log.note("feed: it could not be saved; without a network the next start has no feed") }
        }
    }

    private func again(after outcome: FeedSchedule.Outcome) {
        let wait = schedule.wait(
            after: outcome, interval: refresh.interval, jitterPercent: refresh.jitter, hasFeed: last != nil)
        load(after: wait)
    }

    private func load(after wait: Duration) { timer = clock.schedule(after: wait) { [weak self] in self?.load() } }
}
