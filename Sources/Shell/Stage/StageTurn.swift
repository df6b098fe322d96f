import LinuxSupport
import MediaModel
import Screens
import Viewing

/// The handling of one event by the stage: its inputs besides the stage's state, and its results.
struct StageTurn: Sendable {
    /// A result of a transition for another part than the stage. It adds no effects, so that its order among the effects does not matter.
    enum Consequence: Sendable, Equatable {
        /// A message for the viewer.
        case toast(String)
        /// The same, of the operator.
        case message(String, seconds: Int)
        /// A key was refused, with the message that says why.
        case refusal(String)
        /// The item was left: a message about it no longer applies.
        case left
        /// Another item plays or is being opened.
        case playingChanged
        /// Home is shown; with the video in its corner, that has focus.
        case home(hasVideo: Bool)
        /// The viewer is active without a key: by a command, or back in the player.
        case viewerIsActive
        /// The box is in standby.
        case standby
        /// The viewer has answered "Still watching?", or sent a command.
        case answered
        /// The viewer is being reminded, or watches it already.
        case reminded(Reminder)
        /// The countdown of a proposal has accepted it.
        case acceptedItself
    }

    let parts: InterfaceContext.Parts
    /// The last press of any key.
    let lastPress: HostTime?
    /// The idle time before the current key.
    let idleBeforePress: Duration
    /// Whether Left or Right is down.
    let isDirectionHeld: Bool
    /// Whether a device without releases holds a key.
    let isHeldWithoutReleases: Bool
    /// Whether several items began without a key, and no viewer has shown up for long.
    let isProbablyAway: Bool

    /// The effects, in order.
    var effects: [InterfaceEffect] = []
    /// What follows for other parts, in order.
    var consequences: [Consequence] = []

    var now: HostTime { parts.now }
    var policy: InterfacePolicy { parts.policy }
    var strings: StringCatalogue { parts.preferences.strings }
    var settings: ViewerSettings { parts.preferences.settings }

    /// Whether the viewer has made this item the last one.
    var sleepsAtEnd: Bool { parts.sleep.choice == .endOfItem }

    /// Whether "Still watching?" is asked before another item begins.
    var asksWhetherWatched: Bool { !policy.isKiosk && settings.patience != .endless && isProbablyAway }

    /// See `ViewingTurn`.
    var continuesByItself: Bool { settings.patience != .endless && !asksWhetherWatched && !sleepsAtEnd }

    mutating func showToast(_ text: String) { consequences.append(.toast(text)) }
}
