/// A time of the wall clock: milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// A separate type because a feed's dates are compared exactly, and this module may not ask the machine for the time or the time
/// zone.
package struct FeedDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970 in UTC; negative before it.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses an ISO 8601 date and time with an offset, in the form of RFC 3339: `2026-11-20T10:00:00Z`,
    /// `2026-11-20T11:00:00.250+01:00`.
    ///
    /// Nil for anything else: the day must exist in the calendar and the offset must be present. Digits after the millisecond are
    /// dropped; a leap second becomes the next second.
    package init?(_ text: String) {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2)
        else { return nil }
        var second = 0
        var millisecond = 0
        if scanner.take(":") {
            guard let value = scanner.digits(2) else { return nil }
            second = value
            if scanner.take(".") || scanner.take(",") {
                guard let value = scanner.fractionAsMilliseconds() else { return nil }
                millisecond = value
            }
        }
        guard let offset = scanner.offset(), scanner.isAtEnd, (1...12).contains(month),
            (1...Self.days(of: month, in: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offset)
        milliseconds = seconds * 1000 + Int64(millisecond)
    }

    package static func < (left: FeedDate, right: FeedDate) -> Bool { left.milliseconds < right.milliseconds }

    /// The date in UTC, with milliseconds only when they are not zero: `2026-11-20T10:00:00Z`.
    package var description: String {
        let (days, rest) = Self.divide(milliseconds, 86_400_000)
        let (year, month, day) = Self.civil(daysSinceEpoch: days)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value.magnitude)
            return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let fraction = rest % 1000 == 0 ? "" : "." + padded(rest % 1000, 3)
        let time = "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))"
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(time)\(fraction)Z"
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Both directions count years from March, so that the leap day is the last of its year, in eras of 400 years (146,097 days).
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (Int(divide(Int64(shifted), 400).quotient), Int(divide(Int64(shifted), 400).remainder))
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(daysSinceEpoch + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    private static func divide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

/// Parses the parts of a date from the front.
private struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func fractionAsMilliseconds() -> Int? {
        guard var value = digit() else { return nil }
        var count = 1
        while let digit = digit() {
            if count < 3 { value = value * 10 + digit }
            count += 1
        }
        while count < 3 { (value, count) = (value * 10, count + 1) }
        return value
    }

    /// Seconds east of UTC: `Z`, `+01:00`, `-0330`, `+01`.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func digit() -> Int? {
        guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        rest = rest.dropFirst()
        return Int(first - UInt8(ascii: "0"))
    }
}
