import LinuxSupport

/// When a box reports. A value: the number of failures goes in, the time to wait comes out.
struct ReportSchedule: Sendable {
    private let interval: Duration
    private var spread: RequestSpread

    /// The longest wait between two attempts, for any number of failures.
    static let longest = Duration.seconds(4 * 3600)

    /// - Parameter seed: any number that differs between boxes, so that they do not report at the same time.
    init(interval: Duration, seed: UInt64) {
        self.interval = interval
        spread = RequestSpread(seed: seed)
    }

    /// After the start. It is spread, because many boxes may start at once after a power failure.
    mutating func first() -> Duration { .seconds(30) + spread.start(interval: interval) }

    /// After a report: the interval, doubled with each failure, with a tenth of jitter.
    mutating func wait(failures: Int) -> Duration {
        let length = failures == 0 ? interval : min(interval * (1 << min(failures, 16)), max(Self.longest, interval))
        return spread.jitter(length, percent: 10)
    }
}
