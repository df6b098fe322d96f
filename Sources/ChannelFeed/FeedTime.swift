import MediaTime

/// The times of a feed: decimal text, never binary floating point.
package enum FeedTime {
    /// Times from this limit on (more than three years) are errors, and would leave too little room for exact arithmetic.
    static let limit = MediaTime.seconds(100_000_000)

    /// The time in a number or a text: `600`, `600.5`, `10:00`, `1:10:00.5`; nil for anything else.
    ///
    /// - Parameter signed: whether it may have a sign.
    package static func parse(_ text: String, signed: Bool = false) -> MediaTime? {
        var digits = Array(text.utf8)[...]
        var negative = false
        if signed, let first = digits.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            negative = first == UInt8(ascii: "-")
            digits = digits.dropFirst()
        }
        let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        let decimal = last.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard decimal.count <= 2, var total = whole(decimal[0]) else { return nil }
        if parts.count > 1, total >= 60 { return nil }
        if let fraction = decimal.count == 2 ? decimal[1] : nil {
            guard (1...9).contains(fraction.count), let value = whole(fraction) else { return nil }
            return sum(parts, seconds: total).map { total in
                let scale = (fraction.count..<9).reduce(value) { scale, _ in scale * 10 }
                let time = MediaTime.nanoseconds(total * 1_000_000_000 + scale)
                return negative ? -time : time
            }
        }
        guard let seconds = sum(parts, seconds: total) else { return nil }
        total = seconds
        return .seconds(negative ? -total : total)
    }

    /// Hours and minutes plus seconds, in seconds, below `limit`.
    private static func sum(_ parts: [ArraySlice<UInt8>], seconds: Int64) -> Int64? {
        var total = seconds
        if parts.count >= 2 {
            guard let minutes = whole(parts[parts.count - 2]), parts.count == 2 || minutes < 60 else { return nil }
            total += minutes * 60
        }
        if parts.count == 3 {
            guard let hours = whole(parts[0]) else { return nil }
            total += hours * 3600
        }
        return total < limit.value ? total : nil
    }

    /// One to nine digits, nothing else.
    private static func whole(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard (1...9).contains(digits.count) else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// A time without unnecessary zeros: `630`, `600.5`.
    package static func plain(_ time: MediaTime) -> String {
        var text = time.description
        if text.contains(".") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return text
    }

    /// The three ways to write a time, e.g. `1320, "22:00" or "1320.000"`.
    static func spellings(_ time: MediaTime) -> String {
        "\(plain(time)), \"\(clock(time))\" or \"\(time)\""
    }

    /// `22:00`, `1:10:00.5`: minutes and seconds, with hours if there are any.
    static func clock(_ time: MediaTime) -> String {
        let nanoseconds = time.nanoseconds.magnitude
        let seconds = nanoseconds / 1_000_000_000
        let fraction = plain(.nanoseconds(Int64(nanoseconds % 1_000_000_000))).dropFirst()
        let two = { (value: UInt64) in value < 10 ? "0\(value)" : "\(value)" }
        let hours = seconds / 3600
        let minutes = seconds / 60 % 60
        let head = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
        return "\(time < .zero ? "-" : "")\(head):\(two(seconds % 60))\(fraction)"
    }

    /// The time probably meant by `22m`, `1h 10min`, `90 s` or `1.32e3`; nil when it is not clear.
    static func guess(_ text: String) -> MediaTime? {
        let lower = text.lowercased()
        if let unsigned = lower.hasPrefix("-") || lower.hasPrefix("+") ? parse(String(lower.dropFirst())) : nil {
            return unsigned
        }
        if let exponent = guessExponent(lower) { return exponent }
        if let rounded = guessLongFraction(lower) { return rounded }
        var total: Int64 = 0
        var number = ""
        var unit = ""
        var found = false
        func units(_ unit: String) -> Int64? {
            switch unit {
            case "h", "hr", "hour", "hours": 3600
            case "m", "min", "mins", "minute", "minutes": 60
            case "s", "sec", "secs", "second", "seconds": 1
            default: nil
            }
        }
        for character in lower + "0" where character != " " {
            if character.isASCII, character.isNumber {
                if !unit.isEmpty {
                    guard number.count <= 6, let value = Int64(number), let scale = units(unit) else { return nil }
                    total += value * scale
                    found = true
                    number = ""
                    unit = ""
                }
                number.append(character)
            } else {
                guard !number.isEmpty, unit.count < 8 else { return nil }
                unit.append(character)
            }
        }
        return found && number == "0" && total < limit.value ? .seconds(total) : nil
    }

    /// `1.32e3`: moves the point by the exponent.
    private static func guessExponent(_ text: String) -> MediaTime? {
        let parts = text.split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count == 2, let exponent = Int(parts[1].drop { $0 == "+" }), (-9...9).contains(exponent) else { return nil }
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(mantissa.count), mantissa[0].count <= 9 else { return nil }
        let fraction = mantissa.count == 2 ? String(mantissa[1]) : ""
        guard fraction.count <= 9, let value = Int64(mantissa[0] + fraction), value >= 0 else { return nil }
        let shift = exponent - fraction.count
        let scale = (0..<abs(shift)).reduce(Int128(1)) { scale, _ in scale * 10 }
        let top = shift >= 0 ? Int128(value) * scale : Int128(value)
        let bottom = shift >= 0 ? 1 : scale
        guard top / bottom < Int128(limit.value) else { return nil }
        return MediaTime(numerator: top, denominator: bottom)
    }

    /// `0.0333666666666`: too many decimals, cut to the nanosecond.
    private static func guessLongFraction(_ text: String) -> MediaTime? {
        guard let point = text.lastIndex(of: ".") else { return nil }
        let fraction = text[text.index(after: point)...]
        guard fraction.count > 9, fraction.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return parse(String(text[...point]) + String(fraction.prefix(9)))
    }
}
