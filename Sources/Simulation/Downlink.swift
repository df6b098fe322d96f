/// The speed of a box's link over time. A transfer follows it: it becomes slow with the link and recovers with it. A value without state.
struct Downlink: Sendable {
    /// The speed of a link without a fault, in bits per second.
    static let usualRate: Int64 = 2_000_000

    /// The times from the start of the simulation in which it is slow, with the bits per second then. Where two overlap the later one counts.
    private let slow: [(time: Range<Duration>, rate: Int64)]

    init(_ faults: [Fault]) {
        slow = faults.compactMap { fault in
            guard case .slowLink(let rate) = fault.kind else { return nil }
            return (fault.start..<fault.end, Int64(rate))
        }
    }

    /// When a body has arrived whose first byte arrives at `start`, both from the start of the simulation.
    func arrival(of bytes: Int, from start: Duration) -> Duration {
        var time = start
        // In bits times 10^9, so that a rate times nanoseconds is exact.
        var rest = Int64(bytes) * 8_000_000_000
        while true {
            let rate = slow.last { $0.time.contains(time) }?.rate ?? Self.usualRate
            let end = time + .nanoseconds(rest / rate)
            guard let change = change(after: time, before: end) else { return end }
            rest -= (change - time).wholeNanoseconds * rate
            time = change
        }
    }

    /// The first time between the two at which the link becomes slow or recovers; nil if there is none.
    private func change(after start: Duration, before end: Duration) -> Duration? {
        var first: Duration?
        for bound in slow.lazy.flatMap({ [$0.time.lowerBound, $0.time.upperBound] }) where start < bound && bound < first ?? end {
            first = bound
        }
        return first
    }
}
