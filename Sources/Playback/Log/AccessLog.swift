import MediaTime

/// One uninterrupted period of playing one variant. The fields are those of `AVPlayerItemAccessLogEvent`; unknown values are nil.
package struct AccessLogEvent: Sendable, Hashable {
    /// Received response bodies.
    package var numberOfMediaRequests: Int?
    /// The start: nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var playbackStartDate: Int64?
    /// Address of the variant's playlist or of the file, without secrets.
    package var uri: String?
    /// The server's numeric address.
    package var serverAddress: String?
    /// How often the server's address changed.
    package var numberOfServerAddressChanges: Int?
    /// Identifies a playback of one box.
    package var playbackSessionID: String?
    /// Asset time at the start of the period.
    package var playbackStartOffset: MediaTime?
    /// The duration of the loaded media.
    package var segmentsDownloadedDuration: MediaTime?
    /// The played duration.
    package var durationWatched: Duration?
    /// The number of stalls.
    package var numberOfStalls: Int?
    /// The received bytes.
    package var numberOfBytesTransferred: Int64?
    /// The time during which bytes were received.
    package var transferDuration: Duration?
    /// Bits per second of all transfers.
    package var observedBitrate: Double?
    /// The peak bit rate stated in the playlist.
    package var indicatedBitrate: Double?
    /// Frames that were decoded and never shown.
    package var numberOfDroppedVideoFrames: Int?
    /// From the play request to the first picture; only in the first event of a session.
    package var startupTime: Duration?
    /// The number of segments whose transfer took longer than their duration.
    package var downloadOverdue: Int?
    /// Bits per second of the fastest media transfer.
    package var observedMaxBitrate: Double?
    /// Bits per second of the slowest media transfer.
    package var observedMinBitrate: Double?
    /// The standard deviation of the rates of media transfers, in bits per second.
    package var observedBitrateStandardDeviation: Double?
    /// `FILE`, `VOD` or `LIVE`.
    package var playbackType: String?
    /// Requests over a mobile network.
    package var mediaRequestsWWAN: Int?
    /// The observed bits per second that led to this variant.
    package var switchBitrate: Double?
    /// The average bit rate stated in the playlist.
    package var indicatedAverageBitrate: Double?
    /// Bits per second of media time of the video (or muxed) segments.
    package var averageVideoBitrate: Double?
    /// Bits per second of media time of the audio segments.
    package var averageAudioBitrate: Double?

    /// An event without known values.
    package init() {}

    /// Several periods combined: counts and durations are added, limits are the outermost, rates are computed from the sums.
    static func sum(_ events: [AccessLogEvent]) -> AccessLogEvent {
        var result = events.first ?? AccessLogEvent()
        func add<Value: AdditiveArithmetic>(_ path: WritableKeyPath<AccessLogEvent, Value?>, _ event: AccessLogEvent) {
            guard let value = event[keyPath: path] else { return }
            result[keyPath: path] = (result[keyPath: path] ?? .zero) + value
        }
        for event in events.dropFirst() {
            add(\.numberOfMediaRequests, event)
            add(\.numberOfServerAddressChanges, event)
            add(\.durationWatched, event)
            add(\.numberOfStalls, event)
            add(\.numberOfBytesTransferred, event)
            add(\.transferDuration, event)
            add(\.numberOfDroppedVideoFrames, event)
            add(\.downloadOverdue, event)
            add(\.mediaRequestsWWAN, event)
            if let length = event.segmentsDownloadedDuration {
                result.segmentsDownloadedDuration = (result.segmentsDownloadedDuration ?? .zero) + length
            }
            result.startupTime = result.startupTime ?? event.startupTime
            result.serverAddress = event.serverAddress ?? result.serverAddress
            result.observedMinBitrate = [result.observedMinBitrate, event.observedMinBitrate].compactMap(\.self).min()
            result.observedMaxBitrate = [result.observedMaxBitrate, event.observedMaxBitrate].compactMap(\.self).max()
            result.observedBitrateStandardDeviation = nil
            result.indicatedBitrate = event.indicatedBitrate ?? result.indicatedBitrate
            result.indicatedAverageBitrate = event.indicatedAverageBitrate ?? result.indicatedAverageBitrate
            result.averageVideoBitrate = nil
            result.averageAudioBitrate = nil
            result.switchBitrate = event.switchBitrate ?? result.switchBitrate
        }
        if let bytes = result.numberOfBytesTransferred, let duration = result.transferDuration, duration > .zero {
            result.observedBitrate = Double(bytes) * 8 / duration.inSeconds
        }
        return result
    }
}

/// An error, also one without visible effect. The fields are those of `AVPlayerItemErrorLogEvent`.
package struct ErrorLogEvent: Sendable, Hashable {
    /// The time: nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var date: Int64?
    /// The requested address, without secrets.
    package var uri: String?
    /// The server's numeric address.
    package var serverAddress: String?
    /// The playback in which it occurred.
    package var playbackSessionID: String?
    /// HTTP status, if there was a response.
    package var errorStatusCode: Int?
    /// The code shown to viewers and operators, e.g. `SRC-404`.
    package var errorDomain: String
    /// One sentence.
    package var errorComment: String?
    /// Whether it ended the playback.
    package var isFatal: Bool

    /// Makes an entry.
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
