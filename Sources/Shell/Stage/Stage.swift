import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// What is on the screen, with what belongs to it: nothing in standby; Home, with what plays in its corner; or the player.
///
/// In standby nothing plays and nothing is over the screen. `StageFlow` decides what is shown when.
struct Stage: Sendable {
    /// What plays or is being opened, and what is over it.
    private struct Scene: Sendable {
        var viewing = CopyOnWrite(Viewing())
        var overlays = OverlayStack()
    }

    private enum State: Sendable {
        case standby
        case home(Scene)
        case player(Scene)
    }

    private static let nothing = Viewing()

    private var state = State.home(Scene())
    private(set) var session = ViewingSession()
    /// The page on which what plays, or is being opened, was chosen.
    private var origin: Page?

    // MARK: What is on the screen

    /// What the parts of the interface are told.
    func interfaceContext(_ parts: InterfaceContext.Parts) -> InterfaceContext {
        InterfaceContext(
            playing: InterfaceContext.Playing(
                played: viewing.played, isLinear: viewing.transport.isLinear,
                canNavigate: viewing.transport.navigationRefusal == nil, speed: session.speed.chosen,
                isInCorner: hasCornerVideo),
            parts: parts)
    }

    var screen: PresentationState.Screen {
        switch state {
        case .standby: .standby
        case .home: .home
        case .player: .player
        }
    }

    /// What plays or is being opened: full screen in the player, or in the corner of Home.
    var viewing: Viewing {
        _read {
            switch state {
            case .standby: yield Self.nothing
            case .home(let scene), .player(let scene): yield scene.viewing.value
            }
        }
    }

    var overlays: OverlayStack { scene.overlays }

    /// What receives the keys.
    var context: KeyContext {
        if screen == .standby { return .standby }
        if let overlay = overlays.top { return overlay.kind.keyContext }
        if screen == .home { return .home }
        switch viewing.overlay {
        case .panel: return .panel
        case .proposal: return .proposal
        case nil: break
        }
        switch viewing.seeking.mode {
        case .scanning: return .scanning
        case .scrubbing: return .scrubbing
        case .watching: break
        }
        if viewing.played.isLoading { return .loading }
        if viewing.bar.isVisible, case .action = viewing.bar.focus { return .actionsRow }
        return .watching
    }

    /// Whether Left and Right are taps and holds that navigate.
    var takesTaps: Bool { context.takesTaps && !session.isListening }

    /// How a key behaves.
    func role(of key: RemoteKey) -> KeyRole {
        switch key {
        case .left, .right: takesTaps && viewing.transport.navigationRefusal == nil ? .tapOrHold : .press
        case .ff, .rw: movesFrames ? .pressOrRun : .press
        // The next captions, or "What did they say?".
        case .subtitle: context == .watching && !session.isListening ? .pressOrHold : .press
        default: .press
        }
    }

    /// Whether FF and RW move a paused picture.
    private var movesFrames: Bool {
        context == .watching && PlayerCommands.stands(viewing) && viewing.transport.navigationRefusal == nil
            && !session.isListening
    }

    /// Whether a key that can choose a channel does so now. Digits may be typed elsewhere.
    func tunes(_ key: RemoteKey) -> Bool {
        switch key {
        case .channelUp, .channelDown: true
        case .last: overlays.pin == nil
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9:
            overlays.top?.takesDigits != true && !takesPlaces
        default: false
        }
    }

    /// Whether digits are places in what plays.
    var takesPlaces: Bool { screen == .player && overlays.isEmpty && !hasProposal && viewing.played.isFilm }

    /// When a time of day, or the operator's words over the video, change on the screen next; nil while none are shown, or they do not.
    ///
    /// - Parameters:
    ///   - minute: when the displayed time changes.
    ///   - hasBanner: whether a channel's banner is shown.
    func nextChangeOfTime(_ now: HostTime, _ minute: HostTime?, hasBanner: Bool, _ appearance: Appearance) -> HostTime? {
        let words =
            screen == .player ? ProgrammeOverlays(viewing).nextChange(after: now, minute: minute, appearance: appearance) : nil
        let showsTime = overlays.page?.showsTime == true || hasBanner || screen == .home
        return [showsTime ? minute : nil, words].compactMap { $0 }.min()
    }

    /// Whether an item is alone on the player's screen.
    var isAlone: Bool { screen == .player && !session.isListening && overlays.isEmpty }

    /// Whether the queue advances at the end of the item without a screen or a question.
    var goesOnByItself: Bool {
        viewing.played.item?.isInQueue == true && viewing.played.item?.proposal == nil && cardOfItem == nil
            && screen != .standby
    }

    /// Whether the video continues in the corner.
    var hasCornerVideo: Bool { screen == .home && hasItem }

    /// Whether a viewer who presses no key is asked "Still watching?" during an item: on live, only if the feed says so.
    func isAskedWhenIdle(_ turn: StageTurn) -> Bool {
        guard let item = viewing.played.item, item.isLive, !item.isInQueue, screen == .player, card == nil else { return false }
        return !turn.policy.isKiosk && viewing.orders.wantsToPlay && turn.settings.patience != .endless
    }

    var hasItem: Bool { viewing.played.item != nil }
    var hasProposal: Bool { viewing.overlay.proposal != nil }
    var card: Card? { overlays.card }
    /// The card, if it is about what plays, or stops it.
    var cardOfItem: Card? { card.flatMap { $0.kind.leavesPlayback ? nil : $0 } }
    /// The item whose end a card shows; what is like it is on the card.
    var endedID: String? { card?.kind == .end ? viewing.played.item?.id : nil }

    // MARK: Without a key

    /// Whether the same bright picture stands on the screen until a key is pressed: Home and its pages without running video, and the player while no picture
    /// of it runs, also between the tries of what cannot be played. A pause has its own rule.
    var isStill: Bool {
        guard card?.closesByItself != true else { return false }
        let viewing = viewing
        switch screen {
        case .standby: return false
        case .home: return !(hasCornerVideo && viewing.orders.wantsToPlay)
        case .player:
            guard card == nil else { return true }
            guard viewing.seeking.mode == .watching, viewing.played.snapshot.state != .playing else { return false }
            return !hasItem || viewing.orders.wantsToPlay || viewing.played.snapshot.state == .ended
        }
    }

    /// Whether something of the interface stands over what plays, or in its place, until a key is pressed: Home around its corner, a page, a PIN, a panel, a
    /// proposal that waits for an answer, a search that was not ended.
    var coversPlayback: Bool {
        guard hasItem, card == nil else { return false }
        let viewing = viewing
        switch screen {
        case .standby: return false
        case .home: return viewing.orders.wantsToPlay
        case .player:
            guard overlays.isEmpty else { return true }
            switch viewing.overlay {
            case .panel: return true
            // One that is accepted by itself goes away. At the end of the item the screen is still.
            case .proposal(let shown): return !shown.countsDown && viewing.played.snapshot.state != .ended
            case nil: return viewing.seeking.mode == .scrubbing
            }
        }
    }

    // MARK: Changes

    /// Without state in standby.
    private var scene: Scene {
        switch state {
        case .standby: Scene()
        case .home(let scene), .player(let scene): scene
        }
    }

    /// Changes the scene in place: it is taken out of the state meanwhile, so that nothing is copied. In standby the change has no effect.
    private mutating func change<Result>(_ body: (inout Scene) -> Result) -> Result {
        switch state {
        case .standby:
            var nothing = Scene()
            return body(&nothing)
        case .home(var scene):
            state = .standby
            let result = body(&scene)
            state = .home(scene)
            return result
        case .player(var scene):
            state = .standby
            let result = body(&scene)
            state = .player(scene)
            return result
        }
    }

    /// Lets the item handle something.
    mutating func view<Result>(
        _ turn: inout StageTurn, _ body: (inout Viewing, inout ViewingTurn) -> Result
    ) -> Result {
        var part = part(of: turn)
        let result = change { body(&$0.viewing.value, &part) }
        session = part.session
        turn.effects += part.effects
        if let toast = part.toast { turn.showToast(toast) }
        if let refusal = part.refusal { turn.consequences.append(.refusal(refusal)) }
        return result
    }

    /// What the item is told of a turn.
    private func part(of turn: StageTurn) -> ViewingTurn {
        let overlays = overlays
        return ViewingTurn(
            now: turn.now, policy: turn.policy, strings: turn.strings, patience: turn.settings.patience,
            showsCaptionsOnReplay: turn.settings[.captionsOnReplay], lastPress: turn.lastPress,
            isDirectionHeld: turn.isDirectionHeld, isOnScreen: screen == .player,
            card: overlays.card?.kind, asksForPIN: overlays.contains(.pin), hasPage: overlays.coversScreen,
            continuesByItself: turn.continuesByItself, session: session)
    }

    /// Who listens without the picture has it back at Home, in standby and at the end.
    mutating func settleListening(_ turn: inout StageTurn) {
        guard session.isListening else { return }
        if screen != .player || !hasItem && viewing.played.opening == nil { view(&turn) { PlayerCommands.endListening(&$1) } }
    }

    /// Changes the item without effects.
    mutating func update<Result>(_ body: (inout Viewing) -> Result) -> Result { change { body(&$0.viewing.value) } }

    mutating func hideBar() { update { $0.transport.bar.hide() } }

    mutating func closePanel() { update { $0.closePanel() } }

    mutating func forgetUndo() { update { $0.transport.forgetUndo() } }

    // MARK: Transitions

    /// Shows another viewing, under the same overlays.
    mutating func begin(_ new: Viewing, isOnScreen: Bool) {
        let new = Scene(viewing: CopyOnWrite(new), overlays: overlays)
        state = isOnScreen ? .player(new) : .home(new)
    }

    /// Nothing plays any more; the screen stays.
    mutating func clear() { change { $0.viewing = CopyOnWrite(Viewing()) } }

    mutating func showHome() {
        origin = nil
        state = .home(scene)
    }

    mutating func showPlayer() { state = .player(scene) }

    mutating func enterStandby() { state = .standby }

    // MARK: Overlays

    mutating func put(_ overlay: Overlay) { change { $0.overlays.put(overlay) } }

    /// Opens an overlay.
    mutating func open(_ overlay: Overlay) {
        if case .page(let page) = overlay, page.replacesBar {
            hideBar()
            closePanel()
        }
        put(overlay)
    }

    mutating func remove(_ kinds: Overlay.Kind...) { change { scene in kinds.forEach { scene.overlays.remove($0) } } }

    /// Closes everything over Home or the picture except a card, for a zap, standby or another item.
    mutating func closeLayers() {
        closePanel()
        remove(.page, .longText, .pin)
    }

    /// Adapts the page to a choice in its menu, or to other networks.
    mutating func settlePage(in context: InterfaceContext) { change { $0.overlays.page?.settle(in: context) } }

    /// Another device has typed what the page asks for.
    mutating func take(_ text: String, in context: InterfaceContext) { change { $0.overlays.page?.take(text, in: context) } }

    /// The snapshot that the player would send if it had stopped at the end of the item.
    var endedSnapshot: PlaybackSnapshot {
        var ended = viewing.played.snapshot
        ended.state = .ended
        return ended
    }

    /// Tells the open pages about a programme.
    ///
    /// - Returns: whether one of them is about it.
    mutating func describe(_ id: String, _ details: Details?) -> Bool {
        guard let page = overlays.page, page.describedIDs.contains(id) else { return false }
        change { $0.overlays.page = page.described(id, details) }
        return true
    }

    /// Closes what lies over Home because something is opened. The page on which it was chosen is kept: Back returns there.
    mutating func closeLayersToOpen() {
        origin = overlays.page
        closeLayers()
    }

    mutating func forgetOrigin() { origin = nil }

    /// The page to which Back from what plays returns; nil for Home.
    var pageOfOrigin: Page? { origin.flatMap { $0.isReturnedTo ? $0 : nil } }

    /// Nothing was opened: the page on which it was chosen is open again.
    mutating func returnToOrigin() {
        if let page = origin { open(.page(page)) }
        origin = nil
    }

    /// Opens a page of Settings that needed the PIN.
    mutating func openInSettings(_ locked: MenuPage) { change { $0.overlays.page?.open(locked) } }
}
