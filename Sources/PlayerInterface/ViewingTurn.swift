import LinuxSupport
import MediaModel

/// The handling of one event by the item: its inputs besides the item's state, and its results.
struct ViewingTurn: Sendable {
    let now: HostTime
    let policy: InterfacePolicy
    let strings: StringCatalogue
    let patience: ViewerSettings.Patience
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
    let hasPanel: Bool
    /// Whether a proposed item may begin without a key: a viewer appears to be present, and has not made this item the last one.
    let continuesByItself: Bool

    /// State that outlives an item.
    var session: ViewingSession
    /// The effects, in order.
    var effects: [InterfaceEffect] = []
    /// The message of a refused key; nil for none.
    var refusal: String?

    /// Whether anything other than the panel and the proposal covers it.
    var isCovered: Bool { card != nil || asksForPIN || hasPage }
}

extension InterfaceMachine {
    /// Lets the item handle something, and collects the effects.
    mutating func view<Result>(_ body: (inout Viewing, inout ViewingTurn) -> Result) -> Result {
        var turn = ViewingTurn(
            now: now, policy: policy, strings: strings, patience: settings.patience, lastPress: activity.lastPress,
            isDirectionHeld: directionOfKey != nil, isOnScreen: screen == .player, card: card?.kind, asksForPIN: pin != nil,
            hasPage: overlays.coversScreen, hasPanel: overlays.contains(.panel), continuesByItself: continuesByItself,
            session: session)
        let result = body(&viewing, &turn)
        session = turn.session
        effects += turn.effects
        if let refusal = turn.refusal { messages.refuse(refusal, at: now) }
        return result
    }

    /// See `ViewingTurn`.
    var continuesByItself: Bool { settings.patience != .endless && !asksWhetherWatched && sleep.choice != .endOfItem }
}
