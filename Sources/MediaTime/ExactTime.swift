// Arithmetic that says when it would have to round, for edits that must never move a cut.

extension MediaTime {
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

extension Ratio {
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
