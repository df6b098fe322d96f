import MediaModel
import MediaTime

/// The format of a track as far as it is known: AVFoundation's `CMFormatDescription`.
package enum TrackFormat: Sendable, Hashable {
    /// Video: coded size in pixels and nominal frames per second, if the container states them.
    case video(codec: String, width: Int?, height: Int?, frameRate: Ratio?)
    /// Audio: samples per second and channels, if the container states them.
    case audio(codec: String, sampleRate: Int?, channels: Int?)
    /// Captions as text.
    case text(codec: String)
    /// Captions as bitmaps.
    case subtitle(codec: String)
}

extension TrackDescription {
    /// The format by media type.
    package var format: TrackFormat {
        switch type {
        case .video: .video(codec: codec, width: width, height: height, frameRate: frameRate)
        case .audio: .audio(codec: codec, sampleRate: sampleRate, channels: channels)
        case .text: .text(codec: codec)
        default: .subtitle(codec: codec)
        }
    }
}

/// Tracks of which at most one is played at a time; AVFoundation's `AVAssetTrackGroup`.
package struct AssetTrackGroup: Sendable, Hashable {
    /// The tracks in the order of the source.
    package var trackIDs: [TrackID]
}

/// A part of the asset that comes from one piece of media; AVFoundation's `AVAssetTrackSegment`.
package struct AssetTrackSegment: Sendable, Hashable {
    /// Its range in asset time.
    package var timeRange: TimeRange
}
