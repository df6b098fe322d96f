import MediaTime

/// One media segment with everything that applies to it.
public struct MediaSegment: Sendable, Hashable {
    /// Where it is, as written, variables substituted.
    public let uri: String
    /// EXTINF, exact to the nanosecond. The target duration where the tag is missing, zero where it is negative.
    public let duration: MediaTime
    /// Where it begins on the playlist's own timeline: the sum of the durations before it.
    public let startTime: MediaTime
    /// The title of EXTINF; empty where there is none.
    public let title: String
    /// Which bytes of the resource; nil for all of it.
    public let byteRange: ByteRange?
    /// Its media sequence number.
    public let mediaSequence: Int64
    /// Its discontinuity sequence number.
    public let discontinuitySequence: Int64
    /// EXT-X-DISCONTINUITY stands before it.
    public let isDiscontinuity: Bool
    /// EXT-X-GAP: it is missing, and is not to be loaded.
    public let isGap: Bool
    /// The date of its first sample: of its EXT-X-PROGRAM-DATE-TIME, or counted on (or back) from the nearest one.
    public let date: WallClockTime?
    /// EXT-X-PROGRAM-DATE-TIME of its own; nil where it has none.
    public let programDateTime: WallClockTime?
    /// EXT-X-BITRATE in kilobits per second; nil where unknown or where a byte range gives the size.
    public let bitrate: Int64?
    /// The keys in force, one for each KEYFORMAT; empty in the clear.
    public let keys: [EncryptionKey]
    /// The initialization in force.
    public let map: MediaInitialization?
    /// EXT-X-PART: its partial segments, where the playlist still lists them.
    public let parts: [PartialSegment]

    /// The key of the identity format, or the first of another.
    public var key: EncryptionKey? { keys.first { $0.keyFormat == "identity" } ?? keys.first }

    /// Where it lies on the playlist's own timeline.
    public var timeRange: TimeRange { TimeRange(start: startTime, duration: duration) }
}

/// EXT-X-PART: a piece of a segment that is served before the segment is complete.
public struct PartialSegment: Sendable, Hashable {
    /// URI, as written, variables substituted.
    public let uri: String
    /// DURATION, exact to the nanosecond.
    public let duration: MediaTime
    /// Which bytes of the resource; nil for all of it.
    public let byteRange: ByteRange?
    /// INDEPENDENT: it has a key frame.
    public let isIndependent: Bool
    /// GAP: it is not available.
    public let isGap: Bool
}

/// EXT-X-PRELOAD-HINT: what will be there next, to be asked for ahead of time.
public struct PreloadHint: Sendable, Hashable {
    /// TYPE: `PART`, `MAP`, or a word of a later version.
    public let type: String
    /// URI, as written, variables substituted.
    public let uri: String
    /// BYTERANGE-START; 0 where absent.
    public let byteRangeStart: Int64
    /// BYTERANGE-LENGTH; nil means to the end of the resource.
    public let byteRangeLength: Int64?
}

/// EXT-X-RENDITION-REPORT: how far the playlist of another rendition has come.
public struct RenditionReport: Sendable, Hashable {
    /// URI of that playlist.
    public let uri: String
    /// LAST-MSN: the media sequence number of its last segment or of the segment its last part belongs to.
    public let lastMediaSequence: Int64?
    /// LAST-PART: the index of its last part.
    public let lastPart: Int64?
}

/// EXT-X-SERVER-CONTROL: what the server can do for the client.
public struct ServerControl: Sendable, Hashable {
    /// CAN-SKIP-UNTIL: delta updates leave out what is further from the end than this.
    public let canSkipUntil: MediaTime?
    /// CAN-SKIP-DATERANGES: delta updates may leave out old date ranges too.
    public let canSkipDateRanges: Bool
    /// HOLD-BACK: how far from the end to play.
    public let holdBack: MediaTime?
    /// PART-HOLD-BACK: the same in low-latency mode.
    public let partHoldBack: MediaTime?
    /// CAN-BLOCK-RELOAD: a request may wait for a segment or part to come.
    public let canBlockReload: Bool
}

/// EXT-X-SKIP: what a delta update leaves out.
public struct SkippedContent: Sendable, Hashable {
    /// SKIPPED-SEGMENTS: how many segments at the start.
    public let segmentCount: Int
    /// RECENTLY-REMOVED-DATERANGES: the IDs of date ranges that are gone.
    public let removedDateRangeIDs: [String]
}
