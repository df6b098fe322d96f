import LinuxSupport
import MediaModel
import MediaTime

/// The signal to the screen follows the item: its refresh rate, if the services say so, and its dynamic range. It changes when an item starts, before its
/// first picture, and never during playback: neither for a seek nor for advertisements, nor for a following item with nearly the same frame rate and the
/// same range. An item that needs another signal is therefore not joined to the previous one.
///
/// When nothing plays any more, a screen in a high range keeps its signal for three seconds, so that it is not black twice when another such item follows.
@MainActor
final class ScreenMatcher {
    /// How long a high range is kept when nothing plays.
    static let patience = Duration.seconds(3)

    private let display: any DisplayOutput
    private let clock: any HostClock
    private let matchesRefresh: Bool
    private let showsHighRange: Bool
    /// Whether the current rate was chosen for a film.
    private var isChosen = false
    /// The rate from before the first film.
    private var preferred = Ratio.zero
    /// The rate requested from the display, until it reports a mode.
    private var expected: Ratio?
    /// The high range that was requested for the last item.
    private var range: HighDynamicRange?
    /// Ends the signal of the last item.
    private var ending: ScheduledEvent?

    init(_ services: PlaybackServices) {
        display = services.display
        clock = services.clock
        matchesRefresh = services.matchesRefresh
        showsHighRange = services.showsHighRange
    }

    private var current: Ratio { expected ?? display.mode.refresh }

    private func chosenRate(for item: PlayerItem) -> Ratio? {
        guard matchesRefresh else { return nil }
        return RefreshChoice(
            offered: display.refreshRates, current: current, preferred: isChosen ? preferred : current, isChosen: isChosen
        ).rate(for: item.videoTrack?.frameRate)
    }

    private func shownRange(for item: PlayerItem) -> HighDynamicRange? {
        guard showsHighRange, let range = item.videoTrack?.highRange, display.range.offered.contains(range) else { return nil }
        return range
    }

    /// Whether an item needs another signal than the current item.
    func wouldChange(for item: PlayerItem) -> Bool { chosenRate(for: item) != nil || shownRange(for: item) != range }

    /// An item starts.
    func match(_ item: PlayerItem) {
        ending?.cancel()
        ending = nil
        let (rate, range) = (chosenRate(for: item), shownRange(for: item))
        // An item in a high range states its own light.
        guard rate != nil || range != self.range || range != nil else { return }
        self.range = range
        if let rate {
            if !isChosen { preferred = current }
            isChosen = true
            expected = rate
        }
        display.setSignal(SignalRequest(refresh: isChosen ? current : nil, range: range))
    }

    /// The display has reported its mode.
    func displayChanged() { expected = nil }

    /// Nothing plays any more: the screen's signal from before the first film returns.
    func end() {
        guard range != nil else { return restore() }
        ending?.cancel()
        ending = clock.schedule(after: Self.patience) { [weak self] in self?.restore() }
    }

    private func restore() {
        guard isChosen || range != nil else { return }
        if isChosen { expected = preferred }
        (isChosen, range, ending) = (false, nil, nil)
        display.setSignal(SignalRequest())
    }
}
