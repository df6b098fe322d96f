import MediaTime

/// What a source is delivering: the variant that is played.
package struct RenditionFacts: Sendable, Hashable {
    /// The address of its playlist, or of the file.
    package var url: String
    /// Bits a second that the playlist states as the peak (BANDWIDTH).
    package var indicatedBitrate: Double?
    /// Bits a second that the playlist states as the average (AVERAGE-BANDWIDTH).
    package var indicatedAverageBitrate: Double?

    /// Describes a variant.
    package init(url: String, indicatedBitrate: Double? = nil, indicatedAverageBitrate: Double? = nil) {
        self.url = url
        self.indicatedBitrate = indicatedBitrate
        self.indicatedAverageBitrate = indicatedAverageBitrate
    }
}

/// One body that has come, whole.
package struct MediaTransfer: Sendable, Hashable {
    /// Its address after redirects.
    package var url: String
    /// The server's address in numbers.
    package var serverAddress: String?
    /// What kind of media it brought: `video` also where sound is in it; nil for playlists, keys and other things that are no media.
    package var mediaType: MediaType?
    /// Its length.
    package var byteCount: Int64
    /// From the request to the last byte.
    package var transferDuration: Duration
    /// How much media was in it.
    package var mediaDuration: MediaTime?

    /// Describes a transfer.
    package init(
        url: String, serverAddress: String? = nil, mediaType: MediaType?, byteCount: Int64, transferDuration: Duration,
        mediaDuration: MediaTime? = nil
    ) {
        self.url = url
        self.serverAddress = serverAddress
        self.mediaType = mediaType
        self.byteCount = byteCount
        self.transferDuration = transferDuration
        self.mediaDuration = mediaDuration
    }
}

/// What a source tells whoever keeps the access and the error log.
package enum SourceLogEntry: Sendable {
    /// From here on this is delivered.
    case delivering(RenditionFacts)
    /// A body has come.
    case transferred(MediaTransfer)
    /// Something could not be had, whether it mattered in the end or not.
    case failed(url: String, MediaError)
}

/// A source that tells what it loads.
@MainActor
package protocol LoggingSource: MediaSource {
    /// Called on the main loop, in the order in which things happened.
    var onLogEntry: (@MainActor (SourceLogEntry) -> Void)? { get set }
}
