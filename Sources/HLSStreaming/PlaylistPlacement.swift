import HLSPlaylist
import MediaTime

/// The position of one media playlist on the timeline of the presentation, across its reloads.
struct PlaylistPlacement {
    /// The relation of a playlist to the previous one.
    enum Step: Equatable {
        /// The first one, or the next state of the same numbering.
        case continued
        /// The server has restarted with other numbers.
        case reset
        /// An older state than the known one. The placement has not changed.
        case stale
    }

    /// Asset time of the start of the first segment.
    private(set) var anchor = MediaTime.zero
    /// Counts how often the server has restarted its numbering.
    private(set) var epoch: Int64 = 0
    /// The ids of its discontinuity sequences.
    private(set) var numbering = SequenceNumbering()
    /// Whether the position is assumed from the numbers or the end of another playlist: the time stamps of its segments decide.
    private(set) var isAssumed = false

    /// Places a playlist.
    ///
    /// - Parameters:
    ///   - previous: the playlist before a reload; nil for the first one.
    ///   - elapsed: the time since `previous` was new; nil when unknown.
    ///   - reference: another playlist of the presentation that is already placed, and is newer than `previous`; nil if there is
    ///     none.
    mutating func take(
        _ fresh: MediaPlaylist, after previous: MediaPlaylist?, elapsed: MediaTime? = nil,
        reference: () -> PlaylistAlignment.Placed?
    ) -> Step {
        guard let previous else {
            if let other = reference() { place(fresh, beside: other) }
            return .continued
        }
        let old = PlaylistAlignment.Placed(playlist: previous, anchor: anchor, numbering: numbering)
        switch PlaylistAlignment.continue(old, with: fresh, elapsed: elapsed) {
        case .moved(let anchor):
            // A playlist that was not reloaded for a while is placed again, relative to one that was.
            if fresh.mediaSequence &- previous.nextMediaSequence > 0, let other = reference() {
                place(fresh, beside: other)
            } else {
                self.anchor = anchor
                numbering = PlaylistAlignment.numbering(of: fresh, after: old)
            }
            return .continued
        case .reset(let anchor):
            epoch += 1
            let other = reference()
            if let other, other.numbering.generation > numbering.generation {
                place(fresh, beside: other)
            } else {
                // The previous playlist may be old: what another one had since is earlier too.
                self.anchor = other.map { max(anchor, PlaylistAlignment.restart(fresh, after: $0)) } ?? anchor
                numbering = SequenceNumbering(generation: numbering.generation + 1)
            }
            return .reset
        case .stale: return .stale
        }
    }

    private mutating func place(_ fresh: MediaPlaylist, beside other: PlaylistAlignment.Placed) {
        anchor = PlaylistAlignment.place(fresh, beside: other)
        numbering = PlaylistAlignment.numbering(of: fresh, at: anchor, beside: other)
        isAssumed = !PlaylistAlignment.isKnown(fresh, beside: other)
    }

    /// The time stamps of a segment have told its position.
    ///
    /// - Parameter difference: how much later it is than assumed.
    mutating func confirm(movedBy difference: MediaTime) {
        anchor += difference
        isAssumed = false
    }

    /// The time stamps tell that the durations in the playlist are rounded.
    mutating func move(by difference: MediaTime) { anchor += difference }

    /// The id of a discontinuity sequence number of the playlist on the timeline of the presentation.
    func timelineSequence(_ number: Int64) -> Int64 { numbering.id(number) }
}
