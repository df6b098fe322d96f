import MediaModel
import MediaTime

/// Places the samples of pieces one after another in the time of a track's media, which begins at zero in decoding order, and says by which edits the ranges
/// of the pieces are presented. A value.
struct TrackTimeline {
    /// A piece that is being placed.
    private struct Piece {
        var source: TimeRange
        /// Added to the source's times.
        var shift: MediaTime?
        /// What the samples cover: the start of the first, and the end of the last.
        var covered: (start: MediaTime, end: MediaTime)?
    }
    private var piece: Piece?
    private var list: [MovieEdit] = []
    /// The decode time of the last sample, and the first free one.
    private var last: MediaTime?
    private var next = MediaTime.zero

    /// Containers round times to milliseconds: so much may be missing at an edge.
    private static let coarseness = MediaTime.milliseconds(2)
    /// The step after a sample without a duration.
    private static let guessedStep = MediaTime.milliseconds(40)

    /// Begins a piece; the one before has ended.
    mutating func begin(_ source: TimeRange) { piece = Piece(source: source) }

    /// Moves a sample of the current piece to its place.
    ///
    /// - Returns: nil if the sample is presented before it is decoded, which no container can store.
    mutating func place(_ sample: EncodedSample) -> EncodedSample? {
        guard var piece else { preconditionFailure("samples belong to a piece") }
        var sample = sample
        let shift = piece.shift ?? next - sample.decodeTime
        piece.shift = shift
        let duration = sample.duration ?? last.map { max(next - $0, .nanoseconds(1)) } ?? Self.guessedStep
        let (start, end) = (sample.presentationTime, sample.presentationTime + duration)
        piece.covered = piece.covered.map { (min($0.start, start), max($0.end, end)) } ?? (start, end)
        self.piece = piece
        sample.presentationTime += shift
        sample.decodeTime += shift
        guard sample.presentationTime >= sample.decodeTime, last.map({ sample.decodeTime > $0 }) ?? true else { return nil }
        last = sample.decodeTime
        next = max(next, sample.decodeTime + duration)
        return sample
    }

    /// Ends the current piece.
    ///
    /// - Returns: how much of the piece its samples do not cover, at its end.
    @discardableResult
    mutating func end() -> MediaTime {
        guard let piece else { preconditionFailure("a piece ends after it has begun") }
        self.piece = nil
        let source = piece.source
        guard let shift = piece.shift, let covered = piece.covered,
            let shown = TimeRange(start: covered.start, end: covered.end).intersection(source)
        else {
            add(MovieEdit(mediaTime: nil, duration: source.duration))
            return source.duration
        }
        let (lead, tail) = (shown.start - source.start, source.end - shown.end)
        if lead > Self.coarseness { add(MovieEdit(mediaTime: nil, duration: lead)) }
        add(
            MovieEdit(
                mediaTime: shown.start + shift,
                duration: shown.duration + (lead > Self.coarseness ? .zero : lead) + (tail > Self.coarseness ? .zero : tail)))
        if tail > Self.coarseness { add(MovieEdit(mediaTime: nil, duration: tail)) }
        return max(tail, .zero)
    }

    /// A segment without media.
    mutating func gap(_ duration: MediaTime) { add(MovieEdit(mediaTime: nil, duration: duration)) }

    private mutating func add(_ edit: MovieEdit) {
        guard edit.duration > .zero else { return }
        if let before = list.last, before.mediaTime == nil, edit.mediaTime == nil {
            list[list.count - 1].duration += edit.duration
        } else {
            list.append(edit)
        }
    }

    /// The edits of a timeline of one piece, also before it has ended, if its source covers it to its end.
    ///
    /// - Parameter duration: how long the piece is.
    func expectedEdits(_ duration: MediaTime) -> [MovieEdit] {
        // All of a short piece may be there before the header is written.
        guard let piece else { return edits }
        guard let shift = piece.shift, let covered = piece.covered else { return [] }
        let lead = max(covered.start - piece.source.start, .zero)
        let start = max(covered.start, piece.source.start)
        guard lead < duration else { return [] }
        let media = MovieEdit(mediaTime: start + shift, duration: duration - (lead > Self.coarseness ? lead : .zero))
        return lead > Self.coarseness ? [MovieEdit(mediaTime: nil, duration: lead), media] : [media]
    }

    /// The edits of all pieces; nothing after the last media.
    var edits: [MovieEdit] {
        let end = list.lastIndex { $0.mediaTime != nil }
        return Array(list.prefix(end.map { $0 + 1 } ?? 0))
    }
}
