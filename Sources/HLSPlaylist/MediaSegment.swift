import MediaTime

/// One media segment with everything that applies to it.
package struct MediaSegment: Sendable, Hashable {
    /// Where it is, as written, variables substituted.
    package let uri: String
    /// EXTINF, exact to the nanosecond. The target duration where the tag is missing, zero where it is negative.
    package let duration: MediaTime
    /// Where it begins on the playlist's own timeline: the sum of the durations before it.
    package let startTime: MediaTime
    /// The title of EXTINF; empty where there is none.
    package let title: String
    /// Which bytes of the resource; nil for all of it.
    package let byteRange: ByteRange?
    /// Its media sequence number.
    package let mediaSequence: Int64
    /// Its discontinuity sequence number.
    package let discontinuitySequence: Int64
    /// EXT-X-DISCONTINUITY stands before it.
    package let isDiscontinuity: Bool
    /// EXT-X-GAP: it is missing, and is not to be loaded.
    package let isGap: Bool
    /// The date of its first sample: of its EXT-X-PROGRAM-DATE-TIME, or counted on (or back) from the nearest one.
    package let date: WallClockTime?
    /// EXT-X-PROGRAM-DATE-TIME of its own; nil where it has none.
    package let programDateTime: WallClockTime?
    /// EXT-X-BITRATE in kilobits per second; nil where unknown or where a byte range gives the size.
    package let bitrate: Int64?
    /// The keys in force, one for each KEYFORMAT; empty in the clear.
    package let keys: [EncryptionKey]
    /// The initialization in force.
    package let map: MediaInitialization?
    /// EXT-X-PART: its partial segments, where the playlist still lists them.
    package let parts: [PartialSegment]

    /// The key of the identity format, or the first of another.
    package var key: EncryptionKey? { keys.first { $0.keyFormat == "identity" } ?? keys.first }

    /// Where it lies on the playlist's own timeline.
    package var timeRange: TimeRange { TimeRange(start: startTime, duration: duration) }
}

/// EXT-X-PART: a piece of a segment that is served before the segment is complete.
package struct PartialSegment: Sendable, Hashable {
    /// URI, as written, variables substituted.
    package let uri: String
    /// DURATION, exact to the nanosecond.
    package let duration: MediaTime
    /// Which bytes of the resource; nil for all of it.
    package let byteRange: ByteRange?
    /// INDEPENDENT: it has a key frame.
    package let isIndependent: Bool
    /// GAP: it is not available.
    package let isGap: Bool
}

/// EXT-X-PRELOAD-HINT: what will be there next, to be asked for ahead of time.
package struct PreloadHint: Sendable, Hashable {
    /// TYPE: `PART`, `MAP`, or a word of a later version.
    package let type: String
    /// URI, as written, variables substituted.
    package let uri: String
    /// BYTERANGE-START; 0 where absent.
    package let byteRangeStart: Int64
    /// BYTERANGE-LENGTH; nil means to the end of the resource.
    package let byteRangeLength: Int64?
}

/// EXT-X-RENDITION-REPORT: how far the playlist of another rendition has come.
package struct RenditionReport: Sendable, Hashable {
    /// URI of that playlist.
    package let uri: String
    /// LAST-MSN: the media sequence number of its last segment or of the segment its last part belongs to.
    package let lastMediaSequence: Int64?
    /// LAST-PART: the index of its last part.
    package let lastPart: Int64?
}

/// EXT-X-SERVER-CONTROL: what the server can do for the client.
package struct ServerControl: Sendable, Hashable {
    /// CAN-SKIP-UNTIL: delta updates leave out what is further from the end than this.
    package let canSkipUntil: MediaTime?
    /// CAN-SKIP-DATERANGES: delta updates may leave out old date ranges too.
    package let canSkipDateRanges: Bool
    /// HOLD-BACK: how far from the end to play.
    package let holdBack: MediaTime?
    /// PART-HOLD-BACK: the same in low-latency mode.
    package let partHoldBack: MediaTime?
    /// CAN-BLOCK-RELOAD: a request may wait for a segment or part to come.
    package let canBlockReload: Bool
}

/// EXT-X-SKIP: what a delta update leaves out.
package struct SkippedContent: Sendable, Hashable {
    /// SKIPPED-SEGMENTS: how many segments at the start.
    package let segmentCount: Int
    /// RECENTLY-REMOVED-DATERANGES: the IDs of date ranges that are gone.
    package let removedDateRangeIDs: [String]
}
