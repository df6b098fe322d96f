import MediaModel
import MediaTime

/// Which refresh rate a film is shown at, so that each of its pictures stays as long as the others. A value.
struct RefreshChoice {
    /// How well a rate fits a film.
    private enum Fit: Comparable {
        /// It is no multiple of the film's.
        case none
        /// A multiple but for a thousandth, as 24 is of 24000/1001: a picture is shown twice, or left out, every half minute or so.
        case near
        /// A multiple, as far as clocks of screens and rates in playlists are exact.
        case whole
    }

    /// Rates of the screen.
    var offered: [Ratio]
    /// The rate in force.
    var current: Ratio
    /// The rate that the box is used at when nothing plays.
    var preferred: Ratio
    /// Whether the rate in force was chosen for a film: then it stays while it fits nearly, since a screen is black while it changes.
    var isChosen: Bool

    /// The rate for a film; nil: the one in force.
    ///
    /// - Parameter frameRate: of the film; nil or out of the ordinary: not known, and nothing is changed for a guess.
    func rate(for frameRate: Ratio?) -> Ratio? {
        guard let frameRate, frameRate >= Self.slowest else { return nil }
        if isChosen, Self.fit(current, frameRate) >= .near { return nil }
        let best = offered.map { Self.fit($0, frameRate) }.max() ?? .none
        guard best > .none else { return current == preferred ? nil : preferred }
        guard Self.fit(current, frameRate) < best else { return nil }
        // The interface is smooth at what the screen prefers, or near it.
        let preferred = preferred.approximateValue
        return offered.filter { Self.fit($0, frameRate) == best }
            .min { abs($0.approximateValue - preferred) < abs($1.approximateValue - preferred) }
    }

    /// What moves slower is a slide show.
    private static let slowest = Ratio(10)
    /// In millionths: the clocks of modes are in steps of kilohertz, rates in playlists have three decimals or two.
    private static let wholeTolerance: Int128 = 250
    /// A thousandth is between 24 and 24000/1001.
    private static let nearTolerance: Int128 = 1100

    private static func fit(_ rate: Ratio, _ frameRate: Ratio) -> Fit {
        let (numerator, denominator) = (
            Int128(rate.numerator) * Int128(frameRate.denominator), Int128(rate.denominator) * Int128(frameRate.numerator)
        )
        let multiple = max(1, (numerator + denominator / 2) / denominator)
        let error = abs(numerator - multiple * denominator) * 1_000_000 / (multiple * denominator)
        return error <= wholeTolerance ? .whole : error <= nearTolerance ? .near : .none
    }
}

/// The refresh rate follows the film where the services say so. It changes when an item begins, before its first picture, and never while one plays: not for
/// advertisements, and not for an item of nearly the same rate behind it. An item of another rate is therefore not joined to the one before.
@MainActor
final class RefreshMatcher {
    private let display: any DisplayOutput
    private let isOn: Bool
    /// The rate in force was chosen for a film.
    private var isChosen = false
    /// What was in force before.
    private var preferred = Ratio.zero
    /// What was asked of the display, until it tells.
    private var expected: Ratio?

    init(_ services: PlaybackServices) {
        display = services.display
        isOn = services.matchesRefresh
    }

    private var current: Ratio { expected ?? display.mode.refresh }

    private func choice(for item: PlayerItem) -> Ratio? {
        guard isOn else { return nil }
        return RefreshChoice(
            offered: display.refreshRates, current: current, preferred: isChosen ? preferred : current, isChosen: isChosen
        ).rate(for: item.videoTrack?.frameRate)
    }

    /// Whether the screen would have another rate for an item than for the one that plays.
    func wouldChange(for item: PlayerItem) -> Bool { choice(for: item) != nil }

    /// An item begins.
    func match(_ item: PlayerItem) {
        guard let rate = choice(for: item) else { return }
        if !isChosen { preferred = current }
        isChosen = true
        expected = rate
        display.setRefresh(rate)
    }

    /// The display has told its mode.
    func displayChanged() { expected = nil }

    /// Gives the screen back the rate that it had before the first film.
    func end() {
        guard isChosen else { return }
        isChosen = false
        expected = preferred
        display.setRefresh(nil)
    }
}
