import LinuxSupport
import MediaModel
import MediaTime

/// A request to a loader.
package struct ByteRequest: Sendable, Hashable {
    /// `http:`, `https:`, `file:` URL or a path.
    package var url: String
    /// What the body is. It bounds the size of a body that is loaded whole.
    package var kind: BodyKind
    /// The requested bytes; nil for all.
    package var range: Range<Int64>?
    /// Additional header lines.
    package var headers: [String]
    /// The timeout from the start to the first byte.
    package var firstByteTimeout: Duration
    /// The timeout without any new byte.
    package var stallTimeout: Duration
    /// The timeout from the start to the last byte; nil for no limit.
    package var totalTimeout: Duration?
    /// The slowest average, in bytes per second, that counts as an answer; 0 for a resource that is made while it is sent.
    package var slowestRate: Int
    /// A body, which makes the request a POST; nil for a GET. Not for files.
    package var body: [UInt8]?
    /// Whether it is text, which the server is asked to compress.
    package var isText: Bool
    /// Whether the range may be cut out of a whole body, when the server does not serve ranges. Otherwise that is a failure (`rangeIgnored`).
    package var mayCutRange = true

    /// Slower than any sound that is streamed: the lowest speech codecs need 6 kbit/s.
    package static let slowestMediaRate = 500

    /// Makes a request with the timeouts for media.
    ///
    /// - Parameter totalTimeout: nil takes the limit of the kind.
    package init(
        url: String, kind: BodyKind = .media, range: Range<Int64>? = nil, headers: [String] = [],
        firstByteTimeout: Duration = .seconds(10), stallTimeout: Duration = .seconds(5), totalTimeout: Duration? = nil,
        slowestRate: Int = Self.slowestMediaRate, body: [UInt8]? = nil
    ) {
        self.url = url
        self.kind = kind
        self.range = range
        self.headers = headers
        self.firstByteTimeout = firstByteTimeout
        self.stallTimeout = stallTimeout
        self.totalTimeout = totalTimeout ?? kind.longestTime
        self.slowestRate = slowestRate
        self.body = body
        isText = kind.isText
    }
}

/// What a server states about a whole resource, so that the rest of it can be requested later (RFC 9110, 8.8 and 14.2).
package struct ResourceVersion: Sendable, Hashable {
    /// The strong ETag or else the Last-Modified date, as the header line `If-Range` takes it; nil if neither was stated.
    package var validator: String?
    /// The length of the whole resource in bytes, if stated.
    package var length: Int64?

    package init(validator: String? = nil, length: Int64? = nil) {
        self.validator = validator
        self.length = length
    }

    /// Whether the two cannot be one version: something that both state differs.
    package func contradicts(_ other: ResourceVersion) -> Bool {
        func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool { left != nil && right != nil && left != right }
        return differ(validator, other.validator) || differ(length, other.length)
    }
}

/// The response of a loader.
package struct ByteResponse: Sendable {
    package var bytes: [UInt8]
    /// The address after redirects.
    package var url: String
    /// Where to ask for it again: the address after the permanent redirects (RFC 9110, 15.4.2 and 15.4.9), and before the first temporary one.
    package var lastingURL: String
    /// HTTP status; 200 for files.
    package var status: Int
    /// The media type stated by the server.
    package var contentType: String?
    /// From the request to the first byte.
    package var timeToFirstByte: Duration
    /// From the request to the last byte.
    package var transferDuration: Duration
    /// The age of the body when it was sent, if a cache stated it (RFC 9111, 5.1).
    package var age: Duration?
    /// The server's numeric address, if there was one.
    package var serverAddress: String?
    /// The version of the resource.
    package var version: ResourceVersion
    /// The ETag of this body as it was stated, weak ones too: what `If-None-Match` takes (RFC 9110, 13.1.2).
    package var entityTag: String?
    /// How long the server lets it be kept; nil if it says nothing.
    package var cacheControl: CacheControl?
    /// Whether bytes of it were on this machine already, so that its times say nothing about the network.
    package var isStored = false

    package init(
        bytes: [UInt8], url: String, status: Int, contentType: String?, timeToFirstByte: Duration, transferDuration: Duration,
        age: Duration? = nil, serverAddress: String? = nil, version: ResourceVersion = ResourceVersion(),
        entityTag: String? = nil,
        lastingURL: String? = nil
    ) {
        self.bytes = bytes
        self.url = url
        self.lastingURL = lastingURL ?? url
        self.status = status
        self.contentType = contentType
        self.timeToFirstByte = timeToFirstByte
        self.transferDuration = transferDuration
        self.age = age
        self.serverAddress = serverAddress
        self.version = version
        self.entityTag = entityTag
    }
}

extension ByteResponse {
    /// The header lines with which its server is asked whether it has changed (RFC 9110, 13.1.2 and 13.1.3); none if it stated neither an ETag nor a date.
    package var condition: [String] {
        if let entityTag { return ["If-None-Match: \(entityTag)"] }
        // Without an ETag it is the date of the last change.
        return version.validator.map { ["If-Modified-Since: \($0)"] } ?? []
    }
}

/// A part of a body that has arrived.
package struct ByteProgress: Sendable {
    /// The new bytes.
    package var pieces: BytePieces
    /// How many bytes of the body have arrived, including these.
    package var received: Int64
    /// How many there will be, if the server stated it.
    package var expected: Int64?
    /// From the request to these bytes.
    package var elapsed: Duration
    /// From the request to the first byte.
    package var timeToFirstByte: Duration
    /// The version of the resource.
    package var version: ResourceVersion

    /// The new bytes in one array; a copy if there are several pieces.
    package var bytes: [UInt8] { pieces.joined }

    package init(
        bytes: [UInt8], received: Int64, expected: Int64?, elapsed: Duration, timeToFirstByte: Duration,
        version: ResourceVersion = ResourceVersion()
    ) {
        self.init(
            pieces: BytePieces(bytes), received: received, expected: expected, elapsed: elapsed, timeToFirstByte: timeToFirstByte,
            version: version)
    }

    package init(
        pieces: BytePieces, received: Int64, expected: Int64?, elapsed: Duration, timeToFirstByte: Duration,
        version: ResourceVersion = ResourceVersion()
    ) {
        self.pieces = pieces
        self.received = received
        self.expected = expected
        self.elapsed = elapsed
        self.timeToFirstByte = timeToFirstByte
        self.version = version
    }
}

/// A pending transfer.
package protocol ByteTask: AnyObject, Sendable {
    /// Cancels it; its completion is not called any more. Any thread.
    func cancel()
    /// Takes no more bytes from the network, because they cannot be processed as fast as they come, or goes on. What has arrived is still passed on. Any
    /// thread.
    ///
    /// A task whose bytes come at once need not obey.
    func setHeld(_ isHeld: Bool)
}

extension ByteTask {
    package func setHeld(_ isHeld: Bool) {}
}

/// Loads bytes from the network or the disk; implemented by `Transfer`.
package protocol ByteLoading: AnyObject, Sendable {
    /// Loads a whole body. The completion runs on the main loop, with rank `transfer`; a status of 400 or more is a failure.
    ///
    /// - Throws (in the result): the code of its cause (`LoadFault.code`); `clockUntrusted` where no connection can be secure before the clock is set.
    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask
    /// Loads a body and passes its bytes on as they arrive, on the main loop, with rank `transfer`; the response then has none.
    ///
    /// A loader that only loads whole bodies passes them on in one part.
    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask
    /// A stream over one resource for demuxers, with ranges and read-ahead. Any thread.
    func stream(_ url: String) -> any ByteStream
    /// Whether the answer is on this machine, and needs no network. Any thread.
    func isStored(_ request: ByteRequest) -> Bool
}

extension ByteLoading {
    package func isStored(_ request: ByteRequest) -> Bool { false }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { loadWhole(request, progress: progress, completion) }

    /// Loads a whole body and passes it on in one part.
    @MainActor
    package func loadWhole(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        load(request) { result in
            guard case .success(var response) = result else { return completion(result) }
            let count = Int64(response.bytes.count)
            progress(
                ByteProgress(
                    bytes: response.bytes, received: count, expected: count, elapsed: response.transferDuration,
                    timeToFirstByte: response.timeToFirstByte, version: response.version))
            response.bytes = []
            completion(.success(response))
        }
    }
}

/// What a source knows after it has been prepared.
package struct SourceDescription: Sendable {
    /// The kind: `file`, `hls`, `composition`, or `picture`: a file with one picture, which lasts as long as its user wants.
    package var kind: String
    /// All tracks that can be played.
    package var tracks: [TrackDescription]
    package var duration: MediaDuration
    /// The ranges in which seeking is possible.
    package var seekableTimeRanges: [TimeRange]
    /// Tags of the container, sorted by key.
    package var tags: [(key: String, value: String)] = []
    /// Chapters of the container.
    package var chapters: [ChapterDescription] = []
    /// Cover pictures as stored.
    package var artwork: [[UInt8]] = []
    /// The discontinuities (EXT-X-DISCONTINUITY), in asset time.
    package var discontinuities: [MediaTime] = []
    /// The default start of playback.
    package var preferredStart = MediaTime.zero
    /// Whether single key pictures can be shown, for scanning and previews.
    package var offersKeyFrames = true

    package static let pictureKind = "picture"

    package init(
        kind: String, tracks: [TrackDescription], duration: MediaDuration, seekableTimeRanges: [TimeRange]
    ) {
        self.kind = kind
        self.tracks = tracks
        self.duration = duration
        self.seekableTimeRanges = seekableTimeRanges
    }
}

/// The source of an item's samples: a file, or HLS. Used on the main loop; it produces samples on its own threads.
@MainActor
package protocol MediaSource: AnyObject {
    /// Determines the description. Called once.
    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void)
    /// Starts to deliver samples of these tracks from the last sync sample at or before `time`, in asset time. The previous
    /// delivery is cancelled. The buffer may hold back reading until the caller calls `readAhead()`.
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer
    /// Starts to deliver only independently decodable pictures of one video track (ordinary sync samples, or those of an I-frame
    /// playlist), in scan order and each flagged `isSync`; the track is finished when there are no more in that direction. The
    /// previous delivery is cancelled. The samples are in asset time. Nil if the source only supports `startReading`, which is
    /// the default.
    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer?
    /// Cancels everything that is pending. No completion is called any more.
    func close()

    /// The events of the source while it is open.
    var events: EventSource<SourceEvent> { get }
    /// Its live status; nil if it has none.
    var liveSource: (any LiveSource)? { get }
    /// Its interstitials; nil if it does not support them.
    var interstitialSource: (any InterstitialSource)? { get }
    /// Its metadata; nil if it has none beyond its description.
    var metadataSource: (any MetadataSource)? { get }
    /// Reads one track in addition to the others; nil if it cannot.
    var alternateTrackSource: (any AlternateTrackSource)? { get }
    /// Its angles; nil if it can have only one.
    var angleSource: (any AngleSource)? { get }
    /// Its text tracks; nil if they are not read by segments.
    var textSource: (any TextSource)? { get }
    /// Adapts to network and decoder; nil if it cannot.
    var adaptiveSource: (any AdaptiveSource)? { get }
    /// What a stretch is in which no track has anything.
    var holes: HoleRule { get }
}

/// What a stretch of a source is in which no track has anything: segments that could not be loaded, time stamps that jump ahead.
package enum HoleRule: Sendable {
    /// It is a part of the programme, as in a composition.
    case kept
    /// It is none where sound has been heard before it: a picture without sound may stand for as long as its file says.
    case omittedBehindSound
    /// It is none: playback goes on behind it.
    case omitted
}

/// An event of a source, delivered on the main loop in order.
package enum SourceEvent: Sendable {
    /// A message for the playback log.
    case logEntry(SourceLogEntry)
    /// `LiveSource.liveStatus` has changed.
    case liveStatusChanged(LiveStatus)
    /// The description of a `MetadataSource` has changed.
    case metadataChanged
    /// Metadata inside segments was read, ahead of its time.
    case timedMetadata([TimedMetadata])
    /// `InterstitialSource.interstitials` have changed.
    case interstitialsChanged([Interstitial])
    /// An audio track cannot be loaded at the start of a reading, in which it has ended; the pictures go on. The source tries again later.
    case soundUnavailable(TrackID, MediaError)
    /// An audio track that was unavailable can be read.
    case soundAvailable(TrackID)
    /// A track that was not in the description begins: reading from any position on has it.
    case trackAppeared(TrackDescription)
}

extension MediaSource {
    /// For a source that only supports ordinary reading: the caller seeks from key picture to key picture.
    package func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? { nil }
    package var liveSource: (any LiveSource)? { nil }
    package var interstitialSource: (any InterstitialSource)? { nil }
    package var metadataSource: (any MetadataSource)? { nil }
    package var alternateTrackSource: (any AlternateTrackSource)? { nil }
    package var angleSource: (any AngleSource)? { nil }
    package var textSource: (any TextSource)? { nil }
    package var adaptiveSource: (any AdaptiveSource)? { nil }
    package var holes: HoleRule { .kept }
}
