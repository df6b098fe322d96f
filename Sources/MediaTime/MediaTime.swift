/// A point on, or a length of, a media timeline: exactly `value / timescale` seconds.
///
/// The counterpart of Core Media's `CMTime`, without its flags: an unknown time is `nil`, and a timeline without an end is a
/// case of `MediaDuration`. Comparison is always exact. Arithmetic is exact as long as the least common multiple of
/// the timescales fits `Int32` after reduction; beyond that the result is rounded to the nearest 1/1,000,000,000 s.
///
/// Numbers from files and networks may have any size, so nothing here traps on a large one: a result that does not fit 64 bits in
/// its timescale is rounded to whole seconds, and one that does not fit 64 bits of seconds is the largest or smallest time.
/// Counts of units are clamped to 64 bits.
package struct MediaTime: Sendable, Hashable, Comparable {
    /// The number of units of `1 / timescale` seconds.
    package let value: Int64
    /// Units per second; always positive.
    package let timescale: Int32

    /// Makes the time `value / timescale` seconds, kept in lowest terms so that equal times are equal values.
    ///
    /// - Precondition: `timescale > 0`.
    package init(_ value: Int64, _ timescale: Int32) {
        precondition(timescale > 0, "a timescale is positive")
        let divisor = Self.commonDivisor(value.magnitude, UInt64(timescale))
        self.value = value / Int64(divisor)
        self.timescale = Int32(Int64(timescale) / Int64(divisor))
    }

    /// Makes a time that is in lowest terms already.
    private init(lowest value: Int64, _ timescale: Int32) {
        self.value = value
        self.timescale = timescale
    }

    package static let zero = MediaTime(0, 1)

    /// A whole number of seconds.
    package static func seconds(_ seconds: Int64) -> MediaTime { MediaTime(seconds, 1) }

    /// A whole number of milliseconds.
    package static func milliseconds(_ milliseconds: Int64) -> MediaTime { MediaTime(milliseconds, 1000) }

    /// A whole number of nanoseconds.
    package static func nanoseconds(_ nanoseconds: Int64) -> MediaTime { MediaTime(nanoseconds, 1_000_000_000) }

    /// The time nearest to a floating-point number of seconds, to the nanosecond; nil when the number is not finite.
    package init?(approximateSeconds seconds: Double) {
        guard seconds.isFinite else { return nil }
        if let nanoseconds = Int64(exactly: (seconds * 1_000_000_000).rounded()) {
            self = .nanoseconds(nanoseconds)
        } else {
            self = .seconds(Int64(exactly: seconds.rounded()) ?? (seconds < 0 ? .min : .max))
        }
    }

    /// The exact fraction `numerator / denominator`, rounded to the nearest nanosecond, or beyond 292 years to the nearest second,
    /// only if it does not fit.
    ///
    /// - Precondition: `denominator != 0`, and its magnitude is below 2^96.
    package init(numerator: Int128, denominator: Int128) {
        precondition(denominator != 0, "a fraction has a denominator")
        let sign: Int128 = denominator < 0 ? -1 : 1
        let divisor =
            if let top = UInt64(exactly: numerator.magnitude), let bottom = UInt64(exactly: denominator.magnitude) {
                Int128(Self.commonDivisor(top, bottom))
            } else {
                Int128(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
            }
        let (top, bottom) = (sign * numerator / divisor, sign * denominator / divisor)
        let isFine = bottom <= Int128(Int32.max)
        if let value = isFine ? Int64(exactly: top) : Self.count(of: 1_000_000_000, top, bottom) {
            self.init(value, isFine ? Int32(bottom) : 1_000_000_000)
        } else {
            self.init(Int64(clamping: Self.roundedQuotient(top, bottom)), 1)
        }
    }

    /// How many units of `1 / scale` seconds are in `top / bottom` seconds, to the nearest; nil beyond 64 bits.
    private static func count(of scale: Int128, _ top: Int128, _ bottom: Int128) -> Int64? {
        // The whole seconds and the rest are converted apart, because the product of the whole number may not fit.
        let (seconds, rest) = top.quotientAndRemainder(dividingBy: bottom)
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        let (sum, carry) = whole.addingReportingOverflow(roundedQuotient(rest * scale, bottom))
        return carry ? nil : Int64(exactly: sum)
    }

    package static func < (left: MediaTime, right: MediaTime) -> Bool {
        if left.timescale == right.timescale { return left.value < right.value }
        // Usually everything fits into 64 bits.
        let first = left.value.multipliedReportingOverflow(by: Int64(right.timescale))
        let second = right.value.multipliedReportingOverflow(by: Int64(left.timescale))
        if !first.overflow, !second.overflow { return first.partialValue < second.partialValue }
        return Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }

    // Those of the standard library ask a table for `<` each time.
    package static func > (left: MediaTime, right: MediaTime) -> Bool { right < left }
    package static func <= (left: MediaTime, right: MediaTime) -> Bool { !(right < left) }
    package static func >= (left: MediaTime, right: MediaTime) -> Bool { !(left < right) }

    package static func + (left: MediaTime, right: MediaTime) -> MediaTime {
        if right.value == 0 { return left }
        if left.value == 0 { return right }
        if left.timescale == right.timescale {
            let (sum, overflow) = left.value.addingReportingOverflow(right.value)
            if !overflow { return MediaTime(sum, left.timescale) }
        }
        // Usually everything fits into 64 bits.
        let common = Self.commonDivisor(UInt64(left.timescale), UInt64(right.timescale))
        let (one, other) = (Int64(right.timescale) / Int64(common), Int64(left.timescale) / Int64(common))
        let (first, second) = (
            left.value.multipliedReportingOverflow(by: one), right.value.multipliedReportingOverflow(by: other)
        )
        let sum = first.partialValue.addingReportingOverflow(second.partialValue)
        if !first.overflow, !second.overflow, !sum.overflow, let timescale = Int32(exactly: Int64(left.timescale) * one) {
            // Both times are in lowest terms: what divides the sum and its timescale divides `common` too (Knuth, The Art of Computer Programming 2, 4.5.1).
            let divisor = common == 1 ? 1 : Self.commonDivisor(sum.partialValue.magnitude, common)
            return MediaTime(lowest: sum.partialValue / Int64(divisor), timescale / Int32(divisor))
        }
        return MediaTime(
            numerator: Int128(left.value) * Int128(right.timescale) + Int128(right.value) * Int128(left.timescale),
            denominator: Int128(left.timescale) * Int128(right.timescale))
    }

    package static prefix func - (time: MediaTime) -> MediaTime {
        // The largest time in place of one that does not fit may have a divisor in common with its timescale.
        time.value == .min ? MediaTime(.max, time.timescale) : MediaTime(lowest: -time.value, time.timescale)
    }

    package static func - (left: MediaTime, right: MediaTime) -> MediaTime { left + -right }

    package static func += (left: inout MediaTime, right: MediaTime) { left = left + right }

    package static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }

    package static func * (time: MediaTime, factor: Int) -> MediaTime {
        MediaTime(numerator: Int128(time.value) * Int128(factor), denominator: Int128(time.timescale))
    }

    package static func / (time: MediaTime, divisor: Int) -> MediaTime {
        MediaTime(numerator: Int128(time.value), denominator: Int128(time.timescale) * Int128(divisor))
    }

    /// This time multiplied by an exact ratio, e.g. a playback rate.
    package func scaled(by ratio: Ratio) -> MediaTime {
        if ratio == .one { return self }
        return MediaTime(
            numerator: Int128(value) * Int128(ratio.numerator), denominator: Int128(timescale) * Int128(ratio.denominator))
    }

    /// How many whole steps of `step` fit, rounded down (towards minus infinity): the number of a frame, of a sample.
    package func wholeSteps(of step: MediaTime) -> Int64 {
        precondition(step > .zero, "a step is positive")
        return Int64(
            clamping: Self.flooredQuotient(Int128(value) * Int128(step.timescale), Int128(timescale) * Int128(step.value)))
    }

    /// The count of units of another timescale nearest to this time, ties away from zero.
    package func units(of timescale: Int32) -> Int64 {
        if timescale == self.timescale { return value }
        let (product, overflow) = value.multipliedReportingOverflow(by: Int64(timescale))
        if !overflow { return Self.roundedQuotient(product, Int64(self.timescale)) }
        return Int64(clamping: Self.roundedQuotient(Int128(value) * Int128(timescale), Int128(self.timescale)))
    }

    /// The count of units of another timescale at or before this time.
    package func unitsRoundedDown(of timescale: Int32) -> Int64 {
        Int64(clamping: Self.flooredQuotient(Int128(value) * Int128(timescale), Int128(self.timescale)))
    }

    /// Nanoseconds, rounded to the nearest.
    package var nanoseconds: Int64 { units(of: 1_000_000_000) }

    /// Milliseconds, rounded to the nearest.
    package var milliseconds: Int64 { units(of: 1000) }

    /// The distance from zero.
    package var magnitude: MediaTime { value < 0 ? -self : self }

    /// The greatest common divisor by halving, which is faster than division for word-sized numbers.
    static func commonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
        guard first != 0 else { return second == 0 ? 1 : second }
        guard second != 0 else { return first }
        guard first != 1, second != 1 else { return 1 }
        // One is usually much larger than the other: one division makes them similar.
        var (first, second) = first > second ? (first % second, second) : (first, second % first)
        if first == 0 { return second }
        if second == 0 { return first }
        let twos = (first | second).trailingZeroBitCount
        first >>= first.trailingZeroBitCount
        while second != 0 {
            second >>= second.trailingZeroBitCount
            let (smaller, larger) = (min(first, second), max(first, second))
            (first, second) = (smaller, larger &- smaller)
        }
        return first << twos
    }

    static func greatestCommonDivisor<Magnitude: UnsignedInteger>(_ first: Magnitude, _ second: Magnitude) -> Magnitude {
        var (first, second) = (first, second)
        while second != 0 { (first, second) = (second, first % second) }
        return first == 0 ? 1 : first
    }

    static func flooredQuotient(_ top: Int128, _ bottom: Int128) -> Int128 {
        let (quotient, remainder) = top.quotientAndRemainder(dividingBy: bottom)
        return remainder != 0 && (remainder < 0) != (bottom < 0) ? quotient - 1 : quotient
    }

    static func roundedQuotient(_ top: Int128, _ bottom: Int128) -> Int128 {
        let half = bottom / 2
        return top >= 0 ? (top + half) / bottom : (top - half) / bottom
    }

    /// - Precondition: `bottom > 0`.
    private static func roundedQuotient(_ top: Int64, _ bottom: Int64) -> Int64 {
        let (quotient, rest) = top.quotientAndRemainder(dividingBy: bottom)
        return rest.magnitude >= (bottom - bottom / 2).magnitude ? quotient + rest.signum() : quotient
    }

    /// Parses decimal seconds such as `12`, `2.5` or `0.033366667` exactly: at most nine decimals, no sign, no exponent. Nil for more seconds
    /// than 64 bits hold at these decimals, which is more than nine thousand million.
    package init?(decimalSeconds text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.number(parts[0], digits: 1...10) else { return nil }
        guard parts.count == 2 else {
            self.init(whole, 1)
            return
        }
        guard let fraction = Self.number(parts[1], digits: 1...9) else { return nil }
        let scale = (0..<parts[1].utf8.count).reduce(Int32(1)) { scale, _ in scale * 10 }
        let (scaled, isTooLarge) = whole.multipliedReportingOverflow(by: Int64(scale))
        let (value, isTooLargeAfterAll) = scaled.addingReportingOverflow(fraction)
        guard !isTooLarge, !isTooLargeAfterAll else { return nil }
        self.init(value, scale)
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    // MARK: Arithmetic that says when it would have to round, for edits that must never move a cut

    /// The fraction `numerator / denominator`; nil if it does not fit.
    ///
    /// - Precondition: `denominator > 0`.
    private init?(exactly numerator: Int128, _ denominator: Int128) {
        let divisor = Int128(Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        guard let value = Int64(exactly: numerator / divisor), let timescale = Int32(exactly: denominator / divisor) else {
            return nil
        }
        self.init(value, timescale)
    }

    /// The sum; nil if it would be rounded.
    package func adding(exactly other: MediaTime) -> MediaTime? {
        // Neither product exceeds 94 bits.
        MediaTime(
            exactly: Int128(value) * Int128(other.timescale) + Int128(other.value) * Int128(timescale),
            Int128(timescale) * Int128(other.timescale))
    }

    /// The difference; nil if it would be rounded.
    package func subtracting(exactly other: MediaTime) -> MediaTime? {
        MediaTime(
            exactly: Int128(value) * Int128(other.timescale) - Int128(other.value) * Int128(timescale),
            Int128(timescale) * Int128(other.timescale))
    }

    /// The product with a ratio; nil if it would be rounded.
    package func scaled(exactlyBy ratio: Ratio) -> MediaTime? {
        // No product exceeds 126 bits, because the numerator of a ratio is not -2^63.
        MediaTime(
            exactly: Int128(value) * Int128(ratio.numerator), Int128(timescale) * Int128(ratio.denominator))
    }
}

extension MediaTime: CustomStringConvertible {
    /// Decimal seconds with three to nine decimal places, e.g. `12.480` or `0.033366667`.
    package var description: String {
        let nanoseconds = Self.roundedQuotient(Int128(value) * 1_000_000_000, Int128(timescale))
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var fraction = String(rest)
        fraction = String(repeating: "0", count: 9 - fraction.count) + fraction
        while fraction.count > 3, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(nanoseconds < 0 ? "-" : "")\(whole).\(fraction)"
    }
}
