import LinuxSupport
import MediaSources

/// Maps the metadata in segments to asset time. What has a time stamp waits until the first sample of its discontinuity sequence has told how, because segments
/// begin with their messages.
@MainActor
final class MetadataPlacement {
    private let timeline: StreamTimeline
    private let deliver: @MainActor ([TimedMetadata]) -> Void
    private var waiting: [SegmentMetadata] = []
    private var bell: Doorbell!

    /// More than these are noise; the oldest are placed by their playlist.
    private static let mostWaiting = 256

    init(context: StreamContext, deliver: @escaping @MainActor ([TimedMetadata]) -> Void) {
        timeline = context.timeline
        self.deliver = deliver
        bell = context.clock.makeDoorbell(rank: .media) { [weak self] in self?.place() }
        timeline.addBell(bell)
    }

    func close() {
        timeline.remove(bell)
        waiting = []
    }

    func take(_ found: [SegmentMetadata]) {
        waiting += found
        place()
    }

    private func place() {
        let excess = waiting.count - Self.mostWaiting
        var ready: [SegmentMetadata] = []
        var rest: [SegmentMetadata] = []
        for (number, metadata) in waiting.enumerated() {
            if number < excess || isPlaceable(metadata) { ready.append(metadata) } else { rest.append(metadata) }
        }
        waiting = rest
        if !ready.isEmpty { deliver(ready.map { TimedMetadata($0, on: timeline) }) }
    }

    private func isPlaceable(_ metadata: SegmentMetadata) -> Bool {
        metadata.stamp == nil || timeline.knownOffset(of: metadata.sequence) != nil || timeline.isBarren(metadata.sequence)
    }
}
