import Synchronization

/// The source of an event, which decides the order of events due at the same instant. The order is part of what makes simulated
/// runs repeatable, so a rank never depends on the order in which threads finished.
package enum EventRank: Int, Sendable, Comparable {
    /// Keys and commands.
    case input
    /// Bytes and playlists that have arrived.
    case transfer
    /// Samples and frames that were produced.
    case media
    /// Audio timing.
    case sound
    /// Timeouts and ticks of the player and the interface.
    case timer
    /// Drawn layers.
    case drawing
    /// A vertical blank: last, so that it sees everything that happened at the same instant.
    case display

    package static func < (left: EventRank, right: EventRank) -> Bool { left.rawValue < right.rawValue }
}

/// The clock that is passed to everything that depends on time. Timers come from it, so the owner of the clock controls every
/// delay.
///
/// There are two kinds: real time (`CLOCK_MONOTONIC`), and simulated time, which does not advance while work is pending and then
/// jumps to the next timer. Both belong to a `MainLoop`.
package protocol HostClock: AnyObject, Sendable {
    /// The current instant. Any thread.
    var now: HostTime { get }

    /// The ledger that simulated time waits for; nil when time is real.
    var ledger: WorkLedger? { get }

    /// Runs `action` on the main loop at `time`, or as soon as possible after it. Any thread; in simulated runs only the main
    /// loop's, so that the order is always the same.
    ///
    /// - Returns: a handle that cancels it. Dropping the handle does not.
    @discardableResult
    func schedule(at time: HostTime, rank: EventRank, _ action: @escaping @MainActor @Sendable () -> Void) -> ScheduledEvent

    /// Makes a bell that any thread may ring to run `handler` on the main loop. Main loop only.
    @MainActor func makeDoorbell(rank: EventRank, _ handler: @escaping @MainActor @Sendable () -> Void) -> Doorbell

    /// Reserves a position in the order of events for a result from another thread. Main loop only.
    @MainActor func reserve(rank: EventRank) -> EventReservation
}

extension HostClock {
    /// Runs `action` on the main loop after a delay.
    @discardableResult
    package func schedule(
        after length: Duration, rank: EventRank = .timer, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> ScheduledEvent {
        schedule(at: now + length, rank: rank, action)
    }

    /// Computes a result on a worker thread and passes it to the main loop. Main loop only.
    @MainActor package func compute<Result: Sendable>(
        on thread: WorkerThread, rank: EventRank, _ work: @escaping @Sendable () -> Result,
        then: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        let place = reserve(rank: rank)
        thread.perform {
            let result = work()
            place.fulfil { then(result) }
        }
    }
}

extension HostClock {
    /// As `compute`, for work that may wait for the main loop. No position in the order of events is reserved for its result,
    /// because simulated time would wait for a position that only it can fill. The order is still that of the calls. Main loop
    /// only.
    @MainActor package func computeWaiting<Result: Sendable>(
        on thread: WorkerThread, rank: EventRank, _ work: @escaping @Sendable () -> Result,
        then: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        let outcome = Outcome<Result>()
        let bell = makeDoorbell(rank: rank) { if let result = outcome.take() { then(result) } }
        thread.perform {
            outcome.put(work())
            bell.ring()
        }
    }
}

/// The result of a thread, until the main loop takes it.
private final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func put(_ new: Value) { value.withLock { $0 = new } }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

/// A scheduled event. Sendable: cancelling is one atomic flag.
package final class ScheduledEvent: Sendable {
    private let queue: EventQueue
    let key: EventQueue.Key

    init(queue: EventQueue, key: EventQueue.Key) {
        self.queue = queue
        self.key = key
    }

    /// Prevents the action from running, unless it is running now. Any thread.
    package func cancel() { queue.remove(key) }
}

/// A reserved position in the order of events for a result that is being computed elsewhere. It holds a token of the ledger until
/// it is used or dropped.
package final class EventReservation: Sendable {
    private let queue: EventQueue
    private let rank: EventRank
    private let sequence: UInt64
    private let ledger: WorkLedger?

    init(queue: EventQueue, rank: EventRank, sequence: UInt64, ledger: WorkLedger?) {
        self.queue = queue
        self.rank = rank
        self.sequence = sequence
        self.ledger = ledger
        ledger?.begin()
    }

    /// Puts the event at its position. Called once, from any thread.
    package func fulfil(_ action: @escaping @MainActor @Sendable () -> Void) {
        queue.insert(EventQueue.Key(due: queue.now(), rank: rank, sequence: sequence), action)
    }

    deinit { ledger?.end() }
}

/// A bell: however often any thread rings it, its handler runs once on the main loop, at a position in the order that was fixed
/// when the bell was made.
package final class Doorbell: Sendable {
    private let queue: EventQueue
    private let rank: EventRank
    private let sequence: UInt64
    private let handler: @MainActor @Sendable () -> Void

    init(queue: EventQueue, rank: EventRank, sequence: UInt64, handler: @escaping @MainActor @Sendable () -> Void) {
        self.queue = queue
        self.rank = rank
        self.sequence = sequence
        self.handler = handler
    }

    /// Requests that the handler runs; further rings before it starts have no effect.
    package func ring() {
        queue.insert(EventQueue.Key(due: queue.now(), rank: rank, sequence: sequence), handler)
    }
}
