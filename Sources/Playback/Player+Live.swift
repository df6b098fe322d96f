import LinuxSupport
import MediaModel
import MediaTime

/// How a player follows an item that grows.
struct LiveFollowing {
    /// How far behind the edge play is to be; nil once the viewer has gone back in time.
    var offset: MediaTime?
    /// Whether it plays a little faster to come nearer to the edge.
    var isCatchingUp = false
    var timer: ScheduledEvent?
}

/// Live: the sliding window, the place behind its edge, catching up and joining again.
extension Player {
    /// The fastest at which play catches up with the edge: nobody hears it.
    static let catchUpRate = Ratio(21, 20)
    /// Further behind than this play jumps instead.
    private static let jumpBehind = MediaTime.seconds(10)
    /// Nearer than this to where it should be is there.
    private static let deadBand = MediaTime.milliseconds(100)
    private static let controlInterval = Duration.seconds(1)

    /// Hears of what changes in a source, from before its first run on.
    func followLive(_ source: any MediaSource, _ item: PlayerItem) {
        endLive()
        guard let live = source as? any LiveSource else { return }
        item.liveStatus = live.liveStatus
        live.onLiveStatusChange = { [weak self, weak item] status in
            guard let self, let item, self.activeItem === item || self.suspended?.item === item else { return }
            item.take(status)
            self.liveChanged(status, item)
        }
        guard live.liveStatus?.isLive == true else { return }
        self.live = LiveFollowing()
        controlLive()
    }

    func endLive() {
        live?.timer?.cancel()
        live = nil
    }

    /// The end of the newest media at this moment: as it was told, and as time has gone on since.
    private func edge(_ status: LiveStatus) -> MediaTime {
        let age = clock.now - HostTime(nanoseconds: status.edgeInstant)
        return status.edge + min(max(.zero, .nanoseconds(age.wholeNanoseconds)), status.targetDuration)
    }

    /// Play has landed somewhere: near the newest place it follows the edge from now on, else the viewer has gone back in time.
    func liveLanded(at time: MediaTime) {
        guard live != nil, suspended == nil, let item = activeItem, let status = item.liveStatus, status.isLive else { return }
        let isNear = time >= status.seekableTimeRange.end - status.targetDuration
        live?.offset = isNear ? max(item.configuredTimeOffsetFromLive ?? status.recommendedTimeOffsetFromLive, .zero) : nil
    }

    private func liveChanged(_ status: LiveStatus, _ item: PlayerItem) {
        guard suspended == nil else { return }
        state.seekableRevision &+= 1
        if !status.isLive { return endLive() }
        rejoinIfLost(status, item)
    }

    /// What is to be played next has left the window: play goes on at its beginning, or at the edge where it is to follow that.
    private func rejoinIfLost(_ status: LiveStatus, _ item: PlayerItem) {
        guard live != nil, pendingSeek == nil, machine.rate != .zero else { return }
        let start = status.seekableTimeRange.start
        let isLost = currentTime < start - status.targetDuration || (status.isBehindWindow && machine.phase == .stalled)
        guard isLost else { return }
        let target =
            item.automaticallyPreservesTimeOffsetFromLive || live?.offset != nil
            ? item.liveStart(status) : min(start + status.targetDuration, status.seekableTimeRange.end)
        seek(to: target, toleranceBefore: nil, toleranceAfter: nil)
    }

    /// Looks once a second whether play is where it is to be.
    private func controlLive() {
        live?.timer?.cancel()
        live?.timer = clock.schedule(after: Self.controlInterval, rank: .timer) { [weak self] in
            guard let self, self.live != nil else { return }
            self.adjustToEdge()
            self.controlLive()
        }
    }

    private func adjustToEdge() {
        guard suspended == nil, pendingSeek == nil, let item = activeItem, let status = item.liveStatus, status.isLive else {
            return
        }
        rejoinIfLost(status, item)
        guard machine.isRunning, machine.rate == .one || (machine.rate == Self.catchUpRate && live?.isCatchingUp == true) else {
            live?.isCatchingUp = false
            return
        }
        guard let wanted = live?.offset, status.isLowLatency || item.automaticallyPreservesTimeOffsetFromLive else {
            return setCatchingUp(false)
        }
        let behind = edge(status) - currentTime - wanted
        if behind > Self.jumpBehind, item.automaticallyPreservesTimeOffsetFromLive {
            setCatchingUp(false)
            return seek(to: item.liveStart(status), toleranceBefore: nil, toleranceAfter: nil)
        }
        let buffered = (sensed.loadedUntil ?? currentTime) - currentTime
        let isWorthIt = live?.isCatchingUp == true ? behind > Self.deadBand : behind > max(.milliseconds(500), wanted / 4)
        setCatchingUp(isWorthIt && buffered > .seconds(1) && item.stretchesSound)
    }

    private func setCatchingUp(_ isOn: Bool) {
        guard live?.isCatchingUp != isOn else { return }
        live?.isCatchingUp = isOn
        if isOn { setRate(Self.catchUpRate) } else if machine.rate == Self.catchUpRate { setRate(.one) }
    }

    /// The date of the place where play is, in nanoseconds since the start of 1970, UTC; nil where the stream has no dates.
    package var currentDate: Int64? { currentItem?.liveStatus?.date(at: suspended?.place ?? currentTime) }

    /// Goes to the place of a date.
    ///
    /// - Parameter date: nanoseconds since the start of 1970, UTC.
    /// - Returns: false where the stream has no dates or the date lies outside what can be sought; the completion is then not called.
    @discardableResult
    package func seek(to date: Int64, completion: (@MainActor (Bool) -> Void)? = nil) -> Bool {
        guard let item = currentItem, let status = item.liveStatus, let time = status.time(ofDate: date),
            time >= status.seekableTimeRange.start, time <= status.seekableTimeRange.end
        else { return false }
        seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
        return true
    }

    /// Goes to the newest place that can be played without waiting.
    package func seekToLiveEdge(completion: (@MainActor (Bool) -> Void)? = nil) {
        guard let item = currentItem, let status = item.liveStatus, status.isLive else { completion?(false); return }
        seek(to: item.liveStart(status), toleranceBefore: .zero, toleranceAfter: .zero, completion: completion)
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

    /// Takes a moment of its source in: everybody who asks for what can be sought gets the new window.
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
