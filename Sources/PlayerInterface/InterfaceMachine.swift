import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer sees and may do, as a pure state machine: events in, effects and one immutable presentation state out.
///
/// It has no clock, thread or callback. A timer is an effect (`arm`), its firing an event; a seek is an effect, its end an event.
/// The owner of the machine carries out the effects in order, on the main loop, before it hands in the next event. What is
/// presented (interstitials, proposal, actions) is worked out anew from the position at every frame shown and every completed seek,
/// so that it cannot depend on which observers fired.
///
/// Its parts are values with private state. `Viewing` is the machine of one item; `ViewingSession` outlives the item; `OverlayStack` lies over Home and the
/// player. A part answers a key with a `KeyOutcome`, and the item an event with a `Viewing.Outcome`; the machine carries them out, and composes the presentation
/// state.
package struct InterfaceMachine: Sendable {
    /// What the operator and the box have set.
    package private(set) var policy: InterfacePolicy
    /// The presentation state.
    package var state: PresentationState { presentation.state }
    /// Increases when `state` changes, which is cheaper to compare than two states.
    package var stateNumber: UInt64 { presentation.number }

    /// The texts, in the viewer's language.
    package var strings: StringCatalogue { preferences.strings }

    /// Where the item given last begins for this viewer, in asset time: its resume place, or the interstitial that is owed before
    /// it; nil: at its own beginning. The seek to it is among the effects of `itemChanged`; the item may be opened there instead.
    package var startPlace: MediaTime? { viewing.startPlace }

    // The rest is for the extensions of this module only.

    /// The instant of the current event.
    var now = HostTime.zero
    /// The effects of the current event.
    var effects: [InterfaceEffect] = []
    private var timers = TimerBook()

    var screen = PresentationState.Screen.home
    /// What plays or is being opened: full screen in the player, or in the corner of Home.
    var viewing = Viewing()
    var session = ViewingSession()
    var overlays = OverlayStack()
    /// The range in which frames change nothing; see `QuietStretch`.
    var quiet: QuietStretch?
    var keys = KeyTracker()
    var activity = ViewerActivity()
    var messages = Messages()
    var home = HomeModel()
    var preferences: Preferences
    var tuner = ChannelTuner()
    var sleep = SleepTimer() { didSet { quiet = nil } }
    var pinLock = PINLock()
    private var presentation = Presentation()

    /// - Parameter strings: the texts until the viewer's settings are known.
    package init(policy: InterfacePolicy = InterfacePolicy(), strings: StringCatalogue = .english) {
        self.policy = policy
        preferences = Preferences(strings: strings)
        _ = presentation.take(projection(), strings: strings, isSpoken: false)
    }

    /// Handles an event that happened at `now`, and returns the effects. `now` never decreases.
    package mutating func handle(_ event: InterfaceEvent, at now: HostTime) -> [InterfaceEffect] {
        if case .playback(let new) = event, passesQuietly(new, at: now) { return [] }
        quiet = nil
        self.now = now
        activity.begin(at: now)
        switch event {
        case .key(let key): answer(handleKey(key))
        case .command(let command, let origin): answer(perform(command, from: origin))
        case .timer(let timer): fired(timer)
        case .itemChanged(let item): itemChanged(item)
        case .itemUpdated(let item): itemUpdated(item)
        case .playback(let snapshot): playback(snapshot)
        case .seekCompleted(let id, let landed, let finished):
            view { $0.seekCompleted(id, landed: landed, finished: finished, &$1) }
        case .reachedBoundary(let time): view { $0.transport.reachedBoundary(time, &$1) }
        case .interstitialEnded(let id, let how): view { $0.transport.besideEnded(id, how: how, &$1) }
        case .homeChanged(let content): home.take(content)
        case .wallClock(let seconds): tuner.schedule.setClock(secondsSinceMidnight: seconds, at: now)
        case .queueIsOver: queueIsOver()
        case .toast(let text): showToast(text)
        case .notify(let code): showToast(strings.sentence(for: code))
        case .guideChanged(let new): tuner.schedule.take(new)
        case .settingsRestored(let restored): apply(restored)
        case .pinFailuresRestored(let count): pinLock.restore(failures: count, at: now)
        case .pinChecked(let isRight): pinChecked(isRight)
        case .locked(let entry, let rating): lockedEntry(entry, rating: rating)
        case .factsChanged(let new): preferences.facts = new
        case .volumeChanged(let percent, let isMuted):
            if screen != .standby { messages.showVolume(percent, isMuted: isMuted, at: now) }
        case .policyChanged(let new): policy = new
        case .held(let reason): viewing.transport.note(reason)
        }
        settle()
        let isSpoken = settings.speaksFocus && policy.hasVoice
        if let words = presentation.take(projection(), strings: strings, isSpoken: isSpoken) { effects.append(.speak(words)) }
        if case .playback = event { quiet = quietStretch }
        defer { effects = [] }
        return effects
    }

    /// Settles what follows from the state after any event. The item comes first: it may end, and its proposal or waiting card may cover the screen.
    /// Automatic behaviour of the box comes next, then Home, and the timers last.
    private mutating func settle() {
        settleViewing()
        settlePanel()
        settleSleep()
        settleLiveIdle()
        settleOperator()
        home.settle(in: homeContext)
        settleListening()
        settleTimers()
    }

    mutating func showToast(_ text: String) { messages.showToast(text, at: now) }

    private mutating func answer(_ result: CommandResult) { effects.append(.answer(result)) }

    private mutating func fired(_ timer: InterfaceTimer) {
        guard timers.fire(timer, at: now) else { return }
        switch timer {
        case .hold: holdTimeIsOver()
        case .holdEnds: unreleasedHoldIsOver()
        case .scanStep: view { $0.transport.stepSearch(&$1) }
        case .undoEnds: viewing.transport.forgetUndo()
        case .autoHide, .actionFocus, .waiting, .proposal, .paused, .pin, .sleep, .idle, .minute, .burnIn: break  // settled below, by the time
        case .banner: tuner.hideBanner()
        case .volume: messages.hideVolume()
        case .operatorKeys: keys.operatorKeysHeld(isAllowed: policy.isKiosk && pin == nil)
        case .retry: cardDeadline()
        case .toast: messages.hideToast()
        case .refusal: messages.hideRefusal()
        case .digits: commitDigits()
        }
    }

    // MARK: Restoring a session

    /// Where the viewer would resume now: the saved target with its owed interstitial while one is enforced, the end of an interstitial inside it,
    /// otherwise the position. Nil if there is none, as on live.
    package var currentPlace: SavedPlace? { viewing.transport.placeToSave }

    /// Whether there is an item and the viewer wants it paused.
    package var isPausedByViewer: Bool { item != nil && !wantsToPlay }

    /// The viewer's speed for the current item; an advertisement plays at normal speed.
    package var chosenSpeed: Ratio { session.speed.chosen }

    // MARK: Timers

    /// Arms the timers that the parts need.
    private mutating func settleTimers() {
        let parts = viewing.deadlines(at: now) + keys.deadlines + messages.deadlines + tuner.deadlines
        for (timer, deadline) in parts { setTimer(timer, at: deadline) }
        setTimer(.pin, at: pinLock.deadline(at: now))
        setTimer(.sleep, at: sleep.deadline(at: now))
        setTimer(.idle, at: activity.asksAt)
        setTimer(.retry, at: overlays.card?.nextStep(at: now))
        setTimer(.minute, at: showsTime ? tuner.schedule.nextMinute(after: now) : nil)
    }

    /// Whether the screen shows anything that depends on the time of day.
    private var showsTime: Bool {
        overlays.page.map(\.showsTime) == true || tuner.hasBanner || screen == .home && !tuner.schedule.isEmpty
    }

    private mutating func setTimer(_ timer: InterfaceTimer, at deadline: HostTime?) {
        if let effect = timers.set(timer, at: deadline) { effects.append(effect) }
    }
}
