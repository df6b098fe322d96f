import LinuxSupport
import MediaModel
import MediaTime

/// All that belongs to one item, from the moment it is chosen. Whatever leaves the item drops this value, and the next item begins with a new one.
///
/// Each part keeps its own state private. What is here is what one part means for the others: a seek ends an enforcement, a search shows the bar.
struct Viewing: Sendable {
    /// What is played and where it is.
    var played = PlayedItem()
    /// Where the item begins for this viewer, in asset time; nil: at its own beginning.
    var startPlace: MediaTime?
    var lastSavedPlace: MediaTime?
    var orders = PlayOrders()
    private(set) var seeking = Seeking()
    var longPause = LongPause()
    var interstitials = InterstitialPresenter()
    var proposal = Proposal()
    var waiting = Waiting()
    var replay = CaptionReplay()
    var action = ActionFocus()
    var soundOnly = SoundOnly()
    var bar = BarModel()

    /// Nothing is viewed.
    init() {}

    /// Begins to open what was chosen.
    ///
    /// - Parameter now: when it was chosen; nil: it waits for the PIN.
    init(opening entry: HomeContent.Entry, at now: HostTime? = nil) {
        played = PlayedItem(opening: entry)
        waiting = Waiting(since: now)
    }

    init(_ item: ItemPresentation, at now: HostTime) {
        played = PlayedItem(item)
        interstitials.noteWatchedBefore(item.interstitials.filter(\.isWatched).map(\.id))
        waiting = Waiting(since: now)
    }

    /// Whether it plays, and nothing is presented, shown over the picture, being done or awaited.
    var isAtRest: Bool {
        played.snapshot.state == .playing && played.snapshot.hasVideo && played.snapshot.presented == nil && orders.isAtRest
            && seeking.isAtRest && interstitials.isAtRest && proposal.shown == nil && waiting.isAtRest && replay.isAtRest
            && action.kind == nil && !bar.isVisible
    }

    /// When something of it changes by itself.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        [(.scanStep, seeking.nextStep), (.undoEnds, seeking.undoEnds), (.autoHide, bar.hidesAt)]
    }

    // MARK: What may be done

    /// Whether no viewer command but play and pause changes position or rate.
    var isLinear: Bool { played.item?.requiresLinearPlayback == true || interstitials.presenting?.isLinear == true }

    /// Why the viewer may not go anywhere now; nil: they may.
    var navigationRefusal: CommandFailure? {
        guard played.item != nil else { return .noItem }
        if isLinear { return .linear }
        guard played.position != nil else { return .notReady }
        if case .failed = played.snapshot.state { return .notReady }
        return played.isLiveWithoutWindow ? .notSupported : nil
    }

    /// Refuses a viewer's key with a word about when it can be used.
    mutating func refuse(_ reason: CommandFailure, _ turn: inout ViewingTurn) -> CommandResult {
        if reason == .linear {
            bar.show()
            turn.refusal = linearWords(turn.strings)
        }
        return .failed(reason)
    }

    /// "Available in 0:12": until the last of the linear ranges that follow each other is over.
    private func linearWords(_ strings: StringCatalogue) -> String {
        guard let item = played.item, var end = interstitials.presenting?.range.end, let place = played.presentedPlace,
            !item.requiresLinearPlayback
        else {
            return strings.text(.availableLater)
        }
        if let beside = played.beside {
            if beside.duration == nil { return strings.text(.availableLater) }
        } else {
            while let next = item.interstitials.first(where: { $0.range.start == end && $0.isLinear && !$0.range.isEmpty }) {
                end = next.range.end
            }
        }
        return strings.text(.availableIn, TimeText.clock(max(0, (end - place).wholeSecondsUp)))
    }

    // MARK: Times

    /// The content time that the viewer sees as theirs: of the target of what is under way, else of the last frame.
    var viewedContent: MediaTime {
        let clock = played.clock
        if let target = seeking.target { return clock.content(at: interstitials.enforcement?.savedTarget ?? target) }
        return clock.content(at: played.position ?? clock.start) + played.occupiedSoFar
    }

    /// The content time that a tap would lead to; nil: taps lead nowhere.
    func content(ofTap direction: Int, at now: HostTime) -> MediaTime? {
        seeking.target(ofTap: direction, at: viewedContent, in: played, now: now)
    }

    // MARK: Play and pause

    mutating func resume(_ turn: inout ViewingTurn) { turn.effects.append(orders.play()) }

    mutating func stand(_ turn: inout ViewingTurn) { turn.effects.append(orders.pause()) }

    /// Shows the bar for what the viewer has just done; where it is paused, focus is on it.
    private mutating func showBar() { bar.show(orders.wantsToPlay ? .none : .bar) }

    // MARK: Taps

    /// Left or Right went down: the new time shows at once.
    ///
    /// - Parameter idle: for how long nothing was pressed before.
    mutating func beginTap(after idle: Duration, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        if idle >= Timing.longIdle { bar.showOfferingUndo() }
        if orders.wantsToPlay { bar.show() } else { bar.show(.bar) }
        return .success
    }

    /// Left or Right was tapped.
    mutating func commitTap(_ direction: Int, _ turn: inout ViewingTurn) -> CommandResult {
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
    /// - Parameter wasTapped: the device tells a hold only by a second press, and the first was taken for a tap.
    mutating func beginHold(_ direction: Int, wasTapped: Bool, _ turn: inout ViewingTurn) {
        if navigationRefusal != nil { return }
        switch seeking.mode {
        case .watching where orders.wantsToPlay:
            if wasTapped, let origin = seeking.takeBackTaps() {
                played.move(to: origin)
                interstitials.forgetEnforcement()
                bar.endUndo()
            }
            _ = beginScan(direction, &turn)
        case .watching:
            beginScrub(direction, &turn)
            seeking.holdScrub(direction, at: turn.now)
        case .scrubbing: seeking.holdScrub(direction, at: turn.now)
        case .scanning: break
        }
    }

    /// Left or Right is let go of after it was held.
    mutating func endHold() { seeking.releaseScrub() }

    // MARK: Searching

    mutating func beginScan(_ direction: Int, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        if seeking.mode == .scanning { return changeScan(by: direction, &turn) }
        let begun = seeking.beginScan(
            direction, from: position, at: viewedContent, isPlaying: orders.wantsToPlay, in: played, &turn.session.seekIDs,
            now: turn.now)
        guard let begun else { return .failed(.noChange) }
        if orders.wantsToPlay { stand(&turn) }
        searchBegan()
        turn.effects += begun
        return .success
    }

    private mutating func changeScan(by step: Int, _ turn: inout ViewingTurn) -> CommandResult {
        guard let effects = seeking.changeScan(by: step, in: played, &turn.session.seekIDs, at: turn.now) else {
            return .failed(.noChange)
        }
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

    /// A key while the viewer searches for a place; nil: it does what it always does.
    mutating func actInSearch(_ key: RemoteKey, _ turn: inout ViewingTurn) -> CommandResult? {
        switch (seeking.mode, key) {
        case (_, .back): return cancelSearch(&turn)
        case (.scanning, .left), (.scanning, .rw): return changeScan(by: -1, &turn)
        case (.scanning, .right), (.scanning, .ff): return changeScan(by: 1, &turn)
        case (.scanning, .ok), (.scanning, .playpause), (.scanning, .play): return endSearch(playing: nil, &turn)
        case (.scanning, .pause): return endSearch(playing: false, &turn)
        case (.scrubbing, .ok), (.scrubbing, .playpause), (.scrubbing, .play): return endSearch(playing: true, &turn)
        case (.scrubbing, .ff): return beginScan(1, &turn)
        case (.scrubbing, .rw): return beginScan(-1, &turn)
        case (.scrubbing, .next), (.scrubbing, .prev): return nil
        default: return .failed(.notSupported)
        }
    }

    /// A step of the search is due.
    mutating func stepSearch(_ turn: inout ViewingTurn) {
        take(seeking.step(in: played, &turn.session.seekIDs, at: turn.now), &turn)
    }

    /// The frame that the player has shown is one of a scan.
    mutating func followScan(_ turn: inout ViewingTurn) {
        take(seeking.follow(played, &turn.session.seekIDs, at: turn.now), &turn)
    }

    private mutating func take(_ step: Seeking.Step, _ turn: inout ViewingTurn) {
        switch step {
        case .goesOn(let effects): turn.effects += effects
        case .over(let playing): _ = endSearch(playing: playing, &turn)
        }
    }

    /// Goes where the search is: the one question to the policy, the one exact seek.
    ///
    /// - Parameter playing: whether it plays from here on; nil: as before the search.
    mutating func endSearch(playing: Bool?, _ turn: inout ViewingTurn) -> CommandResult {
        guard let search = seeking.search else { return .failed(.notSupported) }
        leaveSearch(&turn)
        navigate(from: search.origin, to: played.place(of: search.content, from: search.origin), &turn)
        if playing ?? search.wasPlaying { resume(&turn) }
        showBar()
        return .success
    }

    /// Back: as if nothing had happened.
    mutating func cancelSearch(_ turn: inout ViewingTurn) -> CommandResult {
        guard let search = seeking.search else { return .failed(.notSupported) }
        leaveSearch(&turn)
        seek(to: search.origin, &turn)
        if search.wasPlaying { resume(&turn) }
        showBar()
        return .success
    }

    /// The search is over, wherever it was.
    mutating func leaveSearch(_ turn: inout ViewingTurn) { turn.effects += seeking.endSearch() }

    // MARK: Navigation

    /// A viewer's navigation: the policy is asked, once, and what it answers is sought exactly.
    private mutating func navigate(from old: MediaTime, to target: MediaTime, _ turn: inout ViewingTurn) {
        guard let item = played.item else { return }
        let answer = turn.policy.navigation.timeToSeekAfterUserNavigated(
            UserNavigation(from: old, to: target, ranges: item.interstitials, watched: interstitials.watched))
        interstitials.forgetEnforcement()
        if answer != target, let range = item.interstitials.first(where: { $0.range.start == answer }),
            !range.range.contains(target)
        {
            interstitials.enforce(range, before: interstitials.outside(target, in: item))
        }
        turn.effects.append(seeking.navigate(from: old, to: answer, &turn.session.seekIDs, at: turn.now))
    }

    /// A navigation that does not come from taps: a chapter, the web page, From Beginning.
    mutating func jump(to target: MediaTime, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        let search = seeking.search
        if search?.wasPlaying == true { resume(&turn) }
        leaveSearch(&turn)
        seeking.endTaps()
        navigate(from: search?.origin ?? position, to: target, &turn)
        return .success
    }

    /// Where Back leads, in asset time; nil: there is nothing to undo.
    var undoOrigin: MediaTime? { seeking.undoOrigin }

    /// Back to where the last navigation began. The policy is not asked: the viewer has been there.
    mutating func undo(_ turn: inout ViewingTurn) -> CommandResult {
        guard let origin = seeking.undoOrigin else { return .failed(.noChange) }
        forgetUndo()
        seeking.endTaps()
        interstitials.forgetEnforcement()
        showBar()
        seek(to: origin, &turn)
        return .success
    }

    mutating func forgetUndo() {
        seeking.forgetUndo()
        bar.endUndo()
    }

    /// Playback has become linear: taps and undo would lead elsewhere.
    mutating func forgetNavigation() {
        seeking.endTaps()
        forgetUndo()
    }

    mutating func nextChapter(_ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position, let next = played.chapters.first(where: { $0.start > position }) else {
            return .failed(.notSupported)
        }
        bar.show()
        return jump(to: next.start, &turn)
    }

    mutating func previousChapter(_ turn: inout ViewingTurn) -> CommandResult {
        if let reason = navigationRefusal { return refuse(reason, &turn) }
        guard let position = played.position else { return .failed(.notReady) }
        guard let current = played.chapterIndex(at: position) else { return .failed(.notSupported) }
        let list = played.chapters
        let into = played.clock.content(at: position) - played.clock.content(at: list[current].start)
        let target = into >= Timing.previousRestarts || current == 0 ? list[current] : list[current - 1]
        bar.show()
        return jump(to: backTarget(target.start), &turn)
    }

    /// A start that a viewer goes back to: what was watched there is passed over, without a frame of it.
    func backTarget(_ place: MediaTime) -> MediaTime { interstitials.backTarget(place, in: played.item) }

    // MARK: Seeks

    /// Seeks exactly. A seek that is under way is given up.
    mutating func seek(to target: MediaTime, _ turn: inout ViewingTurn) {
        turn.effects.append(seeking.seek(to: target, &turn.session.seekIDs))
    }

    /// The end of the seek that is under way is not awaited any more.
    mutating func forgetSeek() { seeking.forgetSeek() }

    /// A seek that was asked for is over.
    ///
    /// - Returns: whether the viewer is now where they wanted to go.
    mutating func seekCompleted(_ id: SeekID, landed: MediaTime, finished: Bool, _ turn: inout ViewingTurn) -> Bool {
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

    /// A program has sought.
    mutating func programSought(_ place: MediaTime, _ turn: inout ViewingTurn) {
        seeking.forgetSeek()
        seeking.endTaps()
        leaveSearch(&turn)
        if let enforcement = interstitials.enforcement, !enforcement.range.range.contains(place) {
            interstitials.forgetEnforcement()
        }
        arrive(at: place, &turn)
    }

    /// A seek has ended: its frame is on the screen.
    private mutating func arrive(at place: MediaTime, _ turn: inout ViewingTurn) {
        played.move(to: place)
        let state = played.snapshot.state
        // At the end a player takes no order to play: it is given again where the seek has led away from there.
        if orders.awaitsPlay, seeking.mode == .watching, state == .paused || state == .ended { turn.effects.append(.play) }
        if case .ended = state { played.expect(orders.wantsToPlay ? .playing : .paused) }
    }

    // MARK: The player

    /// The player has shown a frame, or has changed. What it means for interstitials is asked by the caller.
    ///
    /// - Returns: whether the frame is the first.
    mutating func take(_ place: MediaTime) -> Bool {
        let isFirst = played.position == nil
        played.move(to: place)
        if isFirst { seeking.forgetExactSeek() }
        return isFirst
    }

    /// The player has come to the end.
    ///
    /// - Returns: whether a scan ends there, which plays before it again.
    mutating func endScanAtEnd(_ turn: inout ViewingTurn) -> Bool {
        guard seeking.scanHasReachedEnd(of: played) else { return false }
        return endSearch(playing: true, &turn) == .success
    }
}
