import MediaTime

/// One measurement of a playback at the moment it was taken. The kinds and fields follow AVFoundation's `AVMetricEvent` and its
/// subclasses. Addresses have no secrets.
///
/// Failures are not repeated here: they are in the error log (`ErrorLogEvent` of `Playback`).
package struct MetricEvent: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// `AVMetricHLSPlaylistRequestEvent`.
        case playlistRequest(Request)
        /// `AVMetricHLSMediaSegmentRequestEvent`: a segment, a part of one, or an initialization section (EXT-X-MAP).
        ///
        /// - mediaType: `video` also if it includes sound; nil for an initialization section.
        /// - duration: of the media in it; nil for an initialization section.
        case mediaSegmentRequest(Request, mediaType: MediaType?, duration: MediaTime?)
        /// `AVMetricContentKeyRequestEvent`.
        case contentKeyRequest(Request)
        /// `AVMetricPlayerItemVariantSwitchEvent`; the first variant comes from nil.
        case variantSwitch(from: RenditionFacts?, to: RenditionFacts)
        /// `AVMetricPlayerItemStallEvent`: playback began to wait for data.
        case stall
        /// `AVMetricPlayerItemSeekDidCompleteEvent`: the picture of the new position is on the screen.
        case seek
        /// `AVMetricPlayerItemPlaybackSummaryEvent`: the last event of a playback.
        case summary(Summary)

        /// The name of the kind, for programs.
        package var name: String {
            switch self {
            case .playlistRequest: "playlistRequest"
            case .mediaSegmentRequest: "mediaSegmentRequest"
            case .contentKeyRequest: "contentKeyRequest"
            case .variantSwitch: "variantSwitch"
            case .stall: "stall"
            case .seek: "seek"
            case .summary: "summary"
            }
        }
    }

    /// A request that was answered; `AVMetricMediaResourceRequestEvent`.
    package struct Request: Sendable, Hashable {
        /// After redirects.
        package var url: String
        /// The server's numeric address; nil if it was not asked.
        package var serverAddress: String?
        /// The size of the body.
        package var byteCount: Int64
        /// From the request to the first byte; nil if it is not known.
        package var timeToFirstByte: Duration?
        /// From the request to the last byte.
        package var transferDuration: Duration

        package init(
            url: String, serverAddress: String?, byteCount: Int64, timeToFirstByte: Duration?, transferDuration: Duration
        ) {
            self.url = url
            self.serverAddress = serverAddress
            self.byteCount = byteCount
            self.timeToFirstByte = timeToFirstByte
            self.transferDuration = transferDuration
        }
    }

    /// A whole playback.
    package struct Summary: Sendable, Hashable {
        /// From the request to the first picture; nil if there was none.
        package var startupTime: Duration?
        /// The played time, in host time.
        package var playbackDuration: Duration
        package var stallCount: Int
        package var droppedFrameCount: Int
        package var byteCount: Int64
        /// Errors after which the playback continued.
        package var recoverableErrorCount: Int
        /// The code of the error that ended the playback.
        package var errorCode: String?
        /// The requests, switches and seeks.
        package var counts: Counts

        package init(
            startupTime: Duration?, playbackDuration: Duration, stallCount: Int, droppedFrameCount: Int, byteCount: Int64,
            recoverableErrorCount: Int, errorCode: String?, counts: Counts
        ) {
            self.startupTime = startupTime
            self.playbackDuration = playbackDuration
            self.stallCount = stallCount
            self.droppedFrameCount = droppedFrameCount
            self.byteCount = byteCount
            self.recoverableErrorCount = recoverableErrorCount
            self.errorCode = errorCode
            self.counts = counts
        }
    }

    /// How many events of the kinds that no log counts.
    package struct Counts: Sendable, Hashable {
        package private(set) var playlistRequests = 0
        package private(set) var mediaSegmentRequests = 0
        package private(set) var contentKeyRequests = 0
        /// Without the choice of the first variant.
        package private(set) var variantSwitches = 0
        package private(set) var seeks = 0

        package init() {}

        package mutating func add(_ kind: Kind) {
            switch kind {
            case .playlistRequest: playlistRequests += 1
            case .mediaSegmentRequest: mediaSegmentRequests += 1
            case .contentKeyRequest: contentKeyRequests += 1
            case .variantSwitch(from: .some, to: _): variantSwitches += 1
            case .seek: seeks += 1
            case .variantSwitch(from: nil, to: _), .stall, .summary: break
            }
        }

        package mutating func add(_ other: Counts) {
            playlistRequests += other.playlistRequests
            mediaSegmentRequests += other.mediaSegmentRequests
            contentKeyRequests += other.contentKeyRequests
            variantSwitches += other.variantSwitches
            seeks += other.seeks
        }
    }

    /// The playback, by the id that its logs have.
    package var sessionID: String
    /// Nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    package var date: Int64?
    /// The position of the item, in asset time.
    package var mediaTime: MediaTime
    package var kind: Kind

    package init(sessionID: String, date: Int64?, mediaTime: MediaTime, kind: Kind) {
        self.sessionID = sessionID
        self.date = date
        self.mediaTime = mediaTime
        self.kind = kind
    }
}

extension MetricEvent.Kind {
    /// The request that a transfer of a stream was; nil for documents that are none of the stream's resources.
    package init?(_ transfer: MediaTransfer, url: String) {
        let request = MetricEvent.Request(
            url: url, serverAddress: transfer.serverAddress, byteCount: transfer.byteCount,
            timeToFirstByte: transfer.timeToFirstByte, transferDuration: transfer.transferDuration)
        switch transfer.body {
        case .playlist: self = .playlistRequest(request)
        case .media: self = .mediaSegmentRequest(request, mediaType: transfer.mediaType, duration: transfer.mediaDuration)
        case .key: self = .contentKeyRequest(request)
        case .feed, .guide, .artwork, .captions, .document: return nil
        }
    }
}
