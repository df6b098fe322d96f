import MediaModel
import MediaTime
import Metadata

/// One property of an asset, loaded when it is asked for; AVFoundation's `AVAsyncProperty`.
///
/// Properties that come from the same bytes are loaded together: what there is to play in one reading, what the file says of itself in another.
package struct AssetProperty<Value: Sendable>: Sendable {
    enum Getter: Sendable {
        case description(@Sendable (SourceDescription) -> Value)
        case metadata(@Sendable (MediaMetadata) -> Value)
    }
    let getter: Getter
}

/// How far the loading of a property has come; AVFoundation's `AVAsyncProperty.Status`.
package enum AssetPropertyStatus<Value: Sendable>: Sendable {
    /// Nobody has asked yet.
    case notYetLoaded
    /// Under way.
    case loading
    /// It is known.
    case loaded(Value)
    /// It cannot be had.
    case failed(MediaError)
    /// Given up by whoever asked.
    case cancelled
}

extension AssetProperty where Value == MediaDuration {
    /// The length.
    package static var duration: AssetProperty { AssetProperty(getter: .description { $0.duration }) }
}

extension AssetProperty where Value == [TrackDescription] {
    /// All tracks that can be played here.
    package static var tracks: AssetProperty { AssetProperty(getter: .description { $0.tracks }) }
}

extension AssetProperty where Value == [TimeRange] {
    /// Where one can go, in asset time.
    package static var seekableTimeRanges: AssetProperty { AssetProperty(getter: .description { $0.seekableTimeRanges }) }
}

extension AssetProperty where Value == Bool {
    /// Whether there are pictures or sound to be played.
    package static var isPlayable: AssetProperty {
        AssetProperty(getter: .description { $0.tracks.contains { $0.type == .video || $0.type == .audio } })
    }
}

extension AssetProperty where Value == [MetadataItem] {
    /// What the file says of itself, in all its formats.
    package static var metadata: AssetProperty { AssetProperty(getter: .metadata { $0.items }) }
    /// What of that has a common name.
    package static var commonMetadata: AssetProperty { AssetProperty(getter: .metadata { $0.commonItems }) }
}

extension AssetProperty where Value == [MetadataKeySpace] {
    /// The formats in which the file says something of itself.
    package static var availableMetadataFormats: AssetProperty { AssetProperty(getter: .metadata { $0.availableFormats }) }
}

extension AssetProperty where Value == [String] {
    /// The languages of the chapters' titles (BCP 47).
    package static var availableChapterLocales: AssetProperty {
        AssetProperty(getter: .metadata { $0.availableChapterLanguages })
    }
}

extension Asset {
    /// Loads a property.
    ///
    /// - Throws: `MediaError` when it cannot be had, or when loading was cancelled.
    package func load<Value>(_ property: AssetProperty<Value>) async throws(MediaError) -> Value {
        switch property.getter {
        case .description(let value): value(try await description())
        case .metadata(let value): value(try await metadata())
        }
    }

    /// Loads two properties at once.
    ///
    /// - Throws: `MediaError` when one of them cannot be had, or when loading was cancelled.
    package func load<First, Second>(
        _ first: AssetProperty<First>, _ second: AssetProperty<Second>
    ) async throws(MediaError) -> (First, Second) {
        start(first)
        start(second)
        return (try await load(first), try await load(second))
    }

    /// How far the loading of a property has come. Asking loads nothing.
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

    /// Begins to load a property without waiting for it.
    package func start<Value>(_ property: AssetProperty<Value>) {
        switch property.getter {
        case .description: load { (_: Result<SourceDescription, MediaError>) in }
        case .metadata: loadMetadata { _ in }
        }
    }
}
