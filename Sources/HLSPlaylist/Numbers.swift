import MediaTime

/// Parses decimal text exactly, without binary floating point.
enum Numbers {
    /// The largest number that is parsed: in billionths it still fits 63 bits.
    static let largestWhole: Int64 = 9_000_000_000

    /// A parsed decimal number.
    struct Decimal {
        /// The number in units of 1/1,000,000,000, rounded to the nearest if the text has more decimal places.
        var billionths: Int64
        /// How many bytes were parsed.
        var length: Int
        /// Whether it was written with a fraction.
        var hasFraction: Bool
    }

    /// Parses an optional sign, digits, and an optional fraction; ignores what follows.
    static func decimal(_ text: Bytes) -> Decimal? {
        var position = 0
        var negative = false
        if position < text.count, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
            negative = text[position] == UInt8(ascii: "-")
            position += 1
        }
        var whole: Int64 = 0
        var digits = 0
        while position < text.count, let digit = text[position].digit {
            whole = whole * 10 + digit
            guard whole <= largestWhole else { return nil }
            position += 1
            digits += 1
        }
        var fraction: Int64 = 0
        var places = 0
        var roundsUp = false
        var hasFraction = false
        if position < text.count, text[position] == UInt8(ascii: ".") {
            hasFraction = true
            position += 1
            while position < text.count, let digit = text[position].digit {
                if places < 9 {
                    fraction = fraction * 10 + digit
                } else if places == 9 {
                    roundsUp = digit >= 5
                }
                places += 1
                digits += 1
                position += 1
            }
        }
        guard digits > 0 else { return nil }
        while places < 9 {
            fraction *= 10
            places += 1
        }
        let magnitude = whole * 1_000_000_000 + fraction + (roundsUp ? 1 : 0)
        return Decimal(billionths: negative ? -magnitude : magnitude, length: position, hasFraction: hasFraction)
    }

    /// Parses an optional sign and digits; ignores what follows. Nil when there is no digit or the number needs more than 63
    /// bits.
    static func integer(_ text: Bytes) -> (value: Int64, length: Int)? {
        var position = 0
        var negative = false
        if position < text.count, text[position] == UInt8(ascii: "-") {
            negative = true
            position += 1
        }
        let first = position
        var value: Int64 = 0
        while position < text.count, let digit = text[position].digit {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
            position += 1
        }
        return position > first ? (negative ? -value : value, position) : nil
    }

    /// Calls a body with the UTF-8 of a string.
    static func withBytes<Result>(of text: String, _ body: (Bytes) -> Result) -> Result {
        var text = text
        return text.withUTF8(body)
    }

    /// Formats billionths as the shortest exact decimal: `6`, `9.009`, `-0.5`.
    static func text(billionths: Int64) -> String {
        let magnitude = billionths.magnitude
        var text = billionths < 0 ? "-" : ""
        text += String(magnitude / 1_000_000_000)
        var fraction = magnitude % 1_000_000_000
        guard fraction > 0 else { return text }
        var places = 9
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        let digits = String(fraction)
        return text + "." + String(repeating: "0", count: places - digits.count) + digits
    }
}

extension MediaTime {
    /// The shortest exact decimal seconds, in playlist syntax.
    var playlistText: String { Numbers.text(billionths: nanoseconds) }
}

extension Ratio {
    /// A number parsed from a playlist's decimal.
    init(billionths: Int64) { self.init(billionths, 1_000_000_000) }

    /// The decimal in playlist syntax, with up to nine decimal places.
    var playlistText: String {
        Numbers.text(billionths: MediaTime(numerator: Int128(numerator), denominator: Int128(denominator)).nanoseconds)
    }
}
