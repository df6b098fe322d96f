import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// A range of playback in which a shown frame changes only the position.
///
/// Nearly every frame is in one: nothing is over the picture, and nothing is due at its position. Computing at each of them what is presented, saved
/// and shown would cost more than everything else that a frame needs on the main loop.
struct QuietStretch: Sendable {
    /// The position and snapshot of the last frame. Kept here, because reading them from the item would copy all of it for each frame.
    private var position: MediaTime
    private var last: PlaybackSnapshot
    /// The first asset time at which something may change; nil if none is known.
    let end: MediaTime?
    /// The first instant at which something may change automatically; nil if there is none.
    let until: HostTime?

    /// The range that begins here; nil if the next frame may change anything. Any other event ends it.
    ///
    /// Checks everything that the handling of a frame depends on apart from the position. Where it depends on the position, the stretch ends.
    ///
    /// - Parameters:
    ///   - viewing: the item, which is alone on the player's screen.
    ///   - lastSign: when the viewer last showed up.
    init?(_ viewing: Viewing, _ turn: StageTurn, lastSign: HostTime) {
        guard viewing.isAtRest, let item = viewing.played.item, let position = viewing.played.position,
            let saved = viewing.lastSavedPlace, !item.isLive, saved <= position
        else { return nil }
        var ends = [saved + Timing.savesPlace]
        for range in item.interstitials {
            let begins = range.range.start - Timing.presentsAheadAtMost
            if position >= begins, position < range.range.end { return nil }
            ends.append(begins)
        }
        for marker in item.markers {
            ends.append(marker.start)
            if let end = marker.end { ends.append(end) }
        }
        var instants: [HostTime] = []
        if let lastMinute = turn.parts.sleep.lastMinute { instants.append(lastMinute) }
        if item.proposal != nil {
            if let time = viewing.proposalTime(continuesByItself: turn.continuesByItself) {
                guard viewing.proposal.isQuiet(beforeItsTime: position < time) else { return nil }
                ends.append(time)
            }
            // After a long time without a key the proposal is not accepted automatically, which changes its position.
            let asks = lastSign + Timing.stillWatchingIdle
            if asks > turn.now { instants.append(asks) }
        }
        let until = instants.min()
        if let until, until <= turn.now { return nil }
        self.position = position
        last = viewing.played.snapshot
        self.end = ends.filter { $0 > position }.min()
        self.until = until
    }

    /// Whether a snapshot has no consequences: the position has advanced within the range, and everything else is unchanged.
    ///
    /// - Returns: the new position; nil if the snapshot must be handled fully.
    mutating func passes(_ new: PlaybackSnapshot, at now: HostTime) -> MediaTime? {
        guard let place = new.position, place >= position, end.map({ place < $0 }) ?? true, until.map({ now < $0 }) ?? true,
            new.isLike(last)
        else { return nil }
        (position, last) = (place, new)
        return place
    }
}

extension PlaybackSnapshot {
    /// Whether another snapshot is equal except for the position and the loaded ranges, which only the transport bar shows.
    fileprivate func isLike(_ other: PlaybackSnapshot) -> Bool {
        var same = other
        (same.position, same.loadedRanges) = (position, loadedRanges)
        return self == same
    }
}
