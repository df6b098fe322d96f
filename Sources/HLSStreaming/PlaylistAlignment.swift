import HLSPlaylist
import MediaTime

/// The position of a media playlist on the presentation's timeline. Pure functions.
enum PlaylistAlignment {
    /// A playlist, and the asset time of the start of its first segment.
    struct Placed {
        var playlist: MediaPlaylist
        var anchor: MediaTime
        var end: MediaTime { anchor + playlist.totalDuration }
    }

    /// How a reload continues the previous playlist.
    enum Continuation: Equatable {
        /// The window has moved on.
        case moved(anchor: MediaTime)
        /// An older playlist, from a cache that lags: nothing in it is new.
        case stale
        /// The server has restarted with other numbers: the new segments follow all earlier ones.
        case reset(anchor: MediaTime)
    }

    /// The position of a reload of the same playlist.
    static func `continue`(_ old: Placed, with new: MediaPlaylist) -> Continuation {
        let oldNext = old.playlist.nextMediaSequence
        if new.nextMediaSequence <= old.playlist.mediaSequence, !old.playlist.segments.isEmpty {
            return .reset(anchor: dated(new, beside: old).map { max($0, old.end) } ?? old.end)
        }
        if new.nextMediaSequence < oldNext || new.mediaSequence < old.playlist.mediaSequence, !new.hasEndList {
            return .stale
        }
        if let index = old.playlist.segments.index(ofMediaSequence: new.mediaSequence) {
            return .moved(anchor: old.anchor + old.playlist.segments.startTime(at: index))
        }
        if new.mediaSequence <= old.playlist.mediaSequence { return .moved(anchor: old.anchor) }
        // Some segments were never seen: their dates give their duration, otherwise the longest possible is assumed.
        let unseen = Int(new.mediaSequence - oldNext)
        return .moved(anchor: dated(new, beside: old) ?? old.end + new.targetDuration * unseen)
    }

    /// The position of another rendition's playlist: by a common discontinuity, by dates, by sequence numbers, by their ends, in
    /// that order.
    static func place(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime {
        let old = reference.playlist
        // On demand all playlists start together.
        if old.hasEndList, new.hasEndList, old.mediaSequence == new.mediaSequence { return reference.anchor }
        return edge(new, beside: reference) ?? dated(new, beside: reference) ?? numbered(new, beside: reference)
            ?? reference.end - new.totalDuration
    }

    /// The shift that makes a playlist's discontinuity sequence numbers equal to the reference's.
    static func sequenceShift(_ new: Placed, beside reference: Placed) -> Int64 {
        let start = max(new.anchor, reference.anchor)
        guard let mine = segment(at: start - new.anchor, of: new.playlist),
            let theirs = segment(at: start - reference.anchor, of: reference.playlist)
        else { return 0 }
        return theirs.discontinuitySequence - mine.discontinuitySequence
    }

    /// The segment that contains most of the media right after a time: boundaries of renditions differ by a frame or two.
    private static func segment(at time: MediaTime, of playlist: MediaPlaylist) -> MediaSegment? {
        let inside = time + min(.seconds(1), playlist.targetDuration / 4)
        return playlist.segments.index(containing: inside).map { playlist.segments[$0] } ?? playlist.segments.last
    }

    private static func edge(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime? {
        var edges: [Int64: MediaTime] = [:]
        for segment in reference.playlist.segments where segment.isDiscontinuity {
            edges[segment.discontinuitySequence] = reference.anchor + segment.startTime
        }
        guard !edges.isEmpty else { return nil }
        for segment in new.segments where segment.isDiscontinuity {
            guard let time = edges[segment.discontinuitySequence] else { continue }
            let anchor = time - segment.startTime
            // Playlists that count their discontinuities differently have equal numbers only by chance.
            return (anchor - reference.anchor).magnitude <= limit(new, reference) ? anchor : nil
        }
        return nil
    }

    private static func dated(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime? {
        guard let first = new.segments.first, let date = first.date else { return nil }
        guard
            let other = reference.playlist.segments.last(where: { $0.date.map { $0 <= date } ?? false })
                ?? reference.playlist.segments.first(where: { $0.date != nil }), let otherDate = other.date
        else { return nil }
        let anchor = reference.anchor + other.startTime + (date - otherDate)
        return (anchor - reference.anchor).magnitude <= limit(new, reference) ? anchor : nil
    }

    private static func numbered(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime? {
        if let index = reference.playlist.segments.index(ofMediaSequence: new.mediaSequence) {
            return reference.anchor + reference.playlist.segments.startTime(at: index)
        }
        if let index = new.segments.index(ofMediaSequence: reference.playlist.mediaSequence) {
            return reference.anchor - new.segments.startTime(at: index)
        }
        return nil
    }

    /// Playlists further apart than this do not belong to one presentation.
    private static func limit(_ new: MediaPlaylist, _ reference: Placed) -> MediaTime {
        max(.seconds(60), max(new.totalDuration, reference.playlist.totalDuration))
    }
}
