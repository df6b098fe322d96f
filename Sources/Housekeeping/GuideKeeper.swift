import ChannelFeed
import LinuxSupport
import MediaModel
import ProgrammeGuide

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
    private var timer: ScheduledEvent?
    private var failures = 0
    private var isClosed = false
    private let deliver: @MainActor (GuideListings, String) -> Void

    /// Guides are published once or twice a day.
    private static let interval = Duration.seconds(4 * 3600)
    /// The range of a guide that is kept, around now, in milliseconds.
    private static let past: Int64 = 86_400_000, future: Int64 = 4 * 86_400_000

    /// - Parameters:
    ///   - folder: where the last good ones are stored; nil for nowhere.
    ///   - now: the wall clock, if it can be trusted; without it there is no guide.
    ///   - deliver: called with the programmes and the address of the file.
    package init(
        plainHTTPHosts: Set<String>, loader: any ByteLoading, clock: any HostClock, log: LogBook, folder: String?,
        now: @escaping @MainActor () -> FeedDate?, deliver: @escaping @MainActor (GuideListings, String) -> Void
    ) {
        self.deliver = deliver
        self.plainHTTPHosts = plainHTTPHosts
        self.loader = loader
        self.clock = clock
        self.log = log
        self.folder = folder
        self.now = now
        thread = WorkerThread(name: "guide", clock: clock)
    }

    /// A feed was applied: its guides are loaded from now on.
    package func take(_ feed: Feed) {
        var wanted: [String] = []
        for case let address? in feed.channels.map(\.guide?.xmltv) where !wanted.contains(address) { wanted.append(address) }
        guard wanted != addresses, !isClosed else { return }
        addresses = wanted
        for address in wanted { readCopy(of: address) }
        loadAll()
    }

    /// Stops; `deliver` is not called any more.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.cancel() }
        tasks = [:]
        thread.stop()
    }

    private func copy(of address: String) -> FeedCopy? {
        let mark = String(
            address.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
        return folder.map { FeedCopy(folder: $0 + "/guide-" + mark, address: address) }
    }

    private func readCopy(of address: String) {
        guard let kept = copy(of: address)?.read() else { return }
        parse(kept.bytes, address)
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
        let wait = failures == 0 ? Self.interval : min(.seconds(60) * (1 << min(failures - 1, 8)), Self.interval)
        timer = clock.schedule(after: wait) { [weak self] in self?.loadAll() }
    }

    private func loaded(_ address: String, _ result: Result<ByteResponse, MediaError>) {
        tasks[address] = nil
        guard !isClosed else { return }
        switch result {
        case .failure(let error):
            log.note("guide: \(error.description)")
            // Soon at first, then at growing intervals.
            failures += 1
            if failures == 1 { loadSoon() }
        case .success(let response):
            failures = 0
            parse(response.bytes, address, keeping: (copy(of: address), response.url))
        }
    }

    private func loadSoon() {
        timer?.cancel()
        timer = clock.schedule(after: .seconds(60)) { [weak self] in self?.loadAll() }
    }

    /// Only usable files are stored.
    private func parse(_ bytes: [UInt8], _ address: String, keeping: (copy: FeedCopy?, url: String)? = nil) {
        guard let now = now() else { return log.note("guide: waiting until the time of day is known") }
        let interval =
            FeedDate(milliseconds: now.milliseconds - Self.past)..<FeedDate(milliseconds: now.milliseconds + Self.future)
        clock.compute(on: thread, rank: .timer) { () -> (Result<GuideListings, GuideError>, Bool) in
            let result = Result { () throws(GuideError) in try XMLTVReader.read(bytes, within: interval, name: address) }
            guard case .success = result, let keeping else { return (result, true) }
            return (result, keeping.copy?.write(bytes, signature: nil, url: keeping.url) ?? true)
        } then: { [weak self] result, isKept in
            guard let self, !self.isClosed else { return }
            if !isKept { self.log.note("guide: it could not be saved; without a network the next start has no guide") }
            switch result {
            case .failure(let error): self.log.note("guide: \(error.description)")
            case .success(let listings):
                for remark in listings.remarks { self.log.note("guide: \(address): \(remark)") }
                self.deliver(listings, address)
            }
        }
    }
}
