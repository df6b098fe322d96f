import LinuxSupport
import MediaModel

/// The handling of one event by the stage: its inputs besides the stage's state, and its results.
struct StageTurn: Sendable {
    /// What a transition means for the parts beside the stage. They have no effects, so that their order among the effects does not matter.
    enum Consequence: Sendable, Equatable {
        /// A message for the viewer.
        case toast(String)
        /// A key was refused, with the message that says why.
        case refusal(String)
        /// The item was left: a message about it no longer applies.
        case left
        /// Another item plays or is being opened.
        case playingChanged
        /// Home is shown; with the video in its corner, that has focus.
        case home(hasVideo: Bool)
        /// The player is shown again.
        case returnedToPlayer
        /// The box is in standby.
        case standby
        /// The viewer has answered "Still watching?".
        case answered
        /// The countdown of a proposal has accepted it.
        case acceptedItself
    }

    let now: HostTime
    let policy: InterfacePolicy
    let strings: StringCatalogue
    let settings: ViewerSettings
    /// The last press of any key.
    let lastPress: HostTime?
    /// Whether Left or Right is down.
    let isDirectionHeld: Bool
    /// Whether several items began without a key, and no viewer has shown up for long.
    let isProbablyAway: Bool
    /// Whether the viewer has made this item the last one.
    let sleepsAtEnd: Bool
    /// Whether the guide can be opened.
    let hasGuide: Bool

    /// The effects, in order.
    var effects: [InterfaceEffect] = []
    /// What follows for other parts, in order.
    var consequences: [Consequence] = []

    /// Whether "Still watching?" is asked before another item begins.
    var asksWhetherWatched: Bool { !policy.isKiosk && settings.patience != .endless && isProbablyAway }

    /// See `ViewingTurn`.
    var continuesByItself: Bool { settings.patience != .endless && !asksWhetherWatched && !sleepsAtEnd }

    mutating func showToast(_ text: String) { consequences.append(.toast(text)) }
}
