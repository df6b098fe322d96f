/// A queue of limited length between one producer thread and one consumer.
///
/// The producer waits while the queue is full. The consumer waits while it is empty (`pop`), or takes what is available
/// (`tryPop`: the main loop and the display, which never wait). Functions called for each element are inlinable and public, so that
/// they are specialised for the element type (`Monitor`).
public final class BoundedQueue<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var elements: [Element?] = []
        @usableFromInline var head = 0
        @usableFromInline var isFinished = false
        @usableFromInline var isCancelled = false
        /// The producer is waiting and has not been resumed.
        @usableFromInline var isHeld = false
        @inlinable var count: Int { elements.count - head }

        @usableFromInline
        init() {}
    }
    @usableFromInline let monitor: Monitor<State>
    /// The most elements that the queue holds.
    public let capacity: Int

    /// A waiting producer resumes when there are fewer elements than this.
    @usableFromInline let resumeCount: Int

    /// - Parameter resumeCount: a producer that waits for room resumes only when fewer elements than this are left, and then
    ///   makes several in a row: one long stretch of work costs less than many short ones, each of which finds cold caches. The
    ///   producer's position then depends on when its elements were taken, so simulated runs do not use it; nil resumes as soon
    ///   as there is room.
    /// - Precondition: `capacity > 0`.
    package init(capacity: Int, resumeCount: Int? = nil, ledger: WorkLedger?) {
        precondition(capacity > 0, "a queue holds at least one element")
        self.capacity = capacity
        self.resumeCount = min(max(resumeCount ?? capacity, 1), capacity)
        monitor = Monitor(State(), ledger: ledger)
    }

    /// Appends an element, waiting for room. Worker threads only.
    ///
    /// - Returns: false when the queue was cancelled and the element is not wanted.
    @inlinable
    public func push(_ element: Element) -> Bool {
        monitor.wait { [capacity, resumeCount] state in
            if state.isCancelled { return false }
            if state.isHeld, state.count >= resumeCount { return nil }
            state.isHeld = state.count >= capacity
            guard !state.isHeld else { return nil }
            state.elements.append(element)
            return true
        }
    }

    /// Appends an element if there is room. Any thread; never waits.
    ///
    /// - Returns: false when the queue is full or was cancelled.
    @inlinable
    public func tryPush(_ element: Element) -> Bool {
        monitor.update { [capacity] state in
            guard !state.isCancelled, state.count < capacity else { return false }
            state.elements.append(element)
            return true
        }
    }

    /// Takes the next element, waiting for one. Worker threads only.
    ///
    /// - Returns: nil when the queue was cancelled, or finished and is empty.
    @inlinable
    public func pop() -> Element? {
        monitor.wait { state -> Element?? in
            if state.isCancelled { return .some(nil) }
            if let element = Self.take(&state) { return element }
            return state.isFinished ? .some(nil) : nil
        }
    }

    /// Takes the next element if there is one. Any thread; never waits.
    @inlinable
    public func tryPop() -> Element? {
        monitor.update(wakingIf: { [resumeCount] state in
            (Self.take(&state), state.isHeld && state.count < resumeCount)
        })
    }

    /// Takes all elements at once. Any thread; never waits.
    @inlinable
    public func takeAll() -> [Element] {
        monitor.update(wakingIf: { state in
            let elements = state.elements[state.head...].compactMap { $0 }
            state.elements.removeAll(keepingCapacity: true)
            state.head = 0
            return (elements, state.isHeld)
        })
    }

    /// Returns the next element without taking it. Any thread; never waits.
    @inlinable
    public func peek() -> Element? {
        monitor.read { $0.count > 0 ? $0.elements[$0.head] : nil }
    }

    /// Marks the end of input: `pop` returns nil once the queue is empty.
    package func finish() { monitor.update { $0.isFinished = true } }

    /// Discards all elements and unblocks both sides: calls then report that the queue was cancelled.
    package func cancel() {
        monitor.update { state in
            state.isCancelled = true
            state.elements.removeAll()
            state.head = 0
        }
    }

    /// How many elements are queued now.
    @inlinable public var count: Int { monitor.read { $0.count } }

    /// Whether the queue is empty and finished.
    @inlinable public var isExhausted: Bool { monitor.read { $0.count == 0 && ($0.isFinished || $0.isCancelled) } }

    @inlinable
    static func take(_ state: inout State) -> Element? {
        guard state.count > 0 else { return nil }
        let element = state.elements[state.head]
        state.elements[state.head] = nil
        state.head += 1
        if state.head > 64, state.head * 2 > state.elements.count {
            state.elements.removeFirst(state.head)
            state.head = 0
        }
        return element
    }
}
