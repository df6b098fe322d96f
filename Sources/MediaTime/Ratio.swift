/// An exact ratio of two integers: a playback rate, a frame rate, an aspect.
package struct Ratio: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let numerator: Int64
    /// Always positive.
    package let denominator: Int64

    /// Makes `numerator / denominator` in lowest terms. -2^63 counts as -2^63 + 1, whose sign can change.
    ///
    /// - Precondition: `denominator != 0`.
    package init(_ numerator: Int64, _ denominator: Int64 = 1) {
        precondition(denominator != 0, "a ratio has a denominator")
        let (numerator, denominator) = (max(numerator, -.max), max(denominator, -.max))
        let divisor = Int64(MediaTime.commonDivisor(numerator.magnitude, denominator.magnitude))
        let sign: Int64 = denominator < 0 ? -1 : 1
        self.numerator = sign * numerator / divisor
        self.denominator = sign * denominator / divisor
    }

    /// Zero: the rate while paused.
    package static let zero = Ratio(0)
    /// One: the normal rate.
    package static let one = Ratio(1)

    package static func < (left: Ratio, right: Ratio) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }

    /// The length of one cycle of this frequency in hertz, e.g. 1001/30000 s for 30000/1001.
    ///
    /// - Precondition: the ratio is positive and both numbers fit the media time.
    package var period: MediaTime {
        precondition(numerator > 0, "only a positive frequency has a period")
        return MediaTime(numerator: Int128(denominator), denominator: Int128(numerator))
    }

    /// For drawing and logs only.
    package var approximateValue: Double { Double(numerator) / Double(denominator) }

    package var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    /// How often one time goes into another, exactly; nil if the divisor is zero or the ratio does not fit 64 bits.
    package init?(_ time: MediaTime, over divisor: MediaTime) {
        guard divisor != .zero else { return nil }
        let (top, bottom) = (Int128(time.value) * Int128(divisor.timescale), Int128(divisor.value) * Int128(time.timescale))
        let common = Int128(MediaTime.greatestCommonDivisor(top.magnitude, bottom.magnitude))
        guard let numerator = Int64(exactly: top / common), let denominator = Int64(exactly: bottom / common),
            // The initializer would change these to a number whose sign can change.
            numerator != .min, denominator != .min
        else { return nil }
        self.init(numerator, denominator)
    }
}
