import HLSPlaylist
import MediaTime

/// How the discontinuity sequence numbers of one playlist become ids on the timeline of the presentation.
struct SequenceNumbering: Hashable {
    /// Counts how often the server has restarted its numbering: later segments have other ids.
    var generation: Int64 = 0
    /// Is added to each number.
    var shift: Int64 = 0

    /// The id of a number.
    func id(_ number: Int64) -> Int64 { generation << 40 &+ number &+ shift }
}

/// The position of a media playlist on the presentation's timeline. Pure functions.
enum PlaylistAlignment {
    /// A playlist, and the asset time of the start of its first segment.
    struct Placed {
        var playlist: MediaPlaylist
        var anchor: MediaTime
        var numbering = SequenceNumbering()
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
    ///
    /// - Parameter elapsed: the time since the playlist last changed; nil when unknown.
    static func `continue`(_ old: Placed, with new: MediaPlaylist, elapsed: MediaTime? = nil) -> Continuation {
        let oldNext = old.playlist.nextMediaSequence
        let isRestart =
            new.nextMediaSequence &- old.playlist.mediaSequence <= 0 && !old.playlist.segments.isEmpty
            || elapsed.map { jumps(over: new.mediaSequence &- oldNext, in: new, elapsed: $0) } ?? false
        if isRestart { return .reset(anchor: restart(new, after: old)) }
        let isOlder = new.nextMediaSequence &- oldNext < 0 || new.mediaSequence &- old.playlist.mediaSequence < 0
        if isOlder, !new.hasEndList {
            return haveOtherMedia(old.playlist, new) ? .reset(anchor: old.end) : .stale
        }
        if let index = old.playlist.segments.index(ofMediaSequence: new.mediaSequence) {
            return .moved(anchor: old.anchor + old.playlist.segments.startTime(at: index))
        }
        if new.mediaSequence &- old.playlist.mediaSequence <= 0 { return .moved(anchor: old.anchor) }
        // Some segments were never seen: their dates give their duration, otherwise the mean is assumed.
        let unseen = Int(clamping: new.mediaSequence &- oldNext)
        let mean = new.segments.isEmpty ? new.targetDuration : new.totalDuration / new.segments.count
        return .moved(anchor: dated(new, beside: old) ?? old.end + mean * unseen)
    }

    /// The position of a playlist with restarted numbers, which follows an earlier one: by its dates, and not before the other's end.
    static func restart(_ new: MediaPlaylist, after old: Placed) -> MediaTime {
        dated(new, beside: old).map { max($0, old.end) } ?? old.end
    }

    /// Whether a playlist has advanced by more segments than an encoder can have made: its numbering has changed. A server that
    /// catches up after a fault may publish a minute of media at once.
    private static func jumps(over unseen: Int64, in new: MediaPlaylist, elapsed: MediaTime) -> Bool {
        guard unseen > 0 else { return false }
        let mean = Double(new.totalDuration.milliseconds) / Double(max(new.segments.count, 1))
        let most = Double(elapsed.milliseconds) * 2 + max(60_000, Double(new.targetDuration.milliseconds) * 10)
        return Double(unseen) * max(mean, 100) > most
    }

    /// Whether two playlists have different media under the same numbers. The queries of addresses are not compared: they may
    /// have tokens.
    private static func haveOtherMedia(_ old: MediaPlaylist, _ new: MediaPlaylist) -> Bool {
        let first = new.mediaSequence &- old.mediaSequence > 0 ? new.mediaSequence : old.mediaSequence
        let next = new.nextMediaSequence &- old.nextMediaSequence < 0 ? new.nextMediaSequence : old.nextMediaSequence
        guard next &- first > 0 else { return false }
        return (1...min(8, next &- first)).allSatisfy { back in
            let number = next &- back
            guard let mine = old.segments.index(ofMediaSequence: number), let theirs = new.segments.index(ofMediaSequence: number)
            else { return false }
            return old.segments[mine].uri.prefix { $0 != "?" } != new.segments[theirs].uri.prefix { $0 != "?" }
        }
    }

    /// The discontinuity sequence numbers of a reload, relative to those before. The same segment has the same id in both, and ids
    /// never decrease, whether or not the server counts the discontinuities that have left its window.
    static func numbering(of new: MediaPlaylist, after old: Placed) -> SequenceNumbering {
        var numbering = old.numbering
        guard let first = new.segments.first, let last = old.playlist.segments.last, let newest = new.segments.last else {
            return numbering
        }
        let shared = newest.mediaSequence &- last.mediaSequence < 0 ? newest.mediaSequence : last.mediaSequence
        if let before = old.playlist.segments.index(ofMediaSequence: shared),
            let now = new.segments.index(ofMediaSequence: shared)
        {
            let number = old.playlist.segments[before].discontinuitySequence
            numbering.shift &+= number &- new.segments[now].discontinuitySequence
            return numbering
        }
        let isNext = first.mediaSequence == old.playlist.nextMediaSequence
        let least = numbering.id(last.discontinuitySequence) &+ (first.isDiscontinuity ? 1 : 0)
        let id = numbering.id(first.discontinuitySequence)
        if id &- least < 0 { numbering.shift &+= (isNext ? least : least &+ 1) &- id }
        return numbering
    }

    /// The position of another rendition's playlist: by a common discontinuity, by dates, by sequence numbers, by their ends, in
    /// that order.
    static func place(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime {
        known(new, beside: reference) ?? numbered(new, beside: reference) ?? reference.end - new.totalDuration
    }

    /// Whether the position of another rendition's playlist is known, and not assumed from its numbers or its end.
    static func isKnown(_ new: MediaPlaylist, beside reference: Placed) -> Bool { known(new, beside: reference) != nil }

    private static func known(_ new: MediaPlaylist, beside reference: Placed) -> MediaTime? {
        let old = reference.playlist
        // On demand all playlists start together.
        if old.isOnDemand, new.isOnDemand, old.mediaSequence == new.mediaSequence { return reference.anchor }
        return edge(new, beside: reference) ?? dated(new, beside: reference)
    }

    /// The numbering that gives the segments of a playlist the ids of the reference's at the same time.
    static func numbering(of new: MediaPlaylist, at anchor: MediaTime, beside reference: Placed) -> SequenceNumbering {
        var numbering = reference.numbering
        let start = max(anchor, reference.anchor)
        guard let mine = segment(at: start - anchor, of: new),
            let theirs = segment(at: start - reference.anchor, of: reference.playlist)
        else { return numbering }
        numbering.shift &+= theirs.discontinuitySequence &- mine.discontinuitySequence
        return numbering
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
