import LinuxSupport
import MediaSources
import MediaTime

/// What following a live edge needs from the player.
@MainActor
protocol LivePlayback: AnyObject {
    /// The playback position, in asset time.
    var currentTime: MediaTime { get }
    /// The requested rate.
    var wantedRate: Ratio { get }
    /// Whether time advances.
    var isRunning: Bool { get }
    /// Whether playback has stalled.
    var isStalled: Bool { get }
    /// Whether a seek is pending.
    var isSeekPending: Bool { get }
    /// The end of the buffered media.
    var loadedUntil: MediaTime? { get }
    func seek(
        to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?, completion: (@MainActor (Bool) -> Void)?)
    @discardableResult func setRate(_ rate: Ratio) -> Bool
}

/// Keeps a live item at its distance from the edge: catches up slightly faster, and rejoins when the window has moved past the position. Main loop.
@MainActor
final class LiveFollower {
    /// The fastest rate for catching up, whose difference is inaudible.
    static let catchUpRate = Ratio(21, 20)
    /// At a larger distance playback jumps instead.
    private static let jumpBehind = MediaTime.seconds(10)
    /// A smaller deviation is not corrected.
    private static let deadBand = MediaTime.milliseconds(100)
    private static let controlInterval = Duration.seconds(1)
    /// The delay after the first rejoining until the next one; it doubles with each, up to `longestRejoinDelay`.
    private static let firstRejoinDelay = Duration.seconds(2)
    private static let longestRejoinDelay = Duration.seconds(30)
    /// After this time of playing the last rejoining has succeeded.
    private static let settlingTime = Duration.seconds(10)

    private weak var player: (any LivePlayback)?
    private let item: PlayerItem
    private let clock: any HostClock
    /// The target distance from the edge; nil after the viewer has gone back in time.
    private var offset: MediaTime?
    /// Whether it plays slightly faster to approach the edge.
    private var isCatchingUp = false
    private var timer: ScheduledEvent?
    /// The last rejoining, and the delay until the next one; nil once it has succeeded.
    private var rejoined: (at: HostTime, delay: Duration)?

    /// Whether the item is suspended for an interstitial; then nothing is corrected.
    var isSuspended = false

    init(_ item: PlayerItem, player: any LivePlayback, clock: any HostClock) {
        self.item = item
        self.player = player
        self.clock = clock
        control()
    }

    /// Stops following.
    func end() {
        timer?.cancel()
        player = nil
    }

    /// The current end of the newest media: the reported one plus the time that has passed since.
    private func edge(_ status: LiveStatus) -> MediaTime {
        let age = clock.now - HostTime(nanoseconds: status.edgeInstant)
        return status.edge + min(max(.zero, .nanoseconds(age.wholeNanoseconds)), status.targetDuration)
    }

    /// A seek has landed: near the newest position playback follows the edge from now on, otherwise the viewer has gone back in time.
    func landed(at time: MediaTime) {
        guard !isSuspended, let status = item.liveStatus, status.isLive else { return }
        let isNear = time >= status.seekableTimeRange.end - status.targetDuration
        offset = isNear ? max(item.configuredTimeOffsetFromLive ?? status.recommendedTimeOffsetFromLive, .zero) : nil
    }

    /// The next media has left the window: playback continues at its start, or at the edge if it follows that.
    func rejoinIfLost(_ status: LiveStatus) {
        guard let player, !player.isSeekPending, player.wantedRate != .zero else { return }
        let start = status.seekableTimeRange.start
        let isLost = player.currentTime < start - status.targetDuration || (status.isBehindWindow && player.isStalled)
        let now = clock.now
        guard isLost else {
            if let rejoined, player.isRunning, now - rejoined.at >= Self.settlingTime { self.rejoined = nil }
            return
        }
        // A seek that did not lead to playing is not repeated at once.
        if let rejoined, now - rejoined.at < rejoined.delay { return }
        rejoined = (now, rejoined.map { min($0.delay * 2, Self.longestRejoinDelay) } ?? Self.firstRejoinDelay)
        let target =
            item.automaticallyPreservesTimeOffsetFromLive || offset != nil
            ? item.liveStart(status) : min(start + status.targetDuration, status.seekableTimeRange.end)
        player.seek(to: target, toleranceBefore: nil, toleranceAfter: nil, completion: nil)
    }

    /// Checks the position once a second.
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
