import ChannelFeed
import Glibc
import LinuxSupport

/// The date and the time of day: the machine's in real time; in simulated time the given one, in UTC. Main loop only.
@MainActor
package final class WallClock {
    private let clock: any HostClock
    private let start: FeedDate?

    /// - Parameters:
    ///   - clock: real or simulated.
    ///   - start: the date at the start of simulated time; nil if simulated time has no date.
    package init(clock: any HostClock, start: FeedDate?) {
        self.clock = clock
        self.start = start
    }

    /// The date; nil if it is unknown.
    package var now: FeedDate? {
        guard !clock.isSimulated else {
            return start.map { FeedDate(milliseconds: $0.milliseconds + clock.now.nanoseconds / 1_000_000) }
        }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return FeedDate(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
    }

    /// Seconds since local midnight; nil if the time is unknown.
    private var secondsSinceMidnight: Int? {
        guard !clock.isSimulated else { return now.map { Int($0.milliseconds / 1000 % 86_400) } }
        var now = time(nil)
        var local = tm()
        localtime_r(&now, &local)
        return Int(local.tm_hour) * 3600 + Int(local.tm_min) * 60 + Int(local.tm_sec)
    }

    /// Reports the time of day now and every half minute, so that a change of the system clock is noticed.
    package func tellTime(_ tell: @escaping @MainActor (_ secondsSinceMidnight: Int) -> Void) {
        guard let seconds = secondsSinceMidnight else { return }
        tell(seconds)
        clock.schedule(after: .seconds(30)) { [weak self] in self?.tellTime(tell) }
    }
}
