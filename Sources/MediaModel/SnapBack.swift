import MediaTime

/// Which of the skipped interstitials must be watched first.
package enum SnapBack: String, Sendable, Hashable, CaseIterable {
    /// The first unwatched one.
    case first
    /// The last unwatched one.
    case last
    /// Each that was not watched, one after another.
    case all
}

/// Decides which interstitial a viewer must watch before they reach the position that they want. A pure value: the interface asks
/// it about spliced interstitials, the engine about those beside the stream.
package struct SnapBackPolicy: Sendable, Hashable {
    package var snapBack: SnapBack
    /// Whether a viewer may jump over interstitials. Those that are linear remain so while they play.
    package var canSkipInterstitials: Bool

    package init(_ snapBack: SnapBack = .first, canSkipInterstitials: Bool = false) {
        self.snapBack = snapBack
        self.canSkipInterstitials = canSkipInterstitials
    }

    /// The interstitial that must be watched before a jump: of those jumped over that are owed, the first (`last`: the last); if
    /// there is none, the one that contains the target. A jump back is always allowed.
    ///
    /// - Parameters:
    ///   - interstitials: in the order of their time; spliced ones do not overlap.
    ///   - watched: ids of those that were watched.
    package func interstitialToWatch(
        from origin: MediaTime, to target: MediaTime, among interstitials: [Interstitial], watched: Set<String>
    ) -> Interstitial? {
        guard target > origin, !canSkipInterstitials else { return nil }
        let owed = interstitials.filter { $0.isOwed(watched: watched) }
        let crossed = owed.filter { $0.isCrossed(from: origin, to: target) }
        return (snapBack == .last ? crossed.last : crossed.first)
            ?? owed.first { $0.range.contains(target) && $0.time >= origin }
    }

    /// The interstitial that must be watched after another one and before the target (`all`); nil: the viewer goes to the target.
    /// It was decided before that the viewer must watch: `canSkipInterstitials` is not asked again.
    package func interstitialToWatch(
        after previous: Interstitial, before target: MediaTime, among interstitials: [Interstitial], watched: Set<String>
    ) -> Interstitial? {
        guard snapBack == .all else { return nil }
        return interstitials.first {
            $0.id != previous.id && $0.isOwed(watched: watched) && $0.isCrossed(from: previous.range.end, to: target)
        }
    }
}

extension Interstitial {
    /// Whether it lies between two positions: a spliced one with its whole range. One beside the stream at the target itself plays there anyway; one
    /// with a cue does not depend on its time.
    /// there anyway; one with a cue is not at its time.
    fileprivate func isCrossed(from origin: MediaTime, to target: MediaTime) -> Bool {
        switch placement {
        case .spliced(let range, _): !range.isEmpty && range.start >= origin && range.end <= target
        case .beside(let event): event.cue.isEmpty && event.time >= origin && event.time < target
        }
    }
}
