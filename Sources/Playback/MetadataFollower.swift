import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata

/// Passes a source's metadata to its item, and determines which of them apply at the playback position. Main loop.
@MainActor
final class MetadataFollower {
    private let item: PlayerItem
    private let source: any MetadataSource
    private let observers: TimeObservers
    private let clock: any HostClock
    private let position: @MainActor () -> MediaTime?
    private var passages = MetadataPassages()
    private let tell: @MainActor (MetadataChange) -> Void
    /// Fires at each time at which metadata begin or cease to apply.
    private var observer: AnyObject?

    /// - Parameters:
    ///   - observers: report when playback passes such a time.
    ///   - position: the playback position; nil while nothing is presented.
    init(
        _ item: PlayerItem, source: any MetadataSource,
        observers: TimeObservers, clock: any HostClock,
        position: @escaping @MainActor () -> MediaTime?, tell: @escaping @MainActor (MetadataChange) -> Void
    ) {
        self.item = item
        self.source = source
        (self.observers, self.clock) = (observers, clock)
        self.position = position
        self.tell = tell
        takeSource()
    }

    /// Playback has begun after a start or a seek.
    func landed() { present(isJump: true) }

    /// Playback leaves the stream at a position for an interstitial. What begins there has begun, though its pictures may never be shown.
    func left(at position: MediaTime) {
        let passed = passages.move(to: position, in: item.metadata, isJump: false, now: clock.now)
        if !passed.isEmpty { tell(.passed(passed)) }
    }

    /// An interstitial is presented. The date range that asks for it has begun, also if playback is not at its place.
    func presents(_ interstitial: Interstitial) {
        guard let passed = passages.present(interstitial.id, in: item.metadata, now: clock.now) else { return }
        tell(.passed([passed]))
    }

    /// Reports the metadata that apply at the playback position, if they have changed.
    private func present(isJump: Bool = false) {
        guard let position = position() else { return }
        let passed = passages.move(to: position, in: item.metadata, isJump: isJump, now: clock.now)
        if !passed.isEmpty { tell(.passed(passed)) }
        let items = item.metadata.items(at: position)
        guard items != item.presentedMetadata else { return }
        item.presentedMetadata = items
        tell(.presented(items))
    }

    /// Takes in metadata found inside segments.
    func take(_ found: [TimedMetadata]) {
        var metadata = item.metadata
        metadata.take(found)
        set(metadata)
    }

    /// Takes in the current description of the source.
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
        observer = edges.isEmpty ? nil : observers.addBoundary(times: edges, isGathered: true) { [weak self] in self?.present() }
        present()
    }
}

/// Reports of a player about a stream's metadata, on the main loop.
package enum MetadataChange: Sendable {
    /// New metadata are known. Metadata of segments are known ahead of their time.
    case known(StreamMetadata)
    /// Playback has come upon these.
    case passed([MetadataPassage])
    /// These metadata apply from now on.
    case presented([MetadataItem])
}
