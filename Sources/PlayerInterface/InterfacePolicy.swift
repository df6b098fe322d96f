import MediaModel
import MediaTime

/// A viewer's navigation, as its policy is asked about it. All times are asset time.
package struct UserNavigation: Sendable, Equatable {
    /// Where the viewer was.
    package var old: MediaTime
    /// Where the viewer wants to go.
    package var target: MediaTime
    /// The interstitials of the item in the order of their start.
    package var interstitials: [Interstitial]
    /// Ids of those that count as watched.
    package var watched: Set<String>

    package init(from old: MediaTime, to target: MediaTime, interstitials: [Interstitial], watched: Set<String>) {
        self.old = old
        self.target = target
        self.interstitials = interstitials
        self.watched = watched
    }
}

/// What an operator decides about navigation and proposals: the counterpart of the delegate of `AVPlayerViewController`.
/// Implementations are pure.
package protocol NavigationPolicy: Sendable {
    /// `playerViewController(_:timeToSeekAfterUserNavigatedFrom:to:)`: where to go. Asked once for each navigation of the viewer,
    /// never for others.
    func timeToSeekAfterUserNavigated(_ navigation: UserNavigation) -> MediaTime
    /// `playerViewController(_:shouldPresent:)`: whether a proposal is shown. False: the item plays to its end.
    func shouldPresent(_ proposal: ProposalPresentation) -> Bool
}

/// What an operator and a viewer have set.
package struct InterfacePolicy: Sendable {
    /// What is asked about navigation and proposals.
    package var navigation: any NavigationPolicy
    /// Which interstitials must be watched after the one that `navigation` led to.
    package var snapBack: SnapBackPolicy
    /// Whether Back only closes layers: there is no Home to go to.
    package var isKiosk: Bool
    /// Whether the bar hides by itself.
    package var autoHides: Bool
    /// Whether there is a Home to go to. A kiosk whose feed plays by itself has none.
    package var hasHome: Bool
    /// The languages of the box as it was set up, best first (BCP 47): what the interface is in where the viewer has chosen nothing.
    package var languages = ["en"]
    /// Whether a PIN was set up.
    package var hasPIN = false
    /// How many digits it has.
    package var pinLength = 4
    /// Whether there is somebody who can make the box as new.
    package var canReset = false
    /// Whether there is a voice that can speak what has focus.
    package var hasVoice = false
    /// By how much the box was set up to shrink the interface, 0…5 percent.
    package var overscanPercent = 0
    /// After how long without a key a live channel asks whether anybody watches; nil: never.
    package var asksAfter: Duration?
    /// The small word that names this run on error cards; nil: none.
    package var session: String?

    /// The rules of this box.
    package init(
        snapBack: SnapBack = .first, canSkipInterstitials: Bool = false, isKiosk: Bool = false,
        autoHides: Bool = true
    ) {
        let snapBack = SnapBackPolicy(snapBack, canSkipInterstitials: canSkipInterstitials)
        self.init(
            navigation: StandardNavigationPolicy(snapBack: snapBack), snapBack: snapBack, isKiosk: isKiosk,
            autoHides: autoHides)
    }

    package init(
        navigation: any NavigationPolicy, snapBack: SnapBackPolicy = SnapBackPolicy(), isKiosk: Bool = false,
        autoHides: Bool = true
    ) {
        self.navigation = navigation
        self.snapBack = snapBack
        self.isKiosk = isKiosk
        self.autoHides = autoHides
        hasHome = !isKiosk
    }
}
