import MediaTime

/// What one uninterrupted period of playing one variant was like. The fields are those of `AVPlayerItemAccessLogEvent`; what is not known is nil.
public struct AccessLogEvent: Sendable, Hashable {
    /// Bodies that were asked for and came.
    public var numberOfMediaRequests: Int?
    /// When playing began: nanoseconds since the start of 1970, UTC; nil while the box has no date that can be trusted.
    public var playbackStartDate: Int64?
    /// Address of the variant's playlist or of the file, without secrets.
    public var uri: String?
    /// The server's address in numbers.
    public var serverAddress: String?
    /// How often the server was another one than before.
    public var numberOfServerAddressChanges: Int?
    /// Tells the playbacks of one box apart.
    public var playbackSessionID: String?
    /// Asset time at which the period began.
    public var playbackStartOffset: MediaTime?
    /// How much media was loaded.
    public var segmentsDownloadedDuration: MediaTime?
    /// How long it was played.
    public var durationWatched: Duration?
    /// How often play had to wait for bytes.
    public var numberOfStalls: Int?
    /// Bytes that came.
    public var numberOfBytesTransferred: Int64?
    /// The time during which bytes came.
    public var transferDuration: Duration?
    /// Bits a second of the transfers, all together.
    public var observedBitrate: Double?
    /// Bits a second at most, as the playlist states.
    public var indicatedBitrate: Double?
    /// Frames that were decoded and never seen.
    public var numberOfDroppedVideoFrames: Int?
    /// From the wish to play to the first picture; told by the first event of a session.
    public var startupTime: Duration?
    /// How often a segment took longer to come than it plays.
    public var downloadOverdue: Int?
    /// Bits a second of the quickest transfer of media.
    public var observedMaxBitrate: Double?
    /// Bits a second of the slowest transfer of media.
    public var observedMinBitrate: Double?
    /// How far the transfers of media differ from their mean, in bits a second.
    public var observedBitrateStandardDeviation: Double?
    /// `FILE`, `VOD` or `LIVE`.
    public var playbackType: String?
    /// Requests over a mobile network.
    public var mediaRequestsWWAN: Int?
    /// The observed bits a second that led to this variant.
    public var switchBitrate: Double?
    /// Bits a second on average, as the playlist states.
    public var indicatedAverageBitrate: Double?
    /// Bits a second of the pictures' (or the muxed) segments, by their own length.
    public var averageVideoBitrate: Double?
    /// Bits a second of the sound's segments, by their own length.
    public var averageAudioBitrate: Double?

    /// An event about which nothing is known.
    public init() {}
}

/// Something that went wrong, also when the viewer saw nothing of it. The fields are those of `AVPlayerItemErrorLogEvent`.
public struct ErrorLogEvent: Sendable, Hashable {
    /// When: nanoseconds since the start of 1970, UTC; nil while the box has no date that can be trusted.
    public var date: Int64?
    /// What was being loaded, without secrets.
    public var uri: String?
    /// The server's address in numbers.
    public var serverAddress: String?
    /// The playback in which it happened.
    public var playbackSessionID: String?
    /// HTTP status, where there was an answer.
    public var errorStatusCode: Int?
    /// The code that viewers and operators see, e.g. `SRC-404`.
    public var errorDomain: String
    /// One sentence.
    public var errorComment: String?
    /// What it meant for the playback: whether it ended there.
    public var isFatal: Bool

    /// Describes what went wrong.
    public init(
        date: Int64?, uri: String?, serverAddress: String?, playbackSessionID: String?, errorStatusCode: Int?,
        errorDomain: String,
        errorComment: String?, isFatal: Bool
    ) {
        self.date = date
        self.uri = uri
        self.serverAddress = serverAddress
        self.playbackSessionID = playbackSessionID
        self.errorStatusCode = errorStatusCode
        self.errorDomain = errorDomain
        self.errorComment = errorComment
        self.isFatal = isFatal
    }
}
