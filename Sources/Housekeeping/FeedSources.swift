import ChannelFeed
import Configuration
import LinuxSupport
import StatusModel
import URLReferences

/// The sources of the applied feed: the source in the settings, and with precedence a USB disk while it is present.
@MainActor
final class FeedSources {
    private let parts: BoxParts
    /// Where the last good feed is stored; nil for nowhere.
    private let folder: String?
    /// The folder below which disks are mounted.
    private let media: String
    private let onFeed: @MainActor (Feed) -> Void
    /// Sent when `status` may be different.
    let changes = EventSource<Void>()
    private var keeper: FeedKeeper?
    /// The configured source.
    private var address: String?
    private var usb: USBFeeds?
    private var guides: GuideKeeper?
    /// The feed of the configured source, and that of a disk, which takes precedence.
    private var settled: Feed?
    private var carried: Feed?
    /// Why the configured source gave no newer feed the last time; nil if it did, or was not asked yet.
    private(set) var trouble: SetUpScreens.Trouble?

    /// - Parameter onFeed: called with the feed to apply, each time that it changes.
    init(_ parts: BoxParts, folder: String?, media: String, onFeed: @escaping @MainActor (Feed) -> Void) {
        self.parts = parts
        self.folder = folder
        self.media = media
        self.onFeed = onFeed
    }

    var inUse: Feed? { carried ?? settled }

    /// Whether the configured source has given a good feed since the start.
    var isReached: Bool { keeper?.isReached ?? false }

    /// Whether the configured source is being asked.
    var hasSource: Bool { keeper != nil }

    /// Starts to ask a source.
    ///
    /// - Parameter before: the one whose last good feed is shown until this one has given a feed.
    func start(_ source: FeedKeeper.Source, before: FeedKeeper.Source?) {
        guides = GuideKeeper(
            plainHTTPHosts: source.plainHTTPHosts, loader: parts.loader, clock: parts.clock, log: parts.log, folder: folder,
            seed: source.seed, now: parts.wallClock
        ) { [weak appliance = parts.appliance] listings, address in
            appliance?.takeGuide(listings, from: address)
        }
        let keeper = FeedKeeper(source, before: before, loader: parts.loader, clock: parts.clock, log: parts.log, folder: folder)
        {
            [weak self] in self?.take($0)
        }
        self.keeper = keeper
        address = source.address
        keeper.start()
    }

    /// Asks the configured source now.
    ///
    /// - Returns: false if there is none.
    func refresh() -> Bool {
        keeper?.loadNow()
        return keeper != nil
    }

    /// The settings with the configured source are kept, and no longer on trial.
    func settle() { keeper?.settle() }

    /// Starts to look for disks. Next to the configured feed, a disk's feed is applied only if a pinned key has signed it.
    ///
    /// - Parameter address: the configured one.
    func lookForDisks(_ trust: FeedTrust?, of address: String) {
        guard usb == nil else { return }
        guard let trust else {
            return parts.log.note(
                "feed.allow_usb: disks are not searched, because [feed] public_keys lists no key that could verify a feed")
        }
        let usb = USBFeeds(trust: trust, of: address, clock: parts.clock, log: parts.log, folder: folder, media: media) {
            [weak self] feed in
            self?.carried = feed
            self?.offer()
            self?.changes.send(())
        }
        self.usb = usb
        usb.start()
    }

    /// Stops; `onFeed` is not called any more.
    func close() {
        keeper?.close()
        guides?.close()
        usb?.close()
    }

    /// What operators are told about the feed.
    var status: FeedStatus {
        var status = FeedStatus()
        status.source = address.map(Redaction.withoutSecrets)
        status.id = inUse?.id
        status.revision = inUse?.revision
        status.title = inUse?.provider?.name?.best(for: [parts.appliance.strings.language])
        status.lastUpdated = inUse?.lastUpdated?.description
        status.channelCount = inUse?.channels.count ?? 0
        status.seriesCount = inUse?.series.count ?? 0
        status.itemCount = inUse?.items.count ?? 0
        status.trouble = trouble?.code
        guard let check = keeper?.check else { return status }
        status.verdict = check.verdict
        status.summary = check.summary
        status.findings = check.findings
        status.findingCount = check.findingCount
        return status
    }

    private func take(_ news: FeedKeeper.News) {
        defer { changes.send(()) }
        switch news {
        case .unchanged: trouble = nil
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
