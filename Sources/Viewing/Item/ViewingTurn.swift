import LinuxSupport
import MediaModel
import Screens

/// The handling of one event by the item: its inputs besides the item's state, and its results.
package struct ViewingTurn: Sendable {
    package let now: HostTime
    let policy: InterfacePolicy
    let strings: StringCatalogue
    let patience: ViewerSettings.Patience
    /// Whether captions are shown after skipping back.
    let showsCaptionsOnReplay: Bool
    /// The last press of any key.
    let lastPress: HostTime?
    /// Whether Left or Right is down.
    let isDirectionHeld: Bool
    /// Whether the item is on the player's screen rather than in the corner of Home.
    let isOnScreen: Bool
    /// The card over it; nil without a card.
    let card: Card.Kind?
    let asksForPIN: Bool
    /// Whether a page or a long text covers it.
    let hasPage: Bool
    /// Whether a proposed item may begin without a key: a viewer appears to be present, and has not made this item the last one.
    let continuesByItself: Bool

    /// State that outlives an item.
    package var session: ViewingSession
    /// The effects, in order.
    package var effects: [InterfaceEffect] = []
    /// The message of a refused key; nil for none.
    package var refusal: String?
    /// A message for the viewer; nil for none.
    package var toast: String?

    package init(
        now: HostTime, policy: InterfacePolicy, strings: StringCatalogue, patience: ViewerSettings.Patience,
        showsCaptionsOnReplay: Bool, lastPress: HostTime?, isDirectionHeld: Bool, isOnScreen: Bool, card: Card.Kind?,
        asksForPIN: Bool, hasPage: Bool, continuesByItself: Bool, session: ViewingSession
    ) {
        self.now = now
        self.policy = policy
        self.strings = strings
        self.patience = patience
        self.showsCaptionsOnReplay = showsCaptionsOnReplay
        self.lastPress = lastPress
        self.isDirectionHeld = isDirectionHeld
        self.isOnScreen = isOnScreen
        self.card = card
        self.asksForPIN = asksForPIN
        self.hasPage = hasPage
        self.continuesByItself = continuesByItself
        self.session = session
    }

    /// Whether an overlay of the screen covers it.
    var isCovered: Bool { card != nil || asksForPIN || hasPage }
}
