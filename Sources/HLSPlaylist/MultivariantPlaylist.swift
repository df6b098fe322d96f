import MediaTime

/// A playlist of variants, and of the renditions that go with them.
public struct MultivariantPlaylist: Sendable, Equatable {
    /// EXT-X-VERSION, where declared.
    public internal(set) var version: Int?
    /// EXT-X-INDEPENDENT-SEGMENTS: every segment of every playlist starts with what decoding needs.
    public internal(set) var hasIndependentSegments = false
    /// EXT-X-START, for all media playlists without their own.
    public internal(set) var start: StartPoint?
    /// The variants of EXT-X-STREAM-INF, in their order.
    public internal(set) var variants: [Variant] = []
    /// The playlists of key frames of EXT-X-I-FRAME-STREAM-INF, in their order.
    public internal(set) var iFrameVariants: [Variant] = []
    /// The renditions of EXT-X-MEDIA, in their order.
    public internal(set) var renditions: [Rendition] = []
    /// EXT-X-SESSION-DATA.
    public internal(set) var sessionData: [SessionData] = []
    /// EXT-X-SESSION-KEY: keys that the media playlists will use.
    public internal(set) var sessionKeys: [EncryptionKey] = []
    /// EXT-X-CONTENT-STEERING.
    public internal(set) var contentSteering: ContentSteering?
    /// EXT-X-DEFINE, in their order.
    public internal(set) var definitions: [Definition] = []

    /// The variables that media playlists may import.
    public var variables: [String: String] {
        Dictionary(definitions.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The renditions of one group, in their order.
    public func renditions(_ type: Rendition.MediaType, group: String) -> [Rendition] {
        renditions.filter { $0.type == type && $0.groupID == group }
    }
}

/// One way to play the presentation: EXT-X-STREAM-INF, or EXT-X-I-FRAME-STREAM-INF.
public struct Variant: Sendable, Hashable {
    /// A size in pixels.
    public struct Resolution: Sendable, Hashable, CustomStringConvertible {
        /// Pixels across.
        public let width: Int
        /// Pixels down.
        public let height: Int

        public var description: String { "\(width)x\(height)" }
    }

    /// CLOSED-CAPTIONS: a group, or the word that there are none in any variant.
    public enum ClosedCaptions: Sendable, Hashable {
        /// NONE: no variant has closed captions.
        case absent
        /// The group of EXT-X-MEDIA tags that describes them.
        case group(String)
    }

    /// The same variant at another place (a pathway that content steering has cloned).
    public func moved(to uri: String, pathwayID: String) -> Variant {
        var variant = self
        variant.uri = uri
        variant.pathwayID = pathwayID
        return variant
    }

    /// The media playlist, as written, variables substituted.
    public internal(set) var uri: String
    /// BANDWIDTH: the peak in bits per second; nil where the playlist omits it against the rules.
    public internal(set) var bandwidth: Int64?
    /// AVERAGE-BANDWIDTH in bits per second.
    public internal(set) var averageBandwidth: Int64?
    /// SCORE: how good it is beside the others, higher is better.
    public internal(set) var score: Ratio?
    /// CODECS, one by one as of RFC 6381.
    public internal(set) var codecs: [String] = []
    /// SUPPLEMENTAL-CODECS, each with its brands, e.g. `dvh1.08.07/db4h`.
    public internal(set) var supplementalCodecs: [String] = []
    /// RESOLUTION.
    public internal(set) var resolution: Resolution?
    /// FRAME-RATE in frames per second, the exact decimal.
    public internal(set) var frameRate: Ratio?
    /// HDCP-LEVEL: `TYPE-0`, `TYPE-1` or `NONE`.
    public internal(set) var hdcpLevel: String?
    /// ALLOWED-CPC: the content protection configurations a decoder must be able to honour.
    public internal(set) var allowedCPC: String?
    /// VIDEO-RANGE: `SDR`, `HLG` or `PQ`.
    public internal(set) var videoRange: String?
    /// REQ-VIDEO-LAYOUT, e.g. `CH-STEREO`.
    public internal(set) var requiredVideoLayout: String?
    /// STABLE-VARIANT-ID.
    public internal(set) var stableVariantID: String?
    /// PATHWAY-ID; nil means the pathway `.`.
    public internal(set) var pathwayID: String?
    /// AUDIO: the group of audio renditions.
    public internal(set) var audioGroup: String?
    /// VIDEO: the group of video renditions.
    public internal(set) var videoGroup: String?
    /// SUBTITLES: the group of subtitle renditions.
    public internal(set) var subtitlesGroup: String?
    /// CLOSED-CAPTIONS.
    public internal(set) var closedCaptions: ClosedCaptions?
    /// Every attribute as written.
    public internal(set) var attributes: AttributeList
    /// The line of the tag.
    public internal(set) var line: Int
}

/// EXT-X-MEDIA: an alternative audio, video, subtitle or caption track.
public struct Rendition: Sendable, Hashable {
    /// TYPE.
    public enum MediaType: String, Sendable, Hashable, CaseIterable {
        /// Audio.
        case audio = "AUDIO"
        /// Video: another angle.
        case video = "VIDEO"
        /// Subtitles in a playlist of their own.
        case subtitles = "SUBTITLES"
        /// Captions inside the video.
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// TYPE.
    public internal(set) var type: MediaType
    /// GROUP-ID.
    public internal(set) var groupID: String
    /// NAME, for people.
    public internal(set) var name: String
    /// LANGUAGE, a BCP 47 tag.
    public internal(set) var language: String?
    /// ASSOC-LANGUAGE.
    public internal(set) var associatedLanguage: String?
    /// DEFAULT: play it where the viewer has no preference.
    public internal(set) var isDefault = false
    /// AUTOSELECT: it may be chosen for the viewer's language without being asked for.
    public internal(set) var isAutoselect = false
    /// FORCED: subtitles essential to follow the story.
    public internal(set) var isForced = false
    /// URI of the media playlist; nil where the media is in the variant's own stream.
    public internal(set) var uri: String?
    /// INSTREAM-ID of closed captions: `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
    public internal(set) var instreamID: String?
    /// CHARACTERISTICS, uniform type identifiers.
    public internal(set) var characteristics: [String] = []
    /// CHANNELS as written, e.g. `6` or `16/JOC`.
    public internal(set) var channels: String?
    /// BIT-DEPTH of audio.
    public internal(set) var bitDepth: Int64?
    /// SAMPLE-RATE of audio in hertz.
    public internal(set) var sampleRate: Int64?
    /// STABLE-RENDITION-ID.
    public internal(set) var stableRenditionID: String?
    /// Every attribute as written.
    public internal(set) var attributes: AttributeList
    /// The line of the tag.
    public internal(set) var line: Int

    /// The number of audio channels, from the first parameter of CHANNELS.
    public var channelCount: Int? { channels.flatMap { Int($0.prefix { $0 != "/" }) } }
}

/// EXT-X-SESSION-DATA: a fact about the whole presentation, in place or behind a URI.
public struct SessionData: Sendable, Hashable {
    /// FORMAT of what the URI gives.
    public enum Format: String, Sendable, Hashable {
        /// A JSON text; the default.
        case json = "JSON"
        /// Bytes.
        case raw = "RAW"
    }

    /// DATA-ID, e.g. `com.apple.hls.chapters`.
    public let dataID: String
    /// VALUE.
    public let value: String?
    /// URI.
    public let uri: String?
    /// FORMAT.
    public let format: Format
    /// LANGUAGE of the value.
    public let language: String?
    /// Every attribute as written.
    public let attributes: AttributeList
}

/// EXT-X-CONTENT-STEERING: who decides over pathways.
public struct ContentSteering: Sendable, Hashable {
    /// SERVER-URI of the steering manifest.
    public let serverURI: String
    /// PATHWAY-ID to begin with.
    public let pathwayID: String?
}
