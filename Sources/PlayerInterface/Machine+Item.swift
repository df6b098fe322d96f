import LinuxSupport
import MediaModel
import MediaTime

/// Begins and ends items, and carries out their outcomes.
extension InterfaceMachine {
    // MARK: Opening

    mutating func itemChanged(_ new: ItemPresentation?) {
        // The next item of a queue stays in the corner; an item that was chosen is shown full-screen.
        let staysOnHome = screen == .home && session.queue.awaitsNext
        if case .ended = snapshot.state {} else { savePlace() }
        endViewing()
        session.queue.arrive()
        guard let new else {
            if screen != .standby { screen = .home }
            home.focusEntries()
            return
        }
        overlays.remove(.pin)
        viewing = Viewing(new, at: now)
        screen = staysOnHome ? .home : .player
        if !staysOnHome { overlays.remove(.page) }
        tuner.playingChanged(in: browsing)
        session.speed.begin(remembered: new.speed)
        view { $0.settleSpeed(&$1) }
        effects.append(.setVideoFit(settings.fit(of: fitKey)))
        view { $0.start(&$1) }
    }

    mutating func itemUpdated(_ new: ItemPresentation) {
        guard let old = item, old.id == new.id else {
            itemChanged(new)
            return
        }
        viewing.renew(new)
        settlePanel()
    }

    // MARK: The player

    mutating func playback(_ new: PlaybackSnapshot) {
        guard item != nil else { return }
        if new.state == .playing, card?.kind == .slow || card?.kind.isError == true { overlays.remove(.card) }
        if let outcome = view({ $0.playback(new, &$1) }) { carryOut(outcome) }
    }

    /// Settles the item, carries out its outcome, and repeats until there is none.
    mutating func settleViewing() {
        while let outcome = view({ $0.settle(&$1) }) { carryOut(outcome) }
    }

    private mutating func carryOut(_ outcome: Viewing.Outcome) {
        switch outcome {
        case .ended: ended()
        case .failed(let error): failed(error)
        case .proposalAccepted:
            activity.proposalAcceptedItself()
            acceptProposal(automatic: true)
        case .isSlow:
            overlays.remove(.panel, .page, .longText)
            overlays.put(.card(Card(.slow, until: now + Timing.retry)))
        case .isNotSlow: overlays.remove(.card)
        case .isTooSlow:
            goOnInQueue()
            endViewing()
        case .isPausedForLong: goToStandby()
        }
    }

    mutating func savePlace() { view { $0.savePlace(&$1) } }

    // MARK: Closing

    /// Goes Home, with the video in its corner if it can continue there.
    mutating func goHome() -> CommandResult {
        guard let item, !isLoading, card == nil, !item.requiresLinearPlayback else { return stopAndLeave() }
        if mode != .watching { _ = view { $0.transport.cancelSearch(&$1) } }
        savePlace()
        closeLayers()
        bar.hide()
        view { $0.endReplay(&$1) }
        if viewing.proposal.shown != nil { deferProposal() }
        viewing.transport.forgetUndo()
        screen = .home
        home.focusVideo()
        return .success
    }

    /// Stops and closes the item.
    mutating func stopAndLeave() -> CommandResult {
        guard item != nil || opening != nil else {
            screen = .home
            return .failed(.noItem)
        }
        savePlace()
        closeLayers()
        endViewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
        return .success
    }

    /// The Stop key and command.
    mutating func stop() -> CommandResult {
        policy.hasHome ? stopAndLeave() : .failed(.notSupported)
    }

    /// Opens an item or channel and leaves the current one.
    mutating func open(_ entry: HomeContent.Entry) -> CommandResult {
        closeLayers()
        if let item, item.id == entry.id || item.channel == entry.id {
            returnToPlayer()
            return .success
        }
        savePlace()
        endViewing()
        viewing = Viewing(opening: entry, at: now)
        screen = .player
        tuner.playingChanged(in: browsing)
        effects.append(.open(id: entry.id))
        return .success
    }

    mutating func returnToPlayer() {
        screen = .player
        activity.continues(at: now)
    }

    /// Advances the queue.
    mutating func moveOn() -> CommandResult {
        guard let item, item.isInQueue || item.proposal != nil else { return .failed(.notSupported) }
        if item.isInQueue {
            savePlace()
            goOnInQueue()
            return .success
        }
        acceptProposal(automatic: false)
        return .success
    }

    mutating func goOnInQueue() {
        effects.append(session.queue.goOn())
    }

    /// Drops the current viewing, after the player was told what ends with it.
    mutating func endViewing() {
        view { $0.leave(&$1) }
        overlays.remove(.panel, .longText, .card)
        messages.hideRefusal()
        viewing = Viewing()
    }
}
