import MediaSources

/// Whether a transfer keeps the time limits of its request.
struct TransferTiming {
    /// The limit that was passed.
    enum Lateness {
        case noFirstByte
        case overdue(limit: Duration)
        case slow
        case stalled
    }

    private let request: ByteRequest
    private let started: Duration
    private var lastProgress: Duration
    private var pace: TransferPace

    init(_ request: ByteRequest, start: Duration) {
        self.request = request
        started = start
        lastProgress = start
        pace = TransferPace(slowestRate: request.slowestRate, start: start)
    }

    /// The body begins.
    mutating func begin(at now: Duration) { pace.restart(at: now) }

    /// Bytes have arrived, or a further request was made.
    mutating func progress(at now: Duration) { lastProgress = now }

    /// Counts bytes of the body.
    mutating func take(_ count: Int) { pace.take(count) }

    /// It goes on after a pause that the receiver wanted.
    mutating func resume(at now: Duration) {
        lastProgress = now
        pace.restart(at: now)
    }

    /// - Parameter hasBegun: whether the body has begun.
    /// - Returns: nil while it is in time.
    mutating func lateness(at now: Duration, hasBegun: Bool) -> Lateness? {
        if !hasBegun, now - started > request.firstByteTimeout { return .noFirstByte }
        if let limit = request.totalTimeout, now - started > limit { return .overdue(limit: limit) }
        guard hasBegun else { return nil }
        if pace.isTooSlow(at: now) { return .slow }
        return now - lastProgress > request.stallTimeout ? .stalled : nil
    }
}
