import ChannelFeed
import Glibc
import LinuxSupport
import MediaTime

/// The source of the date and the time of day, chosen by the joining.
package struct DateSource {
    /// The date; nil if it is unknown.
    let date: @MainActor () -> FeedDate?
    /// Seconds since local midnight; nil if the time is unknown.
    let secondsSinceMidnight: @MainActor () -> Int?
    /// The changes of clocks around today.
    var changes: @MainActor () -> ClockChanges = { ClockChanges() }

    /// No date: for simulated time without a configured one.
    package static var unknown: DateSource { DateSource(date: { nil }, secondsSinceMidnight: { nil }) }

    /// The machine's date, with the time of day in its time zone; unknown until it is trusted.
    ///
    /// - Parameter isTrusted: asked until it is true for the first time.
    package static func machine(isTrusted: @escaping @MainActor () -> Bool = { MachineDate.isTrusted() }) -> DateSource {
        let trust = Trust(isTrusted)
        return DateSource(
            date: {
                guard trust.isGiven else { return nil }
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return FeedDate(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
            },
            secondsSinceMidnight: {
                guard trust.isGiven else { return nil }
                var now = time(nil)
                var local = tm()
                localtime_r(&now, &local)
                return Int(local.tm_hour) * 3600 + Int(local.tm_min) * 60 + Int(local.tm_sec)
            },
            changes: { machineChanges() })
    }

    /// Guides show two weeks at most, and what has just been.
    private static func machineChanges() -> ClockChanges {
        func local(_ time: time_t) -> tm {
            var (time, local) = (time, tm())
            localtime_r(&time, &local)
            return local
        }
        let now = time(nil)
        let today = local(now)
        let midnight = now - Int(today.tm_hour) * 3600 - Int(today.tm_min) * 60 - Int(today.tm_sec)
        return ClockChanges(in: -86_400...(15 * 86_400)) { local(midnight + $0).tm_gmtoff - today.tm_gmtoff }
    }

    /// A date that advances with a clock, with the time of day in UTC.
    ///
    /// - Parameter start: the date at the clock's origin.
    package static func starting(at start: FeedDate, with clock: any HostClock) -> DateSource {
        .reported(by: { FeedDate(milliseconds: start.milliseconds + clock.now.nanoseconds / 1_000_000) })
    }

    /// A date that another part knows, with the time of day in UTC.
    package static func reported(by date: @escaping @MainActor () -> FeedDate) -> DateSource {
        DateSource(date: { date() }, secondsSinceMidnight: { Int(date().milliseconds / 1000 % 86_400) })
    }
}

/// Remembers that the date is trusted: a time server has set it, or it ran on in the hardware.
@MainActor
private final class Trust {
    private let ask: @MainActor () -> Bool
    private var wasGiven = false

    nonisolated init(_ ask: @escaping @MainActor () -> Bool) { self.ask = ask }

    var isGiven: Bool {
        if !wasGiven { wasGiven = ask() }
        return wasGiven
    }
}

/// The date and the time of day. Main loop only.
///
/// A machine without a battery begins in 1970 until a time server answers. A date before this program was made is such a date, and counts as unknown.
@MainActor
package final class WallClock {
    /// 2026-01-01T00:00:00Z.
    private static let earliest = FeedDate(milliseconds: 1_767_225_600_000)

    private let clock: any HostClock
    private let source: DateSource

    /// - Parameter clock: its timers report the time of day.
    package init(clock: any HostClock, source: DateSource) {
        self.clock = clock
        self.source = source
    }

    /// The machine's date as the box sees it; nil if it cannot be believed.
    package static var machineDate: FeedDate? { DateSource.machine().date().flatMap { $0 < earliest ? nil : $0 } }

    /// The date; nil if it is unknown.
    package var now: FeedDate? { source.date().flatMap { $0 < Self.earliest ? nil : $0 } }

    /// Seconds since local midnight; nil if the date is unknown.
    package var secondsSinceMidnight: Int? { now == nil ? nil : source.secondsSinceMidnight() }

    /// Reports the time of day, with the changes of clocks around it, now and every half minute, so that a change of the system clock is noticed.
    /// While the date is unknown it reports nil every five seconds.
    package func tellTime(_ tell: @escaping @MainActor (_ secondsSinceMidnight: Int?, _ changes: ClockChanges) -> Void) {
        let seconds = secondsSinceMidnight
        tell(seconds, source.changes())
        clock.schedule(after: .seconds(seconds == nil ? 5 : 30)) { [weak self] in self?.tellTime(tell) }
    }
}
