import MediaTime

/// Interstitials that touch, with nothing of the main content between them. For a viewer they are one: jumping over them leads to the first that was
/// not watched, and from there they play one after another to the end of the break.
///
/// Spliced ones touch where the range of one ends at the start of the next. Those beside the stream touch if they have the same place, or if the main
/// content resumes after one exactly where the next begins.
package struct InterstitialBreak: Sendable, Hashable {
    /// In the order of their time; at least one.
    package private(set) var interstitials: [Interstitial]

    /// The breaks of a timeline.
    ///
    /// - Parameter interstitials: in the order of their time. Empty spliced ones, which are never shown, are in no break; those with a cue, which do
    ///   not depend on their time, are alone.
    /// - Returns: in the order of their time.
    package static func breaks(of interstitials: [Interstitial]) -> [InterstitialBreak] {
        var breaks: [InterstitialBreak] = []
        for interstitial in interstitials where interstitial.event != nil || !interstitial.range.isEmpty {
            let timed = breaks.lastIndex { $0.interstitials[0].cue.isEmpty }
            if interstitial.cue.isEmpty, let timed, let last = breaks[timed].interstitials.last, interstitial.touches(last) {
                breaks[timed].interstitials.append(interstitial)
            } else {
                breaks.append(InterstitialBreak(interstitials: [interstitial]))
            }
        }
        return breaks
    }

    /// The break that an interstitial belongs to; nil if it belongs to none.
    package static func of(_ interstitial: Interstitial, among interstitials: [Interstitial]) -> InterstitialBreak? {
        breaks(of: interstitials).first { $0.contains(interstitial.id) }
    }

    /// Whether an interstitial belongs to it.
    package func contains(_ id: String) -> Bool { interstitials.contains { $0.id == id } }

    /// Where a viewer enters it who jumps over it, or over a part of it: the first one on the way that plays, if one of them must be watched; nil if
    /// none must.
    func entry(from origin: MediaTime, to target: MediaTime, watched: Set<String>) -> Interstitial? {
        let crossed = interstitials.filter { $0.isCrossed(from: origin, to: target) && !$0.isSpent(watched: watched) }
        return crossed.contains { $0.isOwed(watched: watched) } ? crossed.first : nil
    }

    /// The next one of it that plays after one of them; nil after the last.
    package func next(after id: String, watched: Set<String>) -> Interstitial? {
        guard let index = interstitials.firstIndex(where: { $0.id == id }) else { return nil }
        return interstitials[(index + 1)...].first { !$0.isSpent(watched: watched) }
    }
}
