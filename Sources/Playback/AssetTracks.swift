import MediaModel
import MediaTime
import Metadata

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

extension AssetProperty where Value == [AssetTrackGroup] {
    /// The groups of mutually exclusive tracks: angles, audio, captions.
    package static var trackGroups: AssetProperty {
        AssetProperty(
            getter: .description { description in
                let kinds: [Set<MediaType>] = [[.video], [.audio], [.text, .subtitle]]
                return kinds.map { kind in
                    AssetTrackGroup(trackIDs: description.tracks.filter { kind.contains($0.type) }.map(\.id))
                }
                .filter { $0.trackIDs.count > 1 }
            })
    }
}

extension AssetProperty where Value == [AssetTrackSegment] {
    /// The segments between the splices; the whole asset if nothing is spliced in; none while the duration is unknown.
    package static var segments: AssetProperty {
        AssetProperty(
            getter: .description { description in
                guard let range = description.seekableTimeRanges.first, range.end > range.start else { return [] }
                let edges =
                    [range.start] + description.discontinuities.filter { $0 > range.start && $0 < range.end } + [range.end]
                return zip(edges, edges.dropFirst()).map { AssetTrackSegment(timeRange: TimeRange(start: $0, end: $1)) }
            })
    }
}

extension AssetProperty where Value == [MediaCharacteristic] {
    /// The media characteristics with options.
    package static var availableMediaCharacteristicsWithMediaSelectionOptions: AssetProperty {
        AssetProperty(
            getter: .description { description in
                MediaCharacteristic.allCases.filter { characteristic in
                    switch characteristic {
                    case .audible: description.tracks.contains { $0.type == .audio }
                    case .legible: description.tracks.contains { $0.type == .text || $0.type == .subtitle }
                    case .visual: description.tracks.filter { $0.type == .video }.count > 1
                    }
                }
            })
    }
}

extension AssetProperty where Value == MetadataItem? {
    /// The creation date in the metadata; nil if there is none.
    package static var creationDate: AssetProperty {
        AssetProperty(getter: .metadata { $0.items.first { $0.commonIdentifier == .commonCreationDate } })
    }
}

extension Asset {
    /// The track with a number.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func track(withID id: TrackID) async throws(MediaError) -> TrackDescription? {
        try await load(.tracks).first { $0.id == id }
    }

    /// The tracks of a media type, in the order of the source.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func tracks(withMediaType type: MediaType) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.type == type }
    }

    /// The tracks with a characteristic in HLS's terms (`OptionCharacteristic`), in the order of the source.
    ///
    /// - Throws: `MediaError` if the tracks cannot be loaded.
    package func tracks(withMediaCharacteristic characteristic: String) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.characteristics.contains(characteristic) }
    }

    /// Whether it is encrypted for DRM, which this box does not support.
    ///
    /// - Throws: `MediaError` if this cannot be determined.
    package func hasProtectedContent() async throws(MediaError) -> Bool {
        do throws(MediaError) {
            _ = try await load(.tracks)
            return false
        } catch {
            guard error.code == .protected else { throw error }
            return true
        }
    }

    /// The metadata of the file in one format.
    ///
    /// - Throws: `MediaError` if it cannot be read.
    package func metadata(forFormat format: MetadataKeySpace) async throws(MediaError) -> [MetadataItem] {
        try await load(.metadata).filter { $0.identifier.keySpace == format }
    }
}
