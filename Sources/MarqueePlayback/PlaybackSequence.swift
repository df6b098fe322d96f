import LinuxSupport

/// What a player does, for `for await`. It ends when the player is closed or let go, and when the reading task is cancelled. It does not hold the player.
///
/// A reader on the main actor gets each element before simulated time goes on, which a stream of the standard library does not promise. One reader reads a sequence.
public struct PlaybackSequence<Element: Sendable>: AsyncSequence, Sendable {
    let buffer: ElementBuffer<Element>

    /// Reads the elements, each once.
    public struct Iterator: AsyncIteratorProtocol {
        let buffer: ElementBuffer<Element>

        /// The next element; nil at the end.
        public mutating func next() async -> Element? { await buffer.next() }

        /// The next element; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await buffer.next() }
    }

    /// Reads on from where the last reader has come to.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

/// What a reader has not read yet. Main loop.
@MainActor
final class ElementBuffer<Element: Sendable> {
    private var elements: [Element] = []
    private var reader: Waiter<Element?>?
    private var isFinished = false
    private let keepsNewest: Bool
    private let clock: any HostClock

    /// - Parameter keepsNewest: whether a slow reader gets the newest element only.
    init(_ clock: any HostClock, keepsNewest: Bool) { (self.clock, self.keepsNewest) = (clock, keepsNewest) }

    func send(_ element: Element) {
        if let reader {
            self.reader = nil
            return reader.resume(element)
        }
        if keepsNewest { elements = [] }
        elements.append(element)
    }

    func finish() {
        isFinished = true
        reader?.resume(nil)
        reader = nil
    }

    func next() async -> Element? {
        if Task.isCancelled { return nil }
        if !elements.isEmpty { return elements.removeFirst() }
        guard !isFinished else { return nil }
        let waiter = Waiter<Element?>(clock)
        reader = waiter
        return await waiter.wait { [weak self] in
            if self?.reader === waiter { self?.reader = nil }
            waiter.cancel(nil)
        }
    }
}

/// Passes elements to any number of sequences, while somebody has them. Main loop.
@MainActor
final class Multicast<Element: Sendable> {
    private struct Weak {
        weak var buffer: ElementBuffer<Element>?
    }
    private var buffers: [Weak] = []
    private var isFinished = false
    private let clock: any HostClock

    init(_ clock: any HostClock) { self.clock = clock }

    /// Whether it has no sequence.
    var isEmpty: Bool { !buffers.contains { $0.buffer != nil } }

    /// - Parameter first: the first element of the sequence.
    func sequence(_ first: Element? = nil, keepsNewest: Bool = false) -> PlaybackSequence<Element> {
        let buffer = ElementBuffer<Element>(clock, keepsNewest: keepsNewest)
        if let first { buffer.send(first) }
        if isFinished { buffer.finish() }
        buffers.append(Weak(buffer: buffer))
        return PlaybackSequence(buffer: buffer)
    }

    func send(_ element: Element) {
        buffers.removeAll { $0.buffer == nil }
        for listener in buffers { listener.buffer?.send(element) }
    }

    func finish() {
        isFinished = true
        for listener in buffers { listener.buffer?.finish() }
        buffers = []
    }
}
