import MediaModel
import MediaTime
import Metadata

/// Brings what a source tells of itself to its item, and says what of it holds where play is. Main loop.
@MainActor
final class MetadataFollower {
    private let item: PlayerItem
    private let source: any MetadataSource
    private let observers: TimeObservers
    private let place: @MainActor () -> MediaTime?
    private let tell: @MainActor (MetadataChange) -> Void
    /// Looks at each place where something begins or ceases to hold.
    private var observer: AnyObject?

    /// - Parameters:
    ///   - observers: tell when play passes a place where something begins or ceases to hold.
    ///   - place: where play is; nil while nothing is presented.
    init(
        _ item: PlayerItem, source: any MetadataSource,
        observers: TimeObservers,
        place: @escaping @MainActor () -> MediaTime?, tell: @escaping @MainActor (MetadataChange) -> Void
    ) {
        self.item = item
        self.source = source
        self.observers = observers
        self.place = place
        self.tell = tell
        takeSource()
    }

    /// Tells what holds where play is, if that is something else than before.
    func present() {
        guard let place = place() else { return }
        let items = item.metadata.items(at: place)
        guard items != item.presentedMetadata else { return }
        item.presentedMetadata = items
        tell(.presented(items))
    }

    /// Takes in metadata that was found inside segments.
    func take(_ found: [TimedMetadata]) {
        var metadata = item.metadata
        metadata.take(found)
        set(metadata)
    }

    /// Takes in what the source tells of itself now.
    func takeSource() {
        var metadata = item.metadata
        metadata.items = source.sessionData.map { MetadataItem($0) }
        metadata.dateRanges = source.dateRangeMetadata.map { DateRangeMetadataGroup($0) }
        let chapters = source.chapters
        metadata.chapters = chapters.enumerated().map { index, chapter in
            let next = chapters.indices.contains(index + 1) ? chapters[index + 1].start : item.duration?.time
            return TimedMetadataGroup(chapter, end: chapter.duration.map { chapter.start + $0 } ?? next)
        }
        set(metadata)
    }

    private func set(_ metadata: StreamMetadata) {
        guard metadata != item.metadata else { return }
        item.metadata = metadata
        tell(.known(metadata))
        let edges = metadata.edges
        observer = edges.isEmpty ? nil : observers.addBoundary(times: edges) { [weak self] in self?.present() }
        present()
    }
}

/// What a player tells of a stream's metadata, on the main loop.
package enum MetadataChange: Sendable {
    /// More is known; metadata of segments is known ahead of its time.
    case known(StreamMetadata)
    /// From now on this holds.
    case presented([MetadataItem])
}
