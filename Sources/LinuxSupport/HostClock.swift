import Synchronization

/// Where a moment's events come from, in the order in which events due at the same moment run. The order is part of what makes two simulated
/// runs alike, so a rank is never taken from the order in which threads happened to finish.
package enum EventRank: Int, Sendable, Comparable {
    /// Keys and commands.
    case input
    /// Bytes and playlists that have arrived.
    case transfer
    /// Samples and frames that have been made.
    case media
    /// The place of the sound.
    case sound
    /// Time-outs and ticks of the player and the interface.
    case timer
    /// Layers that have been drawn.
    case drawing
    /// A vertical blank: last, so that it sees everything that the same moment brought.
    case display

    package static func < (left: EventRank, right: EventRank) -> Bool { left.rawValue < right.rawValue }
}

/// The clock that is passed to everything that has to do with time; timers come from it, so that whoever owns the clock owns every delay.
///
/// Two kinds: real time (`CLOCK_MONOTONIC`), and simulated time, which stands still while work is under way and then
/// jumps to the next timer. Both belong to a `MainLoop`.
package protocol HostClock: AnyObject, Sendable {
    /// The present instant. Any thread.
    var now: HostTime { get }

    /// The ledger that simulated time waits for; nil when time is real.
    var ledger: WorkLedger? { get }

    /// Runs `action` on the main loop at `time`, or as soon as possible after it. Any thread, but in simulated runs only the main
    /// loop's, so that the order is always the same.
    ///
    /// - Returns: a handle that cancels it. Dropping the handle does not.
    @discardableResult
    func schedule(at time: HostTime, rank: EventRank, _ action: @escaping @MainActor @Sendable () -> Void) -> ScheduledEvent

    /// Makes a bell that any thread may ring to have `handler` run on the main loop. Main loop only.
    @MainActor func makeDoorbell(rank: EventRank, _ handler: @escaping @MainActor @Sendable () -> Void) -> Doorbell

    /// Keeps a place in the order of events for a result that another thread will bring. Main loop only.
    @MainActor func reserve(rank: EventRank) -> EventReservation
}

extension HostClock {
    /// Whether time is simulated.
    package var isSimulated: Bool { ledger != nil }

    /// Runs `action` on the main loop after a length of time.
    @discardableResult
    package func schedule(
        after length: Duration, rank: EventRank = .timer, _ action: @escaping @MainActor @Sendable () -> Void
    ) -> ScheduledEvent {
        schedule(at: now + length, rank: rank, action)
    }

    /// Computes something on a worker thread and hands the result to the main loop. Main loop only.
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
    /// As `compute`, for work that may wait for what the main loop brings or takes away. No place in the order of events is kept for its result: simulated
    /// time would wait for a place that only it can fill. The order is that of the call all the same. Main loop only.
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

/// What a thread has found out, until the main loop takes it.
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

/// An event that waits for its time. Sendable: cancelling is one atomic flag.
package final class ScheduledEvent: Sendable {
    private let queue: EventQueue
    let key: EventQueue.Key

    init(queue: EventQueue, key: EventQueue.Key) {
        self.queue = queue
        self.key = key
    }

    /// Makes sure that the action does not run any more, unless it is running now. Any thread.
    package func cancel() { queue.remove(key) }
}

/// A place in the order of events, kept for a result that is being made elsewhere. It holds a token of the ledger until it is used or dropped.
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

    /// Puts the event at its place. Called once, from any thread.
    package func fulfil(_ action: @escaping @MainActor @Sendable () -> Void) {
        queue.insert(EventQueue.Key(due: queue.now(), rank: rank, sequence: sequence), action)
    }

    deinit { ledger?.end() }
}

/// A bell: rung from any thread, however often, it runs its handler once on the main loop, at a place in the order that was fixed when it was made.
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

    /// Asks for the handler to run; further rings before it has begun to run change nothing.
    package func ring() {
        queue.insert(EventQueue.Key(due: queue.now(), rank: rank, sequence: sequence), handler)
    }
}
