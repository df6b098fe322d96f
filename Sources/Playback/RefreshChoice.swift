import MediaModel
import MediaTime

/// Chooses the refresh rate for a film, so that all its frames are shown equally long. A value.
struct RefreshChoice {
    /// How well a refresh rate fits a frame rate.
    private enum Fit: Comparable {
        /// It is not a multiple.
        case none
        /// It is two and a half times the frame rate: frames are shown for two and three blanks in turn, an even cadence.
        case alternating
        /// It is a multiple except for a thousandth, as 24 of 24000/1001: about every half minute a frame is repeated or dropped.
        case near
        /// It is a multiple, within the accuracy of display clocks and of rates in playlists.
        case whole
    }

    /// The rates of the screen.
    var offered: [Ratio]
    /// The current rate.
    var current: Ratio
    /// The rate of the box when nothing plays.
    var preferred: Ratio
    /// Whether the current rate was chosen for a film. If so, it is kept while it nearly fits, because a screen is black while it changes.
    var isChosen: Bool

    /// The rate for a film; nil to keep the current one.
    ///
    /// - Parameter frameRate: of the film. If it is nil or implausible it counts as unknown, and nothing changes.
    func rate(for frameRate: Ratio?) -> Ratio? {
        guard let frameRate, frameRate >= Self.slowest else { return nil }
        if isChosen, Self.fit(current, frameRate) >= .near { return nil }
        let best = offered.map { Self.fit($0, frameRate) }.max() ?? .none
        guard best > .none else { return current == preferred ? nil : preferred }
        guard Self.fit(current, frameRate) < best else { return nil }
        // The interface is smooth at the screen's preferred rate, or near it.
        let preferred = preferred.approximateValue
        return offered.filter { Self.fit($0, frameRate) == best }
            .min { abs($0.approximateValue - preferred) < abs($1.approximateValue - preferred) }
    }

    /// Lower frame rates are slide shows.
    private static let slowest = Ratio(10)
    /// In millionths: the clocks of modes have steps of kilohertz, and rates in playlists two or three decimals.
    private static let wholeTolerance: Int128 = 250
    /// A thousandth, as between 24 and 24000/1001.
    private static let nearTolerance: Int128 = 1100

    private static func fit(_ rate: Ratio, _ frameRate: Ratio) -> Fit {
        let (numerator, denominator) = (
            Int128(rate.numerator) * Int128(frameRate.denominator), Int128(rate.denominator) * Int128(frameRate.numerator)
        )
        let multiple = max(1, (numerator + denominator / 2) / denominator)
        let error = abs(numerator - multiple * denominator) * 1_000_000 / (multiple * denominator)
        if error <= nearTolerance { return error <= wholeTolerance ? .whole : .near }
        let alternatingError = abs(2 * numerator - 5 * denominator) * 1_000_000 / (5 * denominator)
        return alternatingError <= wholeTolerance ? .alternating : .none
    }
}
