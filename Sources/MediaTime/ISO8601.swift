/// A date in ISO 8601, optionally with a time of day and a zone.
///
/// Both forms are accepted: extended (`2026-03-01T20:15:00.250+01:00`) and basic (`20260301T201500`). A space or `t` may replace the `T`; a
/// zone may be `Z`, `+01:00`, `+0100` or `+01`. A format that allows only a part of this checks the properties.
package struct ISO8601: Sendable, Hashable {
    package let date: CalendarDate
    /// Nanoseconds since midnight; nil for a date alone. The hour may be 24; a leap second (60) counts as the first second of the next
    /// minute.
    package private(set) var nanoseconds: Int64?
    /// Seconds east of UTC; nil without a zone.
    package private(set) var offset: Int64?
    /// Whether date and time have their separators.
    package private(set) var isExtended: Bool
    /// Whether the hour is 24.
    package private(set) var isEndOfDay = false
    /// Whether a fraction follows the minutes, without seconds.
    package private(set) var hasFractionOfMinute = false

    /// Parses a whole text; nil when it is not a date or a field is out of range.
    package init?(_ text: UnsafeBufferPointer<UInt8>) {
        var cursor = Cursor(text: text)
        guard let year = cursor.number(4) else { return nil }
        isExtended = cursor.take("-")
        guard let month = cursor.number(2), !isExtended || cursor.take("-"), let day = cursor.number(2),
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }
        self.date = date
        guard !cursor.isAtEnd else { return }
        guard readTime(&cursor) else { return nil }
        guard !cursor.isAtEnd else { return }
        guard let zone = Self.zone(&cursor), cursor.isAtEnd else { return nil }
        offset = zone
    }

    /// Parses a whole text; nil when it is not a date or a field is out of range.
    package init?(_ text: String) {
        var text = text
        guard let read = text.withUTF8({ ISO8601($0) }) else { return nil }
        self = read
    }

    /// `2026-03-01T19:15:00Z`, with as many fractional digits of the second as are needed, but at least `minimumDigits`.
    package static func text(secondsSince1970: Int64, nanoseconds: Int64, minimumDigits: Int) -> String {
        let days = (secondsSince1970 >= 0 ? secondsSince1970 : secondsSince1970 - 86_399) / 86_400
        var fraction = CalendarDate.padded(nanoseconds, 9)
        while fraction.utf8.count > minimumDigits, fraction.hasSuffix("0") { fraction.removeLast() }
        let time = timeOfDay(secondsSince1970 - days * 86_400)
        return "\(CalendarDate(daysSince1970: days))T\(time)\(fraction.isEmpty ? "" : "." + fraction)Z"
    }

    /// `19:15:00`.
    package static func timeOfDay(_ seconds: Int64) -> String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { CalendarDate.padded($0, 2) }.joined(separator: ":")
    }

    /// Parses from `T` on.
    private mutating func readTime(_ cursor: inout Cursor) -> Bool {
        guard cursor.take("T") || cursor.take("t") || cursor.take(" "), let hour = cursor.number(2), hour <= 24 else {
            return false
        }
        isEndOfDay = hour == 24
        let hasSeparator = cursor.take(":")
        isExtended = isExtended && hasSeparator
        guard let minute = cursor.number(2), minute <= 59 else { return false }
        var second: Int64?
        if hasSeparator ? cursor.take(":") : cursor.digit != nil {
            guard let read = cursor.number(2), read <= 60 else { return false }
            second = read
        }
        var total = (hour * 3600 + minute * 60 + (second ?? 0)) * 1_000_000_000
        if cursor.take(".") || cursor.take(",") {
            hasFractionOfMinute = second == nil
            guard cursor.digit != nil else { return false }
            var unit: Int64 = 100_000_000
            while let digit = cursor.digit {
                total += digit * unit
                unit /= 10
                cursor.position += 1
            }
        }
        nanoseconds = total
        return true
    }

    /// Seconds east of UTC.
    private static func zone(_ cursor: inout Cursor) -> Int64? {
        if cursor.take("Z") || cursor.take("z") { return 0 }
        let isWest = cursor.take("-")
        guard isWest || cursor.take("+"), let hours = cursor.number(2), hours <= 23 else { return nil }
        var minutes: Int64 = 0
        if !cursor.isAtEnd {
            _ = cursor.take(":")
            guard let read = cursor.number(2), read <= 59 else { return nil }
            minutes = read
        }
        let offset = hours * 3600 + minutes * 60
        return isWest ? -offset : offset
    }

    /// Parses fields from the front of a date.
    private struct Cursor {
        let text: UnsafeBufferPointer<UInt8>
        var position = 0

        var isAtEnd: Bool { position == text.count }

        /// The value of the next digit.
        var digit: Int64? {
            guard position < text.count else { return nil }
            let value = text[position] &- UInt8(ascii: "0")
            return value < 10 ? Int64(value) : nil
        }

        mutating func number(_ digits: Int) -> Int64? {
            var value: Int64 = 0
            for _ in 0..<digits {
                guard let digit else { return nil }
                value = value * 10 + digit
                position += 1
            }
            return value
        }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }
    }
}
