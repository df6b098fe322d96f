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

    /// The dates that the list states, and the first that it implies.
    private func dates(of tracker: MediaPlaylistTracker) -> [DateAnchor] {
        guard let segments = tracker.playlist?.segments, let first = segments.first, let date = first.date else {
            return tracker.playlist?.segments.filter { $0.programDateTime != nil }.map { anchor($0, $0.programDateTime!, tracker) } ?? []
        }
        var dates = [anchor(first, date, tracker)]
        for segment in segments.dropFirst() {
            guard let stated = segment.programDateTime else { continue }
            let counted = WallClockTime(nanosecondsSinceEpoch: dates.last!.nanosecondsSinceEpoch)
                + (tracker.startTime(of: segment) - dates.last!.time)
            // What only repeats what is counted on anyhow says nothing.
            if (stated - counted).magnitude > .milliseconds(1) { dates.append(anchor(segment, stated, tracker)) }
        }
        return dates
    }

    private func anchor(_ segment: MediaSegment, _ date: WallClockTime, _ tracker: MediaPlaylistTracker) -> DateAnchor {
        DateAnchor(time: tracker.startTime(of: segment), nanosecondsSinceEpoch: date.nanosecondsSinceEpoch)
    }
}
