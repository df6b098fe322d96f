import MediaModel
import MediaTime

/// The segments of one track while it is edited: contiguous from zero, and all times exact. An edit that fails leaves it half done, so
/// edits are made on a copy.
struct SegmentList {
    /// Nothing for a length, or a range of a source for a length.
    typealias Piece = (content: CompositionTrackSegment.Content, duration: MediaTime)

    private(set) var segments: [CompositionTrackSegment]

    /// - Precondition: the segments are valid.
    init(_ segments: [CompositionTrackSegment]) { self.segments = segments }

    var end: MediaTime { segments.last?.target.end ?? .zero }

    /// Inserts pieces at a time; what is there moves back. Time between the end and a later time becomes an empty segment.
    mutating func insert(_ pieces: [Piece], at time: MediaTime) throws(CompositionError) {
        if time > end {
            segments.append(
                CompositionTrackSegment(
                    .empty, target: TimeRange(start: end, duration: try Self.exact(time.subtracting(exactly: end)))))
        }
        let index = try split(at: time)
        try replace(index..<index, by: pieces)
    }

    /// Removes a range; what is after it moves forward. The part of the range after the end has no effect.
    mutating func remove(_ range: TimeRange) throws(CompositionError) {
        guard let pieces = try pieces(in: range) else { return }
        try replace(pieces, by: [])
    }

    /// Changes the speed of a range so that its length is multiplied by a ratio. The part of the range after the end has no effect.
    mutating func scale(_ range: TimeRange, by ratio: Ratio) throws(CompositionError) {
        guard let indexes = try pieces(in: range) else { return }
        var scaled: [Piece] = []
        for segment in segments[indexes] {
            let duration = try Self.exact(segment.target.duration.scaled(exactlyBy: ratio))
            if case .media(_, let source) = segment.content {
                guard let rate = Ratio(source.duration, over: duration), CompositionLimits.rates.contains(rate) else {
                    throw .badRate
                }
            }
            scaled.append((segment.content, duration))
        }
        try replace(indexes, by: scaled)
    }

    /// The indexes of the segments in a range, split at its ends; nil if there are none.
    private mutating func pieces(in range: TimeRange) throws(CompositionError) -> Range<Int>? {
        guard range.start < end, !range.isEmpty else { return nil }
        let first = try split(at: range.start)
        return first..<(try split(at: min(range.end, end)))
    }

    /// Makes a segment begin at a time within the track or at its end.
    ///
    /// - Returns: the index of that segment; the count at the end.
    private mutating func split(at time: MediaTime) throws(CompositionError) -> Int {
        let index = segments.partitioningIndex { $0.target.end > time }
        guard index < segments.count, segments[index].target.start < time else { return index }
        let segment = segments[index]
        let (head, tail) = (
            try Self.exact(time.subtracting(exactly: segment.target.start)),
            try Self.exact(segment.target.end.subtracting(exactly: time))
        )
        var contents = (segment.content, segment.content)
        if case .media(let source, let range) = segment.content, let rate = segment.rate {
            let passed = try Self.exact(head.scaled(exactlyBy: rate))
            let middle = try Self.exact(range.start.adding(exactly: passed))
            let rest = try Self.exact(range.duration.subtracting(exactly: passed))
            contents = (
                .media(source, TimeRange(start: range.start, duration: passed)),
                .media(source, TimeRange(start: middle, duration: rest))
            )
        }
        segments.replaceSubrange(
            index...index,
            with: [
                CompositionTrackSegment(contents.0, target: TimeRange(start: segment.target.start, duration: head)),
                CompositionTrackSegment(contents.1, target: TimeRange(start: time, duration: tail)),
            ])
        return index + 1
    }

    /// Replaces segments, moves those behind them, and joins what belongs together at both seams.
    private mutating func replace(_ range: Range<Int>, by pieces: [Piece]) throws(CompositionError) {
        var place = range.lowerBound < segments.count ? segments[range.lowerBound].target.start : end
        var laid: [CompositionTrackSegment] = []
        for piece in pieces + segments[range.upperBound...].map({ ($0.content, $0.target.duration) }) {
            let target = TimeRange(start: place, duration: piece.duration)
            laid.append(CompositionTrackSegment(piece.content, target: target))
            place = try Self.exact(place.adding(exactly: piece.duration))
        }
        guard place < CompositionLimits.time else { throw .tooLong }
        segments.replaceSubrange(range.lowerBound..., with: laid)
        try join(at: range.lowerBound + pieces.count)
        if !pieces.isEmpty { try join(at: range.lowerBound) }
    }

    /// Makes one segment of the two that meet before an index, if they are one continuous range at one speed.
    private mutating func join(at index: Int) throws(CompositionError) {
        guard index > 0, index < segments.count else { return }
        let (first, second) = (segments[index - 1], segments[index])
        let duration = try Self.exact(first.target.duration.adding(exactly: second.target.duration))
        let content: CompositionTrackSegment.Content
        switch (first.content, second.content) {
        case (.empty, .empty): content = .empty
        case (.media(let source, let range), .media(let other, let next))
        where source == other && range.end == next.start && first.rate == second.rate:
            content = .media(
                source, TimeRange(start: range.start, duration: try Self.exact(range.duration.adding(exactly: next.duration))))
        default: return
        }
        segments.replaceSubrange(
            index - 1...index,
            with: [CompositionTrackSegment(content, target: TimeRange(start: first.target.start, duration: duration))])
    }

    private static func exact(_ time: MediaTime?) throws(CompositionError) -> MediaTime {
        guard let time else { throw .inexact }
        return time
    }
}
