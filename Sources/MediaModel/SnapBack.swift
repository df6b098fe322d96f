import MediaTime

/// Which of the skipped breaks must be watched first.
package enum SnapBack: String, Sendable, Hashable, CaseIterable {
    /// The first that was not watched.
    case first
    /// The last that was not watched.
    case last
    /// Each that was not watched, one after another.
    case all
}

/// Decides which interstitial a viewer must watch before they reach the position that they want. Interstitials that touch are one break
/// (`InterstitialBreak`): one that is entered is played to its end. A pure value: the interface asks it about spliced interstitials, the engine about
/// those beside the stream.
package struct SnapBackPolicy: Sendable, Hashable {
    package var snapBack: SnapBack
    /// Whether a viewer may jump over interstitials. Those that are linear remain so while they play.
    package var canSkipInterstitials: Bool

    package init(_ snapBack: SnapBack = .first, canSkipInterstitials: Bool = false) {
        self.snapBack = snapBack
        self.canSkipInterstitials = canSkipInterstitials
    }

    /// The interstitial that must be watched before a jump: of the breaks jumped over in which one is owed, the first of the first one that plays
    /// (`last`: of the last one); if there is none, the one that contains the target. A jump back is always allowed.
    ///
    /// - Parameters:
    ///   - interstitials: in the order of their time; spliced ones do not overlap.
    ///   - watched: ids of those that were watched.
    package func interstitialToWatch(
        from origin: MediaTime, to target: MediaTime, among interstitials: [Interstitial], watched: Set<String>
    ) -> Interstitial? {
        guard target > origin, !canSkipInterstitials else { return nil }
        let due = InterstitialBreak.breaks(of: interstitials).compactMap { $0.entry(from: origin, to: target, watched: watched) }
        return (snapBack == .last ? due.last : due.first)
            ?? interstitials.first {
                $0.isOwed(watched: watched) && $0.range.contains(target) && $0.time >= origin
            }
    }

    /// The interstitial that must be watched after another one and before the target: the rest of its break, then (`all`) the next break; nil: the viewer
    /// goes to the target. It was decided before that the viewer must watch: `canSkipInterstitials` is not asked again.
    package func interstitialToWatch(
        after previous: Interstitial, before target: MediaTime, among interstitials: [Interstitial], watched: Set<String>
    ) -> Interstitial? {
        let breaks = InterstitialBreak.breaks(of: interstitials)
        let own = breaks.firstIndex { $0.contains(previous.id) }
        if let own, let next = breaks[own].next(after: previous.id, watched: watched) { return next }
        guard snapBack == .all else { return nil }
        return breaks.indices.lazy.filter { $0 != own }.compactMap {
            breaks[$0].entry(from: previous.range.end, to: target, watched: watched)
        }.first
    }
}
