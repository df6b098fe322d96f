import Synchronization

/// The events that wait for the main loop, in the order (due time, rank, sequence). Any thread.
final class EventQueue: Sendable {
    /// The position of an event in the order.
    struct Key: Hashable, Comparable {
        let due: HostTime
        let rank: EventRank
        let sequence: UInt64

        static func < (left: Key, right: Key) -> Bool {
            (left.due, left.rank, left.sequence) < (right.due, right.rank, right.sequence)
        }
    }

    private struct State {
        /// A binary heap of keys; a key without an action has been cancelled.
        var heap: [Key] = []
        var actions: [Key: @MainActor @Sendable () -> Void] = [:]
        /// Keys of bells that were rung and not answered yet: ringing again keeps their first due time.
        var pendingSequences: Set<UInt64> = []
        var nextSequence: UInt64 = 0
        /// The loop waits, or is about to: an added event must wake it.
        var isLoopWaiting = false
        /// The loop has ended.
        var isClosed = false
    }
    private let state = Mutex(State())
    private let wake: @Sendable () -> Void
    /// The current time of the queue's clock.
    let now: @Sendable () -> HostTime

    init(now: @escaping @Sendable () -> HostTime, wake: @escaping @Sendable () -> Void) {
        self.now = now
        self.wake = wake
    }

    func makeSequence() -> UInt64 {
        state.withLock { state in
            state.nextSequence += 1
            return state.nextSequence
        }
    }

    /// Adds an event. A busy loop checks the queue before it waits, so only a waiting loop is woken: most events cost no system
    /// call.
    func insert(_ key: Key, _ action: @escaping @MainActor @Sendable () -> Void) {
        let mustWake = state.withLock { state in
            guard !state.isClosed, state.pendingSequences.insert(key.sequence).inserted else { return false }
            state.actions[key] = action
            state.heap.append(key)
            Self.siftUp(&state.heap)
            defer { state.isLoopWaiting = false }
            return state.isLoopWaiting
        }
        if mustWake { wake() }
    }

    /// Announces that the loop is going to wait: from now on an added event wakes it.
    ///
    /// - Returns: when the next event is due, as of that moment; nil when there is none.
    func prepareToWait() -> HostTime? {
        state.withLock { state in
            Self.dropCancelled(&state)
            state.isLoopWaiting = true
            return state.heap.first?.due
        }
    }

    /// Announces that the loop is busy again.
    func endWaiting() { state.withLock { $0.isLoopWaiting = false } }

    /// The loop has ended, and no event runs any more. What the events hold is let go: it often holds the clock, and with it this queue. Events that are added
    /// later are dropped.
    func close() {
        // Released outside of the lock, because what is let go may cancel events.
        _ = state.withLock { state in
            let actions = state.actions
            state = State(nextSequence: state.nextSequence, isClosed: true)
            return actions
        }
    }

    func remove(_ key: Key) {
        state.withLock { state in
            if state.actions.removeValue(forKey: key) != nil { state.pendingSequences.remove(key.sequence) }
        }
    }

    /// When the next event is due; nil when there is none.
    var nextDue: HostTime? {
        state.withLock { state in
            Self.dropCancelled(&state)
            return state.heap.first?.due
        }
    }

    /// Takes the first event if it is due at `time`.
    func pop(dueBy time: HostTime) -> (@MainActor @Sendable () -> Void)? {
        state.withLock { state in
            Self.dropCancelled(&state)
            guard let first = state.heap.first, first.due <= time else { return nil }
            Self.removeFirst(&state.heap)
            state.pendingSequences.remove(first.sequence)
            return state.actions.removeValue(forKey: first)
        }
    }

    private static func dropCancelled(_ state: inout State) {
        while let first = state.heap.first, state.actions[first] == nil { removeFirst(&state.heap) }
    }

    private static func siftUp(_ heap: inout [Key]) {
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private static func removeFirst(_ heap: inout [Key]) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] { least = child }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
