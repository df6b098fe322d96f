import CLinux
import Glibc

/// An instant of the machine's monotonic clock (`CLOCK_MONOTONIC`), or of the simulated clock, in nanoseconds since that clock's
/// origin. A length of wall time is a `Duration`; a position in media is a `MediaTime`; the three do not mix.
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
        HostTime(nanoseconds: instant.nanoseconds + length.wholeNanoseconds)
    }

    package static func - (instant: HostTime, length: Duration) -> HostTime {
        HostTime(nanoseconds: instant.nanoseconds - length.wholeNanoseconds)
    }

    package static func - (end: HostTime, start: HostTime) -> Duration {
        .nanoseconds(end.nanoseconds - start.nanoseconds)
    }

    /// Decimal seconds with nine decimal places.
    package var description: String {
        let fraction = String(nanoseconds.magnitude % 1_000_000_000)
        let sign = nanoseconds < 0 ? "-" : ""
        return "\(sign)\(nanoseconds.magnitude / 1_000_000_000)." + String(repeating: "0", count: 9 - fraction.count) + fraction
    }
}

extension Duration {
    /// The length in nanoseconds, truncated.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
