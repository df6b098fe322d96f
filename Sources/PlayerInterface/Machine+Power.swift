import LinuxSupport
import MediaModel
import MediaTime

/// Standby, the sleep timer, and "Still watching?".
extension InterfaceMachine {
    // MARK: Standby

    /// The place is kept, nothing is shown, nothing plays.
    mutating func goToStandby() {
        savePlace()
        closeLayers()
        letGoOfItem()
        opening = nil
        tuner.hide()
        messages.hideToast()
        sleep = nil
        isOperator = false
        unlocked = []
        screen = .standby
        effects.append(.standby)
    }

    /// Any key wakes the box, and does nothing else.
    mutating func wake() -> CommandResult {
        screen = .home
        home.focusEntries()
        effects.append(.wake)
        return .success
    }

    // MARK: The sleep timer

    var sleepChoices: [SleepChoice] { [.off, .minutes(15), .minutes(30), .minutes(60), .minutes(90), .endOfItem] }

    mutating func setSleep(_ choice: SleepChoice) {
        switch choice {
        case .off: sleep = nil
        case .minutes(let minutes): sleep = (choice, now + .seconds(Int64(minutes) * 60))
        case .endOfItem:
            sleep = (choice, nil)
            proposal.shown?.countdown = .none
            proposal.shown?.length = nil
        }
        if card?.kind == .sleepTimer { closeCard() }
    }

    func sleepEntries() -> [MenuEntry] {
        sleepChoices.map { choice in
            MenuEntry(
                action: .setSleep(choice), title: title(of: choice), mark: .choice(isCurrent: choice == sleep?.choice ?? .off),
                isEnabled: choice != .endOfItem || item?.isLive == false)
        }
    }

    func title(of choice: SleepChoice) -> String {
        switch choice {
        case .off: policy.strings.text(.off)
        case .minutes(let minutes): policy.strings.plural(.minutes, minutes)
        case .endOfItem: policy.strings.text(.endOfProgramme)
        }
    }

    var sleepTitle: String {
        guard let sleep else { return policy.strings.text(.off) }
        guard let until = sleep.until else { return title(of: sleep.choice) }
        return policy.strings.plural(.minutes, Int(((until - now).wholeSecondsUp + 59) / 60))
    }

    /// In its last minute a card counts down, so that nobody is surprised; any of its buttons decides.
    mutating func settleSleep() {
        guard let until = sleep?.until, screen != .standby else {
            cancel(.sleep)
            return
        }
        if now >= until {
            goToStandby()
            return
        }
        let warns = until - Timing.sleepWarning
        guard now >= warns else {
            arm(.sleep, at: warns)
            return
        }
        if card == nil, pin == nil { card = CardModel(kind: .sleepTimer, focus: 0) }
        arm(.sleep, at: until - .seconds(max(0, (until - now).wholeSecondsUp - 1)))
    }

    // MARK: Still watching?

    /// Nobody has touched anything while three proposals accepted themselves, and for an hour and a half.
    var asksWhetherWatched: Bool {
        guard !policy.isKiosk, settings.patience != .endless else { return false }
        let idle = now - (keys.lastPress ?? started ?? now)
        return automaticAcceptances >= Timing.stillWatchingProposals && idle >= Timing.stillWatchingIdle
    }

    /// Live is asked about only where the feed says so.
    mutating func settleLiveIdle() {
        guard let limit = policy.asksAfter, item?.isLive == true, item?.isInQueue != true, !policy.isKiosk, screen == .player,
            card == nil, wantsToPlay, settings.patience != .endless
        else {
            cancel(.idle)
            return
        }
        let since = keys.lastPress ?? started ?? now
        guard now >= since + limit else {
            arm(.idle, at: since + limit)
            return
        }
        cancel(.idle)
        askWhetherWatched()
    }

    mutating func askWhetherWatched() {
        panel = nil
        page = nil
        longText = nil
        if wantsToPlay, !isLiveWithoutWindow { stand() }
        card = CardModel(kind: .stillWatching, focus: 0, deadline: now + Timing.stillWatchingAnswer)
        armCard()
    }

    /// Somebody is there.
    mutating func keepWatching() {
        closeCard()
        automaticAcceptances = 0
        if proposal.shown != nil, snapshot.state == .ended {
            acceptProposal(automatic: false)
        } else if !wantsToPlay, item != nil {
            resume()
        }
    }
}
