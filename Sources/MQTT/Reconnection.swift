import LinuxSupport

/// How long a box waits before it connects again. A value: failures go in, the wait comes out.
struct Reconnection: Sendable {
    /// The longest wait: a broker that is away for a week costs a connection every five minutes.
    static let longest = Duration.seconds(300)
    private static let shortest = Duration.seconds(2)

    private var random: SeededGenerator
    private var failures = 0

    /// - Parameter seed: differs between boxes, so that a house does not return at the same moment.
    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The broker has accepted the box.
    mutating func succeeded() { failures = 0 }

    /// Whether this is the first failure since the last success.
    var isFirst: Bool { failures == 0 }

    /// A connection has ended, or there was none.
    ///
    /// - Returns: the wait: doubled with each failure, from half of it to all of it.
    mutating func failed() -> Duration {
        let length = min(Self.shortest * (1 << min(failures, 10)), Self.longest)
        failures += 1
        return length / 2 + length / 2000 * Int(random.next() % 1001)
    }
}
