import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// A segment or a part of one, as the reader fetches it.
struct Piece: Sendable {
    var uri: String
    var range: ByteRange?
    var map: MediaInitialization?
    /// EXT-X-KEY of the identity format, or the first of another.
    var key: EncryptionKey?
    var mediaSequence: Int64
    /// The discontinuity sequence on the shared timeline.
    var sequence: Int64
    /// Where it lies in asset time.
    var start: MediaTime
    var end: MediaTime
    /// Whether it is a part.
    var isPart: Bool
    /// What comes behind it.
    var next: MediaPlaylistTracker.Cursor

    /// Why it cannot be played; nil where it can.
    func refusal(in playlistURL: String) -> MediaError? {
        guard let key, key.method != .none, key.method != .aes128 || key.keyFormat != "identity" else { return nil }
        let name = key.keyFormat == "identity" ? key.methodName : "\(key.methodName) of \(key.keyFormat)"
        return MediaError(
            .protected,
            "Segment \(mediaSequence) of \(playlistURL) is protected with \(name), for which this box has no keys; serve it with AES-128 or in the clear."
        )
    }

    @MainActor func plan(role: RenditionRole, playlistURL: String) -> SegmentFetch.Plan {
        SegmentFetch.Plan(
            request: StreamRequest(
                kind: isPart ? .part : .segment, role: role, url: URLReference.resolve(reference: uri, against: playlistURL),
                mediaSequence: mediaSequence, duration: end - start),
            range: range, map: map, key: key?.method == .aes128 ? key : nil, playlistURL: playlistURL)
    }
}

/// From one segment or part of a playlist to the next.
@MainActor
enum SegmentWalk {
    enum Step {
        /// This is next.
        case fetch(Piece)
        /// Nothing is to be had here: go on there, up to where the hole reaches.
        case skip(MediaPlaylistTracker.Cursor, end: MediaTime?)
        /// It is not there yet.
        case wait
        /// It is there no more.
        case behind
        /// There is nothing behind it.
        case end
    }

    /// Where reading begins at a place: with its first segment, or, near the edge, with a part that can be decoded by itself.
    ///
    /// - Parameter isFirst: whether nothing has been read yet; else the place is the end of a segment of another variant, and a difference of a few
    /// frames is none. Where the segments of the two do not begin together, the one is read again that holds the place: what was had of it is not shown twice.
    static func cursor(
        at time: MediaTime, isFirst: Bool, in tracker: MediaPlaylistTracker
    ) -> MediaPlaylistTracker.Cursor {
        guard let playlist = tracker.playlist else { return .init(mediaSequence: 0, epoch: tracker.epoch) }
        let wholeEnd = tracker.anchor + playlist.totalDuration
        let place = isFirst ? time : time + min(.milliseconds(200), playlist.targetDuration / 4)
        if place >= wholeEnd, tracker.isLive || !isFirst {
            let part =
                isFirst ? independentPart(at: time - wholeEnd, of: playlist.trailingParts) : part(at: place - wholeEnd, playlist)
            if part != nil || !isFirst || playlist.segments.isEmpty {
                return .init(mediaSequence: playlist.nextMediaSequence, part: part ?? 0, epoch: tracker.epoch)
            }
        }
        var index = tracker.index(at: place)
        if !isFirst, index > 0, tracker.startTime(of: playlist.segments[index]) > time + rounding { index -= 1 }
        return .init(mediaSequence: playlist.nextMediaSequence - Int64(playlist.segments.count - index), epoch: tracker.epoch)
    }

    /// What playlists round lengths by; less than a frame.
    private static let rounding = MediaTime.milliseconds(20)

    private static func part(at time: MediaTime, _ playlist: MediaPlaylist) -> Int? {
        var end = MediaTime.zero
        for (index, part) in playlist.trailingParts.enumerated() {
            end += part.duration
            if time < end { return index }
        }
        return playlist.trailingParts.isEmpty ? nil : playlist.trailingParts.count
    }

    /// The last part at or before a time that begins with a key frame; the parts of a segment are decoded from its first on where none is marked.
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

    /// What is to be done at a cursor.
    static func step(from cursor: MediaPlaylistTracker.Cursor, in tracker: MediaPlaylistTracker, position: MediaTime) -> Step {
        guard let playlist = tracker.playlist else { return .wait }
        guard cursor.epoch == tracker.epoch else {
            return .skip(.init(mediaSequence: playlist.mediaSequence, epoch: tracker.epoch), end: nil)
        }
        if let index = playlist.segments.index(ofMediaSequence: cursor.mediaSequence) {
            return step(at: playlist.segments[index], cursor, tracker)
        }
        if cursor.mediaSequence < playlist.mediaSequence {
            // A short hole is stepped over; whoever is far behind has to be asked where to go on.
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
        return tracker.isLive ? .wait : .end
    }

    private static func step(
        at segment: MediaSegment, _ cursor: MediaPlaylistTracker.Cursor, _ tracker: MediaPlaylistTracker
    ) -> Step {
        let start = tracker.startTime(of: segment)
        let next = MediaPlaylistTracker.Cursor(mediaSequence: cursor.mediaSequence + 1, epoch: cursor.epoch)
        if segment.isGap { return .skip(next, end: start + segment.duration) }
        if cursor.part > 0 {
            // Its first parts were had when it was not whole yet.
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

    /// The part that EXT-X-PRELOAD-HINT announces, where it is the one to be fetched next.
    static func hintedPiece(
        _ cursor: MediaPlaylistTracker.Cursor, in tracker: MediaPlaylistTracker, position: MediaTime
    ) -> Piece? {
        guard let playlist = tracker.playlist, cursor.mediaSequence == playlist.nextMediaSequence,
            cursor.part == playlist.trailingParts.count, let hint = playlist.preloadHints.first(where: { $0.type == "PART" }),
            let last = playlist.segments.last, let duration = playlist.partTargetDuration
        else { return nil }
        // A part in the middle of a resource whose length nobody knows would bring what lies behind it too.
        guard hint.byteRangeStart == 0 || hint.byteRangeLength != nil else { return nil }
        let range = hint.byteRangeLength.flatMap { ByteRange(length: $0, offset: hint.byteRangeStart) }
        return Piece(
            uri: hint.uri, range: range, map: last.map, key: last.key, mediaSequence: cursor.mediaSequence,
            sequence: tracker.timelineSequence(of: last), start: position, end: position + duration, isPart: true,
            next: .init(mediaSequence: cursor.mediaSequence, part: cursor.part + 1, epoch: cursor.epoch))
    }
}
