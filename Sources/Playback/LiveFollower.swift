import LinuxSupport
import MediaModel
import MediaTime

/// What following a live edge needs of a player.
@MainActor
protocol LivePlayback: AnyObject {
    /// Where playback is, in asset time.
    var currentTime: MediaTime { get }
    /// The rate that is wanted.
    var wantedRate: Ratio { get }
    /// Whether time moves.
    var isRunning: Bool { get }
    /// Whether play waits for bytes.
    var isStalled: Bool { get }
    /// Whether a seek is still to be carried out.
    var isSeekPending: Bool { get }
    /// Up to where media is buffered.
    var loadedUntil: MediaTime? { get }
    func seek(
        to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?, completion: (@MainActor (Bool) -> Void)?)
    @discardableResult func setRate(_ rate: Ratio) -> Bool
}

/// Keeps play of a live item at its place behind the edge: catches up a little faster, and joins again where the window has moved away. Main loop.
@MainActor
final class LiveFollower {
    /// The fastest at which play catches up with the edge: the difference is not heard.
    static let catchUpRate = Ratio(21, 20)
    /// Further behind than this play jumps instead.
    private static let jumpBehind = MediaTime.seconds(10)
    /// A smaller deviation than this is not corrected.
    private static let deadBand = MediaTime.milliseconds(100)
    private static let controlInterval = Duration.seconds(1)

    private weak var player: (any LivePlayback)?
    private let item: PlayerItem
    private let clock: any HostClock
    /// How far behind the edge play is to be; nil once the viewer has gone back in time.
    private var offset: MediaTime?
    /// Whether it plays a little faster to come nearer to the edge.
    private var isCatchingUp = false
    private var timer: ScheduledEvent?

    /// Whether the item has been left for an interstitial: nothing is done then.
    var isSuspended = false

    init(_ item: PlayerItem, player: any LivePlayback, clock: any HostClock) {
        self.item = item
        self.player = player
        self.clock = clock
        control()
    }

    /// Ends following.
    func end() {
        timer?.cancel()
        player = nil
    }

    /// The end of the newest media now: as it was told, and as time has gone on since.
    private func edge(_ status: LiveStatus) -> MediaTime {
        let age = clock.now - HostTime(nanoseconds: status.edgeInstant)
        return status.edge + min(max(.zero, .nanoseconds(age.wholeNanoseconds)), status.targetDuration)
    }

    /// Play has landed somewhere: near the newest place it follows the edge from now on, else the viewer has gone back in time.
    func landed(at time: MediaTime) {
        guard !isSuspended, let status = item.liveStatus, status.isLive else { return }
        let isNear = time >= status.seekableTimeRange.end - status.targetDuration
        offset = isNear ? max(item.configuredTimeOffsetFromLive ?? status.recommendedTimeOffsetFromLive, .zero) : nil
    }

    /// What is to be played next has left the window: play goes on at its beginning, or at the edge where it is to follow that.
    func rejoinIfLost(_ status: LiveStatus) {
        guard let player, !player.isSeekPending, player.wantedRate != .zero else { return }
        let start = status.seekableTimeRange.start
        let isLost = player.currentTime < start - status.targetDuration || (status.isBehindWindow && player.isStalled)
        guard isLost else { return }
        let target =
            item.automaticallyPreservesTimeOffsetFromLive || offset != nil
            ? item.liveStart(status) : min(start + status.targetDuration, status.seekableTimeRange.end)
        player.seek(to: target, toleranceBefore: nil, toleranceAfter: nil, completion: nil)
    }

    /// Looks once a second whether play is where it is to be.
    private func control() {
        timer?.cancel()
        timer = clock.schedule(after: Self.controlInterval, rank: .timer) { [weak self] in
            guard let self, self.player != nil else { return }
            self.adjustToEdge()
            self.control()
        }
    }

    private func adjustToEdge() {
        guard let player, !isSuspended, !player.isSeekPending, let status = item.liveStatus, status.isLive else { return }
        rejoinIfLost(status)
        let rate = player.wantedRate
        guard player.isRunning, rate == .one || (rate == Self.catchUpRate && isCatchingUp) else {
            isCatchingUp = false
            return
        }
        guard let offset, status.isLowLatency || item.automaticallyPreservesTimeOffsetFromLive else {
            return setCatchingUp(false)
        }
        let behind = edge(status) - player.currentTime - offset
        if behind > Self.jumpBehind, item.automaticallyPreservesTimeOffsetFromLive {
            setCatchingUp(false)
            return player.seek(to: item.liveStart(status), toleranceBefore: nil, toleranceAfter: nil, completion: nil)
        }
        let buffered = (player.loadedUntil ?? player.currentTime) - player.currentTime
        let isWorthIt = isCatchingUp ? behind > Self.deadBand : behind > max(.milliseconds(500), offset / 4)
        setCatchingUp(isWorthIt && buffered > .seconds(1) && item.stretchesSound)
    }

    private func setCatchingUp(_ isOn: Bool) {
        guard isCatchingUp != isOn, let player else { return }
        isCatchingUp = isOn
        if isOn { player.setRate(Self.catchUpRate) } else if player.wantedRate == Self.catchUpRate { player.setRate(.one) }
    }
}

extension PlayerItem {
    /// What can be sought now.
    package var seekableTimeRanges: [TimeRange] { description?.seekableTimeRanges ?? [] }

    /// How far behind the edge its source advises to play; nil where it is not live.
    package var recommendedTimeOffsetFromLive: MediaTime? {
        liveStatus.flatMap { $0.isLive ? $0.recommendedTimeOffsetFromLive : nil }
    }

    /// Whether more media will come.
    package var isLive: Bool { liveStatus?.isLive ?? (description?.duration == .live) }

    /// Where play begins live: the configured offset behind the edge, else the advised one.
    func liveStart(_ status: LiveStatus) -> MediaTime {
        let range = status.seekableTimeRange
        guard let offset = configuredTimeOffsetFromLive else { return range.end }
        return min(max(range.start, status.edge - max(offset, status.recommendedTimeOffsetFromLive)), range.end)
    }

    /// Where play begins when an offset was configured; nil where it was not, or where the item is not live.
    var configuredStart: MediaTime? {
        guard configuredTimeOffsetFromLive != nil, let status = liveStatus, status.isLive else { return nil }
        return liveStart(status)
    }

    /// Takes in what its source tells: what can be sought is the new window.
    func take(_ status: LiveStatus) {
        liveStatus = status
        guard var known = description else { return }
        known.seekableTimeRanges = [status.seekableTimeRange]
        known.duration = status.duration
        known.discontinuities = status.discontinuities
        description = known
    }

    /// A place held to what can be sought of a live item.
    func withinWindow(_ time: MediaTime) -> MediaTime {
        guard let status = liveStatus, status.isLive else { return time }
        return min(max(time, status.seekableTimeRange.start), status.seekableTimeRange.end)
    }
}
