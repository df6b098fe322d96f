import LinuxSupport

/// Spreads the requests of many boxes in time, so that a server never sees those of a whole house at once. A value; the same seed gives the same times.
///
/// Boxes that were switched on at the same moment, for example after a power failure, would otherwise stay in step for ever.
struct RequestSpread: Sendable, Hashable {
    /// The longest that a box waits with its first request after a start.
    static let longestStart = Duration.seconds(3600)
    private var random: SeededGenerator

    /// - Parameter seed: any number that differs between boxes.
    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// How long to wait with the first request after a start, of what is then requested at this interval: any time up to the interval is equally likely.
    mutating func start(interval: Duration) -> Duration {
        min(max(interval, .zero), Self.longestStart) / 1000 * thousandths(1000)
    }

    /// The wait, longer or shorter by at most this share.
    ///
    /// - Parameter percent: 0 to 100; other values count as the nearer of these.
    mutating func jitter(_ wait: Duration, percent: Int) -> Duration {
        wait + wait / 100_000 * ((thousandths(2000) - 1000) * min(max(percent, 0), 100))
    }

    /// A number in 0...most.
    private mutating func thousandths(_ most: UInt64) -> Int { Int(random.next() % (most + 1)) }
}
