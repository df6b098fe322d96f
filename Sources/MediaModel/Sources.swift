import LinuxSupport
import MediaTime

/// What is asked of a loader.
public struct ByteRequest: Sendable, Hashable {
    /// `http:`, `https:`, `file:` URL or a path.
    public var url: String
    /// Bytes wanted, first and count; nil for all.
    public var range: Range<Int64>?
    /// Extra header lines.
    public var headers: [String]
    /// The time from the start to the first byte after which it fails.
    public var firstByteTimeout: Duration
    /// The time without any byte after which it fails.
    public var stallTimeout: Duration

    /// Makes a request with the time-outs for media.
    public init(
        url: String, range: Range<Int64>? = nil, headers: [String] = [], firstByteTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(5)
    ) {
        self.url = url
        self.range = range
        self.headers = headers
        self.firstByteTimeout = firstByteTimeout
        self.stallTimeout = stallTimeout
    }
}

/// What a loader brings.
public struct ByteResponse: Sendable {
    /// The body.
    public var bytes: [UInt8]
    /// Where it came from after redirects.
    public var url: String
    /// HTTP status; 200 for files.
    public var status: Int
    /// The media type that the server stated.
    public var contentType: String?
    /// From the request to the first byte.
    public var timeToFirstByte: Duration
    /// From the request to the last byte.
    public var transferDuration: Duration

    /// Makes a response.
    public init(
        bytes: [UInt8], url: String, status: Int, contentType: String?, timeToFirstByte: Duration, transferDuration: Duration
    ) {
        self.bytes = bytes
        self.url = url
        self.status = status
        self.contentType = contentType
        self.timeToFirstByte = timeToFirstByte
        self.transferDuration = transferDuration
    }
}

/// A transfer under way.
public protocol ByteTask: AnyObject, Sendable {
    /// Ends it; its completion is not called any more. Any thread.
    func cancel()
}

/// Brings bytes from the network or the disk: what `Transfer` gives to the rest of the house.
public protocol ByteLoading: AnyObject, Sendable {
    /// Loads a whole body. The completion runs on the main loop, with rank `transfer`; a status of 400 or more is a failure.
    ///
    /// - Throws (in the result): `sourceMissing` for 404 and 410 and absent files, `sourceTimeout`, `networkDown`, else `sourceFormat`.
    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask
    /// A stream over one resource for demuxers: reads by range, ahead of its reader. Any thread.
    func stream(_ url: String) -> any ByteStream
}

/// What a source tells once it has been prepared.
public struct SourceDescription: Sendable {
    /// The kind in words: `file` or `hls`.
    public var kind: String
    /// All tracks that can be played here.
    public var tracks: [TrackDescription]
    /// Its length.
    public var duration: MediaDuration
    /// Where one can go.
    public var seekableTimeRanges: [TimeRange]
    /// Tags of the container, sorted by key.
    public var tags: [(key: String, value: String)]
    /// Chapters of the container.
    public var chapters: [ChapterDescription]
    /// Cover pictures as stored.
    public var artwork: [[UInt8]]
    /// Edges at which something was spliced in (EXT-X-DISCONTINUITY), in asset time.
    public var discontinuities: [MediaTime]
    /// Where play begins when nobody says otherwise.
    public var preferredStart: MediaTime

    /// Describes a source.
    public init(
        kind: String, tracks: [TrackDescription], duration: MediaDuration, seekableTimeRanges: [TimeRange],
        tags: [(key: String, value: String)] = [], chapters: [ChapterDescription] = [], artwork: [[UInt8]] = [],
        discontinuities: [MediaTime] = [], preferredStart: MediaTime = .zero
    ) {
        self.kind = kind
        self.tracks = tracks
        self.duration = duration
        self.seekableTimeRanges = seekableTimeRanges
        self.tags = tags
        self.chapters = chapters
        self.artwork = artwork
        self.discontinuities = discontinuities
        self.preferredStart = preferredStart
    }
}

/// Where an item's samples come from: a file, or HLS. Lives on the main loop; its samples are made on threads of its own.
@MainActor
public protocol MediaSource: AnyObject {
    /// Finds out what there is. Called once.
    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void)
    /// Begins to deliver samples of these tracks from the last sync sample at or before `time`, in asset time. What was being
    /// delivered before is cancelled. The buffer may hold reading back until whoever asked for it calls `readAhead()`.
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer
    /// Ends everything that is under way. No completion is called any more.
    func close()
}
