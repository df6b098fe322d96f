import MediaModel
import MediaSources
import Metadata
import Playback

/// A property of an asset that is loaded on request. The counterpart of `AVAsyncProperty`.
///
/// Properties that come from the same bytes are loaded together: those of the media in one reading, those of the metadata in another.
public struct AssetProperty<Value: Sendable>: Sendable {
    enum Getter: Sendable {
        case description(@Sendable (SourceDescription) -> Value)
        case metadata(@Sendable (MediaMetadata) -> Value)
    }
    let getter: Getter
}

/// The loading state of a property. The counterpart of `AVAsyncProperty.Status`.
public enum AssetPropertyStatus<Value: Sendable>: Sendable {
    /// It has not been requested.
    case notYetLoaded
    /// It is being loaded.
    case loading
    /// It is known.
    case loaded(Value)
    /// It cannot be loaded.
    case failed(PlaybackError)
    /// Loading was cancelled; it can be requested again.
    case cancelled
}

extension AssetProperty where Value == AssetDuration {
    /// The duration.
    public static var duration: AssetProperty { AssetProperty(getter: .description { AssetDuration($0.duration) }) }
}

extension AssetProperty where Value == [AssetTrack] {
    /// All playable tracks, in the order of the source.
    public static var tracks: AssetProperty { AssetProperty(getter: .description { $0.tracks.map { AssetTrack($0) } }) }
}

extension AssetProperty where Value == [TimeRange] {
    /// The ranges in which seeking is possible, in asset time.
    public static var seekableTimeRanges: AssetProperty {
        AssetProperty(getter: .description { $0.seekableTimeRanges.map { TimeRange($0) } })
    }
}

extension AssetProperty where Value == Bool {
    /// Whether there is playable video or audio.
    public static var isPlayable: AssetProperty {
        AssetProperty(getter: .description { $0.tracks.contains { $0.type == .video || $0.type == .audio } })
    }
}

extension AssetProperty where Value == [MetadataItem] {
    /// The metadata in all formats of the file.
    public static var metadata: AssetProperty { AssetProperty(getter: .metadata { $0.items.map { MetadataItem($0) } }) }
    /// The metadata with common identifiers, such as titles.
    public static var commonMetadata: AssetProperty {
        AssetProperty(getter: .metadata { $0.commonItems.map { MetadataItem($0) } })
    }
}

extension AssetProperty where Value == [String] {
    /// The languages of the chapter titles (BCP 47).
    public static var availableChapterLocales: AssetProperty { AssetProperty(getter: .metadata { $0.availableChapterLanguages }) }
}

/// A track of an asset. The counterpart of `AVAssetTrack`.
public struct AssetTrack: Sendable, Hashable, Identifiable {
    /// What a track has.
    public enum MediaType: String, Sendable, Hashable {
        /// Pictures.
        case video
        /// Sound.
        case audio
        /// Captions as text.
        case text
        /// Captions as pictures, or inside the video.
        case subtitle
        /// Timed metadata.
        case metadata
    }

    /// Its number in the asset.
    public let id: Int
    /// What it has.
    public let mediaType: MediaType
    /// FFmpeg's name of its codec, e.g. `h264`.
    public let codec: String
    /// Its language (BCP 47); nil if unknown.
    public let extendedLanguageTag: String?
    /// Its display name in the source.
    public let name: String?
    /// The coded size in pixels, of video whose container states it.
    public let width, height: Int?
    /// Nominal pictures a second, of video whose container states it: `numerator / denominator`.
    public let nominalFrameRate: PlaybackRate?
    /// Samples a second, of audio whose container states it.
    public let sampleRate: Int?
    /// Channels, of audio whose container states it.
    public let channels: Int?

    init(_ track: TrackDescription) {
        id = track.id.number
        mediaType =
            switch track.type {
            case .video: .video
            case .audio: .audio
            case .text: .text
            case .subtitle: .subtitle
            case .metadata: .metadata
            }
        codec = track.codec
        extendedLanguageTag = track.languageTag
        name = track.name
        (width, height) = (track.width, track.height)
        nominalFrameRate = track.frameRate.map { PlaybackRate($0) }
        (sampleRate, channels) = (track.sampleRate, track.channels)
    }
}
