import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The state machine of one item, from its selection on: it takes the events of the item and returns effects. When the viewer leaves the item, this
/// value is dropped, and the next item begins with a new one.
///
/// Each part keeps its own state private. What concerns other items or the rest of the interface is an `Outcome`, which the caller carries out.
package struct Viewing: Sendable {
    /// An event that concerns more than the item.
    package enum Outcome: Sendable, Equatable {
        /// The item has played to its end.
        case ended
        case failed(MediaError)
        /// The countdown of the proposal is over.
        case proposalAccepted
        /// No new frame for so long that the card of a slow network is shown.
        case isSlow
        /// The card no longer applies.
        case isNotSlow
        /// No new frame for so long that the queue continues with the next item.
        case isTooSlow
        /// Paused for so long that the box goes to standby.
        case isPausedForLong
    }

    package var transport = Transport()
    /// Where the item begins for this viewer, in asset time; nil for its own beginning.
    package private(set) var startPlace: MediaTime?
    package private(set) var lastSavedPlace: MediaTime?
    private(set) var longPause = LongPause()
    /// For how long a pause has stood.
    private(set) var standingPause = Stillness()
    package private(set) var proposal = ProposalPresenter()
    package private(set) var overlay: PictureOverlay?
    private(set) var waiting = Waiting()
    package var retries = Retries()
    private(set) var replay = CaptionReplay()
    private(set) var action = ActionFocus()
    private(set) var soundOnly = SoundOnly()
    package var soundOff = SoundOff()

    /// No item.
    package init() {}

    /// Starts to open an item.
    ///
    /// - Parameter now: the current time; nil if it waits for the PIN.
    package init(opening entry: HomeContent.Entry, at now: HostTime? = nil) {
        transport = Transport(opening: entry)
        waiting = Waiting(since: now)
    }

    package init(_ item: ItemPresentation, at now: HostTime) {
        transport = Transport(item)
        waiting = Waiting(since: now)
    }

    /// The item and its position. Lent, so that reading a part of it copies only that part.
    package var played: PlayedItem { _read { yield transport.played } }
    package var seeking: Seeking { transport.seeking }
    var interstitials: InterstitialPresenter { transport.interstitials }
    package var orders: PlayOrders { transport.orders }
    package var bar: BarModel { transport.bar }

    /// Whether it plays without an interstitial, an overlay, a pending action or a wait.
    package var isAtRest: Bool {
        transport.isAtRest && overlay == nil && waiting.isAtRest && replay.isAtRest && action.kind == nil
            && soundOff.undoEnds == nil
    }

    /// When a part changes automatically.
    package func deadlines(at now: HostTime) -> [(timer: InterfaceTimer, deadline: HostTime?)] {
        transport.deadlines + [
            (.proposal, overlay.proposal?.nextSecond(at: now)), (.waiting, waiting.nextStep(at: now)),
            (.actionFocus, action.nextStep(at: now)),
            (.paused, [longPause.deadline(at: now), standingPause.nextStep(at: now)].compactMap { $0 }.min()),
            (.burnIn, soundOnly.nextMove(at: now)), (.soundUndoEnds, soundOff.undoEnds),
        ]
    }

    // MARK: The item

    /// Seeks to the start position for this viewer, and plays.
    package mutating func start(_ turn: inout ViewingTurn) {
        startPlace = transport.start(&turn)
        transport.resume(&turn)
    }

    /// More is known about the item. A proposal of something else makes way for the new one.
    package mutating func renew(_ new: ItemPresentation) {
        let old = played.item?.proposal
        transport.renew(new)
        if overlay.proposal == nil ? old != new.proposal : old?.next != new.proposal?.next { rearmProposal() }
    }

    /// The viewer leaves the item: ends its state in the player.
    package mutating func leave(_ turn: inout ViewingTurn) {
        transport.leave(&turn)
        endReplay(&turn)
    }

    // MARK: The player

    /// The player has shown a frame or changed its state.
    package mutating func playback(_ new: PlaybackSnapshot, _ turn: inout ViewingTurn) -> Outcome? {
        let old = played.snapshot.state
        transport.take(new, &turn)
        updateProposal(&turn)
        savePlaceInPlay(&turn)
        if new.state == .playing { retries.succeeded() }
        guard new.state != old else { return nil }
        switch new.state {
        case .ended: return transport.endScanAtEnd(&turn) ? nil : .ended
        case .failed(let error): return .failed(error)
        case .loading, .ready, .playing, .paused, .waiting: return nil
        }
    }

    /// A seek has completed.
    package mutating func seekCompleted(_ id: SeekID, landed: MediaTime, finished: Bool, _ turn: inout ViewingTurn) {
        guard played.item != nil, transport.seekCompleted(id, landed: landed, finished: finished, &turn) else { return }
        updateProposal(&turn)
        showCaptionsAfterSkippingBack(to: landed, &turn)
    }

    /// It cannot be played.
    package mutating func failed(_ turn: inout ViewingTurn) {
        transport.failed(&turn)
        overlay = nil
    }

    /// Plays the item again from its beginning.
    package mutating func playAgain(_ turn: inout ViewingTurn) {
        rearmProposal()
        transport.playAgain(&turn)
    }

    /// Reopens the item at its position.
    ///
    /// - Parameter isAsked: whether the viewer has asked for it: then it plays even if it was paused.
    package mutating func retry(isAsked: Bool, _ turn: inout ViewingTurn) {
        transport.retry(staysPaused: !isAsked && !orders.wantsToPlay, &turn)
        retries.begin(at: turn.now)
        _ = waiting.go(on: turn.now)
    }

    // MARK: Navigation

    /// A key during a search; nil if it has its usual effect.
    mutating func actInSearch(_ key: RemoteKey, _ turn: inout ViewingTurn) -> CommandResult? {
        switch (seeking.mode, key) {
        case (_, .back): return transport.cancelSearch(&turn)
        case (.scanning, .left), (.scanning, .rw): return transport.changeScan(by: -1, &turn)
        case (.scanning, .right), (.scanning, .ff): return transport.changeScan(by: 1, &turn)
        case (.scanning, .ok), (.scanning, .playpause), (.scanning, .play): return transport.endSearch(playing: nil, &turn)
        case (.scanning, .pause): return transport.endSearch(playing: false, &turn)
        case (.scrubbing, .ok), (.scrubbing, .playpause), (.scrubbing, .play): return transport.endSearch(playing: true, &turn)
        case (.scrubbing, .ff): return transport.beginScan(1, &turn)
        case (.scrubbing, .rw): return transport.beginScan(-1, &turn)
        case (.scrubbing, .next), (.scrubbing, .prev): return nil
        default: return .failed(.notSupported)
        }
    }

    package mutating func nextChapter(_ turn: inout ViewingTurn) -> CommandResult {
        if let reason = transport.navigationRefusal { return transport.refuse(reason, &turn) }
        guard let position = played.position, let next = played.chapters.first(where: { $0.start > position }) else {
            return .failed(.notSupported)
        }
        transport.bar.show()
        return transport.jump(to: next.start, &turn)
    }

    package mutating func previousChapter(_ turn: inout ViewingTurn) -> CommandResult {
        if let reason = transport.navigationRefusal { return transport.refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        guard let current = played.chapterIndex(at: position) else { return .failed(.notSupported) }
        let list = played.chapters
        let into = played.clock.content(at: position) - played.clock.content(at: list[current].start)
        let target = into >= Timing.previousRestarts || current == 0 ? list[current] : list[current - 1]
        transport.bar.show()
        return transport.jump(to: transport.backTarget(target.start), &turn)
    }

    package mutating func goToChapter(at start: MediaTime, _ turn: inout ViewingTurn) -> CommandResult {
        transport.bar.show()
        return transport.jump(to: start < played.position ?? .zero ? transport.backTarget(start) : start, &turn)
    }

    /// Live: goes to the start of a programme of the channel, in asset time; nil where it cannot be reached.
    package mutating func goToProgramme(at start: MediaTime?, _ turn: inout ViewingTurn) -> CommandResult {
        guard let start else { return .failed(.notSupported) }
        transport.bar.show()
        return transport.jump(to: start, &turn)
    }

    package mutating func fromBeginning(_ turn: inout ViewingTurn) -> CommandResult {
        guard played.item?.isLive != true else { return .failed(.notSupported) }
        transport.bar.show()
        return transport.jump(to: transport.backTarget(played.clock.start), &turn)
    }

    /// Skips the current skippable part of the content.
    mutating func skip(_ kind: NavigationMarker.Kind, _ turn: inout ViewingTurn) -> CommandResult {
        guard let position = played.position,
            let part = played.item?.markers.first(where: { $0.kind == kind && $0.start <= position && $0.end ?? .zero > position }
            ),
            let end = part.end
        else { return .failed(.notSupported) }
        return transport.jump(to: end, &turn)
    }

    /// The policy is not asked, because no unwatched content is skipped.
    package mutating func goLive(_ turn: inout ViewingTurn) -> CommandResult {
        guard played.item?.isLive == true, let edge = played.snapshot.seekableRanges.last?.end else {
            return .failed(.notSupported)
        }
        transport.seek(to: edge, &turn)
        return .success
    }

    // MARK: The position

    /// Saves the position, if there is one to resume at.
    package mutating func savePlace(_ turn: inout ViewingTurn) {
        guard let item = played.item, let place = transport.placeToSave, turn.card != .end else { return }
        lastSavedPlace = played.position
        turn.effects.append(.savePlace(id: item.id, isWatched(to: place) ? nil : place))
    }

    /// Whether so little is left that there is nothing to resume.
    private func isWatched(to place: SavedPlace) -> Bool {
        let clock = played.clock
        guard place.owedInterstitial == nil, let total = clock.total, total > .zero else { return false }
        return clock.content(at: place.time) * 100 >= total * Timing.watchedPercent
    }

    private mutating func savePlaceInPlay(_ turn: inout ViewingTurn) {
        guard let position = played.position, seeking.mode == .watching, played.snapshot.state == .playing else { return }
        guard let last = lastSavedPlace else {
            lastSavedPlace = position
            return
        }
        if (position - last).magnitude >= Timing.savesPlace { savePlace(&turn) }
    }

    // MARK: The proposal

    /// Where the proposal is shown, in asset time; nil for the end, or never.
    ///
    /// - Parameter continuesByItself: see `ViewingTurn`.
    package func proposalTime(continuesByItself: Bool) -> MediaTime? {
        ProposalPresenter.time(in: played, interval: acceptanceInterval(continuesByItself: continuesByItself))
    }

    /// When the proposal is accepted automatically, relative to the end; nil if it is not, whatever the feed says.
    private func acceptanceInterval(continuesByItself: Bool) -> MediaTime? {
        guard continuesByItself, let offered = played.item?.proposal, !offered.isLocked else { return nil }
        return offered.automaticAcceptanceInterval
    }

    /// Whether the queue decides what follows at the end of the item. It must not stop at a proposal that is never answered.
    package var leavesEndToQueue: Bool {
        guard let item = played.item, item.isInQueue else { return false }
        if let shown = overlay.proposal { return !shown.countsDown }
        return proposal.wasDeferred || item.proposal.map { $0.automaticAcceptanceInterval == nil || $0.isLocked } ?? true
    }

    /// A new position.
    private mutating func updateProposal(_ turn: inout ViewingTurn) {
        guard let position = played.position, let time = proposalTime(continuesByItself: turn.continuesByItself) else { return }
        if position < time {
            rearmProposal()
        } else if proposal.isDue, interstitials.presenting == nil, interstitials.enforcement == nil, seeking.mode == .watching,
            turn.isOnScreen, !turn.isCovered, overlay == nil, played.snapshot.state != .ended
        {
            presentProposal(&turn)
        }
    }

    /// The end was reached.
    ///
    /// - Returns: whether the proposal is now shown.
    package mutating func showProposalAtEnd(_ turn: inout ViewingTurn) -> Bool {
        guard turn.isOnScreen, proposal.isDueAtEnd else { return false }
        presentProposal(&turn)
        return overlay.proposal != nil
    }

    /// A key while the proposal is shown. Any but pause and play stops the countdown.
    ///
    /// - Parameter step: -1 or 1 along the buttons, for Left and Right.
    package mutating func actOnProposal(_ key: RemoteKey, step: Int, _ turn: inout ViewingTurn) -> KeyOutcome {
        guard let shown = overlay.proposal else { return .refused(.notSupported) }
        switch key {
        case .playpause, .play, .pause:
            let isPlaying = orders.wantsToPlay
            guard played.snapshot.state != .ended, key != (isPlaying ? .play : .pause) else { return .refused(.noChange) }
            if isPlaying { transport.stand(&turn) } else { transport.resume(&turn) }
            return .done
        default: overlay.proposal?.stopCountdown()
        }
        switch key {
        case .left, .right: return overlay.proposal?.moveFocus(by: step) == true ? .done : .refused(.noChange)
        case .back: return .wants(.backToCredits)
        case .ok:
            return switch shown.focused {
            case .playNow: .wants(.playNext)
            case .backToCredits: .wants(.backToCredits)
            case .home: .wants(.rejectProposal)
            }
        default: return .refused(.notSupported)
        }
    }

    private mutating func presentProposal(_ turn: inout ViewingTurn) {
        guard let offered = played.item?.proposal else { return }
        guard turn.policy.navigation.shouldPresent(offered) else { return proposal.veto() }
        var countdown: Duration?
        if let interval = acceptanceInterval(continuesByItself: turn.continuesByItself), let end = played.clock.end {
            countdown = max(Timing.shortestCountdown, end + interval - (played.position ?? end)).wallDuration
        }
        transport.bar.hide()
        transport.forgetUndo()
        turn.effects.append(.tell(.proposal(next: offered.next, .offered)))
        overlay = .proposal(proposal.show(countdown: countdown, runs: orders.wantsToPlay, at: turn.now))
    }

    /// It is hidden, and the next crossing of its position shows it.
    mutating func rearmProposal() {
        proposal = ProposalPresenter()
        overlay.proposal = nil
    }

    /// It is deferred: before the end, it is shown once more there.
    ///
    /// - Returns: whether it was shown.
    package mutating func putOffProposal(atEnd: Bool, _ turn: inout ViewingTurn) -> Bool {
        guard let shown = overlay.proposal else { return false }
        if let offered = played.item?.proposal { turn.effects.append(.tell(.proposal(next: offered.next, .deferred))) }
        overlay.proposal = nil
        proposal.putOff(shown, atEnd: atEnd)
        return true
    }

    package mutating func stopCountdown() { overlay.proposal?.stopCountdown() }

    // MARK: The panel

    /// Opens the panel, unless the proposal is shown.
    package mutating func open(_ new: Panel) { if overlay.proposal == nil { overlay = .panel(new) } }

    package mutating func closePanel() { overlay.panel = nil }

    /// A key while the panel is open.
    package mutating func actOnPanel(_ key: RemoteKey, in content: PanelContent?) -> KeyOutcome {
        guard let content else { return .refused(.noItem) }
        return overlay.panel?.act(key, in: content) ?? .refused(.notSupported)
    }

    /// Focus stays on an existing element; options may change while the panel is open.
    package mutating func settlePanel(in content: PanelContent?) {
        guard let content, overlay.panel?.settle(in: content) == true else { return closePanel() }
    }

    // MARK: Captions for a replay

    /// "What did they say?": seeks back fifteen seconds, with captions until the position of the question. A navigation of the viewer: the policy is asked.
    package mutating func whatDidTheySay(_ turn: inout ViewingTurn) -> CommandResult {
        if let reason = transport.navigationRefusal { return transport.refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        let asked = played.clock.content(at: position)
        let content = played.clamped(asked - Timing.whatDidTheySay)
        let result = transport.jump(to: played.place(of: content, from: position), &turn)
        guard result == .success else { return result }
        beginReplay(asked: asked, from: content, &turn)
        if !orders.wantsToPlay { transport.resume(&turn) }
        return .success
    }

    private mutating func beginReplay(asked: MediaTime, from start: MediaTime, _ turn: inout ViewingTurn) {
        if replay.isAtRest, !played.snapshot.options.subtitles.isEmpty { turn.effects.append(.showCaptionsForReplay(true)) }
        replay.begin(asked: asked, from: start)
    }

    /// A navigation of the viewer has landed.
    private mutating func showCaptionsAfterSkippingBack(to place: MediaTime, _ turn: inout ViewingTurn) {
        guard turn.showsCaptionsOnReplay, seeking.mode == .watching, let origin = seeking.undoOrigin else { return }
        let (asked, start) = (played.clock.content(at: origin), played.clock.content(at: place))
        guard start < asked, asked - start <= Timing.longestReplay else { return }
        beginReplay(asked: asked, from: start, &turn)
    }

    package mutating func endReplay(_ turn: inout ViewingTurn) {
        if let effect = replay.end() { turn.effects.append(effect) }
    }

    // MARK: Settling

    /// Settles what follows from the state after any event. Repeated after an outcome.
    ///
    /// What ends the item or opens a card comes first, because the rest depends on it. The bar comes before the action, which gets the room of a
    /// hidden bar, and after the waiting, which keeps the bar visible.
    package mutating func settle(_ turn: inout ViewingTurn) -> Outcome? {
        let runs = isProposalRunning
        if turn.isOnScreen, played.item?.proposal != nil, overlay.proposal?.settle(runs: runs, at: turn.now) == true {
            return .proposalAccepted
        }
        transport.settleBoundary(&turn)
        if let outcome = settleWaiting(&turn) { return outcome }
        settleBar(turn)
        action.settle(shownAction(turn), lastPress: turn.lastPress, at: turn.now)
        standingPause.update(isPaused(turn), lastPress: turn.lastPress, at: turn.now)
        longPause.update(isPaused: isLeftPaused(turn), lastPress: turn.lastPress, at: turn.now)
        if longPause.isOver(at: turn.now) { return .isPausedForLong }
        settleReplay(&turn)
        settleSpeed(&turn)
        soundOnly.settle(turn.isOnScreen && isSoundOnly(isListening: turn.session.isListening), at: turn.now)
        return nil
    }

    /// Whether only the viewer ends the pause. A kiosk resumes when what holds playback is over, so that it must not enter standby meanwhile.
    private func isLeftPaused(_ turn: ViewingTurn) -> Bool { isPaused(turn) && !(turn.policy.isKiosk && orders.hold != nil) }

    /// Whether it is paused, also while a place is sought.
    private func isPaused(_ turn: ViewingTurn) -> Bool {
        played.item != nil && !orders.wantsToPlay && seeking.mode != .scanning && turn.card == nil
    }

    /// At the end nothing moves and the countdown runs; before the end it stops whenever the video does.
    private var isProposalRunning: Bool {
        played.snapshot.state == .ended || orders.wantsToPlay && played.snapshot.state != .waiting
    }

    private var isWaiting: Bool {
        guard seeking.mode == .watching else { return false }
        if played.isLoading { return true }
        guard played.item != nil else { return false }
        switch played.snapshot.state {
        case .waiting, .loading: return true
        case .ready, .playing, .paused, .ended: return seeking.isSeeking
        case .failed: return false
        }
    }

    private mutating func settleWaiting(_ turn: inout ViewingTurn) -> Outcome? {
        if played.snapshot.state == .playing { turn.session.queue.notePlaying() }
        guard isWaiting else {
            waiting.end()
            return turn.card == .slow ? .isNotSlow : nil
        }
        let waited = waiting.go(on: turn.now)
        if waited >= Interstitial.startLimit, transport.giveUpInterstitial(&turn) {
            waiting.restart(at: turn.now)
            return nil
        }
        if waited >= Timing.moveOn, played.item?.isInQueue == true { return .isTooSlow }
        let isUntold = turn.isOnScreen && turn.card == nil && !turn.asksForPIN
        return waited >= Timing.slowCard && isUntold ? .isSlow : nil
    }

    /// The bar hides automatically during playback without interaction.
    private mutating func settleBar(_ turn: ViewingTurn) {
        let mayHide =
            orders.wantsToPlay && seeking.isAtRest && waiting.isAtRest && !played.isLoading && turn.policy.autoHides
            && turn.isOnScreen && overlay.panel == nil && !turn.hasPage && !turn.isDirectionHeld
        transport.bar.settle(
            lastPress: turn.lastPress, hidesAfter: mayHide ? turn.patience.autoHide ?? Timing.standsAtMost : nil, at: turn.now)
    }

    /// The action is shown while nothing covers the picture; Skip in an interstitial stays next to a bar that appeared automatically.
    private func shownAction(_ turn: ViewingTurn) -> ContextualActionView.Kind? {
        guard turn.isOnScreen, !turn.isCovered, overlay == nil, seeking.mode == .watching, !played.isLoading,
            let possible = ContextualActionView.Kind(in: transport, hasProposed: proposal.wasOffered)
        else { return nil }
        let bar = transport.bar
        return !bar.isVisible || possible == .skipInterstitial && bar.focus == .none ? possible : nil
    }

    /// The position of the question is reached again, or the viewer has moved elsewhere.
    private mutating func settleReplay(_ turn: inout ViewingTurn) {
        guard !seeking.isSeeking else { return }
        let place = seeking.mode == .watching && played.item != nil ? played.position : nil
        if replay.isOver(at: place.map { played.clock.content(at: $0) }) { endReplay(&turn) }
    }

    /// An ad plays at normal speed; after it the viewer's speed applies again.
    package mutating func settleSpeed(_ turn: inout ViewingTurn) {
        guard played.item != nil, let effect = turn.session.speed.settle(isLinear: transport.isLinear) else { return }
        turn.effects.append(effect)
    }

    /// Whether there is audio but no picture to look at.
    func isSoundOnly(isListening: Bool) -> Bool {
        played.item != nil && played.position != nil && (isListening || !played.snapshot.hasVideo)
    }
}
