import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import Playback
import ProgrammeGuide
import Screens
import Shell
import StatusModel

/// The part of `Appliance` that housekeeping uses. Main loop only.
@MainActor
package protocol ApplianceDoor: AnyObject {
    var strings: StringCatalogue { get }
    /// What plays, and its state.
    var nowPlaying: NowPlaying { get }
    /// Whether the box has lost its screen.
    var isScreenLost: Bool { get }
    /// The log of the current item; nil if nothing plays.
    var currentLog: PlaybackLog? { get }
    /// The outputs of sound; nil where there is nothing to choose.
    var soundRoute: SoundRoute? { get }
    /// The id of the output that the viewer has chosen.
    var chosenOutput: String? { get }
    /// The last act of a viewer; nil before the first.
    var lastPress: HostTime? { get }
    /// Shows a screen of the box instead of all others, or removes it with nil. OK and Back call the closures.
    func showSetUp(_ view: SetUpView?, onSelect: (@MainActor () -> Void)?, onBack: (@MainActor () -> Void)?)
    /// Whether `openWireless` leads somewhere: where there is an adapter, and someone who may choose its network.
    var leadsToWireless: Bool { get }
    /// Whether there is an adapter that stays off until a country is set.
    var isRadioWithoutCountry: Bool { get }
    /// Opens the Wi-Fi page over the screen without channels.
    func openWireless()
    /// Leads the viewer through the first run with these facts, or shows it with others. It is there where no screen of the box is.
    func showFirstRun(_ facts: FirstRunFacts)
    /// Shows the errors in the box's settings over everything, or removes them with nil.
    func showVerdict(_ view: VerdictView?)
    /// What Settings says about the box has changed.
    func factsChanged()
    /// Excludes these ids from playback.
    func leaveOut(_ ids: [String])
    /// Applies a feed.
    func apply(_ feed: Feed)
    /// Applies a guide that was read from an address.
    func takeGuide(_ listings: GuideListings, from address: String)
    /// The machine has a network again, after it had none.
    func networkChanged(isConnected: Bool)
    /// Plays the item or channel with an id.
    ///
    /// - Returns: false if there is nothing playable with this id.
    @discardableResult func open(id: String) -> Bool
    /// The current playback as a session; nil if it could not be found in the feed again.
    func session(boot: String) -> Session?
    /// Resumes a session.
    ///
    /// - Returns: false if the feed no longer contains it.
    @discardableResult func resume(_ session: Session) -> Bool
}

extension ApplianceDoor {
    func showSetUp(_ view: SetUpView?, onSelect: (@MainActor () -> Void)? = nil) {
        showSetUp(view, onSelect: onSelect, onBack: nil)
    }
}
