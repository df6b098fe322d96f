import LinuxSupport

/// When a box requests its feed again. A value: the result of the last request goes in, the time to wait comes out.
///
/// After a good answer it waits for the feed's interval, with jitter so that the boxes of a house do not ask at the same time. After a start a box that
/// has a feed waits for some part of the interval, for the same reason. After a failure it
/// waits 5 s, doubled each time up to 15 minutes. After a refused answer it waits for the interval, because asking sooner would give the same answer.
/// A box without any feed has nothing else to show: it waits 20 s at most, also after a refused answer, which may be the page of a hotel's network.
package struct FeedSchedule: Sendable, Hashable {
    /// The result of a request.
    package enum Outcome: Sendable, Hashable {
        /// A feed was accepted or is unchanged.
        case good
        /// The response was refused.
        case refused
        /// The request failed.
        case failed
    }

    /// The shortest and the longest wait after failures.
    package static let backoff = Duration.seconds(5)...Duration.seconds(900)
    /// The longest wait after failures of a box that has no feed.
    package static let backoffWithoutFeed = Duration.seconds(20)
    private var failures = 0
    private var spread: RequestSpread

    /// - Parameter seed: any number that differs between boxes.
    package init(seed: UInt64) { spread = RequestSpread(seed: seed) }

    /// The time to wait after the start of a box that has a feed.
    ///
    /// - Parameter interval: the feed's.
    package mutating func first(interval: Duration) -> Duration { spread.start(interval: interval) }

    /// The time to wait from now.
    ///
    /// - Parameters:
    ///   - interval: the feed's, or the default if there is none.
    ///   - jitterPercent: the most by which the wait may differ from it.
    ///   - hasFeed: whether the box has a feed from this source.
    package mutating func wait(after outcome: Outcome, interval: Duration, jitterPercent: Int, hasFeed: Bool) -> Duration {
        switch outcome {
        case .refused where hasFeed, .good:
            failures = 0
            return spread.jitter(max(interval, Self.backoff.lowerBound), percent: jitterPercent)
        case .refused, .failed:
            failures = min(failures + 1, 16)
            let doubled = Self.backoff.lowerBound * (1 << (failures - 1))
            return spread.jitter(min(doubled, hasFeed ? Self.backoff.upperBound : Self.backoffWithoutFeed), percent: 20)
        }
    }
}
