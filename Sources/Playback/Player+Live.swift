import MediaModel
import MediaTime

/// Live: what a source that grows tells, and the places of dates.
extension Player: LivePlayback {
    var wantedRate: Ratio { machine.rate }
    var isRunning: Bool { machine.isRunning }
    var isStalled: Bool { machine.phase == .stalled }
    var isSeekPending: Bool { session?.pendingSeek != nil }
    var loadedUntil: MediaTime? { session?.sensed.loadedUntil }

    /// Hears of what changes in a source, from before its first run on.
    func followLive(_ source: any MediaSource, _ item: PlayerItem) {
        guard let source = source.liveSource else { return }
        item.liveStatus = source.liveStatus
        source.onLiveStatusChange = { [weak self, weak item] status in
            guard let self, let item, self.activeItem === item || self.suspended?.session.item === item else { return }
            item.take(status)
            self.liveChanged(status)
        }
        guard source.liveStatus?.isLive == true else { return }
        session?.follow(LiveFollower(item, player: self, clock: clock))
    }

    private func liveChanged(_ status: LiveStatus) {
        guard suspended == nil else { return }
        state.seekableRevision &+= 1
        if status.isLive { session?.live?.rejoinIfLost(status) } else { session?.endLive() }
    }

    /// The date of the place where play is, in nanoseconds since the start of 1970, UTC; nil where the stream has no dates.
    package var currentDate: Int64? { currentItem?.liveStatus?.date(at: currentTime) }

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
