/// Delivers events to several listeners, one event after another.
///
/// An event that is sent while another one is being delivered, or inside `whileHolding`, is delivered afterwards. A listener
/// therefore never runs in the middle of the change that caused the event, and all listeners receive the events in the same
/// order. Otherwise `send` returns after all listeners have received the event. Listeners are called in the order in which they
/// subscribed. Main loop only.
///
/// Functions called for each event are inlinable and public, so that they are specialised for the event type (`Monitor`): one comes with each picture.
@MainActor
public final class EventSource<Event> {
    /// Called with each event, on the main loop.
    public typealias Listener = @MainActor (Event) -> Void

    /// An event, or a call in its turn.
    @usableFromInline
    enum Delivery {
        case event(Event)
        case call(@MainActor () -> Void)
    }

    @usableFromInline var listeners: [(subscription: Subscription.Token, listener: Listener)] = []
    @usableFromInline var waiting: [Delivery] = []
    @usableFromInline var isDelivering = false
    @usableFromInline var holds = 0

    package init() {}

    /// Calls a listener for each event that is delivered from now on.
    ///
    /// - Returns: the subscription, which ends when it is cancelled or released.
    package func listen(_ listener: @escaping Listener) -> Subscription {
        let token = Subscription.Token()
        listeners.append((token, listener))
        return Subscription(token) { [weak self] in self?.listeners.removeAll { $0.subscription === token } }
    }

    /// Sends an event to all listeners.
    @inlinable
    public func send(_ event: Event) {
        waiting.append(.event(event))
        deliver()
    }

    /// Calls a handler in order: after the events sent before it and before those sent after it.
    @inlinable
    public func call(_ handler: @escaping @MainActor () -> Void) {
        waiting.append(.call(handler))
        deliver()
    }

    /// Makes a change whose events are delivered when it is complete. May be nested; the outermost delivers.
    @inlinable
    public func whileHolding<Result, Failure: Error>(_ change: () throws(Failure) -> Result) throws(Failure) -> Result {
        holds += 1
        defer {
            holds -= 1
            deliver()
        }
        return try change()
    }

    @inlinable
    func deliver() {
        guard !isDelivering, holds == 0 else { return }
        isDelivering = true
        while !waiting.isEmpty {
            // Taken as a whole: what is sent meanwhile comes after it.
            var batch: [Delivery] = []
            swap(&batch, &waiting)
            for delivery in batch {
                switch delivery {
                case .call(let handler): handler()
                case .event(let event):
                    // A listener that was cancelled by an earlier one receives nothing more.
                    for (token, listener) in listeners where !token.isCancelled { listener(event) }
                }
            }
        }
        isDelivering = false
    }
}

/// A subscription to an `EventSource`. Releasing it cancels it. Main loop only.
@MainActor
public final class Subscription {
    /// The identity of a subscription.
    @MainActor
    @usableFromInline
    final class Token {
        @usableFromInline fileprivate(set) var isCancelled = false
    }

    private let token: Token
    private let remove: @MainActor () -> Void

    init(_ token: Token, remove: @escaping @MainActor () -> Void) {
        self.token = token
        self.remove = remove
    }

    /// The listener is not called again.
    package func cancel() {
        guard !token.isCancelled else { return }
        token.isCancelled = true
        remove()
    }

    isolated deinit { cancel() }
}
