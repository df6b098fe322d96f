import ChannelFeed
import Configuration
import LinuxSupport
import MediaModel

/// Where the feed in use comes from: the source of the settings, and before it a USB disk that may bring one, for as long as it is there.
@MainActor
final class FeedSources {
    private let parts: BoxParts
    /// Where the last good feed is kept; nil: nowhere.
    private let folder: String?
    /// Below it disks are mounted.
    private let media: String
    private let onFeed: @MainActor (Feed) -> Void
    private var keeper: FeedKeeper?
    private var usb: USBFeeds?
    private var guides: GuideKeeper?
    /// The feed of the settings' source, and that of a disk, which goes before it.
    private var settled: Feed?
    private var carried: Feed?
    /// Why the settings' source brought no newer feed the last time; nil: it did, or has not been asked.
    private(set) var trouble: SetUpScreens.Trouble?

    /// - Parameter onFeed: told of the feed that is to be in use, each time that it is another or a newer one.
    init(_ parts: BoxParts, folder: String?, media: String, onFeed: @escaping @MainActor (Feed) -> Void) {
        self.parts = parts
        self.folder = folder
        self.media = media
        self.onFeed = onFeed
    }

    /// The feed in use.
    var inUse: Feed? { carried ?? settled }

    /// Whether the settings' source is asked.
    var hasSource: Bool { keeper != nil }

    /// A source of the settings or of the command line.
    struct Source {
        var address: String
        var headers: [String] = []
        var plainHTTPHosts: Set<String>
        var trust: FeedTrust?
        /// Spreads boxes.
        var seed: UInt64
    }

    /// Asks a source from now on.
    func start(_ source: Source) {
        guides = GuideKeeper(
            plainHTTPHosts: source.plainHTTPHosts, loader: parts.loader, clock: parts.clock, log: parts.log, folder: folder,
            now: parts.wallClock
        ) { [weak appliance = parts.appliance] listings, address in
            appliance?.takeGuide(listings, from: address)
        }
        let keeper = FeedKeeper(
            address: source.address, headers: source.headers, plainHTTPHosts: source.plainHTTPHosts, trust: source.trust,
            loader: parts.loader, clock: parts.clock, log: parts.log, folder: folder, seed: source.seed
        ) { [weak self] in self?.take($0) }
        self.keeper = keeper
        keeper.start()
    }

    /// Looks for disks from now on. What is on one is taken beside the settings' own only when a pinned key has signed it.
    func lookForDisks(_ trust: FeedTrust?) {
        guard usb == nil else { return }
        guard let trust else {
            return parts.log.note(
                "feed.allow_usb: disks are not searched, because [feed] public_keys lists no key that could verify a feed")
        }
        let usb = USBFeeds(trust: trust, clock: parts.clock, log: parts.log, folder: folder, media: media) { [weak self] feed in
            self?.carried = feed
            self?.offer()
        }
        self.usb = usb
        usb.start()
    }

    /// Ends all work; nothing is told any more.
    func close() {
        keeper?.close()
        guides?.close()
        usb?.close()
    }

    private func take(_ news: FeedKeeper.News) {
        switch news {
        case .failed(let code): trouble = .unreachable(code)
        case .refused(let code): trouble = .refused(code)
        case .feed(let feed):
            trouble = nil
            settled = feed
            offer()
        }
    }

    private func offer() {
        guard let feed = inUse else { return }
        onFeed(feed)
        guides?.take(feed)
    }
}
