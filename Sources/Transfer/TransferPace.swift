/// Whether the bytes of a body keep coming fast enough: their average over each window of time. A body that trickles byte by byte
/// never stalls, but never ends either.
struct TransferPace {
    /// Long enough for a network that pauses and then catches up.
    static let window: Duration = .seconds(30)

    /// In bytes per second; 0 for no limit.
    private let slowestRate: Int
    private var windowStart: Duration
    private var received = 0

    init(slowestRate: Int, start: Duration) {
        self.slowestRate = slowestRate
        windowStart = start
    }

    /// Counts bytes that have arrived.
    mutating func take(_ count: Int) { received += count }

    /// Begins a new window, after a pause that the receiver wanted.
    mutating func restart(at now: Duration) {
        windowStart = now
        received = 0
    }

    /// Whether the window that ends now was too slow. A window that was not is followed by the next.
    mutating func isTooSlow(at now: Duration) -> Bool {
        guard now - windowStart >= Self.window else { return false }
        let isTooSlow = received < slowestRate * Int(Self.window / .seconds(1))
        restart(at: now)
        return isTooSlow
    }
}
