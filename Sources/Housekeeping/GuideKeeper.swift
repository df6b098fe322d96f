import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import ProgrammeGuide
import StatusModel

/// Loads and stores the XMLTV files that a feed names. The last good ones are on the disk, so that a start without a network has a guide.
@MainActor
package final class GuideKeeper {
    private let plainHTTPHosts: Set<String>
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let log: LogBook
    private let folder: String?
    private let now: @MainActor () -> FeedDate?
    private let thread: WorkerThread
    private var addresses: [String] = []
    private var tasks: [String: any ByteTask] = [:]
    /// Files that wait for the date, by address.
    private var parsings: [String: ScheduledEvent] = [:]
    private var timer: ScheduledEvent?
    private var failures = 0
    private var spread: RequestSpread
    private var isClosed = false
    private let deliver: @MainActor (GuideListings, String) -> Void

    /// Guides are published once or twice a day.
    private static let interval = Duration.seconds(4 * 3600)
    /// The longest that a box with a stored guide waits after its start.
    private static let startInterval = Duration.seconds(900)
    /// The wait after the first failure.
    private static let retryInterval = Duration.seconds(60)
    /// How often the date is asked for while it is unknown.
    private static let dateInterval = Duration.seconds(10)
    /// The range of a guide that is kept, around now, in milliseconds.
    private static let past: Int64 = 86_400_000, future: Int64 = 4 * 86_400_000

    /// - Parameters:
    ///   - folder: where the last good ones are stored; nil for nowhere.
    ///   - seed: differs between boxes.
    ///   - now: the wall clock, if it can be trusted; without it there is no guide.
    ///   - deliver: called with the programmes and the address of the file.
    package init(
        plainHTTPHosts: Set<String>, loader: any ByteLoading, clock: any HostClock, log: LogBook, folder: String?, seed: UInt64,
        now: @escaping @MainActor () -> FeedDate?, deliver: @escaping @MainActor (GuideListings, String) -> Void
    ) {
        self.deliver = deliver
        self.plainHTTPHosts = plainHTTPHosts
        self.loader = loader
        self.clock = clock
        self.log = log
        self.folder = folder
        self.now = now
        spread = RequestSpread(seed: seed)
        thread = WorkerThread(name: "guide", clock: clock)
    }

    /// A feed was applied: its guides are loaded from now on.
    package func take(_ feed: Feed) {
        var wanted: [String] = []
        for case let address? in feed.channels.map(\.guide?.xmltv) where !wanted.contains(address) { wanted.append(address) }
        guard wanted != addresses, !isClosed else { return }
        addresses = wanted
        let stored = wanted.filter(readCopy)
        // A stored guide covers days. A house that has had a power failure does not request it at once on every box.
        stored.count == wanted.count ? load(after: spread.start(interval: Self.startInterval)) : loadAll()
    }

    /// Stops; `deliver` is not called any more.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        for (_, parsing) in parsings.sorted(by: { $0.key < $1.key }) { parsing.cancel() }
        parsings = [:]
        for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
        tasks = [:]
        thread.stop()
    }

    private func copy(of address: String) -> FeedCopy? {
        folder.map { FeedCopy(folder: $0 + "/guide-" + FeedCopy.mark(address.utf8), address: address) }
    }

    /// Parses the stored file of an address, and returns whether there is one.
    private func readCopy(of address: String) -> Bool {
        guard let kept = copy(of: address)?.read() else { return false }
        parse(kept[0].bytes, address)
        return true
    }

    private func loadAll() {
        timer?.cancel()
        for address in addresses where tasks[address] == nil {
            guard FeedFile.isLetIn(address, plainHTTPHosts: plainHTTPHosts) else {
                log.note(
                    "guide: FEED-060: \(address) is plain http and its host is not in [feed] allow_http; use https, or add the host"
                )
                continue
            }
            tasks[address] = loader.load(ByteRequest(url: address, kind: .guide)) { [weak self] in
                self?.loaded(address, $0)
            }
        }
        guard !addresses.isEmpty else { return }
        let wait = failures == 0 ? Self.interval : min(Self.retryInterval * (1 << min(failures - 1, 8)), Self.interval)
        load(after: spread.jitter(wait, percent: 10))
    }

    private func load(after wait: Duration) {
        timer?.cancel()
        timer = clock.schedule(after: wait) { [weak self] in self?.loadAll() }
    }

    private func loaded(_ address: String, _ result: Result<ByteResponse, MediaError>) {
        tasks[address] = nil
        guard !isClosed else { return }
        switch result {
        case .failure(let error):
            log.note("guide: \(error.description)", .warning)
            // Soon at first, then at growing intervals.
            failures += 1
            if failures == 1 { load(after: spread.jitter(Self.retryInterval, percent: 10)) }
        case .success(let response):
            failures = 0
            parse(response.bytes, address, keeping: (copy(of: address), response.url))
        }
    }

    /// Only usable files are stored.
    private func parse(_ bytes: [UInt8], _ address: String, keeping: (copy: FeedCopy?, url: String)? = nil) {
        let waiting = parsings.removeValue(forKey: address)
        waiting?.cancel()
        guard let now = now() else {
            if waiting == nil { log.note("guide: waiting until the time of day is known") }
            parsings[address] = clock.schedule(after: Self.dateInterval) { [weak self] in
                self?.parse(bytes, address, keeping: keeping)
            }
            return
        }
        let interval =
            FeedDate(milliseconds: now.milliseconds - Self.past)..<FeedDate(milliseconds: now.milliseconds + Self.future)
        clock.compute(on: thread, rank: .timer) { () -> (Result<GuideListings, GuideError>, Bool) in
            let result = Result { () throws(GuideError) in try XMLTVReader.read(bytes, within: interval, name: address) }
            guard case .success = result, let keeping else { return (result, true) }
            return (result, keeping.copy?.write([FeedCopy.Page(bytes: bytes, signature: [], url: keeping.url)]) ?? true)
        } then: { [weak self] result, isKept in
            guard let self, !self.isClosed else { return }
            if !isKept { self.log.note("guide: it could not be saved; without a network the next start has no guide", .error) }
            switch result {
            case .failure(let error): self.log.note("guide: \(error.description)", .warning)
            case .success(let listings):
                for remark in listings.remarks { self.log.note("guide: \(address): \(remark)") }
                self.deliver(listings, address)
            }
        }
    }
}
