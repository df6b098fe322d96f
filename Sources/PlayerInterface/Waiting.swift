import LinuxSupport

/// How long nothing new has been shown: first nothing is said, then a spinner, a word, a sentence, a card. A black or frozen screen never stays without words.
struct Waiting: Sendable {
    private var since: HostTime?

    init(since: HostTime? = nil) { self.since = since }

    var isAtRest: Bool { since == nil }

    mutating func end() { since = nil }

    mutating func restart(at now: HostTime) { since = now }

    /// Counts from now on where it does not count already, and says for how long it has been.
    mutating func go(on now: HostTime) -> Duration {
        let start = since ?? now
        since = start
        return now - start
    }

    /// When the next step is due; nil: the last one was taken.
    func nextStep(at now: HostTime) -> HostTime? {
        guard let since else { return nil }
        let steps = [Timing.spinner, Timing.spinnerWord, Timing.slowNetwork, Timing.slowCard, Timing.moveOn]
        return steps.first { now - since < $0 }.map { since + $0 }
    }

    /// What is shown of it; nil: nothing yet.
    func view(at now: HostTime, isLoading: Bool, strings: StringCatalogue) -> SpinnerView? {
        guard let since else { return nil }
        let waited = now - since
        if waited < Timing.spinner { return nil }
        if waited < Timing.spinnerWord { return SpinnerView() }
        return SpinnerView(words: strings.text(waited >= Timing.slowNetwork ? .slowNetwork : isLoading ? .loading : .buffering))
    }
}
