import Appliance
import ChannelFeed
import Glibc
import LinuxSupport
import MediaModel

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
    private var last: [UInt8]?
    private var task: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var isClosed = false
    var onNews: (@MainActor (News) -> Void)?

    /// - Parameters:
    ///   - address: of the feed: a URL or a path.
    ///   - headers: sent with each request to it.
    ///   - folder: where the last good one is kept; nil: nowhere.
    init(
        address: String, headers: [String], plainHTTPHosts: Set<String>, loader: any ByteLoading, clock: any HostClock,
        log: LogBook,
        folder: String?, seed: UInt64
    ) {
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
            let verdict = FeedFile.verdict(bytes: kept.bytes, url: kept.url, plainHTTPHosts: plainHTTPHosts)
            if let feed = verdict.feed {
                log.note("feed: the last good one is used until a newer one is here")
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
            let verdict = FeedFile.verdict(response, plainHTTPHosts: plainHTTPHosts)
            for finding in verdict.findings { log.note("feed: \(finding)") }
            guard let feed = verdict.feed else {
                log.note("feed: refused; the last good one stays in use")
                onNews?(.refused(code: verdict.findings.first?.code.rawValue ?? "FEED-001"))
                return again(after: .refused)
            }
            last = response.bytes
            keep(response)
            use(feed)
            again(after: .good)
        }
    }

    private func use(_ feed: Feed) {
        refresh = (.nanoseconds(feed.refresh.interval.nanoseconds), feed.refresh.jitterPercent)
        onNews?(.feed(feed))
    }

    private func keep(_ response: ByteResponse) {
        guard let copy else { return }
        clock.compute(on: thread, rank: .timer) {
            copy.write(response.bytes, url: response.url)
        } then: { [weak self] isKept in
            if !isKept { self?.log.note("feed: it could not be kept on the disk; without a network the next start has none") }
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
    private var sourceFile: String { folder + "/source" }

    /// What is kept; nil where nothing is, or what is belongs to another address.
    func read() -> (bytes: [UInt8], url: String)? {
        guard let source = TextFile.read(sourceFile), let bytes = TextFile.read(bytesFile) else { return nil }
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 3, lines[0] == address, lines[2] == Self.mark(bytes) else { return nil }
        return (bytes, lines[1])
    }

    /// Keeps a feed. A power cut leaves the old one, the new one, or none that is taken for whole.
    func write(_ bytes: [UInt8], url: String) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        return TextFile.exchange(bytes, at: bytesFile)
            && TextFile.exchange(Array("\(address)\n\(url)\n\(Self.mark(bytes))\n".utf8), at: sourceFile)
    }

    /// Tells whole bytes from others (FNV-1a).
    private static func mark(_ bytes: [UInt8]) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}

extension TextFile {
    /// Writes a file anew beside the old one, which it replaces once it is on the disk.
    static func exchange(_ bytes: [UInt8], at path: String) -> Bool {
        let draft = path + ".new"
        guard let file = fopen(draft, "wb") else { return false }
        let count = fwrite(bytes, 1, bytes.count, file)
        let isWritten = fflush(file) == 0 && fsync(fileno(file)) == 0 && count == bytes.count
        guard fclose(file) == 0, isWritten else { return false }
        return rename(draft, path) == 0
    }
}
