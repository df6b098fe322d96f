import MediaTime
import Playback

/// One uninterrupted period of playing one variant. The counterpart of `AVPlayerItemAccessLogEvent`; what is not known is nil.
public struct AccessLogEvent: Sendable, Hashable {
    let exact: Playback.AccessLogEvent

    init(_ exact: Playback.AccessLogEvent) { self.exact = exact }

    /// Identifies the playback of the item.
    public var playbackSessionID: String? { exact.playbackSessionID }
    /// The address of the variant's playlist or of the file, without secrets.
    public var uri: String? { exact.uri }
    /// The server's numeric address.
    public var serverAddress: String? { exact.serverAddress }
    /// `FILE`, `VOD` or `LIVE`.
    public var playbackType: String? { exact.playbackType }
    /// The start: nanoseconds since the start of 1970, UTC; nil in simulated time, and while the machine's date is not trusted.
    public var playbackStartDate: Int64? { exact.playbackStartDate }
    /// Asset time at its start.
    public var playbackStartOffset: MediaTime? { exact.playbackStartOffset.map { MediaTime($0) } }
    /// From the item's insertion to its first picture; only in the first period.
    public var startupTime: Duration? { exact.startupTime }
    /// How long was played.
    public var durationWatched: Duration? { exact.durationWatched }
    /// How often playback waited for media.
    public var numberOfStalls: Int? { exact.numberOfStalls }
    /// Pictures that were decoded and never shown.
    public var numberOfDroppedVideoFrames: Int? { exact.numberOfDroppedVideoFrames }
    /// Requests for media over a network.
    public var numberOfMediaRequests: Int? { exact.numberOfMediaRequests }
    /// Received bytes.
    public var numberOfBytesTransferred: Int64? { exact.numberOfBytesTransferred }
    /// Bits a second of all transfers.
    public var observedBitrate: Double? { exact.observedBitrate }
    /// The peak bit rate that the playlist states.
    public var indicatedBitrate: Double? { exact.indicatedBitrate }
}

/// An error, also one without visible effect. The counterpart of `AVPlayerItemErrorLogEvent`.
public struct ErrorLogEvent: Sendable, Hashable {
    let exact: Playback.ErrorLogEvent

    init(_ exact: Playback.ErrorLogEvent) { self.exact = exact }

    /// Identifies the playback of the item.
    public var playbackSessionID: String? { exact.playbackSessionID }
    /// The requested address, without secrets.
    public var uri: String? { exact.uri }
    /// Nanoseconds since the start of 1970, UTC; nil in simulated time, and while the machine's date is not trusted.
    public var date: Int64? { exact.date }
    /// The status of HTTP, if there was an answer.
    public var errorStatusCode: Int? { exact.errorStatusCode }
    /// What happened.
    public var code: PlaybackError.Code { PlaybackError.Code(rawValue: exact.errorDomain) }
    /// One sentence.
    public var errorComment: String? { exact.errorComment }
    /// Whether it ended the playback.
    public var isFatal: Bool { exact.isFatal }
}

extension [AccessLogEvent] {
    /// The log in the W3C Extended Log File Format, with all its fields (`docs/logs.md`).
    public var extendedLogText: String { ExtendedLogFormat.text(access: map(\.exact), date: nil) }
}

extension [ErrorLogEvent] {
    /// The log in the W3C Extended Log File Format, with all its fields (`docs/logs.md`).
    public var extendedLogText: String { ExtendedLogFormat.text(errors: map(\.exact), date: nil) }
}
