import LinuxSupport
import MediaModel
import MediaTime

/// When the content proposal is shown, and what its buttons do.
extension InterfaceMachine {
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
            viewing.proposal.rearm()
        } else if viewing.proposal.isDue, presenting == nil, enforcement == nil, mode == .watching, screen == .player,
            overlays.isEmpty, snapshot.state != .ended
        {
            presentProposal()
        }
    }

    /// The end was reached.
    ///
    /// - Returns: whether it is shown now.
    mutating func showProposalAtEnd() -> Bool {
        guard item?.proposal != nil, screen == .player, viewing.proposal.isDueAtEnd else { return false }
        presentProposal()
        return viewing.proposal.shown != nil
    }

    private mutating func presentProposal() {
        guard let offered = item?.proposal else { return }
        guard policy.navigation.shouldPresent(offered) else { return viewing.proposal.veto() }
        let isLast = viewing.proposal.isLast
        var left: Duration?
        if !isLast, let interval = automaticInterval(of: offered), let end = clock.end {
            left = max(Timing.shortestCountdown, end + interval - (position ?? end)).wallDuration
        }
        bar.hide()
        viewing.forgetUndo()
        viewing.proposal.show(isLast: isLast, left: left, runs: wantsToPlay, at: now)
    }

    mutating func settleProposal() {
        guard screen == .player else { return cancel(.proposal) }
        // At the end nothing moves any more and the countdown goes on; before it, it stops while the video does.
        let runs = snapshot.state == .ended || wantsToPlay && snapshot.state != .waiting
        switch viewing.proposal.settle(runs: runs, at: now) {
        case .nothing: cancel(.proposal)
        case .next(let instant): arm(.proposal, at: instant)
        case .accepted:
            activity.proposalAcceptedItself()
            acceptProposal(automatic: true)
        }
    }

    // MARK: Keys

    mutating func actOnProposal(_ key: RemoteKey) -> CommandResult {
        guard viewing.proposal.shown != nil else { return .failed(.notSupported) }
        switch key {
        case .playpause, .play, .pause:
            if snapshot.state == .ended { return .failed(.noChange) }
            if key == (wantsToPlay ? .play : .pause) { return .failed(.noChange) }
            if wantsToPlay { stand() } else { resume() }
            return .success
        default: break
        }
        viewing.proposal.stopCountdown()
        switch key {
        case .left, .right: return viewing.proposal.moveFocus(by: strings.step(of: key)) ? .success : .failed(.noChange)
        case .back:
            deferProposal()
            return .success
        case .ok: return viewing.proposal.focused.map { activate($0) } ?? .failed(.notSupported)
        default: return .failed(.notSupported)
        }
    }

    private mutating func activate(_ button: Proposal.Button) -> CommandResult {
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
        endViewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    mutating func acceptProposal(automatic: Bool) {
        guard let item, let offered = item.proposal else { return }
        session.speed.goAlong()  // the choices go along: sound and captions by their store, the speed from here
        effects.append(.savePlace(id: item.id, nil))
        effects.append(.playNext(id: offered.next, automatic: automatic))
        endViewing()
        let next = HomeContent.Entry(
            id: offered.next, title: offered.title ?? "", subtitle: offered.subtitle, artwork: offered.image)
        viewing = Viewing(opening: next, at: now)
        screen = .player
    }

    /// Back to the credits: it comes once more, at the end, without a countdown; from there the end card follows.
    mutating func deferProposal() {
        let isOver = snapshot.state == .ended
        if viewing.proposal.putOff(atEnd: isOver), isOver { showEnd() }
    }
}
