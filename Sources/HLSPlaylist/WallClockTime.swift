import MediaTime

/// A date of EXT-X-PROGRAM-DATE-TIME or EXT-X-DATERANGE: nanoseconds since 1970-01-01T00:00:00Z.
///
/// Dates of playlists are in the years 1900 to 2189. Arithmetic with `MediaTime` is exact to the nanosecond, and stops in the years 1677 and 2262.
package struct WallClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Nanoseconds since 1970 in UTC, without leap seconds.
    package let nanosecondsSinceEpoch: Int64

    package init(nanosecondsSinceEpoch: Int64) { self.nanosecondsSinceEpoch = nanosecondsSinceEpoch }

    package init(millisecondsSinceEpoch: Int64) {
        let (nanoseconds, overflow) = millisecondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000)
        self.init(nanosecondsSinceEpoch: overflow ? (millisecondsSinceEpoch < 0 ? .min : .max) : nanoseconds)
    }

    /// Parses an ISO 8601 date and time such as `2026-03-01T20:15:00.250+01:00`; nil when the text is not one.
    ///
    /// A space or a small `t` may replace the `T`; an offset may be written `+01:00`, `+0100` or `+01`. Without an offset the
    /// time is UTC.
    package init?(iso8601 text: String) {
        guard let read = Numbers.withBytes(of: text, { WallClockTime.read($0) }) else { return nil }
        self = read.time
    }

    package static func < (left: WallClockTime, right: WallClockTime) -> Bool {
        left.nanosecondsSinceEpoch < right.nanosecondsSinceEpoch
    }

    /// Adds a time, clamped to the representable years.
    package static func + (instant: WallClockTime, time: MediaTime) -> WallClockTime {
        let (sum, overflow) = instant.nanosecondsSinceEpoch.addingReportingOverflow(time.nanoseconds)
        return WallClockTime(nanosecondsSinceEpoch: overflow ? (time < .zero ? .min : .max) : sum)
    }

    /// Subtracts a time.
    package static func - (instant: WallClockTime, time: MediaTime) -> WallClockTime { instant + -time }

    /// How much later the left date is.
    package static func - (left: WallClockTime, right: WallClockTime) -> MediaTime {
        MediaTime(
            numerator: Int128(left.nanosecondsSinceEpoch) - Int128(right.nanosecondsSinceEpoch), denominator: 1_000_000_000)
    }

    /// ISO 8601 in UTC with three to nine decimal places of the second: `2026-03-01T19:15:00.250Z`.
    package var description: String {
        let (quotient, remainder) = nanosecondsSinceEpoch.quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = remainder < 0 ? quotient - 1 : quotient
        return ISO8601.text(
            secondsSince1970: seconds, nanoseconds: remainder < 0 ? remainder + 1_000_000_000 : remainder, minimumDigits: 3)
    }
}

extension WallClockTime {
    /// A parsed date, and whether it had a time zone.
    struct Reading {
        var time: WallClockTime
        var namesZone: Bool
    }

    /// Parses the whole text as a date; nil when it is not a date, when a field is out of range, or outside the accepted
    /// years.
    static func read(_ text: Bytes) -> Reading? {
        guard let read = ISO8601(text), PlaylistBounds.years.contains(read.date.year) else { return nil }
        let seconds = read.date.daysSince1970 * 86_400 - (read.offset ?? 0)
        return Reading(
            time: WallClockTime(nanosecondsSinceEpoch: seconds * 1_000_000_000 + (read.nanoseconds ?? 0)),
            namesZone: read.offset != nil)
    }
}
