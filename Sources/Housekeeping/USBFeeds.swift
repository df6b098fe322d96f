import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import MediaModel
import Signatures

/// Looks for a feed on a disk that is plugged into a box with a configured feed. It is applied if a pinned key has signed it, and while the disk is present.
@MainActor
final class USBFeeds {
    /// The result of a search.
    private struct Found: Sendable, Equatable {
        var path: String
        var bytes: [UInt8]
        var signature: [UInt8]
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
    ///   - folder: where the newest revision is stored; nil for nowhere.
    ///   - deliver: called with the feed of a disk, and with nil when the disk is removed.
    init(
        trust: FeedTrust, clock: any HostClock, log: LogBook, folder: String?, media: String = FoundSource.Places.standardMedia,
        deliver: @escaping @MainActor (Feed?) -> Void
    ) {
        self.deliver = deliver
        self.trust = trust
        self.clock = clock
        self.log = log
        self.media = media
        mark = RevisionMark(file: folder.map { $0 + "/disk-revision" }, source: "disk")
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
        let media = media
        clock.compute(on: thread, rank: .timer) {
            Self.find(below: media)
        } then: { [weak self] in
            self?.take($0)
        }
    }

    /// The first disk with a feed and a signature. Files are read each time, because an exchanged disk must not go unnoticed.
    private nonisolated static func find(below media: String) -> Found? {
        for path in FoundSource.feeds(onDisksBelow: media) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_size <= longest, let signature = WholeFile.read(path + ".sig"),
                let bytes = WholeFile.read(path)
            else { continue }
            return Found(path: path, bytes: bytes, signature: signature)
        }
        return nil
    }

    private func take(_ found: Found?) {
        guard !isClosed else { return }
        timer = clock.schedule(after: Self.interval) { [weak self] in self?.look() }
        guard found != seen else { return }
        seen = found
        guard let found, let feed = judge(found) else {
            if isInUse {
                isInUse = false
                log.note("feed: the disk with the feed was removed")
                deliver(nil)
            }
            return
        }
        log.note("feed: \(found.path) is signed by a pinned key and is used while its disk is present")
        isInUse = true
        deliver(feed)
    }

    private func judge(_ found: Found) -> Feed? {
        do throws(PinnedKeys.Fault) {
            try trust.keys.verify(found.bytes, signature: found.signature)
        } catch {
            log.note("feed: FEED-090: \(found.path) is refused: \(error)")
            return nil
        }
        let verdict = FeedFile.verdict(bytes: found.bytes, url: found.path, appliedRevision: trust.floor(mark.newest))
        for finding in verdict.findings { log.note("feed: \(finding)") }
        if let revision = verdict.feed?.revision, !mark.note(revision) { log.note("feed: its revision could not be saved") }
        return verdict.feed
    }
}
