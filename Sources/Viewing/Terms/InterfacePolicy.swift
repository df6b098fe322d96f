import MediaModel
import MediaTime
import Screens

/// A navigation of the viewer, as passed to the policy. All times are asset time.
package struct UserNavigation: Sendable, Equatable {
    /// The origin.
    package var old: MediaTime
    /// The target.
    package var target: MediaTime
    /// The interstitials of the item, ordered by start.
    package var interstitials: [Interstitial]
    /// The ids of the watched ones.
    package var watched: Set<String>

    package init(from old: MediaTime, to target: MediaTime, interstitials: [Interstitial], watched: Set<String>) {
        self.old = old
        self.target = target
        self.interstitials = interstitials
        self.watched = watched
    }
}

/// The operator's rules for navigation and proposals: the counterpart of the delegate of `AVPlayerViewController`.
/// Implementations are pure.
package protocol NavigationPolicy: Sendable {
    /// `playerViewController(_:timeToSeekAfterUserNavigatedFrom:to:)`: the position to seek to. Called once for each navigation of the viewer, and
    /// for no other seeks.
    func timeToSeekAfterUserNavigated(_ navigation: UserNavigation) -> MediaTime
    /// `playerViewController(_:shouldPresent:)`: whether a proposal is shown. If not, the item plays to its end.
    func shouldPresent(_ proposal: ProposalPresentation) -> Bool
}

/// The settings of operator and box.
package struct InterfacePolicy: Sendable {
    /// The rules for navigation and proposals.
    package var navigation: any NavigationPolicy
    /// Which interstitials must be watched after the one that `navigation` led to.
    package var snapBack: SnapBackPolicy
    /// Whether Back only closes layers, because there is no Home.
    package var isKiosk: Bool
    /// Whether the bar hides automatically.
    package var autoHides: Bool
    /// Whether there is a Home. A kiosk whose feed plays automatically has none.
    package var hasHome: Bool
    /// The configured languages of the box, best first (BCP 47), for viewers who have not chosen one.
    package var languages = ["en"]
    /// Whether a PIN is set.
    package var hasPIN = false
    /// Whether the viewer may set, change and remove it: the operator has set none, and the box is no kiosk.
    package var setsPIN = false
    /// The age above which the box, or its feed, asks for the PIN while the viewer has chosen none; nil for no limit.
    package var configuredAge: Int?
    /// Its number of digits.
    package var pinLength = 4
    /// Whether a service can perform a factory reset.
    package var canReset = false
    /// Whether there is a voice for the focused element.
    package var hasVoice = false
    /// The name of the wireless network in the operator's settings, which viewers do not forget; nil if there is none.
    package var configuredNetwork: String?
    /// The configured overscan of the interface, 0…5 percent.
    package var overscanPercent = 0
    /// The name of the audio output, under which its delay is kept.
    package var soundOutput = ""
    /// The outputs of sound, and the one in use; nil where there is nothing to choose.
    package var soundRoute: SoundRoute?
    /// The configured delay of the sound, in milliseconds.
    package var soundDelay = 0
    /// The id of the film that tests the delay of the sound; nil if there is none.
    package var lipSyncFilm: String?
    /// The time without a key after which a live channel asks "Still watching?"; nil for never.
    package var asksAfter: Duration?
    /// The short name of this run on error cards; nil for none.
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
