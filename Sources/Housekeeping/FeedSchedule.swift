import LinuxSupport

/// When a box asks for its feed again. A value: what became of the last request goes in, how long to wait comes out.
///
/// After a good answer the feed's own interval, spread by its jitter so that the boxes of a house do not ask all at once; after a failure 5
/// s, doubled each time up to 15
/// minutes; after an answer that was refused the interval, since asking sooner would bring the same.
package struct FeedSchedule: Sendable, Hashable {
    /// What became of a request.
    package enum Outcome: Sendable, Hashable {
        /// A feed was taken, or the same one came again.
        case good
        /// What came was refused.
        case refused
        /// Nothing came.
        case failed
    }

    /// The shortest and the longest wait after failures.
    package static let backoff = Duration.seconds(5)...Duration.seconds(900)
    private var failures = 0
    private var random: SeededGenerator

    /// - Parameter seed: spreads boxes: any number that differs between them.
    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// How long to wait now.
    ///
    /// - Parameters:
    ///   - interval: the feed's, or the standard one where there is none.
    ///   - jitterPercent: by how much of it the wait may differ.
    package mutating func wait(after outcome: Outcome, interval: Duration, jitterPercent: Int) -> Duration {
        switch outcome {
        case .good, .refused:
            failures = 0
            return spread(max(interval, Self.backoff.lowerBound), by: jitterPercent)
        case .failed:
            failures = min(failures + 1, 16)
            let doubled = Self.backoff.lowerBound * (1 << (failures - 1))
            return spread(min(doubled, Self.backoff.upperBound), by: 20)
        }
    }

    private mutating func spread(_ wait: Duration, by percent: Int) -> Duration {
        let thousandths = Int(random.next() % 2001) - 1000
        return wait + wait / 100_000 * (thousandths * min(max(percent, 0), 100))
    }
}
