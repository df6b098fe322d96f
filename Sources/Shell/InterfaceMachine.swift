import BoxModel
import LinuxSupport
import MediaTime
import Screens
import Viewing

/// What the viewer sees and may do, as a pure state machine: events in, effects and one immutable presentation state out.
///
/// It has no clock, thread or callback. A timer is an effect (`arm`), its firing an event; a seek is an effect, its end an event. The owner of the machine carries out
/// the effects in order, on the main loop, before it hands in the next event. What is presented (interstitials, proposal, actions) is worked out anew from the
/// position at every frame shown and every completed seek, so that it cannot depend on which observers fired.
///
/// Its parts are values with private state. `Stage` is what is on the screen, `StageFlow` decides what is when, and `Viewing` is the machine of one item. A part
/// answers a key with a `KeyOutcome`; the machine carries it out, and composes the presentation state.
package struct InterfaceMachine: Sendable {
    /// What the operator and the box have set.
    package private(set) var policy: InterfacePolicy
    /// The presentation state.
    package var state: PresentationState { presentation.state }

    /// The texts, in the viewer's language.
    package var strings: StringCatalogue { preferences.strings }

    /// The instant of the current event.
    private var now = HostTime.zero
    /// The effects of the current event.
    private var effects: [InterfaceEffect] = []
    private var timers = TimerBook()
    private var flow = StageFlow()
    /// The range in which frames change nothing; see `QuietStretch`.
    var quiet: QuietStretch?
    private(set) var keys = KeyTracker()
    var activity = ViewerActivity()
    private var messages = Messages()
    private var home = HomeModel()
    private var preferences: Preferences
    private var tuner = ChannelTuner()
    private var sleep = SleepTimer()
    private var screenSaver = ScreenSaver()
    /// For how long something has stood over what plays.
    private var leftAlone = Stillness()
    private(set) var pinLock = PINLock()
    private var searches = SearchHistory()
    private var firstRun = FirstRunCourse()
    /// Whether the Wi-Fi page was open after the last event.
    private var isWirelessOpen = false
    package private(set) var presentation = Presentation()

    /// - Parameter strings: the texts until the viewer's settings are known.
    package init(policy: InterfacePolicy = InterfacePolicy(), strings: StringCatalogue = .english) {
        self.policy = policy
        preferences = Preferences(strings: strings)
        _ = presentation.take(projection.state, strings: strings, isSpoken: false)
    }

    // MARK: Events

    /// Handles an event that happened at `now`, and returns the effects. `now` never decreases.
    package mutating func handle(_ event: InterfaceEvent, at now: HostTime) -> [InterfaceEffect] {
        if case .playback(let new) = event, let place = quiet?.passes(new, at: now) {
            self.now = now
            flow.advance(to: place, new)
            return []
        }
        quiet = nil
        self.now = now
        activity.begin(at: now)
        let key = NavigationKey(event, shown: state, at: now)
        take(event)
        settle()
        let words = presentation.take(projection.state, strings: strings, isSpoken: settings[.spokenFocus] && policy.hasVoice)
        let sound = settings[.navigationSounds] ? key?.effect(in: state, answeredIn: effects, strings) : nil
        effects += [sound, words.map { InterfaceEffect.speak($0) }].compactMap { $0 }
        if case .playback = event, stage.isAlone, !tuner.hasBanner, !pinLock.isLocked(at: now) {
            quiet = QuietStretch(stage.viewing, turn, lastSign: activity.lastSign(at: now))
        }
        defer { effects = [] }
        return effects
    }

    private mutating func take(_ event: InterfaceEvent) {
        switch event {
        case .key(let key): answer(handleKey(key))
        case .command(let command, let origin): answer(perform(command, from: origin))
        case .timer(let timer): fired(timer)
        case .itemChanged(let item): run { $0.itemChanged(item, &$1) }
        case .itemUpdated(let item): run { $0.itemUpdated(item, &$1) }
        case .playback(let snapshot): run { $0.playback(snapshot, &$1) }
        case .seekCompleted(let id, let landed, let finished):
            view { $0.seekCompleted(id, landed: landed, finished: finished, &$1) }
        case .reachedBoundary(let time): view { $0.transport.reachedBoundary(time, &$1) }
        case .interstitialEnded(let id, let how): view { $0.transport.besideEnded(id, how: how, &$1) }
        case .homeChanged(let content):
            home.take(content)
            effects += ((stage.overlays.page?.describedIDs ?? []) + (stage.endedID.map { [$0] } ?? [])).map { .describe(id: $0) }
        case .described(let id, let details): run { $0.described(id, details, &$1) }
        case .wallClock(let seconds, let changes, let day):
            preferences.take(changes)
            tuner.schedule.setClock(secondsSinceMidnight: seconds, day: day, at: now)
        case .queueIsOver: run { $0.queueIsOver(&$1) }
        case .connectionChanged(let isConnected):
            home.connectionChanged(isConnected: isConnected)
            if isConnected { run { $0.networkReturned(&$1) } }
        case .toast(let text): messages.showToast(text, at: now)
        case .notify(let code): messages.showToast(strings.sentence(for: code), at: now)
        case .guideChanged(let new): tuner.schedule.take(new)
        case .settingsRestored(let restored): apply(restored)
        case .searchesRestored(let queries): if !policy.isKiosk { searches = SearchHistory(queries) }
        case .pinFailuresRestored(let count): pinLock.restore(failures: count, at: now)
        case .pinChecked(let isRight): pinChecked(isRight)
        case .locked(let entry, let rating): run { $0.locked(entry, rating: rating, &$1) }
        case .factsChanged(let new):
            if let words = preferences.take(new) { messages.showToast(words, at: now) }
            run { $0.settlePage($1) }
        case .signalChanged(let new): preferences.signal = new
        case .wirelessChanged(let new):
            if let words = preferences.take(new) { messages.showToast(words, at: now) }
            run { $0.settlePage($1) }
        // In a kiosk only the operator chooses its network.
        case .wirelessAsked where context.isOpenToViewer: _ = carryOut(.openPage(.wireless))
        case .wirelessAsked: if policy.hasPIN { _ = carryOut(.askPIN(.wireless)) }
        case .firstRunChanged(let facts): advance(.told(facts))
        case .viewerIsActive: activity.continues(at: now)
        case .volumeChanged(let percent, let isMuted):
            if stage.screen != .standby { messages.showVolume(percent, isMuted: isMuted, at: now) }
        case .policyChanged(let new):
            policy = new
            run { $0.settlePage($1) }
        case .held(let reason): view { viewing, _ in viewing.transport.note(reason) }
        case .openingHours(let isOpen, let change):
            if sleep.hours.take(isOpen: isOpen, change: change, at: now), stage.screen == .standby { run { $0.wake(&$1) } }
        case .queueAdvances: run { $0.goOnInQueue(&$1) }
        case .typed(let text): answer(run { $0.type(text, &$1) })
        case .phoneCode(let address): preferences.phoneAddress = address
        }
    }

    @discardableResult
    private mutating func advance(_ event: FirstRunCourse.Event) -> CommandResult {
        guard let requests = firstRun.handle(event) else { return .failed(.noChange) }
        effects += requests.map { .firstRun($0) }
        run { $0.settlePage($1) }
        return .success
    }

    /// The last press of a key, or the last command of another device; nil before the first.
    package var lastPress: HostTime? { activity.lastPress }

    /// Settles what follows from the state after any event. The item comes first: it may end, and its proposal or waiting card may cover the screen.
    /// Automatic behaviour of the box comes next, then Home, and the timers last.
    private mutating func settle() {
        defer { settleWireless() }
        run { $0.settleItem(&$1) }
        sleep.closes = sleep.hours.end(lastPress: activity.lastPress)
        run { $0.settleSleep(&$1) }
        run { $0.settleReminder(&$1) }
        run { FirstRunFlow.settle(&$0, &$1) }
        let isAsked = stage.isAskedWhenIdle(turn)
        if activity.settleIdle(limit: isAsked ? policy.asksAfter : nil, at: now) { run { $0.askWhetherWatched(&$1) } }
        // The operator's page appears after the key itself has had its effect, and is above the result.
        if keys.takeOperatorRequest() { _ = carryOut(pinLock.isOperator ? .openPage(.settings) : .askPIN(.operatorPages)) }
        settleLeftAlone()
        let homeScreen = context.homeScreen
        home.settle(in: homeScreen)
        run { $0.settleListening(&$1) }
        let minutes = settings.screenSaverMinutes
        screenSaver.update(
            isStill: stage.isStill, lastPress: activity.lastPress,
            after: minutes == 0 ? nil : .seconds(Int64(minutes) * 60), at: now)
        settleTimers()
    }

    /// What has stood over what plays for long makes way for it.
    private mutating func settleLeftAlone() {
        leftAlone.update(stage.coversPlayback, lastPress: activity.lastPress, at: now)
        guard leftAlone.isOver(at: now) else { return }
        run { $0.showWhatPlays(&$1) }
        run { $0.settleItem(&$1) }
        leftAlone.update(stage.coversPlayback, lastPress: activity.lastPress, at: now)
    }

    /// Networks are looked for while the Wi-Fi page is open.
    private mutating func settleWireless() {
        let isOpen = stage.overlays.page?.showsNetworks == true
        guard isOpen != isWirelessOpen else { return }
        isWirelessOpen = isOpen
        effects.append(.wireless(.watch(isOpen)))
    }

    private mutating func answer(_ result: CommandResult) { effects.append(.answer(result)) }

    private mutating func fired(_ timer: InterfaceTimer) {
        guard timers.fire(timer, at: now) else { return }
        switch timer {
        case .hold:
            guard let key = keys.undecided else { break }
            carryOut(keys.holdTimeIsOver(isHold: key.tapDirection == nil || stage.takesTaps))
        case .holdEnds: carryOut(keys.unreleasedHoldIsOver())
        case .scanStep: view { $0.transport.stepSearch(&$1) }
        case .undoEnds: view { viewing, _ in viewing.transport.forgetUndo() }
        case .soundUndoEnds: view { viewing, _ in viewing.soundOff.forget() }
        case .autoHide, .actionFocus, .waiting, .proposal, .paused, .pin, .sleep, .idle, .reminder, .minute, .burnIn,
            .screenSaver:
            break  // settled below, by the time
        case .banner: tuner.hideBanner()
        case .volume: messages.hideVolume()
        case .operatorKeys: keys.operatorKeysHeld(isAllowed: policy.isKiosk && stage.overlays.pin == nil)
        case .retry: run { $0.cardDeadline(&$1) }
        case .toast: messages.hideToast()
        case .refusal: messages.hideRefusal()
        case .place: _ = view(PlayerCommands.goToTyped)
        case .digits: _ = carryOut(tuner.numberIsComplete(in: context.browsing))
        }
    }

    /// Arms the timers that the parts need.
    private mutating func settleTimers() {
        let parts = stage.viewing.deadlines(at: now) + keys.deadlines + messages.deadlines + tuner.deadlines
        for (timer, deadline) in parts { setTimer(timer, at: deadline) }
        setTimer(.pin, at: pinLock.deadline(at: now))
        setTimer(.sleep, at: stage.screen == .standby ? nil : sleep.deadline(at: now))
        setTimer(.reminder, at: policy.isKiosk || stage.screen == .standby ? nil : tuner.schedule.nextReminder(after: now))
        setTimer(.idle, at: activity.asksAt)
        setTimer(.screenSaver, at: [screenSaver.deadline(at: now), leftAlone.deadline(at: now)].compactMap { $0 }.min())
        setTimer(.retry, at: stage.card?.nextStep(at: now))
        let minute = tuner.schedule.nextMinute(after: now)
        setTimer(.minute, at: stage.nextChangeOfTime(now, minute, hasBanner: tuner.hasBanner, preferences.appearance(policy)))
    }

    private mutating func setTimer(_ timer: InterfaceTimer, at deadline: HostTime?) {
        if let effect = timers.set(timer, at: deadline) { effects.append(effect) }
    }

    // MARK: The stage

    private var turn: StageTurn {
        StageTurn(
            parts: parts, lastPress: activity.lastPress, idleBeforePress: activity.idleBeforePress(at: now),
            isDirectionHeld: keys.tapOrHold?.tapDirection != nil, isHeldWithoutReleases: keys.isHeldWithoutReleases,
            isProbablyAway: activity.isProbablyAway(at: now))
    }

    /// Lets the stage handle something, and carries out what follows.
    private mutating func run<Result>(_ body: (inout StageFlow, inout StageTurn) -> Result) -> Result {
        var turn = turn
        let result = body(&flow, &turn)
        effects += turn.effects
        for consequence in turn.consequences { take(consequence) }
        return result
    }

    /// Lets the item handle something.
    private mutating func view<Result>(_ body: (inout Viewing, inout ViewingTurn) -> Result) -> Result {
        run { $0.view(&$1, body) }
    }

    private mutating func take(_ consequence: StageTurn.Consequence) {
        switch consequence {
        case .toast(let text): messages.showToast(text, at: now)
        case .message(let text, let seconds): messages.showToast(text, for: .seconds(Int64(seconds)), at: now)
        case .refusal(let text): messages.refuse(text, at: now)
        case .left: messages.hideRefusal()
        case .playingChanged:
            let browsing = context.browsing
            tuner.playingChanged(in: browsing)
        case .home(let hasVideo): if hasVideo { home.focusVideo() } else { home.focusEntries() }
        case .viewerIsActive: activity.continues(at: now)
        case .standby:
            tuner.hide()
            messages.hideToast()
            sleep.set(.off, at: now)
            pinLock.close()
        case .answered: activity.answered()
        case .acceptedItself: activity.proposalAcceptedItself()
        case .reminded(let reminder): tuner.schedule.forget(reminder)
        }
    }

    // MARK: Keys

    private mutating func handleKey(_ event: RemoteEvent) -> CommandResult {
        // A key that ends the screen saver does nothing else, and so its release and repeats mean nothing.
        if event.phase == .press || event.phase == .motion, screenSaver.isShown(at: now) {
            activity.note(.press(event.key), at: now)
            return .success
        }
        switch event.phase {
        case .press:
            carryOut(keys.makeWay(for: event, at: now))
            let gestures = keys.press(event, as: stage.role(of: event.key), isKiosk: policy.isKiosk, at: now)
            if let first = gestures.first { activity.note(first, at: now) }
            return gestures.reduce(.success) { carryOut($1) }
        case .repeat:
            guard stage.context.isMoved(by: event.key, stage.viewing.overlay.panel) else { return .success }
            guard let gesture = keys.repeat(event, at: now) else { return .success }
            activity.note(gesture, at: now)
            return carryOut(gesture)
        case .release: return keys.release(event).map { carryOut($0) } ?? .success
        case .motion:
            guard stage.context.isPointed(by: event.key, stage.viewing.overlay.panel) else { return .failed(.notSupported) }
            carryOut(keys.makeWay(for: event, at: now))
            activity.note(.press(event.key), at: now)
            return carryOut(.press(event.key))
        }
    }

    /// A press and release at once: from the web page or from a program.
    private mutating func tap(_ key: RemoteKey, from device: String) -> CommandResult {
        let pressed = handleKey(RemoteEvent(key: key, phase: .press, time: now, device: device))
        let released = handleKey(RemoteEvent(key: key, phase: .release, time: now, device: device))
        return pressed == .success ? released : pressed
    }

    private mutating func carryOut(_ gesture: KeyGesture?) { if let gesture { _ = carryOut(gesture) } }

    private mutating func carryOut(_ gesture: KeyGesture) -> CommandResult {
        guard let outcome = run({ $0.carryOut(gesture, &$1) }) else {
            let result = act(gesture.key)
            if case .press(let key) = gesture, result == .failed(.noChange), stage.context == .home { home.found(edgeBy: key) }
            return result
        }
        let result = follow(outcome)
        if case .holdBegan = gesture { return .success }  // a hold refuses by a message
        return result
    }

    /// Carries out a key that acts.
    private mutating func act(_ key: RemoteKey) -> CommandResult {
        if stage.screen == .standby {
            run { $0.wake(&$1) }
            return .success
        }
        if policy.isKiosk, stage.overlays.pin == nil { keys.noteForOperator(key) }
        if stage.tunes(key) {
            let browsing = context.browsing
            return follow(tuner.act(key, in: browsing, at: now))
        }
        if let outcome = run({ $0.act(key, &$1) }) { return follow(outcome) }
        let homeScreen = context.homeScreen
        return follow(home.act(key, in: homeScreen))
    }

    /// Carries out what a part made of a key.
    private mutating func follow(_ outcome: KeyOutcome) -> CommandResult {
        switch outcome {
        case .answered(let result): return result
        case .wants(let intent): return carryOut(intent)
        case .leaves(let intent):
            return follow(run { StageIntents.leavePanel(for: intent, &$0, &$1) } ?? .refused(.notSupported))
        case .closed: return .failed(.notSupported)
        }
    }

    // MARK: Commands

    /// External commands: the web page, MPRIS, CEC. They obey the same rules as keys.
    private mutating func perform(_ command: RemoteCommand, from origin: String) -> CommandResult {
        switch command {
        case .key(let key): return tap(key, from: origin)
        case .checkOut:
            // Nothing is left that the next viewer would see. What is stored is the owner's.
            view { $1.session.showsEnd = false }
            tuner.forgetPrevious()
            (searches, pinLock) = (SearchHistory(), PINLock())
            return follow(run { StageIntents.carryOut(RemoteCommand.standby, &$0, &$1) })
        case .selectOutput(let id): return follow(context.settingsMenu.outputs.select(id))
        case .open(let id): return home.entry(id).map { carryOut(.open($0)) } ?? .failed(.unknownID)
        case .stop:
            guard stage.viewing.played.playingID != nil else { return .failed(.noItem) }
            return policy.hasHome ? carryOut(.leave) : .failed(.notSupported)
        default: return follow(run { StageIntents.carryOut(command, &$0, &$1) })
        }
    }

    // MARK: Intents

    /// Carries out an intent, by the part that owns it.
    private mutating func carryOut(_ intent: Intent) -> CommandResult {
        switch intent {
        case .tune(let channel): tuner.tuned(to: channel.id, at: now)
        case .found(let query, let next):
            let result = carryOut(next)
            if result == .success { keep(searches.noting(query)) }
            return result
        case .keepSearches(let queries):
            keep(SearchHistory(queries))
            return .success
        case .firstRun(let event): return advance(event)
        default: break
        }
        let outcome = run { StageIntents.carryOut(intent, &$0, &$1) }
        guard case .choose(let action) = intent else { return follow(outcome ?? .refused(.notSupported)) }
        let result = outcome.map { follow($0) } ?? choose(action)
        run { $0.settlePage($1) }
        return result
    }

    private mutating func choose(_ action: MenuAction) -> CommandResult {
        switch action {
        case .set(let new), .toggle(let new):
            guard new != settings else { return .failed(.noChange) }
            apply(new)
            effects.append(.saveSettings(new))
        case .setSleep(let choice): setSleep(choice)
        // The menu or the stage has handled it.
        case .open, .close, .wants, .nothing, .selectSubtitles, .selectAudio, .turnSoundOff, .selectAngle, .setSpeed, .listen:
            break
        }
        return .success
    }

    /// A kiosk's viewers are strangers to one another: none of their searches is kept.
    private mutating func keep(_ new: SearchHistory) {
        guard new != searches, !policy.isKiosk else { return }
        searches = new
        effects.append(.saveSearches(new.queries))
    }

    mutating func setSleep(_ choice: SleepChoice) {
        quiet = nil
        sleep.set(choice, at: now)
        flow.noteSleep(choice)
    }

    private mutating func pinChecked(_ isRight: Bool) {
        guard let pin = stage.overlays.pin, pin.isChecking else { return }
        if let effect = pinLock.take(isRight: isRight, for: pin.purpose, at: now) { effects.append(effect) }
        _ = follow(run { $0.pinChecked(pin, isRight: isRight, &$1) })
    }

    /// Applies stored settings without storing them again.
    private mutating func apply(_ new: ViewerSettings) {
        effects += preferences.take(new, languages: policy.languages, fitKey: stage.viewing.played.fitKey)
        (home.order, tuner.schedule.order) = (new.channelOrder, new.channelOrder)
    }

    // MARK: What the parts are told

    /// What is on the screen.
    var stage: Stage { flow.stage }
    var settings: ViewerSettings { preferences.settings }

    var context: InterfaceContext { stage.interfaceContext(parts) }

    private var parts: InterfaceContext.Parts {
        InterfaceContext.Parts(
            home: home, schedule: tuner.schedule, preferences: preferences, policy: policy, sleep: sleep, pinLock: pinLock,
            searches: searches, firstRun: firstRun, now: now)
    }

    private var projection: Projection {
        Projection(
            stage: stage, context: context, messages: messages, tuner: tuner, tap: keys.undecided?.tapDirection,
            saverMoves: screenSaver.isShown(at: now) ? screenSaver.moves(at: now) : nil)
    }

    // MARK: For the owner

    /// The text that the page on the screen asks for; nil if it asks for none.
    package var asked: TextQuestion? { state.page == nil ? nil : stage.overlays.page?.question(in: context) }

    /// Whether a screen of the box can lead to the Wi-Fi page: where the radio can be on; in a kiosk, where there is a PIN.
    package var leadsToWireless: Bool {
        ![.absent, .noCountry].contains(preferences.wireless.radio) && (context.isOpenToViewer || policy.hasPIN)
    }

    /// Whether there is an adapter that stays off until a country is set.
    package var isRadioWithoutCountry: Bool { preferences.wireless.radio == .noCountry }

    /// Whether the Wi-Fi page is open, or its PIN is asked for: over a screen of the box that led to it.
    package var isInWireless: Bool { isWirelessOpen || stage.overlays.pin?.purpose == .wireless }

    /// Where the item given last begins for this viewer, in asset time: its resume place, or the interstitial that is owed before
    /// it; nil: at its own beginning. The seek to it is among the effects of `itemChanged`; the item may be opened there instead.
    package var startPlace: MediaTime? { stage.viewing.startPlace }

    /// Where the viewer would resume now: the saved target with its owed interstitial while one is enforced, the end of an interstitial inside it,
    /// otherwise the position. Nil if there is none, as on live.
    package var currentPlace: SavedPlace? { stage.viewing.transport.placeToSave }

    /// Whether there is an item and the viewer wants it paused.
    package var isPausedByViewer: Bool { stage.hasItem && !stage.viewing.orders.wantsToPlay }

    /// The viewer's speed for the current item; an advertisement plays at normal speed.
    package var chosenSpeed: Ratio { stage.session.speed.chosen }

    /// Whether no command of a viewer may change position or rate, except pause and play.
    package var requiresLinearPlayback: Bool { stage.viewing.transport.isLinear }

    /// Whether the queue advances at the end of the item without a screen or a question: the player may prepare the next item.
    package var goesOnByItself: Bool { stage.goesOnByItself && sleep.choice != .endOfItem }

    /// The snapshot that the player would send if it had stopped at the end of the item.
    package var endedSnapshot: PlaybackSnapshot { stage.endedSnapshot }
}
