import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The transport of an item: the item and its position, play and pause, the search, interstitials, and the transport bar.
///
/// Each part keeps its own state private. This type connects them: a search shows the bar, a navigation ends an enforcement.
package struct Transport: Sendable {
    private(set) var played = PlayedItem()
    private(set) var orders = PlayOrders()
    private(set) var seeking = Seeking()
    private(set) var interstitials = InterstitialPresenter()
    package var bar = BarModel()

    /// Nothing plays.
    init() {}

    init(opening entry: HomeContent.Entry) { played = PlayedItem(opening: entry) }

    init(_ item: ItemPresentation) {
        played = PlayedItem(item)
        interstitials.noteWatchedBefore(item.watchedInterstitials)
    }

    /// Whether it plays as the viewer wants it, and no interstitial, search or bar is active.
    var isAtRest: Bool {
        played.snapshot.state == .playing && played.snapshot.hasVideo && played.snapshot.presented == nil && orders.isAtRest
            && seeking.isAtRest && interstitials.isAtRest && !bar.isVisible
    }

    /// When a part changes automatically.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        [(.scanStep, seeking.nextStep), (.undoEnds, seeking.undoEnds), (.autoHide, bar.hidesAt), (.place, bar.typed?.deadline)]
    }

    // MARK: Restrictions

    /// Whether only play and pause are allowed.
    package var isLinear: Bool { played.item?.requiresLinearPlayback == true || interstitials.presenting?.isLinear == true }

    /// Why the viewer may not navigate now; nil if they may.
    package var navigationRefusal: CommandRefusal? {
        guard played.item != nil else { return .noItem }
        if isLinear { return .linear }
        guard played.position != nil else { return .notReady }
        if case .failed = played.snapshot.state { return .notReady }
        return played.isLiveWithoutWindow ? .notSupported : nil
    }

    /// Refuses a viewer's key with a message that says when it will work.
    package mutating func refuse(_ reason: CommandRefusal, _ turn: inout ViewingTurn) -> CommandResult {
        if reason == .linear {
            bar.show()
            turn.refusal = interstitials.refusal(of: played, turn.strings)
        }
        return .failed(reason)
    }

    // MARK: Times

    /// How long the current interstitial has played; nil if there is none, or if the position is not known.
    var interstitialElapsed: MediaTime? { interstitials.presenting.flatMap { played.elapsed(of: $0) } }

    /// The content time shown as the viewer's: that of the pending target, otherwise of the last frame.
    package var viewedContent: MediaTime {
        let clock = played.clock
        if let target = seeking.target { return clock.content(at: interstitials.enforcement?.savedTarget ?? target) }
        return clock.content(at: played.position ?? clock.start) + played.occupiedSoFar
    }

    /// The content time that a tap would lead to; nil if a tap has no target.
    func content(ofTap direction: Int, at now: HostTime) -> MediaTime? {
        seeking.target(ofTap: direction, at: viewedContent, in: played, now: now)
    }

    // MARK: Play and pause

    package mutating func resume(_ turn: inout ViewingTurn) { turn.effects.append(orders.play()) }

    package mutating func stand(_ turn: inout ViewingTurn) { turn.effects.append(orders.pause()) }

    /// A key is held in a pause: the picture moves slowly at this rate; nil: it stands again.
    mutating func moveSlowly(at rate: Ratio?, _ turn: inout ViewingTurn) {
        if let effect = rate.map({ orders.moveSlowly(at: $0) }) ?? orders.standStill() { turn.effects.append(effect) }
    }

    /// The item has ended: the player has stopped.
    package mutating func stop() { orders.end() }

    /// Why the box itself holds playback; nil if it does not.
    package mutating func note(_ hold: HoldReason?) { orders.note(hold) }

    /// Shows the bar after an action of the viewer; while paused it gets focus.
    private mutating func showBar() { bar.show(orders.wantsToPlay ? .none : .bar) }

    // MARK: Taps

    /// Left or Right was pressed: the new time is shown at once.
    ///
    /// - Parameter idle: the time without a key before.
    package mutating func beginTap(after idle: Duration, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        if idle >= Timing.longIdle { bar.showOfferingUndo() }
        if orders.wantsToPlay { bar.show() } else { bar.show(.bar) }
        return .success
    }

    /// Left or Right was tapped.
    package mutating func commitTap(_ direction: Int, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        switch seeking.mode {
        case .scanning: return .failed(.notSupported)
        case .scrubbing: return tapScrub(direction, &turn)
        case .watching where !orders.wantsToPlay:
            beginScrub(direction, &turn)
            return tapScrub(direction, &turn)
        case .watching:
            guard let leg = seeking.tap(direction, from: position, at: viewedContent, in: played, now: turn.now) else {
                return .failed(.noChange)
            }
            navigate(from: leg.origin, to: played.place(of: leg.target, from: leg.origin), &turn)
            return .success
        }
    }

    /// Left or Right is held.
    ///
    /// - Parameter hold: of a device without releases it begins with a second press, so that the first was taken for a tap.
    package mutating func beginHold(_ direction: Int, _ hold: KeyHold, _ turn: inout ViewingTurn) {
        if navigationRefusal != nil { return }
        switch seeking.mode {
        case .watching where orders.wantsToPlay:
            if hold == .byPresses, let origin = seeking.takeBackTaps(at: turn.now) {
                played.move(to: origin)
                interstitials.forgetEnforcement()
                bar.endUndo()
            }
            _ = beginScan(direction, hold: hold, &turn)
        case .watching:
            beginScrub(direction, &turn)
            seeking.holdScrub(direction, hold, in: played, at: turn.now)
        case .scrubbing: seeking.holdScrub(direction, hold, in: played, at: turn.now)
        case .scanning: break
        }
    }

    /// Left or Right was released after a hold. What played before a scrub goes on where that has led.
    package mutating func endHold(_ turn: inout ViewingTurn) { if seeking.release() { _ = endSearch(playing: nil, &turn) } }

    // MARK: Searching

    package mutating func beginScan(_ direction: Int, hold: KeyHold? = nil, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        if seeking.mode == .scanning { return changeScan(by: direction, &turn) }
        let begun = seeking.beginScan(
            direction, from: position, at: viewedContent, isPlaying: orders.wantsToPlay, hold: hold, in: played,
            &turn.session.seekIDs, now: turn.now)
        guard let begun else { return .failed(.noChange) }
        if orders.wantsToPlay { stand(&turn) }
        searchBegan()
        turn.effects += begun
        return .success
    }

    mutating func changeScan(by step: Int, _ turn: inout ViewingTurn) -> CommandResult {
        let effects = seeking.changeScan(by: step, in: played, &turn.session.seekIDs, at: turn.now)
        guard let effects else { return .failed(.noChange) }
        turn.effects += effects
        return .success
    }

    private mutating func beginScrub(_ direction: Int, _ turn: inout ViewingTurn) {
        guard let position = played.position else { return }
        seeking.beginScrub(direction, from: position, at: viewedContent)
        searchBegan()
    }

    private mutating func tapScrub(_ direction: Int, _ turn: inout ViewingTurn) -> CommandResult {
        let (moved, effects) = seeking.tapScrub(direction, in: played, &turn.session.seekIDs, at: turn.now)
        turn.effects += effects
        return moved ? .success : .failed(.noChange)
    }

    private mutating func searchBegan() {
        interstitials.forgetEnforcement()
        bar.endUndo()
        bar.show(.bar)
    }

    /// A step of the search is due.
    package mutating func stepSearch(_ turn: inout ViewingTurn) {
        take(seeking.step(in: played, &turn.session.seekIDs, at: turn.now), &turn)
    }

    private mutating func take(_ step: Seeking.Step, _ turn: inout ViewingTurn) {
        switch step {
        case .goesOn(let effects): turn.effects += effects
        case .over(let playing): _ = endSearch(playing: playing, &turn)
        }
    }

    /// Seeks to the position of the search: one call of the policy, one exact seek.
    ///
    /// - Parameter playing: whether to play afterwards; nil for the state before the search.
    mutating func endSearch(playing: Bool?, _ turn: inout ViewingTurn) -> CommandResult {
        guard let search = seeking.search else { return .failed(.notSupported) }
        leaveSearch(&turn)
        navigate(from: search.origin, to: played.place(of: search.content, from: search.origin), &turn)
        if playing ?? search.wasPlaying { resume(&turn) }
        showBar()
        return .success
    }

    /// Back: returns to the origin.
    package mutating func cancelSearch(_ turn: inout ViewingTurn) -> CommandResult {
        guard let search = seeking.search else { return .failed(.notSupported) }
        leaveSearch(&turn)
        seek(to: search.origin, &turn)
        if search.wasPlaying { resume(&turn) }
        showBar()
        return .success
    }

    /// The search has ended, at any position.
    package mutating func leaveSearch(_ turn: inout ViewingTurn) { turn.effects += seeking.endSearch() }

    // MARK: Navigation

    /// A viewer's navigation: the policy is asked once, and its answer is sought exactly.
    private mutating func navigate(from old: MediaTime, to target: MediaTime, _ turn: inout ViewingTurn) {
        guard let item = played.item else { return }
        let answer = turn.policy.navigation.timeToSeekAfterUserNavigated(
            UserNavigation(from: old, to: target, interstitials: item.interstitials, watched: interstitials.watched))
        interstitials.forgetEnforcement()
        if answer != target, let interstitial = item.interstitials.first(where: { $0.time == answer }),
            !interstitial.range.contains(target)
        {
            interstitials.enforce(interstitial, before: target, in: item)
        }
        turn.effects.append(seeking.navigate(from: old, to: answer, &turn.session.seekIDs, at: turn.now))
    }

    /// A navigation without taps: a chapter, the web page, From Beginning.
    mutating func jump(to target: MediaTime, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        let search = seeking.search
        leaveSearch(&turn)
        if search?.wasPlaying == true { resume(&turn) }
        seeking.endTaps()
        navigate(from: search?.origin ?? position, to: target, &turn)
        return .success
    }

    /// Returns to where the last navigation began. The policy is not asked, because the viewer has been there.
    mutating func undo(_ turn: inout ViewingTurn) -> CommandResult {
        guard let origin = seeking.undoOrigin else { return .failed(.noChange) }
        forgetUndo()
        seeking.endTaps()
        interstitials.forgetEnforcement()
        showBar()
        seek(to: origin, &turn)
        return .success
    }

    package mutating func forgetUndo() {
        seeking.forgetUndo()
        bar.endUndo()
    }

    /// A start that skips watched ranges, without a frame of them.
    func backTarget(_ place: MediaTime) -> MediaTime { interstitials.backTarget(place, in: played.item) }

    // MARK: Seeks

    /// Seeks exactly. A pending seek is replaced.
    mutating func seek(to target: MediaTime, _ turn: inout ViewingTurn) {
        turn.effects.append(seeking.seek(to: target, &turn.session.seekIDs))
    }

    /// A seek has completed.
    ///
    /// - Returns: whether playback continues from where it landed.
    mutating func seekCompleted(_ id: SeekID, landed: MediaTime, finished: Bool, _ turn: inout ViewingTurn) -> Bool {
        if id == .programmatic {
            if finished { programSought(landed, &turn) }
            return finished
        }
        switch seeking.complete(id) {
        case .nothing: return false
        case .passingPicture:
            if finished { played.move(to: landed) }
            turn.effects += seeking.passingPictureCame(in: played, &turn.session.seekIDs, at: turn.now)
            return false
        case .exact:
            if finished { arrive(at: landed, &turn) }
            return finished
        }
    }

    /// A programmatic seek.
    private mutating func programSought(_ place: MediaTime, _ turn: inout ViewingTurn) {
        seeking.forgetSeek()
        seeking.endTaps()
        leaveSearch(&turn)
        if let enforcement = interstitials.enforcement, !enforcement.interstitial.range.contains(place) {
            interstitials.forgetEnforcement()
        }
        arrive(at: place, &turn)
    }

    /// A seek has completed: its frame is on the screen.
    private mutating func arrive(at place: MediaTime, _ turn: inout ViewingTurn) {
        played.move(to: place)
        let state = played.snapshot.state
        // At the end a player ignores a play command, so it is repeated after a seek away from the end.
        if orders.awaitsPlay, seeking.mode == .watching, state == .paused || state == .ended { turn.effects.append(.play) }
        if case .ended = state { played.expect(orders.wantsToPlay ? .playing : .paused) }
        updateInterstitials(sought: true, &turn)
    }

    // MARK: Interstitials

    /// A new position.
    ///
    /// - Parameter sought: whether it was reached by a seek. A watched range is then shown, because the viewer chose to go there.
    private mutating func updateInterstitials(sought: Bool, _ turn: inout ViewingTurn) {
        guard !updateBeside(&turn), let item = played.item, let position = played.position, seeking.mode == .watching else {
            return
        }
        let (isSeeking, snapBack) = (seeking.isSeeking, turn.policy.snapBack)
        let rate = played.snapshot.state == .playing ? played.snapshot.rate : nil
        present(&turn) {
            $0.update(at: position, in: item, sought: sought, isSeeking: isSeeking, rate: rate, snapBack: snapBack, &$1)
        }
    }

    /// Handles the interstitial that the player presents.
    ///
    /// - Returns: whether it is a separately fetched one, so that the position does not concern spliced ranges.
    private mutating func updateBeside(_ turn: inout ViewingTurn) -> Bool {
        guard let beside = played.beside else { return false }
        present(&turn) {
            $0.update(beside: beside, &$1)
            return .playOn
        }
        return true
    }

    /// The player has ended a separately fetched interstitial.
    package mutating func besideEnded(_ id: String, how: InterstitialOutcome, _ turn: inout ViewingTurn) {
        guard interstitials.presenting?.id == id, played.beside?.interstitial.id == id else { return }
        played.endPresented()
        interstitials.finish(how, &turn.effects)
    }

    /// Asks the presenter, and seeks if it says so.
    private mutating func present(
        _ turn: inout ViewingTurn, _ ask: (inout InterstitialPresenter, inout [InterfaceEffect]) -> InterstitialPresenter.Next
    ) {
        let before = interstitials.presenting?.id
        let next = ask(&interstitials, &turn.effects)
        if interstitials.presenting?.id != before, interstitials.presenting != nil, isLinear {
            // Taps and undo would lead to other targets.
            seeking.endTaps()
            forgetUndo()
        }
        if case .seek(let place) = next { seek(to: place, &turn) }
    }

    /// Where playback must not continue automatically.
    mutating func settleBoundary(_ turn: inout ViewingTurn) {
        let place = seeking.mode == .watching ? seeking.target ?? played.position : nil
        interstitials.settleBoundary(from: place, in: played.item, &turn.effects)
        if let rate = orders.slow, isLinear || !played.canMove(at: rate) { moveSlowly(at: nil, &turn) }
    }

    package mutating func reachedBoundary(_ time: MediaTime, _ turn: inout ViewingTurn) {
        guard let item = played.item, seeking.isAtRest else { return }
        let snapBack = turn.policy.snapBack
        present(&turn) { $0.reached(time, in: item, snapBack: snapBack, &$1) }
    }

    /// Whether Skip is offered now.
    package var offersSkip: Bool { interstitials.offersSkip(at: interstitialElapsed) }

    package mutating func skipInterstitial(_ turn: inout ViewingTurn) -> CommandResult {
        guard offersSkip, let item = played.item else { return .failed(isLinear ? .linear : .notSupported) }
        if played.beside != nil {
            interstitials.finish(.skipped, &turn.effects)
            played.endPresented()
            turn.effects.append(.skipInterstitial)
            return .success
        }
        let snapBack = turn.policy.snapBack
        present(&turn) { $0.skip(in: item, snapBack: snapBack, &$1) }
        return .success
    }

    /// An interstitial that does not begin in time is cancelled, and content continues.
    ///
    /// - Returns: false if there is none. The player, which presents an interstitial beside the stream, cancels that itself.
    mutating func giveUpInterstitial(_ turn: inout ViewingTurn) -> Bool {
        guard played.beside == nil, let item = played.item,
            case .seek(let place)? = interstitials.giveUp(sought: seeking.target, in: item, &turn.effects)
        else { return false }
        seek(to: place, &turn)
        return true
    }

    // MARK: The player

    /// Seeks to where the item begins for this viewer. The policy is not asked.
    ///
    /// - Returns: the position in asset time; nil for the item's beginning.
    mutating func start(_ turn: inout ViewingTurn) -> MediaTime? {
        guard let item = played.item, let place = interstitials.startPlace(in: item) else { return nil }
        seek(to: place, &turn)
        return place
    }

    /// More is known about the item.
    mutating func renew(_ new: ItemPresentation) {
        played.renew(new)
        interstitials.renew(from: new)
    }

    /// The player has shown a frame or changed its state.
    mutating func take(_ new: PlaybackSnapshot, _ turn: inout ViewingTurn) {
        let old = played.snapshot.state
        played.take(new)
        // A newly opened or reopened player may not have the boundary.
        if old == .loading, new.state != .loading { interstitials.forgetBoundary() }
        if orders.follow(new.state, isWatching: seeking.mode == .watching) { bar.show(.bar) }
        guard let place = new.position else {
            _ = updateBeside(&turn)  // before the first frame of the stream itself
            return
        }
        let isFirst = played.position == nil
        played.move(to: place)
        if isFirst { seeking.forgetExactSeek() }
        if new.state.isUnderWay { updateInterstitials(sought: isFirst, &turn) }
        take(seeking.follow(played, &turn.session.seekIDs, at: turn.now), &turn)
    }

    /// The next frame was shown, with no other change.
    package mutating func advance(to place: MediaTime, _ new: PlaybackSnapshot) { played.advance(to: place, new) }

    /// The player has reached the end.
    ///
    /// - Returns: whether a scan ends there; then playback continues before the end.
    mutating func endScanAtEnd(_ turn: inout ViewingTurn) -> Bool {
        seeking.scanHasReachedEnd(of: played) && endSearch(playing: true, &turn) == .success
    }

    package mutating func ended(_ turn: inout ViewingTurn) {
        interstitials.finish(.completed, &turn.effects)
        interstitials.forgetEnforcement()
    }

    mutating func failed(_ turn: inout ViewingTurn) {
        interstitials.finish(.failed, &turn.effects)
        leaveSearch(&turn)
        seeking.forgetSeek()
    }

    /// The viewer leaves the item.
    mutating func leave(_ turn: inout ViewingTurn) {
        interstitials.finish(.abandoned, &turn.effects)
        leaveSearch(&turn)
    }

    /// Plays the item again from its beginning.
    mutating func playAgain(_ turn: inout ViewingTurn) {
        interstitials.forgetEnforcement()
        seek(to: backTarget(played.clock.start), &turn)
        resume(&turn)
    }

    /// Reopens the item at its position; a live one at its edge, because its asset time begins anew.
    mutating func retry(staysPaused: Bool, _ turn: inout ViewingTurn) {
        guard let item = played.item else { return }
        let place = interstitials.enforcement?.interstitial.time ?? played.position ?? item.resume?.time ?? played.clock.start
        seeking.forgetSeek()
        played.expect(.loading)
        turn.effects.append(.retry(at: item.isLive ? nil : place))
        if staysPaused { turn.effects.append(orders.pause()) } else { orders.expectPlay() }
    }

    /// The position to resume at, with the owed interstitial; nil if there is none, as with live.
    package var placeToSave: SavedPlace? {
        guard let item = played.item, !item.isLive, let position = played.position else { return nil }
        if let beside = played.beside { return interstitials.placeToSave(in: beside, at: position) }
        return interstitials.placeToSave(seeking.search?.origin ?? seeking.target ?? position, in: item)
    }
}
