import MediaModel
import MediaTime

/// A track of a source, as far as editing needs to know it; the counterpart of `AVAssetTrack`.
package struct SourceTrack: Sendable, Hashable {
    package let reference: SourceReference
    package let type: MediaType
    /// BCP 47, if known.
    package let languageTag: String?
    /// When it has media, in the time of the source; nil if unknown: the whole source.
    package let timeRange: TimeRange?

    package init(_ reference: SourceReference, type: MediaType, languageTag: String? = nil, timeRange: TimeRange? = nil) {
        self.reference = reference
        self.type = type
        self.languageTag = languageTag
        self.timeRange = timeRange
    }
}

/// Edits a composition; the counterpart of `AVMutableComposition`. A value.
///
/// Its tracks are always valid: contiguous from zero, within `CompositionLimits`, and with exact times. An edit that cannot keep that
/// throws and changes nothing. An edit joins neighbours that continue each other, so that a cut that was undone leaves no edge.
package struct MutableComposition: Sendable {
    private struct Track {
        let id: TrackID
        let type: MediaType
        var languageTag: String?
        var list: SegmentList
    }
    private var tracks: [Track] = []

    /// Makes an empty composition.
    package init() {}

    /// Begins with a composition.
    ///
    /// - Throws: `invalid` with the first error.
    package init(_ composition: Composition) throws(CompositionError) {
        if let error = composition.validate().first(where: { $0.severity == .error }) { throw .invalid(error) }
        tracks = composition.tracks.map {
            Track(id: $0.id, type: $0.type, languageTag: $0.languageTag, list: SegmentList($0.segments))
        }
    }

    /// The composition as it is now.
    package var composition: Composition {
        Composition(
            tracks: tracks.map {
                CompositionTrack(id: $0.id, type: $0.type, languageTag: $0.languageTag, segments: $0.list.segments)
            })
    }

    /// The end of the longest track.
    package var duration: MediaTime { tracks.map(\.list.end).max() ?? .zero }

    // MARK: Tracks

    /// Adds an empty track.
    ///
    /// - Parameter id: its number; nil for the lowest unused one.
    /// - Throws: `unsupportedType`, `badTrackID`, `tooManyTracks`.
    @discardableResult
    package mutating func addTrack(
        _ type: MediaType, languageTag: String? = nil, id: TrackID? = nil
    ) throws(CompositionError) -> TrackID {
        guard type == .video || type == .audio else { throw .unsupportedType(type) }
        guard tracks.count < CompositionLimits.tracks else { throw .tooManyTracks }
        let used = Set(tracks.map(\.id))
        let id = id ?? (1...).lazy.map { TrackID($0) }.first { !used.contains($0) }!
        guard CompositionValidator.trackNumbers.contains(id.number), !used.contains(id) else { throw .badTrackID(id) }
        tracks.append(Track(id: id, type: type, languageTag: languageTag, list: SegmentList([])))
        return id
    }

    /// Removes a track with its segments.
    ///
    /// - Throws: `noTrack`.
    package mutating func removeTrack(_ id: TrackID) throws(CompositionError) { tracks.remove(at: try index(of: id)) }

    /// The first track into which a track of a source can be inserted without another decoder: the same type, and the same codec and
    /// language as far as both are known.
    ///
    /// - Parameter others: tracks that are not considered.
    package func track(compatibleWith source: SourceTrack, except others: Set<TrackID> = []) -> TrackID? {
        let candidates = composition.tracks.filter { track in
            track.type == source.type && !others.contains(track.id) && Self.agree(track.codec, source.reference.codec)
                && Self.agree(track.languageTag, source.languageTag)
        }
        return (candidates.first { $0.languageTag == source.languageTag } ?? candidates.first)?.id
    }

    private static func agree(_ one: String?, _ other: String?) -> Bool { one == nil || other == nil || one == other }

    // MARK: Edits of one track

    /// Inserts a range of a source track; what is at the time moves back. Time between the track's end and a later time becomes an empty
    /// segment.
    ///
    /// - Throws: `badRange`, `beyondSource`, `otherType`, `noTrack`, `negativeTime`, `tooLong`, `tooManySegments`, `inexact`.
    package mutating func insert(
        _ range: TimeRange, of source: SourceTrack, into id: TrackID, at time: MediaTime
    ) throws(CompositionError) {
        try Self.check(range)
        if let whole = source.timeRange, !whole.contains(range) { throw .beyondSource(range, source.reference) }
        let type = tracks[try index(of: id)].type
        guard type == source.type else { throw .otherType(source.type, into: type) }
        try insert([(.media(source.reference, range), range.duration)], into: id, at: time)
    }

    /// Inserts an empty segment; what is at its start moves back. At the end it makes the track longer, unlike AVFoundation, which drops it.
    ///
    /// - Throws: `badRange`, `noTrack`, `tooLong`, `tooManySegments`, `inexact`.
    package mutating func insertEmpty(_ range: TimeRange, into id: TrackID) throws(CompositionError) {
        try Self.check(range)
        try insert([(.empty, range.duration)], into: id, at: range.start)
    }

    /// Removes a range; what is after it moves forward. The part of the range after the track's end has no effect.
    ///
    /// - Throws: `badRange`, `noTrack`, `tooManySegments`, `inexact`.
    package mutating func remove(_ range: TimeRange, from id: TrackID) throws(CompositionError) {
        try Self.check(range)
        try edit(id) { (list) throws(CompositionError) in try list.remove(range) }
    }

    /// Changes the speed of a range so that it lasts `duration`; what is after it moves. The part of the range after the track's end has no
    /// effect.
    ///
    /// - Throws: `badRange`, `badDuration`, `badRate`, `noTrack`, `tooLong`, `tooManySegments`, `inexact`.
    package mutating func scale(_ range: TimeRange, to duration: MediaTime, in id: TrackID) throws(CompositionError) {
        let ratio = try Self.ratio(range, duration)
        try edit(id) { (list) throws(CompositionError) in try list.scale(range, by: ratio) }
    }

    // MARK: Edits of all tracks

    /// Inserts the same range of several tracks of one source, each into the compatible track or else into a new one. All other tracks get an
    /// empty segment there, so that everything after it stays together. Where a source track has nothing in the range it is empty.
    ///
    /// - Throws: as `insert(_:of:into:at:)`, and `unsupportedType`, `tooManyTracks`.
    package mutating func insert(
        _ range: TimeRange, ofAll sources: [SourceTrack], at time: MediaTime
    ) throws(CompositionError) {
        try Self.check(range)
        var copy = self
        var filled: Set<TrackID> = []
        for source in sources {
            let id: TrackID
            if let found = copy.track(compatibleWith: source, except: filled) {
                id = found
            } else {
                id = try copy.addTrack(source.type, languageTag: source.languageTag)
            }
            filled.insert(id)
            try copy.insert(try Self.pieces(of: source, in: range), into: id, at: time)
        }
        for track in tracks where !filled.contains(track.id) && time < track.list.end {
            try copy.insert([(.empty, range.duration)], into: track.id, at: time)
        }
        self = copy
    }

    /// Inserts an empty segment into every track.
    ///
    /// - Throws: as `insertEmpty(_:into:)`.
    package mutating func insertEmpty(_ range: TimeRange) throws(CompositionError) {
        try editAll { (copy, id) throws(CompositionError) in try copy.insertEmpty(range, into: id) }
    }

    /// Removes a range from every track.
    ///
    /// - Throws: as `remove(_:from:)`.
    package mutating func remove(_ range: TimeRange) throws(CompositionError) {
        try editAll { (copy, id) throws(CompositionError) in try copy.remove(range, from: id) }
    }

    /// Changes the speed of a range of every track.
    ///
    /// - Throws: as `scale(_:to:in:)`.
    package mutating func scale(_ range: TimeRange, to duration: MediaTime) throws(CompositionError) {
        try editAll { (copy, id) throws(CompositionError) in try copy.scale(range, to: duration, in: id) }
    }

    // MARK: Parts

    private mutating func editAll(
        _ change: (inout MutableComposition, TrackID) throws(CompositionError) -> Void
    ) throws(CompositionError) {
        var copy = self
        for track in tracks { try change(&copy, track.id) }
        self = copy
    }

    private mutating func insert(
        _ pieces: [SegmentList.Piece], into id: TrackID, at time: MediaTime
    ) throws(CompositionError) {
        guard time >= .zero else { throw .negativeTime(time) }
        guard time < CompositionLimits.time else { throw .tooLong }
        try edit(id) { (list) throws(CompositionError) in try list.insert(pieces, at: time) }
    }

    private mutating func edit(
        _ id: TrackID, _ change: (inout SegmentList) throws(CompositionError) -> Void
    ) throws(CompositionError) {
        let index = try index(of: id)
        var list = tracks[index].list
        try change(&list)
        let others = tracks.reduce(0) { $0 + $1.list.segments.count } - tracks[index].list.segments.count
        guard others + list.segments.count <= CompositionLimits.segments else { throw .tooManySegments }
        tracks[index].list = list
    }

    private func index(of id: TrackID) throws(CompositionError) -> Int {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { throw .noTrack(id) }
        return index
    }

    private static func check(_ range: TimeRange) throws(CompositionError) {
        guard range.start >= .zero, !range.isEmpty else { throw .badRange(range) }
        guard range.start < CompositionLimits.time, range.duration < CompositionLimits.time else { throw .tooLong }
        guard range.start.adding(exactly: range.duration) != nil else { throw .inexact }
    }

    private static func ratio(_ range: TimeRange, _ duration: MediaTime) throws(CompositionError) -> Ratio {
        try check(range)
        guard duration > .zero else { throw .badDuration(duration) }
        guard duration < CompositionLimits.time else { throw .tooLong }
        guard let ratio = Ratio(duration, over: range.duration) else { throw .inexact }
        return ratio
    }

    /// A range of a source track, with empty segments where it has nothing.
    private static func pieces(of source: SourceTrack, in range: TimeRange) throws(CompositionError) -> [SegmentList.Piece] {
        guard let whole = source.timeRange, !whole.contains(range) else {
            return [(.media(source.reference, range), range.duration)]
        }
        guard let part = whole.intersection(range) else { return [(.empty, range.duration)] }
        guard let head = part.start.subtracting(exactly: range.start), let tail = range.end.subtracting(exactly: part.end),
            part.start.adding(exactly: part.duration) == part.end
        else { throw .inexact }
        let pieces: [SegmentList.Piece] = [
            (.empty, head), (.media(source.reference, part), part.duration), (.empty, tail),
        ]
        return pieces.filter { $0.duration > .zero }
    }
}
