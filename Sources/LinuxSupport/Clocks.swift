import Synchronization

/// Real time: `CLOCK_MONOTONIC`, measured from the moment the clock was made.
package final class RealClock: HostClock {
    let queue: EventQueue
    /// The instant of `CLOCK_MONOTONIC` that is this clock's zero: kernel timestamps minus this are instants of the clock.
    package let origin: HostTime

    init(wake: @escaping @Sendable () -> Void) {
        let origin = HostTime.monotonic()
        self.origin = origin
        queue = EventQueue(now: { HostTime(nanoseconds: HostTime.monotonic().nanoseconds - origin.nanoseconds) }, wake: wake)
    }

    package var now: HostTime { queue.now() }
    package var ledger: WorkLedger? { nil }

    /// The instant of this clock for a kernel timestamp of `CLOCK_MONOTONIC`.
    package func instant(ofMonotonic nanoseconds: Int64) -> HostTime {
        HostTime(nanoseconds: nanoseconds - origin.nanoseconds)
    }
}

/// Simulated time. It starts at zero, does not advance while any work is pending, and jumps to the next timer when the program is
/// idle, so that an evening passes in seconds and repeats exactly.
package final class SimulatedClock: HostClock {
    let queue: EventQueue
    private let time: Mutex<HostTime>
    /// The work that time waits for.
    package let ledger: WorkLedger?

    init(wake: @escaping @Sendable () -> Void) {
        let box = Box()
        time = Mutex(.zero)
        ledger = WorkLedger(whenQuiet: wake)
        queue = EventQueue(now: { box.clock?.now ?? .zero }, wake: wake)
        box.set(self)
    }

    package var now: HostTime { time.withLock { $0 } }

    /// Advances time. Only the main loop, only when everything is idle.
    func advance(to instant: HostTime) { time.withLock { $0 = max($0, instant) } }

    /// Breaks the cycle between the clock and its queue, which asks the clock for the time.
    private final class Box: Sendable {
        private let reference = Mutex<WeakClock>(WeakClock())
        struct WeakClock { weak var clock: SimulatedClock? }
        var clock: SimulatedClock? { reference.withLock { $0.clock } }
        func set(_ clock: SimulatedClock) { reference.withLock { $0.clock = clock } }
    }
}

/// The event queue shared by both clocks.
protocol QueueBackedClock: HostClock {
    var queue: EventQueue { get }
}

extension RealClock: QueueBackedClock {}
extension SimulatedClock: QueueBackedClock {}

extension QueueBackedClock {
    @discardableResult
    package func schedule(
        at time: HostTime, rank: EventRank, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> ScheduledEvent {
        let key = EventQueue.Key(due: max(time, now), rank: rank, sequence: queue.makeSequence())
        queue.insert(key, action)
        return ScheduledEvent(queue: queue, key: key)
    }

    @MainActor package func makeDoorbell(rank: EventRank, _ handler: @escaping @MainActor @Sendable () -> Void) -> Doorbell {
        Doorbell(queue: queue, rank: rank, sequence: queue.makeSequence(), handler: handler)
    }

    @MainActor package func reserve(rank: EventRank) -> EventReservation {
        EventReservation(queue: queue, rank: rank, sequence: queue.makeSequence(), ledger: ledger)
    }
}
