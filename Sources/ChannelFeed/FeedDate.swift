import MediaTime

/// A time of the wall clock: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// A separate type because a feed's dates are compared exactly, and this module may not ask the machine for the time or the time
/// zone.
package struct FeedDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970 in UTC; negative before it.
    package let milliseconds: Int64

    /// Seconds since 1970 in UTC, rounded down.
    package var second: Int64 { (milliseconds >= 0 ? milliseconds : milliseconds - 999) / 1000 }

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package init(second: Int64) { self.init(milliseconds: second * 1000) }

    /// Parses an ISO 8601 date and time with an offset, in the form of RFC 3339: `2026-11-20T10:00:00Z`,
    /// `2026-11-20T11:00:00.250+01:00`.
    ///
    /// Nil for anything else: the day must exist in the calendar and the offset must be present. Digits after the millisecond are
    /// dropped; a leap second becomes the next second.
    package init?(_ text: String) {
        guard let read = ISO8601(text), let nanoseconds = read.nanoseconds, let offset = read.offset, read.isExtended,
            !read.isEndOfDay, !read.hasFractionOfMinute
        else { return nil }
        milliseconds = (read.date.daysSince1970 * 86_400 - offset) * 1000 + nanoseconds / 1_000_000
    }

    package static func < (left: FeedDate, right: FeedDate) -> Bool { left.milliseconds < right.milliseconds }

    /// The date in UTC, with milliseconds only when they are not zero: `2026-11-20T10:00:00Z`.
    package var description: String {
        let rest = milliseconds - second * 1000
        return ISO8601.text(secondsSince1970: second, nanoseconds: rest * 1_000_000, minimumDigits: rest == 0 ? 0 : 3)
    }
}
