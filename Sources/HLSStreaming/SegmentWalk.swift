import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// A segment or a part of one, as fetched by the reader.
struct Piece: Sendable {
    var uri: String
    var range: ByteRange?
    var map: MediaInitialization?
    /// The EXT-X-KEY with the identity format, otherwise the first.
    var key: EncryptionKey?
    var mediaSequence: Int64
    /// The discontinuity sequence on the shared timeline.
    var sequence: Int64
    /// Its start in asset time.
    var start: MediaTime
    var end: MediaTime
    /// Whether it is a part.
    var isPart: Bool
    /// The position after it.
    var next: MediaPlaylistTracker.Cursor

    /// Where it is in asset time.
    var timeRange: TimeRange { TimeRange(start: start, end: max(start, end)) }

    /// Why it cannot be played; nil when it can.
    func refusal(in playlistURL: String) -> MediaError? {
        guard let key, !key.isPlayable else { return nil }
        return MediaError(
            .protected,
            "Segment \(SequenceNumber.text(mediaSequence)) of \(playlistURL) is protected with \(key.protectionName), for which this box has no keys; serve it with AES-128 or unencrypted."
        )
    }

    @MainActor func plan(role: RenditionRole, playlistURL: String) -> SegmentFetch.Plan {
        SegmentFetch.Plan(
            request: StreamRequest(
                kind: isPart ? .part : .segment, role: role, url: URLReference.resolve(reference: uri, against: playlistURL),
                mediaSequence: mediaSequence, duration: end - start, position: start),
            range: range, map: map, key: key?.method == .aes128 ? key : nil, playlistURL: playlistURL)
    }
}

/// The steps from one segment or part of a playlist to the next.
@MainActor
enum SegmentWalk {
    enum Step {
        /// Fetch this next.
        case fetch(Piece)
        /// Nothing is available here: continue there, at the end of the gap.
        case skip(MediaPlaylistTracker.Cursor, end: MediaTime?)
        /// It is not available yet.
        case wait
        /// It is no longer available.
        case behind
        /// It is the end.
        case end
    }

    /// The start of reading at a position: its first segment, or, near the edge, an independently decodable part.
    ///
    /// - Parameter isFirst: whether nothing has been read yet; otherwise the position is the end of another variant's segment,
    ///   and a difference of a few frames is ignored. When the segments of the two variants do not start together, the segment
    ///   that contains the position is read again: already delivered samples of it are not shown twice.
    static func cursor(
        at time: MediaTime, isFirst: Bool, in tracker: MediaPlaylistTracker
    ) -> MediaPlaylistTracker.Cursor {
        guard let playlist = tracker.playlist else { return .init(mediaSequence: 0, epoch: tracker.epoch) }
        let wholeEnd = tracker.anchor + playlist.totalDuration
        let position = isFirst ? time : time + min(.milliseconds(200), playlist.targetDuration / 4)
        if position >= wholeEnd, tracker.isLive || !isFirst {
            let part =
                isFirst
                ? independentPart(at: time - wholeEnd, of: playlist.trailingParts) : part(at: position - wholeEnd, playlist)
            if part != nil || !isFirst || playlist.segments.isEmpty {
                return .init(mediaSequence: playlist.nextMediaSequence, part: part ?? 0, epoch: tracker.epoch)
            }
        }
        var index = tracker.index(at: position)
        if !isFirst, index > 0, tracker.startTime(of: playlist.segments[index]) > time + rounding { index -= 1 }
        return .init(mediaSequence: playlist.nextMediaSequence &- Int64(playlist.segments.count - index), epoch: tracker.epoch)
    }

    /// The rounding of durations in playlists; less than a frame.
    private static let rounding = MediaTime.milliseconds(20)

    private static func part(at time: MediaTime, _ playlist: MediaPlaylist) -> Int? {
        var end = MediaTime.zero
        for (index, part) in playlist.trailingParts.enumerated() {
            end += part.duration
            if time < end { return index }
        }
        return playlist.trailingParts.isEmpty ? nil : playlist.trailingParts.count
    }

    /// The last part at or before a time that starts with a key frame; if none is marked, the parts of a segment are decoded from
    /// its first on.
    private static func independentPart(at time: MediaTime, of parts: [PartialSegment]) -> Int? {
        guard !parts.isEmpty else { return nil }
        var start = MediaTime.zero
        var best = 0
        for (index, part) in parts.enumerated() {
            if start > time { break }
            if part.isIndependent { best = index }
            start += part.duration
        }
        return best
    }

    /// More than groups of pictures last.
    private static let longestWayBack = MediaTime.seconds(40)

    /// An earlier piece from which a demuxer can read on to this one, for the key frame on which its pictures depend.
    ///
    /// - Parameter count: at most so many segments earlier.
    /// - Returns: nil if it is the first of its kind, or the key frame would be too far.
    static func earlier(
        than piece: Piece, by count: Int, in tracker: MediaPlaylistTracker
    ) -> (cursor: MediaPlaylistTracker.Cursor, start: MediaTime)? {
        guard let playlist = tracker.playlist, piece.next.epoch == tracker.epoch else { return nil }
        let segments = playlist.segments
        guard
            let here = segments.index(ofMediaSequence: piece.mediaSequence)
                ?? (piece.mediaSequence == playlist.nextMediaSequence ? segments.count : nil)
        else { return nil }
        if piece.isPart, piece.next.part > 1 {
            let start = here < segments.count ? tracker.startTime(of: segments[here]) : tracker.anchor + playlist.totalDuration
            return (.init(mediaSequence: piece.mediaSequence, epoch: tracker.epoch), start)
        }
        var found: (cursor: MediaPlaylistTracker.Cursor, start: MediaTime)?
        for index in (max(here - count, 0)..<max(here, 0)).reversed() {
            let segment = segments[index]
            let start = tracker.startTime(of: segment)
            guard !segment.isGap, segment.map == piece.map, tracker.timelineSequence(of: segment) == piece.sequence,
                piece.start - start <= longestWayBack
            else { break }
            found = (.init(mediaSequence: segment.mediaSequence, epoch: tracker.epoch), start)
        }
        return found
    }

    /// The step at a cursor.
    static func step(from cursor: MediaPlaylistTracker.Cursor, in tracker: MediaPlaylistTracker, position: MediaTime) -> Step {
        guard let playlist = tracker.playlist else { return .wait }
        guard cursor.epoch == tracker.epoch else {
            return .skip(.init(mediaSequence: playlist.mediaSequence, epoch: tracker.epoch), end: nil)
        }
        if let index = playlist.segments.index(ofMediaSequence: cursor.mediaSequence) {
            return step(at: playlist.segments[index], cursor, tracker)
        }
        if cursor.mediaSequence &- playlist.mediaSequence < 0 {
            // The window was not seen for a while, because another variant was read.
            if position > tracker.anchor { return .skip(Self.cursor(at: position, isFirst: false, in: tracker), end: nil) }
            // A short gap is stepped over; a reader that is far behind must be asked where to continue.
            guard tracker.anchor - position > playlist.targetDuration * 2 else {
                return .skip(.init(mediaSequence: playlist.mediaSequence, epoch: tracker.epoch), end: tracker.anchor)
            }
            return .behind
        }
        if cursor.mediaSequence == playlist.nextMediaSequence, cursor.part < playlist.trailingParts.count {
            let before = playlist.trailingParts[..<cursor.part].reduce(MediaTime.zero) { $0 + $1.duration }
            return step(
                at: playlist.trailingParts[cursor.part], of: playlist.segments.last,
                start: tracker.anchor + playlist.totalDuration + before,
                cursor, tracker)
        }
        return tracker.mayGrow ? .wait : .end
    }

    private static func step(
        at segment: MediaSegment, _ cursor: MediaPlaylistTracker.Cursor, _ tracker: MediaPlaylistTracker
    ) -> Step {
        let start = tracker.startTime(of: segment)
        let next = MediaPlaylistTracker.Cursor(mediaSequence: cursor.mediaSequence &+ 1, epoch: cursor.epoch)
        if segment.isGap { return .skip(next, end: start + segment.duration) }
        if cursor.part > 0 {
            // Its first parts were fetched when it was incomplete.
            guard cursor.part < segment.parts.count else { return .skip(next, end: start + segment.duration) }
            let before = segment.parts[..<cursor.part].reduce(MediaTime.zero) { $0 + $1.duration }
            return step(at: segment.parts[cursor.part], of: segment, start: start + before, cursor, tracker)
        }
        return .fetch(
            Piece(
                uri: segment.uri, range: segment.byteRange, map: segment.map, key: segment.key,
                mediaSequence: segment.mediaSequence,
                sequence: tracker.timelineSequence(of: segment), start: start, end: start + segment.duration, isPart: false,
                next: next))
    }

    private static func step(
        at part: PartialSegment, of segment: MediaSegment?, start: MediaTime, _ cursor: MediaPlaylistTracker.Cursor,
        _ tracker: MediaPlaylistTracker
    ) -> Step {
        let next = MediaPlaylistTracker.Cursor(mediaSequence: cursor.mediaSequence, part: cursor.part + 1, epoch: cursor.epoch)
        if part.isGap { return .skip(next, end: start + part.duration) }
        return .fetch(
            Piece(
                uri: part.uri, range: part.byteRange, map: segment?.map, key: segment?.key, mediaSequence: cursor.mediaSequence,
                sequence: segment.map { tracker.timelineSequence(of: $0) }
                    ?? tracker.timelineSequence(tracker.playlist?.discontinuitySequence ?? 0),
                start: start, end: start + part.duration, isPart: true, next: next))
    }

    /// The part announced by EXT-X-PRELOAD-HINT, if it is the next one to fetch.
    static func hintedPiece(
        _ cursor: MediaPlaylistTracker.Cursor, in tracker: MediaPlaylistTracker, position: MediaTime
    ) -> Piece? {
        guard let playlist = tracker.playlist, cursor.mediaSequence == playlist.nextMediaSequence,
            cursor.part == playlist.trailingParts.count, let hint = playlist.preloadHints.first(where: { $0.type == "PART" }),
            let last = playlist.segments.last, let duration = playlist.partTargetDuration
        else { return nil }
        // A part inside a resource without a known length would include what follows it.
        guard hint.byteRangeStart == 0 || hint.byteRangeLength != nil else { return nil }
        let range = hint.byteRangeLength.flatMap { ByteRange(length: $0, offset: hint.byteRangeStart) }
        return Piece(
            uri: hint.uri, range: range, map: last.map, key: last.key, mediaSequence: cursor.mediaSequence,
            sequence: tracker.timelineSequence(of: last), start: position, end: position + duration, isPart: true,
            next: .init(mediaSequence: cursor.mediaSequence, part: cursor.part + 1, epoch: cursor.epoch))
    }
}
