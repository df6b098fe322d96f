import MediaTime

/// What a source is delivering: the variant that is played.
public struct RenditionFacts: Sendable, Hashable {
    /// The address of its playlist, or of the file.
    public var url: String
    /// Bits a second that the playlist states as the peak (BANDWIDTH).
    public var indicatedBitrate: Double?
    /// Bits a second that the playlist states as the average (AVERAGE-BANDWIDTH).
    public var indicatedAverageBitrate: Double?

    /// Describes a variant.
    public init(url: String, indicatedBitrate: Double? = nil, indicatedAverageBitrate: Double? = nil) {
        self.url = url
        self.indicatedBitrate = indicatedBitrate
        self.indicatedAverageBitrate = indicatedAverageBitrate
    }
}

/// One body that has come, whole.
public struct MediaTransfer: Sendable, Hashable {
    /// Its address after redirects.
    public var url: String
    /// The server's address in numbers.
    public var serverAddress: String?
    /// What kind of media it brought: `video` also where sound is in it; nil for playlists, keys and other things that are no media.
    public var mediaType: MediaType?
    /// Its length.
    public var byteCount: Int64
    /// From the request to the last byte.
    public var transferDuration: Duration
    /// How much media was in it.
    public var mediaDuration: MediaTime?

    /// Describes a transfer.
    public init(
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
public enum SourceLogEntry: Sendable {
    /// From here on this is delivered.
    case delivering(RenditionFacts)
    /// A body has come.
    case transferred(MediaTransfer)
    /// Something could not be had, whether it mattered in the end or not.
    case failed(url: String, MediaError)
}

/// A source that tells what it loads.
@MainActor
public protocol LoggingSource: MediaSource {
    /// Called on the main loop, in the order in which things happened.
    var onLogEntry: (@MainActor (SourceLogEntry) -> Void)? { get set }
}
