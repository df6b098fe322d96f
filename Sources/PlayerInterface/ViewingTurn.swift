import LinuxSupport
import MediaModel

/// The handling of one event by the item: what it goes by besides its own state, and what comes of it.
struct ViewingTurn: Sendable {
    let now: HostTime
    let policy: InterfacePolicy
    let strings: StringCatalogue
    let patience: ViewerSettings.Patience
    /// The last press of any key.
    let lastPress: HostTime?
    /// Whether Left or Right is down.
    let isDirectionHeld: Bool
    /// Whether the item is on the screen of the player, and not in the corner of Home.
    let isOnScreen: Bool
    /// The card over it; nil: there is none.
    let card: Card.Kind?
    let asksForPIN: Bool
    /// Whether a page or a long text lies over it.
    let hasPage: Bool
    let hasPanel: Bool
    /// Whether what is proposed may begin without a key: a viewer seems to be there, and does not want this item to be the last.
    let continuesByItself: Bool

    /// What goes on from one item to the next.
    var session: ViewingSession
    /// What is to be done, in order.
    var effects: [InterfaceEffect] = []
    /// What a refused key says; nil: nothing.
    var refusal: String?

    /// Whether anything but the panel and the proposal lies over it.
    var isCovered: Bool { card != nil || asksForPIN || hasPage }
}

extension InterfaceMachine {
    /// Lets the item handle something, and takes over what comes of it.
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
