import MediaTime

/// What one uninterrupted period of playing one variant was like. The fields are those of `AVPlayerItemAccessLogEvent`; what is not known is nil.
package struct AccessLogEvent: Sendable, Hashable {
    /// Bodies that were asked for and came.
    package var numberOfMediaRequests: Int?
    /// When playing began: nanoseconds since the start of 1970, UTC; nil while the box has no date that can be trusted.
    package var playbackStartDate: Int64?
    /// Address of the variant's playlist or of the file, without secrets.
    package var uri: String?
    /// The server's address in numbers.
    package var serverAddress: String?
    /// How often the server was another one than before.
    package var numberOfServerAddressChanges: Int?
    /// Tells the playbacks of one box apart.
    package var playbackSessionID: String?
    /// Asset time at which the period began.
    package var playbackStartOffset: MediaTime?
    /// How much media was loaded.
    package var segmentsDownloadedDuration: MediaTime?
    /// How long it was played.
    package var durationWatched: Duration?
    /// How often play had to wait for bytes.
    package var numberOfStalls: Int?
    /// Bytes that came.
    package var numberOfBytesTransferred: Int64?
    /// The time during which bytes came.
    package var transferDuration: Duration?
    /// Bits a second of the transfers, all together.
    package var observedBitrate: Double?
    /// Bits a second at most, as the playlist states.
    package var indicatedBitrate: Double?
    /// Frames that were decoded and never seen.
    package var numberOfDroppedVideoFrames: Int?
    /// From the wish to play to the first picture; told by the first event of a session.
    package var startupTime: Duration?
    /// How often a segment took longer to come than it plays.
    package var downloadOverdue: Int?
    /// Bits a second of the quickest transfer of media.
    package var observedMaxBitrate: Double?
    /// Bits a second of the slowest transfer of media.
    package var observedMinBitrate: Double?
    /// How far the transfers of media differ from their mean, in bits a second.
    package var observedBitrateStandardDeviation: Double?
    /// `FILE`, `VOD` or `LIVE`.
    package var playbackType: String?
    /// Requests over a mobile network.
    package var mediaRequestsWWAN: Int?
    /// The observed bits a second that led to this variant.
    package var switchBitrate: Double?
    /// Bits a second on average, as the playlist states.
    package var indicatedAverageBitrate: Double?
    /// Bits a second of the pictures' (or the muxed) segments, by their own length.
    package var averageVideoBitrate: Double?
    /// Bits a second of the sound's segments, by their own length.
    package var averageAudioBitrate: Double?

    /// An event about which nothing is known.
    package init() {}
}

/// Something that went wrong, also when the viewer saw nothing of it. The fields are those of `AVPlayerItemErrorLogEvent`.
package struct ErrorLogEvent: Sendable, Hashable {
    /// When: nanoseconds since the start of 1970, UTC; nil while the box has no date that can be trusted.
    package var date: Int64?
    /// What was being loaded, without secrets.
    package var uri: String?
    /// The server's address in numbers.
    package var serverAddress: String?
    /// The playback in which it happened.
    package var playbackSessionID: String?
    /// HTTP status, where there was an answer.
    package var errorStatusCode: Int?
    /// The code that viewers and operators see, e.g. `SRC-404`.
    package var errorDomain: String
    /// One sentence.
    package var errorComment: String?
    /// What it meant for the playback: whether it ended there.
    package var isFatal: Bool

    /// Describes what went wrong.
    package init(
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
