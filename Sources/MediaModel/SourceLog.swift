import MediaTime

/// The delivered variant of a source.
package struct RenditionFacts: Sendable, Hashable {
    /// The address of its playlist, or of the file.
    package var url: String
    /// The peak bit rate stated in the playlist (BANDWIDTH), in bits per second.
    package var indicatedBitrate: Double?
    /// The average bit rate stated in the playlist (AVERAGE-BANDWIDTH), in bits per second.
    package var indicatedAverageBitrate: Double?

    package init(url: String, indicatedBitrate: Double? = nil, indicatedAverageBitrate: Double? = nil) {
        self.url = url
        self.indicatedBitrate = indicatedBitrate
        self.indicatedAverageBitrate = indicatedAverageBitrate
    }
}

/// One complete transfer of a body.
package struct MediaTransfer: Sendable, Hashable {
    /// Its address after redirects.
    package var url: String
    /// What the body is.
    package var body: BodyKind
    /// The server's numeric address.
    package var serverAddress: String?
    /// The kind of media: `video` also if it includes sound; nil for playlists, keys and other resources that are not media.
    package var mediaType: MediaType?
    package var byteCount: Int64
    /// From the request to the first byte; nil if it is not known.
    package var timeToFirstByte: Duration?
    /// From the request to the last byte.
    package var transferDuration: Duration
    /// The duration of the media in it.
    package var mediaDuration: MediaTime?

    package init(
        url: String, body: BodyKind = .media, serverAddress: String? = nil, mediaType: MediaType?, byteCount: Int64,
        timeToFirstByte: Duration? = nil, transferDuration: Duration, mediaDuration: MediaTime? = nil
    ) {
        self.url = url
        self.body = body
        self.timeToFirstByte = timeToFirstByte
        self.serverAddress = serverAddress
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.transferDuration = transferDuration
        self.mediaDuration = mediaDuration
    }
}

/// What a source reports for the access log and the error log.
package enum SourceLogEntry: Sendable {
    /// This variant is delivered from here on.
    case delivering(RenditionFacts)
    case transferred(MediaTransfer)
    /// A resource could not be loaded, whether or not that mattered in the end.
    case failed(url: String, MediaError)
}
