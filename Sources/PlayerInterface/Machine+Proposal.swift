import LinuxSupport
import MediaModel
import MediaTime

/// The content proposal: when it is shown, its countdown, and what its buttons do.
///
/// It is shown once for each crossing of its time in play, and when a seek lands after that time; a seek before it hides it and
/// arms it again. The countdown is a length of wall time that stands still while the video does.
extension InterfaceMachine {
    /// The proposal's buttons from left to right.
    enum ProposalButton: Sendable, Hashable {
        case playNow, backToCredits, home
    }

    func buttons(of shown: ProposalModel.Shown) -> [ProposalButton] {
        shown.isLast ? [.playNow, .home] : [.playNow, .backToCredits, .home]
    }

    // MARK: When

    /// Where it is shown, in asset time; nil: at the end. A scene after the credits keeps it back to the end.
    var proposalTime: MediaTime? {
        guard let item, let offered = item.proposal else { return nil }
        guard !item.markers.contains(where: { $0.kind == .postCredits }) else { return nil }
        guard let end = clock.end, let interval = automaticInterval(of: offered) else { return offered.transitionTime }
        let time = offered.transitionTime ?? end
        let acceptance = end + interval
        guard acceptance - time < Timing.shortestCountdown else { return offered.transitionTime }
        let earlier = acceptance - Timing.shortestCountdown
        let lastMarker = item.markers.last { $0.kind == .chapter || $0.kind == .credits }?.start ?? clock.start
        return earlier > lastMarker ? earlier : offered.transitionTime
    }

    /// nil: it does not accept by itself, whatever the feed says: the next is locked, or nobody may be watching.
    private func automaticInterval(of offered: ProposalPresentation) -> MediaTime? {
        guard !offered.isLocked else { return nil }
        guard settings.patience != .endless, !asksWhetherWatched, sleep.choice != .endOfItem else { return nil }
        return offered.automaticAcceptanceInterval
    }

    /// A new place is known.
    mutating func updateProposal() {
        guard item?.proposal != nil, let position, let time = proposalTime else { return }
        if position < time {
            if proposal.shown != nil || !proposal.isArmed { proposal = ProposalModel() }
        } else if proposal.isArmed, !proposal.wasDeferred, presenting == nil, enforcement == nil, mode == .watching,
            screen == .player,
            card == nil, panel == nil, page == nil, longText == nil, pin == nil, snapshot.state != .ended
        {
            present(isLast: false)
        }
    }

    /// The end was reached.
    ///
    /// - Returns: whether it is shown now.
    mutating func showProposalAtEnd() -> Bool {
        guard item?.proposal != nil, screen == .player, !proposal.wasVetoed else { return false }
        guard proposal.isArmed || proposal.wasDeferred else { return false }
        present(isLast: proposal.wasDeferred)
        return proposal.shown != nil
    }

    private mutating func present(isLast: Bool) {
        guard let offered = item?.proposal else { return }
        proposal.isArmed = false
        guard policy.navigation.shouldPresent(offered) else {
            proposal.wasVetoed = true
            return
        }
        var countdown = ProposalModel.Countdown.none
        var length: Duration?
        if !isLast, let interval = automaticInterval(of: offered), let end = clock.end {
            let left = max(Timing.shortestCountdown, end + interval - (position ?? end)).wallDuration
            length = left
            countdown = wantsToPlay ? .running(until: now + left) : .frozen(left: left)
        }
        bar.hide()
        forgetUndo()
        proposal.shown = ProposalModel.Shown(countdown: countdown, length: length, isLast: isLast)
    }

    // MARK: The countdown

    mutating func settleProposal() {
        guard var shown = proposal.shown, screen == .player else {
            cancel(.proposal)
            return
        }
        // At the end nothing moves any more and the countdown goes on; before it, it stands still with the video.
        let runs = snapshot.state == .ended || wantsToPlay && snapshot.state != .waiting
        switch shown.countdown {
        case .none: cancel(.proposal)
        case .running(let until) where !runs:
            shown.countdown = .frozen(left: until - now)
            proposal.shown = shown
            cancel(.proposal)
        case .frozen(let left) where runs:
            shown.countdown = .running(until: now + left)
            proposal.shown = shown
            armProposal(until: now + left)
        case .running(let until) where now >= until:
            activity.proposalAcceptedItself()
            acceptProposal(automatic: true)
        case .running(let until): armProposal(until: until)
        case .frozen: cancel(.proposal)
        }
    }

    private mutating func armProposal(until: HostTime) {
        arm(.proposal, at: until - .seconds(max(0, (until - now).wholeSecondsUp - 1)))
    }

    func timeLeft(of shown: ProposalModel.Shown) -> Duration? {
        switch shown.countdown {
        case .none: nil
        case .running(let until): until - now
        case .frozen(let left): left
        }
    }

    // MARK: Keys

    mutating func actOnProposal(_ key: RemoteKey) -> CommandResult {
        guard var shown = proposal.shown else { return .failed(.notSupported) }
        switch key {
        case .playpause, .play, .pause:
            if snapshot.state == .ended { return .failed(.noChange) }
            if key == (wantsToPlay ? .play : .pause) { return .failed(.noChange) }
            if wantsToPlay { stand() } else { resume() }
            return .success
        default: break
        }
        shown.countdown = .none
        shown.length = nil
        proposal.shown = shown
        let row = buttons(of: shown)
        switch key {
        case .left, .right:
            let moved = shown.focus + step(of: key)
            guard row.indices.contains(moved) else { return .failed(.noChange) }
            proposal.shown?.focus = moved
            return .success
        case .back:
            deferProposal()
            return .success
        case .ok: return activate(row[min(shown.focus, row.count - 1)])
        default: return .failed(.notSupported)
        }
    }

    private mutating func activate(_ button: ProposalButton) -> CommandResult {
        switch button {
        case .playNow: acceptProposal(automatic: false)
        case .backToCredits: deferProposal()
        case .home:
            // The next one is not lost: it is offered on Home to be gone on with.
            if let item, let next = item.proposal?.next {
                effects.append(.savePlace(id: item.id, nil))
                effects.append(.savePlace(id: next, SavedPlace(time: .zero)))
            }
            leaveAfterProposal()
        }
        return .success
    }

    private mutating func leaveAfterProposal() {
        letGoOfItem()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    mutating func acceptProposal(automatic: Bool) {
        guard let item, let offered = item.proposal else { return }
        keepsSpeed = true  // the choices go along: sound and captions by their store, the speed from here
        effects.append(.savePlace(id: item.id, nil))
        effects.append(.playNext(id: offered.next, automatic: automatic))
        letGoOfItem()
        opening = HomeContent.Entry(
            id: offered.next, title: offered.title ?? "", subtitle: offered.subtitle, artwork: offered.image)
        screen = .player
        waitingSince = now
    }

    /// Back to the credits: it comes once more, at the end, without a countdown; from there the end card follows.
    mutating func deferProposal() {
        guard let shown = proposal.shown else { return }
        proposal.shown = nil
        proposal.wasDeferred = !shown.isLast
        guard snapshot.state == .ended else { return }
        proposal.wasDeferred = false
        showEnd()
    }
}
