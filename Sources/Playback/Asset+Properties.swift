import MediaModel
import MediaSources
import MediaTime
import Metadata

/// A property of an asset that is loaded on request; AVFoundation's `AVAsyncProperty`.
///
/// Properties that come from the same bytes are loaded together: those of the description in one reading, those of the metadata in another.
package struct AssetProperty<Value: Sendable>: Sendable {
    enum Getter: Sendable {
        case description(@Sendable (SourceDescription) -> Value)
        case metadata(@Sendable (MediaMetadata) -> Value)
    }
    let getter: Getter
}

/// The loading state of a property; AVFoundation's `AVAsyncProperty.Status`.
package enum AssetPropertyStatus<Value: Sendable>: Sendable {
    /// It has not been requested.
    case notYetLoaded
    /// It is being loaded.
    case loading
    /// It is known.
    case loaded(Value)
    /// It cannot be loaded.
    case failed(MediaError)
    /// Loading was cancelled.
    case cancelled
}

extension AssetProperty where Value == MediaDuration {
    /// The duration.
    package static var duration: AssetProperty { AssetProperty(getter: .description { $0.duration }) }
}

extension AssetProperty where Value == [TrackDescription] {
    /// All playable tracks.
    package static var tracks: AssetProperty { AssetProperty(getter: .description { $0.tracks }) }
}

extension AssetProperty where Value == [TimeRange] {
    /// The seekable ranges, in asset time.
    package static var seekableTimeRanges: AssetProperty { AssetProperty(getter: .description { $0.seekableTimeRanges }) }
}

extension AssetProperty where Value == Bool {
    /// Whether there is playable video or audio.
    package static var isPlayable: AssetProperty {
        AssetProperty(getter: .description { $0.tracks.contains { $0.type == .video || $0.type == .audio } })
    }
}

extension AssetProperty where Value == [MetadataItem] {
    /// The metadata in all formats of the file.
    package static var metadata: AssetProperty { AssetProperty(getter: .metadata { $0.items }) }
    /// The metadata with common identifiers.
    package static var commonMetadata: AssetProperty { AssetProperty(getter: .metadata { $0.commonItems }) }
}

extension AssetProperty where Value == [MetadataKeySpace] {
    /// The metadata formats of the file.
    package static var availableMetadataFormats: AssetProperty { AssetProperty(getter: .metadata { $0.availableFormats }) }
}

extension AssetProperty where Value == [String] {
    /// The languages of the chapter titles (BCP 47).
    package static var availableChapterLocales: AssetProperty {
        AssetProperty(getter: .metadata { $0.availableChapterLanguages })
    }
}

extension Asset {
    /// Loads a property.
    ///
    /// - Throws: `MediaError` if it cannot be loaded, or if loading was cancelled.
    package func load<Value>(_ property: AssetProperty<Value>) async throws(MediaError) -> Value {
        switch property.getter {
        case .description(let value): value(try await description())
        case .metadata(let value): value(try await metadata())
        }
    }

    /// Loads two properties together.
    ///
    /// - Throws: `MediaError` if one of them cannot be loaded, or if loading was cancelled.
    package func load<First, Second>(
        _ first: AssetProperty<First>, _ second: AssetProperty<Second>
    ) async throws(MediaError) -> (First, Second) {
        start(first)
        start(second)
        return (try await load(first), try await load(second))
    }

    /// The loading state of a property. Reading it loads nothing.
    package func status<Value>(of property: AssetProperty<Value>) -> AssetPropertyStatus<Value> {
        switch property.getter {
        case .description(let value):
            switch status {
            case .notYetLoaded: .notYetLoaded
            case .loading: .loading
            case .loaded(let description): .loaded(value(description))
            case .failed(let error): .failed(error)
            case .cancelled: .cancelled
            }
        case .metadata(let value):
            switch metadataStatus {
            case .notYetLoaded: .notYetLoaded
            case .loading: .loading
            case .loaded(let metadata): .loaded(value(metadata))
            case .failed(let error): .failed(error)
            case .cancelled: .cancelled
            }
        }
    }

    /// Starts to load a property without waiting for it.
    package func start<Value>(_ property: AssetProperty<Value>) {
        switch property.getter {
        case .description: load { (_: Result<SourceDescription, MediaError>) in }
        case .metadata: loadMetadata { _ in }
        }
    }
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
