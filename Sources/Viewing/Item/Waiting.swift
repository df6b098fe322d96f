import LinuxSupport
import Screens

/// How long there were no new frames: first nothing is shown, then a spinner, a word, a sentence, a card. A black or frozen screen never stays without a message.
struct Waiting: Sendable {
    private var since: HostTime?

    init(since: HostTime? = nil) { self.since = since }

    var isAtRest: Bool { since == nil }

    mutating func end() { since = nil }

    mutating func restart(at now: HostTime) { since = now }

    /// Starts to count unless it already does, and returns the time so far.
    mutating func go(on now: HostTime) -> Duration {
        let start = since ?? now
        since = start
        return now - start
    }

    /// When the next stage is due; nil if the last one was reached.
    func nextStep(at now: HostTime) -> HostTime? {
        guard let since else { return nil }
        let steps = [Timing.spinner, Timing.spinnerWord, Timing.slowNetwork, Timing.slowCard, Timing.moveOn]
        return steps.first { now - since < $0 }.map { since + $0 }
    }

    /// The visible part; nil if there is none yet.
    func view(at now: HostTime, isLoading: Bool, strings: StringCatalogue) -> SpinnerView? {
        guard let since else { return nil }
        let waited = now - since
        if waited < Timing.spinner { return nil }
        if waited < Timing.spinnerWord { return SpinnerView() }
        return SpinnerView(words: strings.text(waited >= Timing.slowNetwork ? .slowNetwork : isLoading ? .loading : .buffering))
    }
}
