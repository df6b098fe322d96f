import LinuxSupport
import MediaModel
import MediaTime

/// A stretch of play in which a frame that is shown changes nothing but the position.
///
/// Nearly every frame is one of these: the picture moves, nothing lies over it, and nothing is due at its place. Working out anew what is presented, saved
/// and shown at each of them costs more than all else that a frame needs of the main loop.
struct QuietStretch: Sendable, Equatable {
    /// The first asset time at which something may change; nil: none is known.
    var end: MediaTime?
    /// The first instant at which something may change by itself; nil: there is none.
    var until: HostTime?
}

extension InterfaceMachine {
    /// Takes what the player says where nothing can follow from it: the position has moved on within the stretch, and all else is as before.
    ///
    /// - Returns: false where it must be looked at in full.
    mutating func passesQuietly(_ new: PlaybackSnapshot, at now: HostTime) -> Bool {
        guard let quiet, let place = new.position, let position, place >= position, quiet.end.map({ place < $0 }) ?? true,
            quiet.until.map({ now < $0 }) ?? true, new.isLike(snapshot)
        else { return false }
        self.now = now
        viewing.transport.advance(to: place, new)
        return true
    }

    /// The stretch that begins here; nil: the next frame may change anything. Whatever else happens ends it.
    ///
    /// This asks for all that `playback`, `settle` and the projection depend on besides the position. Where they depend on the position, the stretch ends.
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
            // After a long time without a key the proposal does not accept by itself, which moves its place.
            let asks = activity.lastSign(at: now) + Timing.stillWatchingIdle
            if asks > now { instants.append(asks) }
        }
        let until = instants.min()
        if let until, until <= now { return nil }
        return QuietStretch(end: ends.filter { $0 > position }.min(), until: until)
    }

    /// Whether it plays, and nothing lies over the picture or is owed.
    private var isUndisturbed: Bool {
        screen == .player && viewing.isAtRest && !session.isListening && overlays.isEmpty && !tuner.hasBanner
            && !pinLock.isLocked(at: now)
    }
}

extension PlaybackSnapshot {
    /// Whether another says the same but for the position and what is loaded, which only the transport bar shows.
    func isLike(_ other: PlaybackSnapshot) -> Bool {
        state == other.state && rate == other.rate && seekableRanges == other.seekableRanges && duration == other.duration
            && hasVideo == other.hasVideo && options == other.options && speeds == other.speeds
            && interstitials == other.interstitials
            && presented == other.presented && canPlayFast == other.canPlayFast
    }
}
