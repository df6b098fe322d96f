/// Passes the bytes of one transfer to its sink, in the order that the sink is promised, and refuses them while they are not wanted.
struct SinkDelivery {
    private enum Phase {
        /// The sink does not have the head yet.
        case beforeHead
        /// The sink has no bytes since its last `rest`.
        case resting
        case receiving
    }

    let sink: any TransferSink
    private var phase = Phase.beforeHead
    /// Whether bytes are refused until `resume`, although the sink would take them.
    private(set) var isHeld = false
    /// Whether bytes were refused; libcurl keeps them until it goes on.
    private(set) var isPaused = false

    init(to sink: any TransferSink) { self.sink = sink }

    var hasBegun: Bool { phase != .beforeHead }

    /// Passes the head on, once.
    mutating func begin(_ head: ResponseHead) {
        phase = .resting
        sink.begin(head)
    }

    /// Passes the wanted part of what has arrived on. No bytes at all are not passed on, but held like others.
    mutating func pass(_ bytes: UnsafeRawBufferPointer) -> TransferAnswer {
        guard !isHeld else {
            isPaused = true
            return .notNow
        }
        let answer = bytes.isEmpty ? .taken : sink.receive(bytes)
        switch answer {
        case .taken: phase = .receiving
        case .notNow: isPaused = true
        case .enough: break
        }
        return answer
    }

    /// Tells the sink that there are no more bytes now.
    mutating func rest() {
        guard phase == .receiving else { return }
        phase = .resting
        sink.rest()
    }

    mutating func hold() { isHeld = true }

    /// - Returns: whether libcurl has bytes that were refused, and is to go on.
    mutating func resume() -> Bool {
        isHeld = false
        defer { isPaused = false }
        return isPaused
    }
}
