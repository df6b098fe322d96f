import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

/// What changes while a presentation is open.
extension HLSSource: LiveSource {
    /// Tells the window by this playlist from now on, and keeps it fresh.
    func follow(_ tracker: MediaPlaylistTracker) {
        guard tracker !== followed, !isClosed else { return }
        if let followed {
            followed.stopObserving(followedObservation)
            followed.unfollow()
        }
        followed = tracker
        tracker.follow()
        followedObservation = tracker.observe { [weak self] in self?.updateStatus() }
        updateStatus()
    }

    /// Tells those who listen, if anything is new.
    func updateStatus() {
        guard !isClosed, let tracker = followed, let playlist = tracker.playlist else { return }
        updateInterstitials(tracker, playlist)
        let window = LiveWindow(of: playlist, anchor: tracker.anchor)
        let status = LiveStatus(
            isLive: window.isLive, seekableTimeRange: window.seekable, edge: window.edge,
            edgeInstant: tracker.lastChange.nanoseconds, recommendedTimeOffsetFromLive: window.holdBack,
            targetDuration: playlist.targetDuration, isLowLatency: window.isLowLatency,
            isBehindWindow: readers.contains { $0.reader.isBehind }, isStuck: tracker.isStuck, dates: dates(of: tracker),
            discontinuities: discontinuities(of: tracker),
            duration: window.isLive ? .live : .finite(window.edge))
        guard status != liveStatus else { return }
        liveStatus = status
        onLiveStatusChange?(status)
    }

    /// The dates that the list states, by asset time.
    private func dates(of tracker: MediaPlaylistTracker) -> [DateAnchor] {
        tracker.playlist?.segments.dateMarks().map {
            DateAnchor(time: tracker.anchor + $0.time, nanosecondsSinceEpoch: $0.date.nanosecondsSinceEpoch)
        } ?? []
    }
}
