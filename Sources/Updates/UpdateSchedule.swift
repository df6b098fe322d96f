import LinuxSupport
import MediaTime

/// When a box asks for its operator's notice. A value: results go in, waits come out; the same seed gives the same waits.
///
/// It asks every four hours, with jitter, so that a critical update arrives within the day, and when its part of the window begins.
package struct UpdateSchedule: Sendable, Hashable {
    /// The time between two requests, longer or shorter by a fifth.
    package static let interval = Duration.seconds(4 * 3600)
    /// The wait after a failure, doubled with each further one up to the interval.
    package static let patience = Duration.seconds(60)
    private static let longestStart = Duration.seconds(3600)

    private let policy: UpdatePolicy
    private var random: SeededGenerator
    private var failures = 0

    /// - Parameter seed: any number that differs between boxes.
    package init(_ policy: UpdatePolicy, seed: UInt64) {
        self.policy = policy
        random = SeededGenerator(seed: seed)
    }

    /// The wait after the start: up to an hour, because a whole building may start at once.
    package mutating func first() -> Duration { .seconds(60) + Self.longestStart / 1_000_000 * millionths(1_000_000) }

    /// The wait after a request.
    ///
    /// - Parameter timeOfDay: seconds since local midnight; nil if unknown.
    package mutating func wait(after isGood: Bool, timeOfDay: Int?) -> Duration {
        failures = isGood ? 0 : min(failures + 1, 16)
        let length = isGood ? Self.interval : min(Self.patience * (1 << (failures - 1)), Self.interval)
        let spread = length / 1_000_000 * (800_000 + millionths(400_000))
        guard isGood, let timeOfDay else { return spread }
        let place = policy.window.start + policy.window.delay(policy.spread)
        let untilWindow = ((place - timeOfDay) % 86_400 + 86_400) % 86_400
        // A minute later, so that the window has begun by every clock.
        return min(spread, .seconds(untilWindow + 60))
    }

    private mutating func millionths(_ most: UInt64) -> Int { Int(random.next() % (most + 1)) }
}
