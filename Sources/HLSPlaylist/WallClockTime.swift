import MediaTime

/// A date of EXT-X-PROGRAM-DATE-TIME or EXT-X-DATERANGE: nanoseconds since 1970-01-01T00:00:00Z.
///
/// The range is 1678 to 2261. Arithmetic with `MediaTime` is exact to the nanosecond.
package struct WallClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Nanoseconds since 1970 in UTC, without leap seconds.
    package let nanosecondsSinceEpoch: Int64

    package init(nanosecondsSinceEpoch: Int64) { self.nanosecondsSinceEpoch = nanosecondsSinceEpoch }

    package init(millisecondsSinceEpoch: Int64) { self.init(nanosecondsSinceEpoch: millisecondsSinceEpoch * 1_000_000) }

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
        let day: Int64 = 86_400_000_000_000
        var days = nanosecondsSinceEpoch / day
        var rest = nanosecondsSinceEpoch % day
        if rest < 0 {
            rest += day
            days -= 1
        }
        let (year, month, dayOfMonth) = Self.civil(fromDays: days)
        let seconds = rest / 1_000_000_000
        var fraction = Self.padded(rest % 1_000_000_000, 9)
        while fraction.utf8.count > 3, fraction.hasSuffix("0") { fraction.removeLast() }
        return
            "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))T\(Self.padded(seconds / 3600, 2)):\(Self.padded(seconds / 60 % 60, 2)):\(Self.padded(seconds % 60, 2)).\(fraction)Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension WallClockTime {
    /// A parsed date, and whether it had a time zone.
    struct Reading {
        var time: WallClockTime
        var namesZone: Bool
    }

    /// Takes fields from the front of a date.
    private struct Cursor {
        let text: Bytes
        var position = 0

        var isAtEnd: Bool { position == text.count }

        @inline(__always)
        mutating func number(_ digits: Int) -> Int64? {
            guard position + digits <= text.count else { return nil }
            var value: Int64 = 0
            for index in position..<position + digits {
                guard let digit = text[index].digit else { return nil }
                value = value * 10 + digit
            }
            position += digits
            return value
        }

        @inline(__always)
        mutating func take(_ byte: UInt8) -> Bool {
            guard position < text.count, text[position] == byte else { return false }
            position += 1
            return true
        }
    }

    /// Parses the whole text as a date; nil when it is not a date, when a field is out of range, or outside the representable
    /// years.
    static func read(_ text: Bytes) -> Reading? {
        var cursor = Cursor(text: text)
        // Both forms of ISO 8601 are accepted: extended (with separators) and basic (without).
        guard let year = cursor.number(4) else { return nil }
        let isExtended = cursor.take(UInt8(ascii: "-"))
        guard let month = cursor.number(2), !isExtended || cursor.take(UInt8(ascii: "-")), let day = cursor.number(2) else {
            return nil
        }
        guard month >= 1, month <= 12, day >= 1, day <= daysIn(month: month, year: year), year >= 1678, year <= 2261 else {
            return nil
        }
        var nanoseconds: Int64 = 0
        var namesZone = false
        if !cursor.isAtEnd {
            guard let time = timeOfDay(&cursor) else { return nil }
            nanoseconds = time
            if !cursor.isAtEnd {
                guard let offset = zone(&cursor), cursor.isAtEnd else { return nil }
                nanoseconds -= offset
                namesZone = true
            }
        }
        let start = days(year: year, month: month, day: day) * 86_400_000_000_000
        return Reading(time: WallClockTime(nanosecondsSinceEpoch: start + nanoseconds), namesZone: namesZone)
    }

    /// Nanoseconds since midnight, from `T` on.
    @inline(__always)
    private static func timeOfDay(_ cursor: inout Cursor) -> Int64? {
        guard cursor.take(UInt8(ascii: "T")) || cursor.take(UInt8(ascii: "t")) || cursor.take(UInt8(ascii: " ")),
            let hour = cursor.number(2), hour <= 24
        else { return nil }
        let isExtended = cursor.take(.colon)
        guard let minute = cursor.number(2), minute <= 59 else { return nil }
        var second: Int64 = 0
        if isExtended ? cursor.take(.colon) : !cursor.isAtEnd && cursor.text[cursor.position].digit != nil {
            // A leap second (60) counts as the first second of the next minute.
            guard let read = cursor.number(2), read <= 60 else { return nil }
            second = read
        }
        var nanoseconds = (hour * 3600 + minute * 60 + second) * 1_000_000_000
        if cursor.take(UInt8(ascii: ".")) || cursor.take(.comma) {
            var unit: Int64 = 100_000_000
            let first = cursor.position
            while !cursor.isAtEnd, let digit = cursor.text[cursor.position].digit {
                nanoseconds += digit * unit
                unit /= 10
                cursor.position += 1
            }
            guard cursor.position > first else { return nil }
        }
        return nanoseconds
    }

    /// The offset of the zone from UTC, in nanoseconds.
    @inline(__always)
    private static func zone(_ cursor: inout Cursor) -> Int64? {
        if cursor.take(UInt8(ascii: "Z")) || cursor.take(UInt8(ascii: "z")) { return 0 }
        let isWest = cursor.take(UInt8(ascii: "-"))
        guard isWest || cursor.take(UInt8(ascii: "+")), let hours = cursor.number(2), hours <= 23 else { return nil }
        var minutes: Int64 = 0
        if !cursor.isAtEnd {
            _ = cursor.take(.colon)
            guard let read = cursor.number(2), read <= 59 else { return nil }
            minutes = read
        }
        let offset = (hours * 3600 + minutes * 60) * 1_000_000_000
        return isWest ? -offset : offset
    }

    private static func daysIn(month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01 of a Gregorian date. Years start in March here, so that the leap day comes last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
