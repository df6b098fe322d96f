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
    private var sequenceShift: Int64 = 0

    /// Places a playlist.
    ///
    /// - Parameters:
    ///   - previous: the playlist before a reload; nil for the first one.
    ///   - reference: another playlist of the presentation that is already placed; nil if there is none.
    mutating func take(
        _ fresh: MediaPlaylist, after previous: MediaPlaylist?, reference: () -> PlaylistAlignment.Placed?
    ) -> Step {
        guard let previous else {
            guard let other = reference() else { return .continued }
            anchor = PlaylistAlignment.place(fresh, beside: other)
            sequenceShift = PlaylistAlignment.sequenceShift(.init(playlist: fresh, anchor: anchor), beside: other)
            return .continued
        }
        switch PlaylistAlignment.continue(.init(playlist: previous, anchor: anchor), with: fresh) {
        case .moved(let anchor):
            // A playlist that was not reloaded for a while is placed again, relative to one that was.
            let isLost = fresh.mediaSequence > previous.nextMediaSequence
            self.anchor = isLost ? reference().map { PlaylistAlignment.place(fresh, beside: $0) } ?? anchor : anchor
            return .continued
        case .reset(let anchor):
            self.anchor = anchor
            epoch += 1
            return .reset
        case .stale: return .stale
        }
    }

    /// The id of a discontinuity sequence number of the playlist on the timeline of the presentation.
    func timelineSequence(_ number: Int64) -> Int64 { epoch << 40 &+ number &+ sequenceShift }
}
