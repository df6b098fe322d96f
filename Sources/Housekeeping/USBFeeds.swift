import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import Signatures
import StatusModel
import URLReferences

/// Looks for a feed on a disk that is plugged into a box with a configured feed. It is applied if a pinned key has signed it, and while the disk is present.
@MainActor
final class USBFeeds {
    /// A feed on a disk: its files in the order of its pages.
    private struct Found: Sendable, Equatable {
        var pages: [Page]
        /// The address of a page that is missing or has no signature.
        var missing: String?

        /// Its first file.
        var path: String { pages[0].path }
    }

    private struct Page: Sendable, Equatable {
        var path: String
        var bytes: [UInt8]
        var signature: [UInt8]

        /// Reads a file with its signature; nil if one of them is missing, or it is too large.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_size <= longest, let signature = WholeFile.read(path + ".sig"),
                let bytes = WholeFile.read(path)
            else { return nil }
            (self.path, self.bytes, self.signature) = (path, bytes, signature)
        }
    }

    /// What a search has found.
    private enum News: Sendable {
        case unchanged
        /// No disk has a feed.
        case none
        /// A feed, and its verdict; nil where a page is not signed by a pinned key.
        case found(Found, FeedVerdict?, words: [String])
    }

    private let deliver: @MainActor (Feed?) -> Void
    private let media: String
    private let trust: FeedTrust
    private let clock: any HostClock
    private let log: LogBook
    private let mark: RevisionMark
    private let thread: WorkerThread
    private var seen: Found?
    private var isInUse = false
    private var timer: ScheduledEvent?
    private var isClosed = false
    private static let interval = Duration.seconds(5)
    /// The limit of FEED-100, so that a disk cannot fill the memory.
    private nonisolated static let longest = 16 << 20

    /// - Parameters:
    ///   - media: the folder below which every removable disk is mounted in a separate folder.
    ///   - address: the configured address, whose feeds a disk brings too: they share its mark.
    ///   - folder: where the newest revision is stored; nil for nowhere.
    ///   - deliver: called with the feed of a disk, and with nil when the disk is removed.
    init(
        trust: FeedTrust, of address: String, clock: any HostClock, log: LogBook, folder: String?,
        media: String = FoundSource.Places.standardMedia,
        deliver: @escaping @MainActor (Feed?) -> Void
    ) {
        self.deliver = deliver
        self.trust = trust
        self.clock = clock
        self.log = log
        self.media = media
        mark = RevisionMark(
            file: folder.map { $0 + "/feed/revision" }, source: address, earlier: folder.map { $0 + "/disk-revision" })
        thread = WorkerThread(name: "disk-feed", clock: clock)
    }

    /// Searches now and at intervals.
    func start() { look() }

    /// Stops.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        thread.stop()
    }

    private func look() {
        let (media, seen, trust, mark) = (media, seen, trust, mark)
        clock.compute(on: thread, rank: .timer) {
            guard let found = Self.find(below: media, seen: seen) else { return seen == nil ? News.unchanged : .none }
            return found == seen ? .unchanged : Self.judge(found, trust, mark)
        } then: { [weak self] in
            self?.take($0)
        }
    }

    /// The first disk with a feed and a signature. Files are read each time, because an exchanged disk must not go unnoticed.
    private nonisolated static func find(below media: String, seen: Found?) -> Found? {
        for path in FoundSource.feeds(onDisksBelow: media) {
            guard let first = Page(path) else { continue }
            if let seen, seen.missing == nil, seen.pages[0] == first,
                seen.pages.dropFirst().allSatisfy({ Page($0.path) == $0 })
            {
                return seen
            }
            return pages(after: first)
        }
        return nil
    }

    private nonisolated static func pages(after first: Page) -> Found {
        var found = Found(pages: [first])
        var pages = FeedFile.pages(first: first.bytes, url: first.path)
        while case .load(let address) = pages.step {
            guard let page = Page(URLReference.percentDecoded(URLReference(address).path)) else {
                found.missing = address
                break
            }
            found.pages.append(page)
            pages.append(page.bytes, url: page.path)
        }
        return found
    }

    private nonisolated static func judge(_ found: Found, _ trust: FeedTrust, _ mark: RevisionMark) -> News {
        for page in found.pages {
            do throws(PinnedKeys.Fault) {
                try trust.keys.verify(page.bytes, signature: page.signature)
            } catch {
                return .found(found, nil, words: ["FEED-090: \(page.path) is refused: \(error)"])
            }
        }
        let first = found.pages[0]
        var pages = FeedFile.pages(
            first: first.bytes, url: first.path, appliedRevision: trust.floor(mark.newest), group: trust.group)
        for page in found.pages.dropFirst() { pages.append(page.bytes, url: page.path) }
        if let missing = found.missing { pages.refuse(missing: "Put \(missing) and its signature on the disk.") }
        let verdict = FeedReader.read(pages)
        var words = verdict.findings.map(\.description)
        if let revision = verdict.feed?.revision, !mark.note(revision) { words.append("its revision could not be saved") }
        return .found(found, verdict, words: words)
    }

    private func take(_ news: News) {
        guard !isClosed else { return }
        timer = clock.schedule(after: Self.interval) { [weak self] in self?.look() }
        switch news {
        case .unchanged: break
        case .none:
            seen = nil
            use(nil)
        case .found(let found, let verdict, let words):
            seen = found
            for line in words { log.note("feed: \(line)") }
            guard let feed = verdict?.feed else { return use(nil) }
            log.note("feed: \(found.path) is signed by a pinned key and is used while its disk is present")
            use(feed)
        }
    }

    /// - Parameter feed: nil when there is none any more.
    private func use(_ feed: Feed?) {
        guard feed != nil || isInUse else { return }
        if feed == nil { log.note("feed: the disk with the feed was removed") }
        isInUse = feed != nil
        deliver(feed)
    }
}
