import MediaTime

/// A playlist of variants and their renditions.
package struct MultivariantPlaylist: Sendable, Equatable {
    /// EXT-X-VERSION, if declared.
    package internal(set) var version: Int?
    /// EXT-X-INDEPENDENT-SEGMENTS: every segment of every playlist can be decoded without others.
    package internal(set) var hasIndependentSegments = false
    /// EXT-X-START, for all media playlists without their own.
    package internal(set) var start: StartPoint?
    /// The variants of EXT-X-STREAM-INF, in order.
    package internal(set) var variants: [Variant] = []
    /// The I-frame playlists of EXT-X-I-FRAME-STREAM-INF, in order.
    package internal(set) var iFrameVariants: [Variant] = []
    /// The renditions of EXT-X-MEDIA, in order.
    package internal(set) var renditions: [Rendition] = []
    /// EXT-X-SESSION-DATA.
    package internal(set) var sessionData: [SessionData] = []
    /// EXT-X-SESSION-KEY: keys that the media playlists will use.
    package internal(set) var sessionKeys: [EncryptionKey] = []
    /// EXT-X-CONTENT-STEERING.
    package internal(set) var contentSteering: ContentSteering?
    /// EXT-X-DEFINE, in order.
    package internal(set) var definitions: [Definition] = []

    /// The variables that media playlists may import.
    package var variables: [String: String] {
        Dictionary(definitions.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The renditions of one group, in order.
    package func renditions(_ type: Rendition.MediaType, group: String) -> [Rendition] {
        renditions.filter { $0.type == type && $0.groupID == group }
    }
}

extension MultivariantPlaylist {
    /// The presentation with only some of its variants and renditions, for a copy that has no others.
    ///
    /// Content steering is left out, and so are data and keys of the session at addresses that are not kept.
    ///
    /// - Parameters:
    ///   - variants: indices into `variants`.
    ///   - iFrameVariants: indices into `iFrameVariants`.
    ///   - keepsRendition: asked for each rendition with its own playlist; the others are inside the variants and are kept.
    ///   - keepsURI: asked for each URI of session data and session keys.
    package func keeping(
        variants kept: Set<Int>, iFrameVariants keptIFrames: Set<Int>, renditions keepsRendition: (Rendition) -> Bool,
        uris keepsURI: (String) -> Bool
    ) -> MultivariantPlaylist {
        var result = self
        result.variants = variants.indices.filter(kept.contains).map { variants[$0] }
        result.iFrameVariants = iFrameVariants.indices.filter(keptIFrames.contains).map { iFrameVariants[$0] }
        result.renditions = renditions.filter { $0.uri == nil || keepsRendition($0) }
        result.sessionData = sessionData.filter { $0.uri.map(keepsURI) ?? true }
        result.sessionKeys = sessionKeys.filter { $0.uri.map(keepsURI) ?? true }
        result.contentSteering = nil
        return result
    }
}

/// A variant of the presentation: EXT-X-STREAM-INF, or EXT-X-I-FRAME-STREAM-INF.
package struct Variant: Sendable, Hashable {
    /// A size in pixels.
    package struct Resolution: Sendable, Hashable, CustomStringConvertible {
        package let width: Int
        package let height: Int

        package var description: String { "\(width)x\(height)" }
    }

    /// CLOSED-CAPTIONS: a group, or none in any variant.
    package enum ClosedCaptions: Sendable, Hashable {
        /// NONE: no variant has closed captions.
        case absent
        /// The group of EXT-X-MEDIA tags that describes them.
        case group(String)
    }

    /// The same variant at another URI (a pathway cloned by content steering).
    package func moved(to uri: String, pathwayID: String) -> Variant {
        var variant = self
        variant.uri = uri
        variant.pathwayID = pathwayID
        return variant
    }

    /// The URI of the media playlist as written, variables substituted.
    package internal(set) var uri: String
    /// BANDWIDTH: the peak in bits per second; nil when the playlist omits it, which the RFC forbids.
    package internal(set) var bandwidth: Int64?
    /// AVERAGE-BANDWIDTH in bits per second.
    package internal(set) var averageBandwidth: Int64?
    /// SCORE: its quality relative to the others, higher is better.
    package internal(set) var score: Ratio?
    /// CODECS, as a list in the syntax of RFC 6381.
    package internal(set) var codecs: [String] = []
    /// SUPPLEMENTAL-CODECS, each with its brands, e.g. `dvh1.08.07/db4h`.
    package internal(set) var supplementalCodecs: [String] = []
    /// RESOLUTION.
    package internal(set) var resolution: Resolution?
    /// FRAME-RATE in frames per second, as an exact decimal.
    package internal(set) var frameRate: Ratio?
    /// HDCP-LEVEL: `TYPE-0`, `TYPE-1` or `NONE`.
    package internal(set) var hdcpLevel: String?
    /// ALLOWED-CPC: the content protection configurations that a decoder must support.
    package internal(set) var allowedCPC: String?
    /// VIDEO-RANGE: `SDR`, `HLG` or `PQ`.
    package internal(set) var videoRange: String?
    /// The VIDEO-RANGE of the pictures that CODECS describes. Where SUPPLEMENTAL-CODECS names a layer of Dolby Vision above them, its brand tells what they
    /// are by themselves: `db1p` PQ, `db2g` SDR, `db4h` HLG.
    package var baseRange: String? {
        let brands = supplementalCodecs.flatMap { $0.split(separator: "/").dropFirst() }
        for (brand, range) in [("db1p", "PQ"), ("db2g", "SDR"), ("db4h", "HLG")] where brands.contains(Substring(brand)) {
            return range
        }
        return videoRange
    }
    /// REQ-VIDEO-LAYOUT, e.g. `CH-STEREO`.
    package internal(set) var requiredVideoLayout: String?
    /// STABLE-VARIANT-ID.
    package internal(set) var stableVariantID: String?
    /// PATHWAY-ID; nil means the pathway `.`.
    package internal(set) var pathwayID: String?
    /// AUDIO: the group of audio renditions.
    package internal(set) var audioGroup: String?
    /// VIDEO: the group of video renditions.
    package internal(set) var videoGroup: String?
    /// SUBTITLES: the group of subtitle renditions.
    package internal(set) var subtitlesGroup: String?
    /// CLOSED-CAPTIONS.
    package internal(set) var closedCaptions: ClosedCaptions?
    /// Every attribute as written.
    package internal(set) var attributes: AttributeList
    /// The line of the tag.
    package internal(set) var line: Int
}

/// EXT-X-MEDIA: an alternative audio, video, subtitle or caption track.
package struct Rendition: Sendable, Hashable {
    /// TYPE.
    package enum MediaType: String, Sendable, Hashable, CaseIterable {
        /// Audio.
        case audio = "AUDIO"
        /// Video: another angle.
        case video = "VIDEO"
        /// Subtitles in a separate playlist.
        case subtitles = "SUBTITLES"
        /// Captions inside the video.
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// TYPE.
    package internal(set) var type: MediaType
    /// GROUP-ID.
    package internal(set) var groupID: String
    /// NAME, a display name.
    package internal(set) var name: String
    /// LANGUAGE, a BCP 47 tag.
    package internal(set) var language: String?
    /// ASSOC-LANGUAGE.
    package internal(set) var associatedLanguage: String?
    /// DEFAULT: play it if the viewer has no preference.
    package internal(set) var isDefault = false
    /// AUTOSELECT: it may be selected automatically by the viewer's language.
    package internal(set) var isAutoselect = false
    /// FORCED: subtitles that are essential to follow the story.
    package internal(set) var isForced = false
    /// URI of the media playlist; nil when the media is in the variant's own stream.
    package internal(set) var uri: String?
    /// INSTREAM-ID of closed captions: `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
    package internal(set) var instreamID: String?
    /// CHARACTERISTICS, uniform type identifiers.
    package internal(set) var characteristics: [String] = []
    /// CHANNELS as written, e.g. `6` or `16/JOC`.
    package internal(set) var channels: String?
    /// BIT-DEPTH of audio.
    package internal(set) var bitDepth: Int64?
    /// SAMPLE-RATE of audio in hertz.
    package internal(set) var sampleRate: Int64?
    /// STABLE-RENDITION-ID.
    package internal(set) var stableRenditionID: String?
    /// Every attribute as written.
    package internal(set) var attributes: AttributeList
    /// The line of the tag.
    package internal(set) var line: Int

    /// The number of audio channels, from the first parameter of CHANNELS.
    package var channelCount: Int? { channels.flatMap { Int($0.prefix { $0 != "/" }) } }
}

/// EXT-X-SESSION-DATA: data about the whole presentation, as a value or at a URI.
package struct SessionData: Sendable, Hashable {
    /// FORMAT of the resource at the URI.
    package enum Format: String, Sendable, Hashable {
        /// A JSON text; the default.
        case json = "JSON"
        /// Bytes.
        case raw = "RAW"
    }

    /// DATA-ID, e.g. `com.apple.hls.chapters`.
    package let dataID: String
    /// VALUE.
    package let value: String?
    /// URI.
    package let uri: String?
    /// FORMAT.
    package let format: Format
    /// LANGUAGE of the value.
    package let language: String?
    /// Every attribute as written.
    package let attributes: AttributeList
}

/// EXT-X-CONTENT-STEERING: the steering manifest for pathways.
package struct ContentSteering: Sendable, Hashable {
    /// SERVER-URI of the steering manifest.
    package let serverURI: String
    /// The initial PATHWAY-ID.
    package let pathwayID: String?
}
