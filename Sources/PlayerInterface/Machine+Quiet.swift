import LinuxSupport
import MediaModel
import MediaTime

/// A range of playback in which a shown frame changes only the position.
///
/// Nearly every frame is in one: nothing is over the picture, and nothing is due at its position. Computing at each of them what is presented, saved
/// and shown would cost more than everything else that a frame needs on the main loop.
struct QuietStretch: Sendable, Equatable {
    /// The first asset time at which something may change; nil if none is known.
    var end: MediaTime?
    /// The first instant at which something may change automatically; nil if there is none.
    var until: HostTime?
}

extension InterfaceMachine {
    /// Handles a snapshot that has no consequences: the position has advanced within the range, and everything else is unchanged.
    ///
    /// - Returns: false if it must be handled fully.
    mutating func passesQuietly(_ new: PlaybackSnapshot, at now: HostTime) -> Bool {
        guard let quiet, let place = new.position, let position, place >= position, quiet.end.map({ place < $0 }) ?? true,
            quiet.until.map({ now < $0 }) ?? true, new.isLike(snapshot)
        else { return false }
        self.now = now
        viewing.transport.advance(to: place, new)
        return true
    }

    /// The range that begins here; nil if the next frame may change anything. Any other event ends it.
    ///
    /// Checks everything that `playback`, `settle` and the projection depend on apart from the position. Where they depend on the position, the stretch ends.
    var quietStretch: QuietStretch? {
        guard let item, let position, let saved = viewing.lastSavedPlace, isUndisturbed, !item.isLive, saved <= position else {
            return nil
        }
        var ends = [saved + Timing.savesPlace]
        for range in item.interstitials {
            if range.range.contains(position) { return nil }
            ends.append(range.range.start)
        }
        for marker in item.markers {
            ends.append(marker.start)
            if let end = marker.end { ends.append(end) }
        }
        var instants: [HostTime] = []
        if let lastMinute = sleep.lastMinute { instants.append(lastMinute) }
        if item.proposal != nil {
            if let time = viewing.proposalTime(continuesByItself: continuesByItself) {
                guard viewing.proposal.isQuiet(beforeItsTime: position < time) else { return nil }
                ends.append(time)
            }
            // After a long time without a key the proposal is not accepted automatically, which changes its position.
            let asks = activity.lastSign(at: now) + Timing.stillWatchingIdle
            if asks > now { instants.append(asks) }
        }
        let until = instants.min()
        if let until, until <= now { return nil }
        return QuietStretch(end: ends.filter { $0 > position }.min(), until: until)
    }

    /// Whether it plays, and nothing is over the picture or owed.
    private var isUndisturbed: Bool {
        screen == .player && viewing.isAtRest && !session.isListening && overlays.isEmpty && !tuner.hasBanner
            && !pinLock.isLocked(at: now)
    }
}

extension PlaybackSnapshot {
    /// Whether another snapshot is equal except for the position and the loaded ranges, which only the transport bar shows.
    func isLike(_ other: PlaybackSnapshot) -> Bool {
        state == other.state && rate == other.rate && seekableRanges == other.seekableRanges && duration == other.duration
            && hasVideo == other.hasVideo && options == other.options && speeds == other.speeds
            && interstitials == other.interstitials
            && presented == other.presented && canPlayFast == other.canPlayFast
    }
}
