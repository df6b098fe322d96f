import LinuxSupport
import MediaTime

/// What is asked of a loader.
package struct ByteRequest: Sendable, Hashable {
    /// `http:`, `https:`, `file:` URL or a path.
    package var url: String
    /// Bytes wanted, first and count; nil for all.
    package var range: Range<Int64>?
    /// Extra header lines.
    package var headers: [String]
    /// The time from the start to the first byte after which it fails.
    package var firstByteTimeout: Duration
    /// The time without any byte after which it fails.
    package var stallTimeout: Duration
    /// The time from the start to the last byte after which it fails; nil for no limit.
    package var totalTimeout: Duration?
    /// Sent with the request, which is then a POST; nil asks for something. Not for files.
    package var body: [UInt8]?

    /// Makes a request with the time-outs for media.
    package init(
        url: String, range: Range<Int64>? = nil, headers: [String] = [], firstByteTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(5), totalTimeout: Duration? = nil, body: [UInt8]? = nil
    ) {
        self.url = url
        self.range = range
        self.headers = headers
        self.firstByteTimeout = firstByteTimeout
        self.stallTimeout = stallTimeout
        self.totalTimeout = totalTimeout
        self.body = body
    }
}

/// What a loader brings.
package struct ByteResponse: Sendable {
    /// The body.
    package var bytes: [UInt8]
    /// Where it came from after redirects.
    package var url: String
    /// HTTP status; 200 for files.
    package var status: Int
    /// The media type that the server stated.
    package var contentType: String?
    /// From the request to the first byte.
    package var timeToFirstByte: Duration
    /// From the request to the last byte.
    package var transferDuration: Duration
    /// How old the body was when it was sent, where a cache on the way says so (RFC 9111, 5.1).
    package var age: Duration?
    /// The server's address in numbers, where there was one.
    package var serverAddress: String?

    package init(
        bytes: [UInt8], url: String, status: Int, contentType: String?, timeToFirstByte: Duration, transferDuration: Duration,
        age: Duration? = nil, serverAddress: String? = nil
    ) {
        self.bytes = bytes
        self.url = url
        self.status = status
        self.contentType = contentType
        self.timeToFirstByte = timeToFirstByte
        self.transferDuration = transferDuration
        self.age = age
        self.serverAddress = serverAddress
    }
}

/// A part of a body that has come.
package struct ByteProgress: Sendable {
    /// The bytes that are new.
    package var bytes: [UInt8]
    /// How many bytes of the body have come, these included.
    package var received: Int64
    /// How many there will be, where the server said so.
    package var expected: Int64?
    /// From the request to these bytes.
    package var elapsed: Duration
    /// From the request to the first byte.
    package var timeToFirstByte: Duration

    /// Describes a part of a body.
    package init(bytes: [UInt8], received: Int64, expected: Int64?, elapsed: Duration, timeToFirstByte: Duration) {
        self.bytes = bytes
        self.received = received
        self.expected = expected
        self.elapsed = elapsed
        self.timeToFirstByte = timeToFirstByte
    }
}

/// A transfer under way.
package protocol ByteTask: AnyObject, Sendable {
    /// Ends it; its completion is not called any more. Any thread.
    func cancel()
}

/// Brings bytes from the network or the disk: what `Transfer` gives to the rest of the house.
package protocol ByteLoading: AnyObject, Sendable {
    /// Loads a whole body. The completion runs on the main loop, with rank `transfer`; a status of 400 or more is a failure.
    ///
    /// - Throws (in the result): `sourceMissing` for 404 and 410 and absent files, `sourceTimeout`, `networkDown`, else `sourceFormat`.
    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask
    /// Loads a body and hands its bytes over as they come, on the main loop, with rank `transfer`; the response then has none of its own.
    ///
    /// A loader that brings bodies whole hands them over in one part.
    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask
    /// A stream over one resource for demuxers: reads by range, ahead of its reader. Any thread.
    func stream(_ url: String) -> any ByteStream
}

extension ByteLoading {
    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        load(request) { result in
            guard case .success(var response) = result else { return completion(result) }
            let count = Int64(response.bytes.count)
            progress(
                ByteProgress(
                    bytes: response.bytes, received: count, expected: count, elapsed: response.transferDuration,
                    timeToFirstByte: response.timeToFirstByte))
            response.bytes = []
            completion(.success(response))
        }
    }
}

/// What a source tells once it has been prepared.
package struct SourceDescription: Sendable {
    /// The kind in words: `file` or `hls`.
    package var kind: String
    /// All tracks that can be played here.
    package var tracks: [TrackDescription]
    /// Its length.
    package var duration: MediaDuration
    /// Where one can go.
    package var seekableTimeRanges: [TimeRange]
    /// Tags of the container, sorted by key.
    package var tags: [(key: String, value: String)]
    /// Chapters of the container.
    package var chapters: [ChapterDescription]
    /// Cover pictures as stored.
    package var artwork: [[UInt8]]
    /// Edges at which something was spliced in (EXT-X-DISCONTINUITY), in asset time.
    package var discontinuities: [MediaTime]
    /// Where play begins when nobody says otherwise.
    package var preferredStart: MediaTime

    /// Describes a source.
    package init(
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
package protocol MediaSource: AnyObject {
    /// Finds out what there is. Called once.
    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void)
    /// Begins to deliver samples of these tracks from the last sync sample at or before `time`, in asset time. What was being
    /// delivered before is cancelled. The buffer may hold reading back until whoever asked for it calls `readAhead()`.
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer
    /// Begins to deliver only pictures of one video track that are decoded by themselves (ordinary sync samples, or those of a list of I-frames), in
    /// the order in which a scan passes them and each of them flagged `isSync`; the track is finished where there are no more that way. What was being delivered
    /// before is cancelled. The samples are in asset time. Nil where the source can do no more than `startReading`, which is what sources do that do not say otherwise.
    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer?
    /// Ends everything that is under way. No completion is called any more.
    func close()
}
