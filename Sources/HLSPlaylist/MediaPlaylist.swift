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
    /// EXT-X-MEDIA-SEQUENCE: the number of the first segment, including those a delta update skips.
    package internal(set) var mediaSequence: Int64 = 0
    /// EXT-X-DISCONTINUITY-SEQUENCE.
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

    var store = SegmentStore()
    var checkpoint: ParseCheckpoint?

    /// The segments, oldest first. In a delta update those that are not skipped.
    package var segments: MediaSegments {
        MediaSegments(
            store: store, firstMediaSequence: mediaSequence &+ Int64(skipped?.segmentCount ?? 0),
            firstDiscontinuitySequence: discontinuitySequence)
    }

    /// EXT-X-TARGETDURATION, or if missing the longest segment rounded up to a second; at least one second.
    package var targetDuration: MediaTime {
        if let declaredTargetDuration { return max(declaredTargetDuration, .milliseconds(1)) }
        var longest: Int64 = 0
        for index in 0..<store.count { longest = max(longest, store.duration(at: index)) }
        return .seconds(max(1, (longest + 999_999_999) / 1_000_000_000))
    }

    /// The sum of the durations of the segments.
    package var totalDuration: MediaTime { .nanoseconds(store.end) }

    /// The duration: known after EXT-X-ENDLIST, and live until then.
    package var duration: MediaDuration { hasEndList ? .finite(totalDuration) : .live }

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
