import LinuxSupport
import MediaTime

/// The vertical blanks of a display without hardware: instant k is exactly k periods after the clock's origin, truncated to whole
/// nanoseconds, so that 59.94 Hz does not drift.
struct RefreshGrid: Sendable {
    private let numerator: Int128
    private let denominator: Int128

    /// - Precondition: the rate is positive.
    init(_ refresh: Ratio) {
        precondition(refresh > .zero, "a display has a positive refresh rate")
        numerator = Int128(refresh.denominator) * 1_000_000_000
        denominator = Int128(refresh.numerator)
    }

    /// The time between blanks, truncated to whole nanoseconds.
    var interval: Duration { .nanoseconds(Int64(numerator / denominator)) }

    /// The time of blank `index`.
    func instant(_ index: UInt64) -> HostTime { HostTime(nanoseconds: Int64(Int128(index) * numerator / denominator)) }

    /// The first blank at or after an instant, which must not be before the origin.
    func first(atOrAfter instant: HostTime) -> UInt64 {
        let scaled = Int128(max(0, instant.nanoseconds)) * denominator
        return UInt64((scaled + numerator - 1) / numerator)
    }

    /// The last blank at or before an instant, which must not be before the origin.
    func last(atOrBefore time: HostTime) -> UInt64 {
        let next = first(atOrAfter: time)
        return instant(next) > time && next > 0 ? next - 1 : next
    }
}
