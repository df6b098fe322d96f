import MediaModel
import MediaTime
import Screens

/// The default navigation rules of the box.
package struct StandardNavigationPolicy: NavigationPolicy {
    /// Which interstitials must be watched first.
    package var snapBack: SnapBackPolicy

    package init(snapBack: SnapBackPolicy = SnapBackPolicy()) { self.snapBack = snapBack }

    /// The start of the interstitial that must be watched first, else the target.
    package func timeToSeekAfterUserNavigated(_ navigation: UserNavigation) -> MediaTime {
        snapBack.interstitialToWatch(
            from: navigation.old, to: navigation.target, among: navigation.interstitials, watched: navigation.watched)?.time
            ?? navigation.target
    }

    /// Always.
    package func shouldPresent(_ proposal: ProposalPresentation) -> Bool { true }
}
