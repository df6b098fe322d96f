import MediaTime

/// One media segment with everything that applies to it.
package struct MediaSegment: Sendable, Hashable {
    /// Its URI as written, variables substituted.
    package let uri: String
    /// EXTINF, exact to the nanosecond. The target duration when the tag is missing, negative or too long, or when all of the playlist are 0.
    package let duration: MediaTime
    /// Its start on the playlist's own timeline: the sum of the durations before it.
    package let startTime: MediaTime
    /// The title of EXTINF; empty if there is none.
    package let title: String
    /// The bytes of the resource; nil for all of it.
    package let byteRange: ByteRange?
    /// Its media sequence number: the bits of a number without a sign (`SequenceNumber`).
    package let mediaSequence: Int64
    /// Its discontinuity sequence number, likewise.
    package let discontinuitySequence: Int64
    /// Whether EXT-X-DISCONTINUITY precedes it.
    package let isDiscontinuity: Bool
    /// EXT-X-GAP: it is missing and must not be loaded.
    package let isGap: Bool
    /// The date of its first sample: from its EXT-X-PROGRAM-DATE-TIME, or computed from the nearest one.
    package let date: WallClockTime?
    /// Its own EXT-X-PROGRAM-DATE-TIME; nil if it has none.
    package let programDateTime: WallClockTime?
    /// EXT-X-BITRATE in kilobits per second; nil when unknown or when a byte range gives the size.
    package let bitrate: Int64?
    /// The keys that apply, one for each KEYFORMAT; empty when unencrypted.
    package let keys: [EncryptionKey]
    /// The media initialization section that applies.
    package let map: MediaInitialization?
    /// EXT-X-PART: its partial segments, while the playlist lists them.
    package let parts: [PartialSegment]

    /// The key with the identity format, otherwise the first.
    package var key: EncryptionKey? { keys.first { $0.keyFormat == "identity" } ?? keys.first }

    /// Its range on the playlist's own timeline.
    package var timeRange: TimeRange { TimeRange(start: startTime, duration: duration) }
}

/// EXT-X-PART: a part of a segment that is served before the segment is complete.
package struct PartialSegment: Sendable, Hashable {
    /// URI, as written, variables substituted.
    package let uri: String
    /// DURATION, exact to the nanosecond.
    package let duration: MediaTime
    /// The bytes of the resource; nil for all of it.
    package let byteRange: ByteRange?
    /// INDEPENDENT: it contains a key frame.
    package let isIndependent: Bool
    /// GAP: it is not available.
    package let isGap: Bool
}

/// EXT-X-PRELOAD-HINT: the next resource, to be requested in advance.
package struct PreloadHint: Sendable, Hashable {
    /// TYPE: `PART`, `MAP`, or a value of a later version.
    package let type: String
    /// URI, as written, variables substituted.
    package let uri: String
    /// BYTERANGE-START; 0 if absent.
    package let byteRangeStart: Int64
    /// BYTERANGE-LENGTH; nil means to the end of the resource.
    package let byteRangeLength: Int64?
}

/// EXT-X-RENDITION-REPORT: the newest content of another rendition's playlist.
package struct RenditionReport: Sendable, Hashable {
    /// URI of that playlist.
    package let uri: String
    /// LAST-MSN: the media sequence number (`SequenceNumber`) of its last segment, or of the segment to which its last part belongs.
    package let lastMediaSequence: Int64?
    /// LAST-PART: the index of its last part.
    package let lastPart: Int64?
}

/// EXT-X-SERVER-CONTROL: the server's delivery features.
package struct ServerControl: Sendable, Hashable {
    /// CAN-SKIP-UNTIL: delta updates skip segments further from the end than this.
    package let canSkipUntil: MediaTime?
    /// CAN-SKIP-DATERANGES: delta updates may skip old date ranges too.
    package let canSkipDateRanges: Bool
    /// HOLD-BACK: the recommended distance from the end.
    package let holdBack: MediaTime?
    /// PART-HOLD-BACK: the same in low-latency mode.
    package let partHoldBack: MediaTime?
    /// CAN-BLOCK-RELOAD: a request may wait for a future segment or part.
    package let canBlockReload: Bool
}

/// EXT-X-SKIP: the content that a delta update skips.
package struct SkippedContent: Sendable, Hashable {
    /// SKIPPED-SEGMENTS: the number of skipped segments at the start.
    package let segmentCount: Int
    /// RECENTLY-REMOVED-DATERANGES: the IDs of removed date ranges.
    package let removedDateRangeIDs: [String]
}
