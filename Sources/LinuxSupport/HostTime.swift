import CLinux
import Glibc

/// An instant of the machine's monotonic clock (`CLOCK_MONOTONIC`), or of the simulated clock, in nanoseconds since that clock's
/// origin. A length of wall time is a `Duration`; a position in media is a `MediaTime`; the three do not mix.
///
/// Arithmetic stops at the ends of 64 bits (292 years), because lengths may come from outside.
package struct HostTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Nanoseconds since the clock's origin.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The origin of the clock.
    package static let zero = HostTime(nanoseconds: 0)

    /// The current instant of `CLOCK_MONOTONIC`: the only place that asks the kernel (clock_gettime(2)).
    static func monotonic() -> HostTime {
        var value = timespec()
        clock_gettime(CLOCK_MONOTONIC, &value)
        return HostTime(nanoseconds: Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec))
    }

    package static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }

    package static func + (instant: HostTime, length: Duration) -> HostTime {
        HostTime(nanoseconds: instant.nanoseconds.clampedSum(length.wholeNanoseconds))
    }

    package static func - (instant: HostTime, length: Duration) -> HostTime {
        HostTime(nanoseconds: instant.nanoseconds.clampedDifference(length.wholeNanoseconds))
    }

    package static func - (end: HostTime, start: HostTime) -> Duration {
        .nanoseconds(end.nanoseconds.clampedDifference(start.nanoseconds))
    }

    /// Decimal seconds with nine decimal places.
    package var description: String {
        let fraction = String(nanoseconds.magnitude % 1_000_000_000)
        let sign = nanoseconds < 0 ? "-" : ""
        return "\(sign)\(nanoseconds.magnitude / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
    }
}

extension Duration {
    /// The length in nanoseconds, truncated; clamped to 64 bits (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : nanoseconds.clampedSum(attoseconds / 1_000_000_000)
    }
}

extension Int64 {
    /// The sum, or the end of the range that it passes.
    fileprivate func clampedSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the end of the range that it passes.
    fileprivate func clampedDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
