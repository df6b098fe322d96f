import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// What events and intents do to the stage: how items begin and end, when cards are shown, and what their buttons do.
///
/// Each method takes a `StageTurn`, to which it adds effects and what follows for other parts.
struct StageFlow: Sendable {
    private(set) var stage = Stage()
    /// Whether the item ended under a card that has nothing to do with it. What follows waits for that card.
    private var endIsCovered = false
    private var errorCards = ErrorCards()

    /// Lets the item handle something.
    mutating func view<Result>(_ turn: inout StageTurn, _ body: (inout Viewing, inout ViewingTurn) -> Result) -> Result {
        stage.view(&turn, body)
    }

    /// The next frame was shown, with no other change.
    mutating func advance(to place: MediaTime, _ new: PlaybackSnapshot) {
        stage.update { $0.transport.advance(to: place, new) }
    }

    /// A gesture on a key; nil if the key acts.
    mutating func carryOut(_ gesture: KeyGesture, _ turn: inout StageTurn) -> KeyOutcome? {
        StageKeys.carryOut(gesture, &stage, &turn)
    }

    /// A key that acts; nil if it is for Home.
    mutating func act(_ key: RemoteKey, _ turn: inout StageTurn) -> KeyOutcome? { StageKeys.act(key, &stage, &turn) }

    // MARK: Items

    /// Another item is in the player; nil for none.
    mutating func itemChanged(_ new: ItemPresentation?, _ turn: inout StageTurn) {
        // The next item of a queue stays in the corner; an item that was chosen is shown full-screen.
        let staysOnHome = stage.screen == .home && stage.session.queue.awaitsNext
        if stage.viewing.played.opening == nil, !stage.session.queue.awaitsNext { stage.forgetOrigin() }
        if stage.viewing.played.snapshot.state != .ended { savePlace(&turn) }
        leaveItem(&turn)
        stage.view(&turn) { $1.session.queue.arrive() }
        guard let new else {
            if stage.screen != .standby { stage.showHome() }
            turn.consequences.append(.home(hasVideo: false))
            return
        }
        if stage.screen == .standby { wake(&turn) }
        stage.remove(.pin)
        if !staysOnHome { stage.remove(.page) }
        stage.begin(Viewing(new, at: turn.now), isOnScreen: !staysOnHome)
        turn.consequences.append(.playingChanged)
        stage.view(&turn) { viewing, turn in
            turn.session.speed.begin(remembered: new.speed)
            viewing.settleSpeed(&turn)
        }
        turn.effects.append(.setVideoFit(turn.settings.fit(of: stage.viewing.played.fitKey)))
        turn.effects.append(.setCaptionDelay(turn.settings.captionDelay(of: stage.viewing.played.fitKey)))
        stage.view(&turn) { $0.start(&$1) }
        beginLipSyncTest(with: new, &turn)
    }

    /// More is known about the item, unless the viewer has left it meanwhile.
    mutating func itemUpdated(_ new: ItemPresentation, _ turn: inout StageTurn) {
        guard stage.viewing.played.item?.id == new.id else { return }
        let hadProposal = stage.hasProposal
        stage.update { $0.renew(new) }
        // What was proposed at the end is not there any more.
        if hadProposal, !stage.hasProposal { endIsCovered = true }
        settlePanel(turn)
    }

    /// Opens an item or channel and leaves the current one. What plays already continues.
    ///
    /// - Parameter fromBeginning: whether a saved position does not count.
    mutating func open(_ entry: HomeContent.Entry, fromBeginning: Bool = false, _ turn: inout StageTurn) {
        stage.closeLayersToOpen()
        if let item = stage.viewing.played.item, item.id == entry.id || item.channel == entry.id {
            returnToPlayer(&turn)
            if fromBeginning { _ = stage.view(&turn) { $0.fromBeginning(&$1) } }
            return
        }
        savePlace(&turn)
        leaveItem(&turn)
        stage.begin(Viewing(opening: entry, at: turn.now), isOnScreen: true)
        turn.consequences.append(.playingChanged)
        turn.effects.append(fromBeginning ? .openFromBeginning(id: entry.id) : .open(id: entry.id))
    }

    /// What the box knows about a programme; nil if it no longer exists.
    mutating func described(_ id: String, _ details: Details?, _ turn: inout StageTurn) {
        if stage.endedID == id, var card = stage.card {
            if case .programme(let known)? = details { card.take(known.related) } else { card.take([]) }
            stage.put(.card(card))
        }
        if stage.describe(id, details), details == nil { turn.showToast(turn.strings.sentence(for: .sourceMissing)) }
    }

    /// Like `open`, for a channel.
    mutating func tune(to channel: HomeContent.Entry, _ turn: inout StageTurn) {
        ReminderFlow.close(&stage)
        open(channel, &turn)
    }

    /// The item to open needs the PIN, which is requested before anything of it is shown.
    mutating func locked(_ entry: HomeContent.Entry, rating: String?, _ turn: inout StageTurn) {
        if stage.screen == .standby { wake(&turn) }
        leaveItem(&turn)
        stage.begin(Viewing(opening: entry), isOnScreen: stage.screen == .player)
        if askPIN(for: .entry(entry, rating: rating), &turn) != .success {
            closeForHome(&turn)
            stage.returnToOrigin()
        }
    }

    mutating func askPIN(for purpose: PINPurpose, _ turn: inout StageTurn) -> CommandResult {
        PINFlow.ask(for: purpose, &stage, &turn)
    }

    mutating func cancelPIN(_ turn: inout StageTurn) {
        let purpose = stage.overlays.pin?.purpose
        stage.remove(.pin)
        guard case .entry = purpose, stage.viewing.played.opening != nil else { return }
        stage.begin(Viewing(), isOnScreen: false)
        turn.effects.append(.leavePlayer)
        stage.returnToOrigin()
    }

    mutating func pinChecked(_ pin: PINEntry, isRight: Bool, _ turn: inout StageTurn) -> KeyOutcome {
        PINFlow.checked(pin, isRight: isRight, &stage, &turn)
    }

    mutating func pinChosen(_ digits: String, _ turn: inout StageTurn) -> KeyOutcome { PINFlow.chosen(digits, &stage, &turn) }

    /// Drops the current viewing, after the player was told what ends with it.
    private mutating func leaveItem(_ turn: inout StageTurn) {
        stage.view(&turn) { $0.leave(&$1) }
        stage.remove(.longText)
        if stage.cardOfItem != nil { stage.remove(.card) }
        turn.consequences.append(.left)
        stage.clear()
    }

    mutating func settleListening(_ turn: inout StageTurn) { stage.settleListening(&turn) }

    mutating func savePlace(_ turn: inout StageTurn) { stage.view(&turn) { $0.savePlace(&$1) } }

    // MARK: Home, the player and standby

    /// Goes Home, with the video in its corner if it can continue there.
    mutating func goHome(_ turn: inout StageTurn) -> CommandResult {
        ReminderFlow.close(&stage)
        guard let item = stage.viewing.played.item, !stage.viewing.played.isLoading, stage.card == nil,
            !item.requiresLinearPlayback
        else { return stopAndLeave(&turn) }
        if stage.viewing.seeking.mode != .watching { _ = stage.view(&turn) { $0.transport.cancelSearch(&$1) } }
        savePlace(&turn)
        stage.closeLayers()
        stage.hideBar()
        stage.view(&turn) { $0.endReplay(&$1) }
        if stage.hasProposal { deferProposal(&turn) }
        stage.forgetUndo()
        stage.showHome()
        turn.consequences.append(.home(hasVideo: true))
        return .success
    }

    /// The Guide key opens the guide, or closes it.
    mutating func toggleGuide(_ turn: inout StageTurn) -> KeyOutcome {
        guard stage.card == nil else { return .refused(.notSupported) }
        if case .guide = stage.overlays.page {
            stage.remove(.page)
            return .done
        }
        let schedule = turn.parts.schedule
        guard schedule.isReadable else {
            if !schedule.isEmpty { turn.showToast(turn.strings.sentence(for: .clockUntrusted)) }
            return .refused(.notSupported)
        }
        if stage.viewing.seeking.mode != .watching { _ = stage.view(&turn) { $0.transport.cancelSearch(&$1) } }
        return .wants(.openPage(.guide))
    }

    /// What plays is on the whole screen, without a layer over it. The viewer did nothing for it.
    mutating func uncover() {
        stage.closeLayers()
        stage.showPlayer()
    }

    mutating func returnToPlayer(_ turn: inout StageTurn) {
        stage.showPlayer()
        turn.consequences.append(.viewerIsActive)
    }

    /// Stops and closes the item.
    mutating func stopAndLeave(_ turn: inout StageTurn) -> CommandResult {
        guard stage.hasItem || stage.viewing.played.opening != nil else {
            stage.showHome()
            return .failed(.noItem)
        }
        savePlace(&turn)
        stage.closeLayers()
        leaveItem(&turn)
        closeForHome(&turn)
        return .success
    }

    /// Nothing plays any more.
    private mutating func closeForHome(_ turn: inout StageTurn) {
        stage.begin(Viewing(), isOnScreen: false)
        turn.consequences.append(.home(hasVideo: false))
        turn.effects.append(.leavePlayer)
    }

    /// The position is saved, nothing is shown, nothing plays.
    mutating func goToStandby(_ turn: inout StageTurn) {
        savePlace(&turn)
        stage.closeLayers()
        leaveItem(&turn)
        stage.enterStandby()
        turn.consequences.append(.standby)
        turn.effects.append(.standby)
    }

    /// Any key wakes the box, and does nothing else; what is opened wakes it too.
    mutating func wake(_ turn: inout StageTurn) {
        stage.showHome()
        turn.consequences += [.home(hasVideo: false), .viewerIsActive]
        turn.effects.append(.wake)
    }

    // MARK: The player's events

    /// The player has shown a frame or changed its state.
    mutating func playback(_ new: PlaybackSnapshot, _ turn: inout StageTurn) {
        guard stage.hasItem else { return }
        ErrorCards.playback(new.state, &stage)
        if let outcome = stage.view(&turn, { $0.playback(new, &$1) }) { carryOut(outcome, &turn) }
    }

    /// Settles the item, carries out its outcome, and repeats until there is none. Then the panel adapts to the item.
    mutating func settleItem(_ turn: inout StageTurn) {
        if endIsCovered, stage.card == nil {
            endIsCovered = false
            if stage.hasItem, stage.viewing.played.snapshot.state == .ended { ended(&turn) }
        }
        if let error = errorCards.uncovered(stage) { showError(error, isQueued: hasQueue, &turn) }
        while let outcome = stage.view(&turn, { $0.settle(&$1) }) { carryOut(outcome, &turn) }
        settlePanel(turn)
    }

    private mutating func carryOut(_ outcome: Viewing.Outcome, _ turn: inout StageTurn) {
        switch outcome {
        case .ended: ended(&turn)
        case .failed(let error):
            stage.view(&turn) { $0.failed(&$1) }
            showError(error, isQueued: hasQueue, &turn)
        case .proposalAccepted:
            if stage.viewing.played.item?.isInQueue != true { turn.consequences.append(.acceptedItself) }
            Succession.acceptProposal(automatic: true, &self, &turn)
        case .isSlow:
            stage.closePanel()
            stage.remove(.page, .longText)
            stage.put(.card(Card(.slow, then: .retry(at: turn.now + Timing.retry))))
        case .isNotSlow: closeCard(.slow)
        case .isTooSlow:
            goOnInQueue(&turn)
            leaveItem(&turn)
        case .isPausedForLong: goToStandby(&turn)
        }
    }

    private mutating func ended(_ turn: inout StageTurn) {
        stage.view(&turn) { $0.transport.ended(&$1) }
        guard let item = stage.viewing.played.item else { return }
        endIsCovered = item.isInQueue ? stage.cardOfItem != nil : stage.card != nil
        guard !endIsCovered else { return }
        stage.view(&turn) { $0.transport.leaveSearch(&$1) }
        stage.closePanel()
        turn.effects.append(.savePlace(id: item.id, nil))
        stage.view(&turn) { $0.endReplay(&$1) }
        if turn.sleepsAtEnd {
            goToStandby(&turn)
        } else if stage.viewing.leavesEndToQueue {
            goOnInQueue(&turn)
        } else if stage.hasProposal {
            if turn.asksWhetherWatched { askWhetherWatched(&turn) }  // it stays, over the last frame
        } else if !stage.view(&turn, { $0.showProposalAtEnd(&$1) }) {
            showEnd(&turn)
        }
    }

    /// Nothing is proposed: the queue advances, the corner of Home closes, or the card is shown.
    private mutating func showEnd(_ turn: inout StageTurn) {
        if stage.viewing.played.item?.isInQueue == true { goOnInQueue(&turn) } else { showEndOfItem(&turn) }
    }

    /// The corner of Home closes, or the card is shown.
    private mutating func showEndOfItem(_ turn: inout StageTurn) {
        if stage.screen == .home {
            leaveItem(&turn)
            closeForHome(&turn)
        } else {
            stage.update { $0.transport.stop() }
            stage.put(.card(Card(.end)))
            if let id = stage.endedID { turn.effects.append(.describe(id: id)) }
        }
    }

    /// Whether another item follows automatically.
    private var hasQueue: Bool { stage.viewing.played.item?.isInQueue == true && !stage.session.queue.isOver }

    /// - Parameter isQueued: whether another item follows automatically.
    private mutating func showError(_ error: MediaError, isQueued: Bool, _ turn: inout StageTurn) {
        guard stage.screen == .home else { return ErrorCards.show(error, isQueued: isQueued, &stage, &turn) }
        savePlace(&turn)
        turn.showToast(turn.strings.sentence(for: error, isRetried: false, isChannel: stage.viewing.played.isChannel))
        if isQueued {
            goOnInQueue(&turn)
        } else {
            leaveItem(&turn)
            closeForHome(&turn)
        }
    }

    // MARK: Overlays

    mutating func open(_ overlay: Overlay) {
        errorCards.makeRoom(for: overlay, &stage)
        stage.open(overlay)
    }

    /// Opens the panel, unless the proposal is shown.
    mutating func open(_ panel: Panel) { stage.update { $0.open(panel) } }

    mutating func closePanel() { stage.closePanel() }
    mutating func closePage() { stage.remove(.page) }

    private mutating func settlePanel(_ turn: StageTurn) {
        guard stage.viewing.overlay.panel != nil else { return }
        let content = stage.interfaceContext(turn.parts).panel
        stage.update { $0.settlePanel(in: content) }
    }

    /// The choice in a menu, or the wireless networks, may have changed the rows of the page.
    mutating func settlePage(_ turn: StageTurn) { stage.settlePage(in: stage.interfaceContext(turn.parts)) }

    /// A phone has typed what the page asks for: its viewer is there.
    mutating func type(_ text: String, _ turn: inout StageTurn) -> CommandResult {
        let context = stage.interfaceContext(turn.parts)
        guard let text = stage.overlays.page?.question(in: context)?.accepts(text) else { return .failed(.notSupported) }
        turn.consequences.append(.viewerIsActive)
        stage.take(text, in: context)
        return .success
    }

    // MARK: Cards

    /// Plays the item again, after its end.
    mutating func replay(_ turn: inout StageTurn) -> CommandResult {
        guard stage.hasItem else { return .failed(.noItem) }
        stage.remove(.card)
        stage.view(&turn) { $0.playAgain(&$1) }
        return .success
    }

    /// Retries. The card stays until it plays.
    ///
    /// - Parameter isAsked: whether the viewer has asked for it, and not a countdown. A paused item then plays.
    mutating func tryAgain(isAsked: Bool, _ turn: inout StageTurn) {
        ErrorCards.tryAgain(&stage, at: turn.now)
        stage.view(&turn) { $0.retry(isAsked: isAsked, &$1) }
    }

    /// Checks whether the deadline of a card has passed.
    mutating func cardDeadline(_ turn: inout StageTurn) {
        guard let countdown = stage.card?.countdown, turn.now >= countdown.deadline else { return }
        switch countdown {
        case .retry: tryAgain(isAsked: false, &turn)
        case .moveOn:
            stage.remove(.card)
            goOnInQueue(&turn)
        case .standBy: goToStandby(&turn)
        case .close: stage.remove(.card)
        }
    }

    /// The machine has a network again: what waits for another try is tried now.
    mutating func networkReturned(_ turn: inout StageTurn) { if stage.card?.retries == true { tryAgain(isAsked: false, &turn) } }

    /// Follows the sleep timer: in its last minute a card counts down; any of its buttons ends that. At the end of the opening hours any key does, except those
    /// that lead to the other button.
    mutating func settleSleep(_ turn: inout StageTurn) {
        guard stage.screen != .standby else { return }
        switch turn.parts.sleep.status(at: turn.now) {
        case .waiting: if stage.card?.declines == false { closeCard(.sleepTimer) }
        case .lastMinute: if stage.card == nil, !stage.overlays.contains(.pin) { stage.put(.card(Card(.sleepTimer))) }
        case .over: goToStandby(&turn)
        }
    }

    /// A programme begins of which the viewer wants to be reminded.
    mutating func settleReminder(_ turn: inout StageTurn) { if ReminderFlow.settle(&stage, &turn) { endIsCovered = true } }

    /// The sleep timer was set.
    mutating func noteSleep(_ choice: SleepChoice) {
        if choice == .endOfItem { stage.update { $0.stopCountdown() } }
        closeCard(.sleepTimer)
    }

    /// Closes a card of this kind.
    mutating func closeCard(_ kind: Card.Kind) { if stage.card?.kind == kind { stage.remove(.card) } }

    mutating func askWhetherWatched(_ turn: inout StageTurn) {
        stage.closePanel()
        stage.remove(.page, .longText)
        if stage.viewing.orders.wantsToPlay, !stage.viewing.played.isLiveWithoutWindow {
            stage.view(&turn) { $0.transport.stand(&$1) }
        }
        stage.put(.card(Card(.stillWatching, then: .standBy(at: turn.now + Timing.stillWatchingAnswer))))
    }

    /// The viewer has answered "Still watching?".
    mutating func keepWatching(_ turn: inout StageTurn) {
        stage.remove(.card)
        turn.consequences.append(.answered)
        if stage.hasProposal, stage.viewing.played.snapshot.state == .ended {
            Succession.acceptProposal(automatic: false, &self, &turn)
        } else if !stage.viewing.orders.wantsToPlay, stage.hasItem {
            stage.view(&turn) { $0.transport.resume(&$1) }
        }
    }

    // MARK: The proposal

    /// Leaves the item for what follows it.
    ///
    /// - Parameters:
    ///   - isWatched: whether the item counts as watched to its end, wherever it was left.
    ///   - automatic: whether the viewer did nothing for it.
    mutating func goOn(to next: HomeContent.Entry, isWatched: Bool, automatic: Bool, _ turn: inout StageTurn) {
        guard let item = stage.viewing.played.item else { return }
        // The choices are kept: audio and captions by their store, the speed from here.
        stage.view(&turn) { $1.session.speed.goAlong() }
        if isWatched { turn.effects.append(.savePlace(id: item.id, nil)) } else { savePlace(&turn) }
        turn.effects.append(.playNext(id: next.id, automatic: automatic))
        leaveItem(&turn)
        stage.begin(Viewing(opening: next, at: turn.now), isOnScreen: true)
    }

    /// Leaves the item for Home.
    mutating func leaveForHome(_ turn: inout StageTurn) {
        leaveItem(&turn)
        closeForHome(&turn)
    }

    /// Back to the credits: it appears once more, at the end, without a countdown; after that the end card follows.
    mutating func deferProposal(_ turn: inout StageTurn) {
        let isOver = stage.viewing.played.snapshot.state == .ended
        if stage.view(&turn, { $0.putOffProposal(atEnd: isOver, &$1) }), isOver { showEnd(&turn) }
    }

    // MARK: The queue

    mutating func goOnInQueue(_ turn: inout StageTurn) {
        stage.view(&turn) { $1.effects.append($1.session.queue.goOn()) }
    }

    /// Nothing follows: the item ends, or fails, as if it were in no queue, so that no frozen picture stays without a message.
    mutating func queueIsOver(_ turn: inout StageTurn) {
        guard stage.session.queue.awaitsNext else { return }
        stage.view(&turn) { $1.session.queue.end() }
        guard stage.hasItem else {
            // It was abandoned after a long wait.
            stage.showHome()
            turn.effects.append(.leavePlayer)
            return
        }
        guard stage.cardOfItem == nil, !stage.hasProposal else { return }
        switch stage.viewing.played.snapshot.state {
        case .ended where stage.card != nil: endIsCovered = true
        case .ended: showEndOfItem(&turn)
        case .failed(let error): showError(error, isQueued: false, &turn)
        default: break  // the viewer requested the next item, and this one still plays
        }
    }
}
