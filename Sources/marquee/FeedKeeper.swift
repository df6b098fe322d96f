import Appliance
import ChannelFeed
import Glibc
import LinuxSupport
import MediaModel
import Signatures

/// Brings the feed and keeps it: the last good one is on the disk and is what a start begins with, so that no network is needed; newer ones
/// are asked for at the feed's own pace.
@MainActor
final class FeedKeeper {
    /// What became of the feed.
    enum News {
        /// A feed to be taken into use.
        case feed(Feed)
        /// What came was refused, and why in the rule's own words; the last good one stays.
        case refused(code: String)
        /// Nothing came.
        case failed(ErrorCode)
    }

    private let address: String
    private let headers: [String]
    private let plainHTTPHosts: Set<String>
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let copy: FeedCopy?
    private let thread: WorkerThread
    private var schedule: FeedSchedule
    private var refresh: (interval: Duration, jitter: Int) = (.seconds(900), 20)
    private let trust: FeedTrust?
    private let revision: RevisionMark
    private var last: [UInt8]?
    private var task: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var isClosed = false
    var onNews: (@MainActor (News) -> Void)?

    /// - Parameters:
    ///   - address: of the feed: a URL or a path.
    ///   - headers: sent with each request to it.
    ///   - trust: by what a feed is known to be the operator's own; nil: any is taken that passes the rules.
    ///   - folder: where the last good one is kept; nil: nowhere.
    init(
        address: String, headers: [String], plainHTTPHosts: Set<String>, trust: FeedTrust? = nil, loader: any ByteLoading,
        clock: any HostClock, log: LogBook, folder: String?, seed: UInt64
    ) {
        self.trust = trust
        revision = RevisionMark(file: folder.map { $0 + "/feed/revision" }, source: address)
        self.address = address
        self.headers = headers
        self.plainHTTPHosts = plainHTTPHosts
        self.loader = loader
        self.clock = clock
        self.log = log
        copy = folder.map { FeedCopy(folder: $0 + "/feed", address: address) }
        schedule = FeedSchedule(seed: seed)
        thread = WorkerThread(name: "feed", clock: clock)
    }

    /// Takes the last good feed into use, then asks for a newer one.
    func start() {
        if let kept = copy?.read() {
            let isTrusted = trust.map { (try? $0.keys.verify(kept.bytes, signature: kept.signature)) != nil } ?? true
            if !isTrusted { log.note("feed: the last good feed is not signed by a pinned key and is not used") }
            let verdict = FeedFile.verdict(bytes: kept.bytes, url: kept.url, plainHTTPHosts: plainHTTPHosts)
            if isTrusted, let feed = verdict.feed {
                log.note("feed: the last good feed is used until a newer one arrives")
                last = kept.bytes
                use(feed)
            }
        }
        load()
    }

    /// Ends all work; nothing is told any more.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        task?.cancel()
        thread.stop()
    }

    private func load() {
        guard FeedFile.isLetIn(address, plainHTTPHosts: plainHTTPHosts) else {
            log.note(
                "feed: FEED-060: its address is plain http and its host is not in [feed] allow_http; use https, or add the host")
            onNews?(.refused(code: "FEED-060"))
            return
        }
        task = loader.load(ByteRequest(url: address, headers: headers, totalTimeout: .seconds(120))) { [weak self] in
            self?.take($0)
        }
    }

    private func take(_ result: Result<ByteResponse, MediaError>) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .failure(let error):
            log.note("feed: \(error.description)")
            onNews?(.failed(error.code))
            again(after: .failed)
        case .success(let response):
            guard response.bytes != last else { return again(after: .good) }
            guard trust != nil else { return judge(response, signature: []) }
            let address = FeedTrust.signatureAddress(of: address)
            task = loader.load(ByteRequest(url: address, headers: headers, totalTimeout: .seconds(120))) { [weak self] in
                self?.take(signature: $0, of: response)
            }
        }
    }

    private func take(signature result: Result<ByteResponse, MediaError>, of response: ByteResponse) {
        task = nil
        guard !isClosed else { return }
        switch result {
        case .success(let signature): judge(response, signature: signature.bytes)
        case .failure(let error) where error.code == .sourceMissing:
            refuse(.badSignature, "FEED-090: it has no signature: \(error.sentence)")
        case .failure(let error):
            log.note("feed: its signature: \(error.description)")
            onNews?(.failed(error.code))
            again(after: .failed)
        }
    }

    private func judge(_ response: ByteResponse, signature: [UInt8]) {
        if let trust {
            do throws(PinnedKeys.Fault) {
                try trust.keys.verify(response.bytes, signature: signature)
            } catch {
                return refuse(.badSignature, "FEED-090: \(error)")
            }
        }
        let verdict = FeedFile.verdict(
            bytes: response.bytes, url: response.url, plainHTTPHosts: plainHTTPHosts,
            appliedRevision: trust.map { $0.floor(revision.newest) })
        for finding in verdict.findings { log.note("feed: \(finding)") }
        guard let feed = verdict.feed else {
            return refuse(verdict.findings.first { $0.severity == .refusal }?.code ?? .notATime, "refused")
        }
        last = response.bytes
        keep(response, signature: signature)
        if trust != nil, let number = feed.revision, !revision.note(number) {
            log.note("feed: its revision could not be saved; after a restart an older feed would be accepted")
        }
        use(feed)
        again(after: .good)
    }

    private func refuse(_ code: FeedCode, _ words: String) {
        log.note("feed: \(words); the last good feed stays in use")
        onNews?(.refused(code: code.rawValue))
        again(after: .refused)
    }

    private func use(_ feed: Feed) {
        refresh = (.nanoseconds(feed.refresh.interval.nanoseconds), feed.refresh.jitterPercent)
        onNews?(.feed(feed))
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
        let wait = schedule.wait(after: outcome, interval: refresh.interval, jitterPercent: refresh.jitter)
        timer = clock.schedule(after: wait) { [weak self] in self?.load() }
    }
}

/// The last good feed on the disk: its bytes, where they came from, and what had been asked for.
struct FeedCopy: Sendable {
    let folder: String
    let address: String

    private var bytesFile: String { folder + "/feed.json" }
    private var signatureFile: String { folder + "/feed.json.sig" }
    private var sourceFile: String { folder + "/source" }

    /// What is kept; nil where nothing is, or what is belongs to another address.
    func read() -> (bytes: [UInt8], signature: [UInt8], url: String)? {
        guard let source = WholeFile.read(sourceFile), let bytes = WholeFile.read(bytesFile) else { return nil }
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 3, lines[0] == address, lines[2] == Self.mark(bytes) else { return nil }
        return (bytes, WholeFile.read(signatureFile) ?? [], lines[1])
    }

    /// Keeps a feed. A power cut leaves the old one, the new one, or none that is taken for whole.
    ///
    /// - Parameter signature: nil for what is never signed.
    func write(_ bytes: [UInt8], signature: [UInt8]?, url: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        // Between two of these no one is taken for whole: the mark is of the bytes, and the signature is too.
        return WholeFile.write(bytes, to: bytesFile)
            && (signature.map { WholeFile.write($0, to: signatureFile) } ?? true)
            && WholeFile.write(Array("\(address)\n\(url)\n\(Self.mark(bytes))\n".utf8), to: sourceFile)
    }

    /// Tells whole bytes from others (FNV-1a).
    private static func mark(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
