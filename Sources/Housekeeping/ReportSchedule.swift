import LinuxSupport

/// When a box reports. A value: how often it was not listened to goes in, how long to wait comes out.
struct ReportSchedule: Sendable {
    private let interval: Duration
    private var random: SeededGenerator

    /// The longest wait between two attempts, however long the server has not answered.
    static let longest = Duration.seconds(4 * 3600)

    /// - Parameter seed: any number that differs between boxes, which are not to report all at once.
    init(interval: Duration, seed: UInt64) {
        self.interval = interval
        random = SeededGenerator(seed: seed)
    }

    /// After the start: the power may have come back to a whole town.
    mutating func first() -> Duration { .seconds(30) + min(interval, .seconds(300)) / 1000 * Int(random.next() % 1001) }

    /// After a report: the interval, twice as long with each failure, give or take a tenth.
    mutating func wait(failures: Int) -> Duration {
        let length = failures == 0 ? interval : min(interval * (1 << min(failures, 16)), max(Self.longest, interval))
        return length + length / 10_000 * (Int(random.next() % 2001) - 1000)
    }
}
