import MediaSources
import Metadata
import Playback

/// Media at an address: a file, an HLS presentation or a composition, local or remote. The counterpart of `AVURLAsset`.
///
/// An asset is cheap to make: nothing is read until it is requested. What it is is decided by its content, not by its name.
@MainActor
public final class Asset {
    /// The address as given.
    public let url: String
    let inner: Playback.Asset
    /// Whether a player has it: then it is the player who ends its loading.
    var isPlayed = false
    private let description: SharedLoading<SourceDescription>
    private let metadata: SharedLoading<MediaMetadata>

    /// Makes an asset.
    ///
    /// - Parameter url: an `http:`, `https:` or `file:` URL, a path, or an address of datagrams (`udp:`, `rtp:`).
    public init(url: String, engines: PlaybackEngines) {
        let inner = Playback.Asset(url: url, services: engines.services)
        (self.url, self.inner) = (url, inner)
        let mayCancel = Permission()
        description = SharedLoading(
            url, clock: engines.loop.clock, cancel: { if mayCancel.asset?.isPlayed == false { inner.cancelLoading() } },
            isCancelled: { if case .cancelled = inner.status { true } else { false } },
            start: { inner.load($0) })
        metadata = SharedLoading(
            url, clock: engines.loop.clock, cancel: { inner.cancelLoadingMetadata() },
            isCancelled: { if case .cancelled = inner.metadataStatus { true } else { false } },
            start: { inner.loadMetadata($0) })
        mayCancel.asset = self
    }

    isolated deinit { inner.close() }

    /// The asset whose loading may be cancelled, while it exists.
    @MainActor
    private final class Permission {
        weak var asset: Asset?
    }

    /// Loads a property. A property that is known is returned at once.
    ///
    /// Cancelling the task throws `cancelled` at once. If no other task waits for the property and no player has the asset, its loading is cancelled as well.
    ///
    /// - Throws: the error of loading, or `cancelled`.
    public func load<Value>(_ property: AssetProperty<Value>) async throws(PlaybackError) -> Value {
        switch property.getter {
        case .description(let value): value(try await description.value())
        case .metadata(let value): value(try await metadata.value())
        }
    }

    /// Loads two properties, which are read together where they can be.
    ///
    /// - Throws: the error of loading one of them, or `cancelled`.
    public func load<First, Second>(
        _ first: AssetProperty<First>, _ second: AssetProperty<Second>
    ) async throws(PlaybackError) -> (First, Second) {
        (try await load(first), try await load(second))
    }

    /// The loading state of a property. Reading it loads nothing.
    public func status<Value>(of property: AssetProperty<Value>) -> AssetPropertyStatus<Value> {
        switch property.getter {
        case .description(let value):
            switch inner.status {
            case .notYetLoaded: .notYetLoaded
            case .loading: .loading
            case .loaded(let description): .loaded(value(description))
            case .failed(let error): .failed(PlaybackError(error))
            case .cancelled: .cancelled
            }
        case .metadata(let value):
            switch inner.metadataStatus {
            case .notYetLoaded: .notYetLoaded
            case .loading: .loading
            case .loaded(let metadata): .loaded(value(metadata))
            case .failed(let error): .failed(PlaybackError(error))
            case .cancelled: .cancelled
            }
        }
    }

    /// Cancels loading: everybody who waits gets `cancelled`. What is known stays known. Of an asset that a player has, nothing is cancelled.
    public func cancelLoading() {
        guard !isPlayed else { return }
        inner.cancelLoading()
        inner.cancelLoadingMetadata()
    }

    /// The chapters, each with its title in the best of these languages first. A chapter without a title gets `Chapter n`. The counterpart of
    /// `loadChapterMetadataGroups(bestMatchingPreferredLanguages:)`.
    ///
    /// - Parameter languages: BCP 47, best first.
    /// - Throws: the error of loading, or `cancelled`.
    public func chapters(bestMatching languages: [String]) async throws(PlaybackError) -> [TimedMetadataGroup] {
        let duration = try await description.value().duration.time
        return try await metadata.value()
            .chapterGroups(bestMatching: languages, duration: duration) { "Chapter \($0)" }.map { TimedMetadataGroup($0) }
    }
}
