import MediaModel
import MediaTime

/// The rules of this box about navigation.
package struct StandardNavigationPolicy: NavigationPolicy {
    /// Which interstitials are enforced.
    package var snapBack: SnapBack
    /// Whether they may be jumped over.
    package var canSkipInterstitials: Bool

    package init(snapBack: SnapBack = .first, canSkipInterstitials: Bool = false) {
        self.snapBack = snapBack
        self.canSkipInterstitials = canSkipInterstitials
    }

    /// Backward, and where interstitials may be skipped: the target. Forward: the start of the first (`last`: of the last) range
    /// that was not watched and lies wholly between old place and target; else, where the target lies inside a range, the start of
    /// that; else the target.
    package func timeToSeekAfterUserNavigated(_ navigation: UserNavigation) -> MediaTime {
        let (old, target) = (navigation.old, navigation.target)
        guard target > old, !canSkipInterstitials else { return target }
        let span = TimeRange(start: old, end: target)
        let owed = navigation.ranges.filter { span.contains($0.range) && $0.isEnforced(watched: navigation.watched) }
        if let range = snapBack == .last ? owed.last : owed.first { return range.range.start }
        if let inside = navigation.ranges.first(where: { $0.range.contains(target) && $0.isEnforced(watched: navigation.watched) }
        ),
            inside.range.start >= old
        {
            return inside.range.start
        }
        return target
    }

    /// Always.
    package func shouldPresent(_ proposal: ProposalPresentation) -> Bool { true }
}

extension InterstitialRange {
    /// Whether it has to be watched: not where it was watched already, unless it is to be played every time.
    func isEnforced(watched: Set<String>) -> Bool {
        !range.isEmpty && (repetition == .always || !watched.contains(id))
    }
}
