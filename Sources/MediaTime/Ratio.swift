/// An exact ratio of two integers: a playback rate, a frame rate, an aspect.
public struct Ratio: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The upper number.
    public let numerator: Int64
    /// The lower number; always positive.
    public let denominator: Int64

    /// Makes `numerator / denominator` in lowest terms.
    ///
    /// - Precondition: `denominator != 0`.
    public init(_ numerator: Int64, _ denominator: Int64 = 1) {
        precondition(denominator != 0, "a ratio has a denominator")
        let divisor = Int64(MediaTime.commonDivisor(numerator.magnitude, denominator.magnitude))
        let sign: Int64 = denominator < 0 ? -1 : 1
        self.numerator = sign * numerator / divisor
        self.denominator = sign * denominator / divisor
    }

    /// Zero: the rate of what is paused.
    public static let zero = Ratio(0)
    /// One: the rate of ordinary play.
    public static let one = Ratio(1)

    public static func < (left: Ratio, right: Ratio) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }

    /// The length of one cycle of this frequency in hertz, e.g. 1001/30000 s for 30000/1001.
    ///
    /// - Precondition: the ratio is positive and both numbers fit the media time.
    public var period: MediaTime {
        precondition(numerator > 0, "only a positive frequency has a period")
        return MediaTime(numerator: Int128(denominator), denominator: Int128(numerator))
    }

    /// For drawing and logs only.
    public var approximateValue: Double { Double(numerator) / Double(denominator) }

    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
