import MediaModel
import MediaTime
import Metadata

/// What a track carries, with what is known of it: AVFoundation's `CMFormatDescription`.
package enum TrackFormat: Sendable, Hashable {
    /// Moving pictures: their coded size in pixels and nominal pictures a second, where the container tells them.
    case video(codec: String, width: Int?, height: Int?, frameRate: Ratio?)
    /// Sound: samples a second and channels, where the container tells them.
    case audio(codec: String, sampleRate: Int?, channels: Int?)
    /// Captions as text.
    case text(codec: String)
    /// Captions as pictures.
    case subtitle(codec: String)
}

extension TrackDescription {
    /// What it carries, by its kind.
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

/// A stretch of the asset that comes from one piece of media; AVFoundation's `AVAssetTrackSegment`.
package struct AssetTrackSegment: Sendable, Hashable {
    /// Where it lies in asset time.
    package var timeRange: TimeRange
}

extension AssetProperty where Value == [AssetTrackGroup] {
    /// The tracks that exclude one another: angles, sounds, captions.
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
    /// The stretches between the edges at which something was spliced in; the whole where nothing was; none while the length is not known.
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
    /// What something can be chosen of.
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
    /// When it was made, as its metadata say; nil where they do not.
    package static var creationDate: AssetProperty {
        AssetProperty(getter: .metadata { $0.items.first { $0.commonIdentifier == .commonCreationDate } })
    }
}

extension Asset {
    /// The track of a number.
    ///
    /// - Throws: `MediaError` when the tracks cannot be had.
    package func track(withID id: TrackID) async throws(MediaError) -> TrackDescription? {
        try await load(.tracks).first { $0.id == id }
    }

    /// The tracks of a kind, in the order of the source.
    ///
    /// - Throws: `MediaError` when the tracks cannot be had.
    package func tracks(withMediaType type: MediaType) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.type == type }
    }

    /// The tracks that have a characteristic in HLS's words (`OptionCharacteristic`), in the order of the source.
    ///
    /// - Throws: `MediaError` when the tracks cannot be had.
    package func tracks(withMediaCharacteristic characteristic: String) async throws(MediaError) -> [TrackDescription] {
        try await load(.tracks).filter { $0.characteristics.contains(characteristic) }
    }

    /// Whether it is encrypted for a rights management: this box has none, and does not play it.
    ///
    /// - Throws: `MediaError` when that cannot be found out.
    package func hasProtectedContent() async throws(MediaError) -> Bool {
        do throws(MediaError) {
            _ = try await load(.tracks)
            return false
        } catch {
            guard error.code == .protected else { throw error }
            return true
        }
    }

    /// What the file says of itself in one format.
    ///
    /// - Throws: `MediaError` when the bytes do not come.
    package func metadata(forFormat format: MetadataKeySpace) async throws(MediaError) -> [MetadataItem] {
        try await load(.metadata).filter { $0.identifier.keySpace == format }
    }
}
