import LinuxSupport
import MediaModel
import StatusModel

/// The last metric events of playbacks, for support bundles. Bounded; adding one event costs the same, however many there are.
@MainActor
final class MetricRecorder {
    private let capacity: Int
    private var ring: [MetricEvent] = []
    /// The place of the oldest event when the ring is full.
    private var oldest = 0
    private var listening: Subscription?

    init(status: any StatusPublishing, capacity: Int) {
        self.capacity = capacity
        listening = status.statusEvents.listen { [weak self] in if case .metric(let event) = $0 { self?.add(event) } }
    }

    /// Oldest first.
    var events: [MetricEvent] { Array(ring[oldest...] + ring[..<oldest]) }

    private func add(_ event: MetricEvent) {
        if ring.count < capacity { return ring.append(event) }
        ring[oldest] = event
        oldest = (oldest + 1) % capacity
    }
}
