import LinuxSupport
import MediaModel
import MediaTime

/// Standby, the sleep timer, long pauses, and "Still watching?".
extension InterfaceMachine {
    // MARK: Standby

    /// The position is saved, nothing is shown, nothing plays.
    mutating func goToStandby() {
        savePlace()
        closeLayers()
        endViewing()
        tuner.hide()
        messages.hideToast()
        sleep.set(.off, at: now)
        pinLock.close()
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

    mutating func setSleep(_ choice: SleepChoice) {
        sleep.set(choice, at: now)
        if choice == .endOfItem {
            viewing.proposal.stopCountdown()
        }
        if card?.kind == .sleepTimer { overlays.remove(.card) }
    }

    /// In its last minute a card counts down; any of its buttons ends that.
    mutating func settleSleep() {
        guard screen != .standby else { return }
        switch sleep.status(at: now) {
        case .waiting: break
        case .lastMinute: if card == nil, pin == nil { overlays.put(.card(Card(.sleepTimer))) }
        case .over: goToStandby()
        }
    }

    // MARK: Still watching?

    var asksWhetherWatched: Bool {
        !policy.isKiosk && settings.patience != .endless && activity.isProbablyAway(at: now)
    }

    /// On live the question appears only if the feed says so.
    mutating func settleLiveIdle() {
        let isAsked =
            item?.isLive == true && item?.isInQueue != true && !policy.isKiosk && screen == .player && card == nil && wantsToPlay
            && settings.patience != .endless
        if activity.settleIdle(limit: isAsked ? policy.asksAfter : nil, at: now) { askWhetherWatched() }
    }

    mutating func askWhetherWatched() {
        overlays.remove(.panel, .page, .longText)
        if wantsToPlay, !isLiveWithoutWindow { stand() }
        overlays.put(.card(Card(.stillWatching, until: now + Timing.stillWatchingAnswer)))
    }

    /// The viewer has answered "Still watching?".
    mutating func keepWatching() {
        overlays.remove(.card)
        activity.answered()
        if viewing.proposal.shown != nil, snapshot.state == .ended {
            acceptProposal(automatic: false)
        } else if !wantsToPlay, item != nil {
            resume()
        }
    }
}
