import MediaTime

/// A playlist of segments.
package struct MediaPlaylist: Sendable, Equatable {
    /// EXT-X-PLAYLIST-TYPE.
    package enum PlaylistType: String, Sendable, Hashable {
        /// Segments are only added, at the end.
        case event = "EVENT"
        /// It does not change.
        case vod = "VOD"
    }

    /// EXT-X-VERSION, if declared.
    package internal(set) var version: Int?
    /// EXT-X-TARGETDURATION as declared; nil when the tag is missing or invalid.
    package internal(set) var declaredTargetDuration: MediaTime?
    /// EXT-X-MEDIA-SEQUENCE: the number of the first segment, including those a delta update skips. The bits of a number without a sign (`SequenceNumber`).
    package internal(set) var mediaSequence: Int64 = 0
    /// EXT-X-DISCONTINUITY-SEQUENCE. The bits of a number without a sign (`SequenceNumber`).
    package internal(set) var discontinuitySequence: Int64 = 0
    /// EXT-X-PLAYLIST-TYPE.
    package internal(set) var playlistType: PlaylistType?
    /// EXT-X-ENDLIST: no segment will be added.
    package internal(set) var hasEndList = false
    /// EXT-X-I-FRAMES-ONLY: each segment is one key frame.
    package internal(set) var isIFramesOnly = false
    /// EXT-X-INDEPENDENT-SEGMENTS: every segment can be decoded without others.
    package internal(set) var hasIndependentSegments = false
    /// EXT-X-START.
    package internal(set) var start: StartPoint?
    /// EXT-X-SERVER-CONTROL.
    package internal(set) var serverControl: ServerControl?
    /// PART-TARGET of EXT-X-PART-INF.
    package internal(set) var partTargetDuration: MediaTime?
    /// EXT-X-SKIP: set only in a delta update, which `merging(into:)` completes.
    package internal(set) var skipped: SkippedContent?
    /// EXT-X-PART tags after the last segment: parts of the next segment.
    package internal(set) var trailingParts: [PartialSegment] = []
    /// EXT-X-PRELOAD-HINT.
    package internal(set) var preloadHints: [PreloadHint] = []
    /// EXT-X-RENDITION-REPORT.
    package internal(set) var renditionReports: [RenditionReport] = []
    /// EXT-X-DATERANGE, ordered by their first tags.
    package internal(set) var dateRanges: [DateRange] = []
    /// EXT-X-DEFINE, in order.
    package internal(set) var definitions: [Definition] = []

    var store = SegmentBlocks()
    var checkpoint: ParseCheckpoint?

    /// The segments, oldest first. In a delta update those that are not skipped.
    package var segments: MediaSegments {
        MediaSegments(
            store: store, firstMediaSequence: mediaSequence &+ Int64(skipped?.segmentCount ?? 0),
            firstDiscontinuitySequence: discontinuitySequence)
    }

    /// EXT-X-TARGETDURATION, or if missing the longest segment rounded up to a second; at least one second.
    ///
    /// Encoders that state less than their segments have keep to the segments: the longest of them, rounded to a second, counts then.
    package var targetDuration: MediaTime {
        guard let declaredTargetDuration else {
            return .seconds(max(1, (store.longestDuration + 999_999_999) / 1_000_000_000))
        }
        let longest = (store.longestDuration + 500_000_000) / 1_000_000_000
        return max(declaredTargetDuration, .milliseconds(1), .seconds(longest))
    }

    /// The sum of the durations of the segments.
    package var totalDuration: MediaTime { .nanoseconds(store.end) }

    /// Whether it is on demand: it has ended, or states that it does not change (RFC 8216, 4.3.3.5), even if its EXT-X-ENDLIST is missing.
    package var isOnDemand: Bool { hasEndList || playlistType == .vod }

    /// The duration: known on demand, and live otherwise.
    package var duration: MediaDuration { isOnDemand ? .finite(totalDuration) : .live }

    /// The media sequence number of the next segment.
    package var nextMediaSequence: Int64 { mediaSequence &+ Int64(skipped?.segmentCount ?? 0) &+ Int64(store.count) }

    package static func == (left: MediaPlaylist, right: MediaPlaylist) -> Bool {
        // The state for reusing a parse is not part of a playlist's value.
        left.version == right.version && left.declaredTargetDuration == right.declaredTargetDuration
            && left.mediaSequence == right.mediaSequence && left.discontinuitySequence == right.discontinuitySequence
            && left.playlistType == right.playlistType && left.hasEndList == right.hasEndList
            && left.isIFramesOnly == right.isIFramesOnly && left.hasIndependentSegments == right.hasIndependentSegments
            && left.start == right.start && left.serverControl == right.serverControl
            && left.partTargetDuration == right.partTargetDuration && left.skipped == right.skipped
            && left.trailingParts == right.trailingParts && left.preloadHints == right.preloadHints
            && left.renditionReports == right.renditionReports && left.dateRanges == right.dateRanges
            && left.definitions == right.definitions && left.segments.elementsEqual(right.segments)
    }
}

/// Why a delta update cannot be completed. The full playlist must then be loaded.
package enum DeltaUpdateError: Error, Equatable, CustomStringConvertible {
    /// The update skips segments that were never seen.
    case skippedSegmentsUnknown(first: Int64, known: ClosedRange<Int64>?)
    /// The previous playlist is a delta update itself.
    case previousIsIncomplete

    package var description: String {
        switch self {
        case .skippedSegmentsUnknown(let first, let known):
            let range =
                known.map { "\(SequenceNumber.text($0.lowerBound)) to \(SequenceNumber.text($0.upperBound)) are known" }
                ?? "none are known"
            return
                "Could not complete the delta update of the playlist: it skips segments from \(SequenceNumber.text(first)) on and \(range); load the playlist in full."
        case .previousIsIncomplete:
            return
                "Could not complete the delta update of the playlist: the one before it is a delta update too; load the playlist in full."
        }
    }
}

extension MediaPlaylist {
    /// This playlist with the content skipped by EXT-X-SKIP taken from the previous one; unchanged when nothing is skipped.
    ///
    /// - Parameter previous: the complete playlist loaded before this one.
    /// - Throws: `DeltaUpdateError` when the previous playlist does not have what is needed.
    package func merging(into previous: MediaPlaylist) throws(DeltaUpdateError) -> MediaPlaylist {
        guard let skipped else { return self }
        guard previous.skipped == nil else { throw .previousIsIncomplete }
        let count = skipped.segmentCount
        let first = count == 0 ? 0 : previous.segments.index(ofMediaSequence: mediaSequence)
        guard let first, first + count <= previous.segments.count else {
            let last = previous.nextMediaSequence &- 1
            throw .skippedSegmentsUnknown(
                first: mediaSequence,
                known: previous.segments.isEmpty || last < previous.mediaSequence ? nil : previous.mediaSequence...last)
        }
        var result = self
        result.skipped = nil
        result.checkpoint = nil
        let before = previous.discontinuitySequence &- discontinuitySequence
        var joiner: SegmentJoiner
        if first == 0, before == 0 {
            joiner = SegmentJoiner(sharing: previous.store.prefix(count))
        } else {
            joiner = SegmentJoiner()
            joiner.append(previous.store, from: first, count: count, discontinuitiesBefore: before)
        }
        joiner.inherit(from: previous.store, before: first + count)
        joiner.append(
            store, from: 0, count: store.count,
            discontinuitiesBefore: joiner.finished.runs.last?.discontinuities ?? 0)
        result.store = joiner.finished
        result.dateRanges = mergedDateRanges(previous.dateRanges, removed: skipped.removedDateRangeIDs)
        result.dateRanges.resolveEnds()
        return result
    }

    /// This playlist without the segments that EXT-X-SKIP leaves out and no earlier playlist had: the listed ones, and of the skipped ones those that the
    /// previous playlist has, if they lead up to the listed ones. Unchanged when nothing is skipped.
    ///
    /// For a delta update that was not asked for, and which `merging(into:)` cannot complete: a cache that ignores the query has given it.
    ///
    /// - Parameter previous: the playlist loaded before this one; nil if it is the first.
    package func withoutUnknownSegments(after previous: MediaPlaylist?) -> MediaPlaylist {
        guard let skipped else { return self }
        var result = self
        result.skipped = nil
        result.checkpoint = nil
        result.mediaSequence = mediaSequence &+ Int64(skipped.segmentCount)
        guard let previous, previous.skipped == nil, !previous.segments.isEmpty else { return result }
        var joiner = SegmentJoiner()
        let count = previous.segments.count
        let isNext = result.mediaSequence == previous.nextMediaSequence
        let known = isNext ? count : previous.segments.index(ofMediaSequence: result.mediaSequence) ?? 0
        if known > 0 {
            joiner.append(previous.store, from: 0, count: known, discontinuitiesBefore: 0)
            (result.mediaSequence, result.discontinuitySequence) = (previous.mediaSequence, previous.discontinuitySequence)
        }
        joiner.inherit(from: previous.store, before: known > 0 ? known : count)
        joiner.append(
            store, from: 0, count: store.count, discontinuitiesBefore: joiner.finished.runs.last?.discontinuities ?? 0)
        result.store = joiner.finished
        result.dateRanges = mergedDateRanges(previous.dateRanges, removed: skipped.removedDateRangeIDs)
        result.dateRanges.resolveEnds()
        return result
    }

    private func mergedDateRanges(_ earlier: [DateRange], removed: [String]) -> [DateRange] {
        let gone = Set(removed)
        let updates = Dictionary(dateRanges.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var known: Set<String> = []
        var result: [DateRange] = []
        for range in earlier where !gone.contains(range.id) {
            known.insert(range.id)
            result.append(updates[range.id] ?? range)
        }
        // The bound of one playlist: updates that only add would grow the list for as long as it is followed.
        return Array((result + dateRanges.filter { !known.contains($0.id) }).suffix(PlaylistBounds.dateRanges))
    }
}

/// Merges segments of two stores into one, with new table indices.
private struct SegmentJoiner {
    private(set) var finished = SegmentBlocks()
    private var inherited = SegmentBlocks.Run()
    private var inheritedKeys: [EncryptionKey] = []
    private var inheritedMap: MediaInitialization?
    private var nextDate = SegmentBlocks.noDate
    private var hasInherited = false

    init() {}

    /// Appends to segments that stay where they are.
    init(sharing store: SegmentBlocks) {
        finished = store
        guard !store.isEmpty else { return }
        let last = store.count - 1
        let date = store.record(at: last).date
        if date != SegmentBlocks.noDate { nextDate = date &+ store.duration(at: last) }
    }

    /// The values set by skipped tags apply to the segments after them.
    mutating func inherit(from store: SegmentBlocks, before index: Int) {
        guard index > 0 else { return }
        hasInherited = true
        inherited = store.runs[Int(store.record(at: index - 1).run)]
        inheritedKeys = store.keys(of: inherited)
        inheritedMap = store.map(of: inherited)
    }

    mutating func append(_ store: SegmentBlocks, from first: Int, count: Int, discontinuitiesBefore before: Int64) {
        guard count > 0 else { return }
        let shift = finished.end - store.record(at: first).start
        let isContinuation = !finished.isEmpty || hasInherited
        var converted: (source: UInt32, run: UInt32)?
        for index in first..<first + count {
            let source = store.record(at: index)
            var record = source
            record.start = source.start + shift
            record.textOffset = UInt32(finished.pendingText)
            finished.appendText(store.text(at: index))
            if let range = store.byteRange(at: index) { record.byteRange = finished.append(range) }
            let parts = store.parts(at: index)
            if !parts.isEmpty {
                let start = finished.parts.count
                finished.parts.append(contentsOf: parts)
                finished.partGroups.append(
                    SegmentBlocks.PartGroup(segment: finished.count, parts: start..<finished.parts.count))
            }
            if converted?.source != source.run {
                converted = (source.run, run(store.runs[Int(source.run)], in: store, plus: before, inherits: isContinuation))
            }
            record.run = converted?.run ?? 0
            let duration = store.duration(at: index)
            if record.date == SegmentBlocks.noDate { record.date = nextDate }
            nextDate = record.date == SegmentBlocks.noDate ? SegmentBlocks.noDate : record.date &+ duration
            finished.append(record, lasting: duration)
        }
    }

    /// The index of a run in the new tables.
    private mutating func run(
        _ source: SegmentBlocks.Run, in store: SegmentBlocks, plus discontinuities: Int64, inherits: Bool
    ) -> UInt32 {
        var run = source
        run.discontinuities &+= discontinuities
        var keys = store.keys(of: source)
        var map = store.map(of: source)
        if inherits {
            if !source.declares.contains(.keys) { keys = inheritedKeys }
            if !source.declares.contains(.map) { map = inheritedMap }
            if !source.declares.contains(.bitrate) { run.bitrate = inherited.bitrate }
            run.declares.formUnion(inherited.declares)
        }
        run.keys = SegmentBlocks.none
        if !keys.isEmpty {
            if finished.keySets.last != keys { finished.keySets.append(keys) }
            run.keys = UInt32(finished.keySets.count - 1)
        }
        run.map = SegmentBlocks.none
        if let map {
            if finished.maps.last != map { finished.maps.append(map) }
            run.map = UInt32(finished.maps.count - 1)
        }
        if finished.runs.last != run { finished.runs.append(run) }
        return UInt32(finished.runs.count - 1)
    }
}
