import LinuxSupport
import MediaModel
import MediaTime

/// The cards in the middle: the end, an error, a slow network. The first button tries or plays again, the second goes Home.
extension InterfaceMachine {
    mutating func ended() {
        viewing.interstitials.finish(.completed, &effects)
        viewing.interstitials.forgetEnforcement()
        guard let item, card == nil else { return }
        leaveSearch()
        panel = nil
        effects.append(.savePlace(id: item.id, nil))
        endReplay()
        if sleep.choice == .endOfItem {
            goToStandby()
            return
        }
        guard viewing.proposal.shown == nil else {
            if asksWhetherWatched { askWhetherWatched() }
            return  // it stays, over the last frame
        }
        if showProposalAtEnd() { return }
        showEnd()
    }

    /// Nothing is proposed: the queue goes on, Home loses its corner, or the card asks.
    mutating func showEnd() {
        if item?.isInQueue == true { goOnInQueue() } else { showEndOfItem() }
    }

    /// Home loses its corner, or the card asks.
    mutating func showEndOfItem() {
        if screen == .home {
            endViewing()
            home.focusEntries()
            effects.append(.leavePlayer)
        } else {
            viewing.orders.end()
            card = CardModel(kind: .end, focus: 0)
        }
    }

    mutating func failed(_ error: MediaError) {
        viewing.interstitials.finish(.failed, &effects)
        leaveSearch()
        viewing.forgetSeek()
        panel = nil
        viewing.proposal.hide()
        showError(error, isQueued: item?.isInQueue == true)
    }

    /// - Parameter isQueued: whether something else follows by itself.
    mutating func showError(_ error: MediaError, isQueued: Bool) {
        if screen == .home {
            savePlace()
            showToast(sentence(for: error.code))
            if isQueued {
                goOnInQueue()
            } else {
                endViewing()
                home.focusEntries()
                effects.append(.leavePlayer)
            }
            return
        }
        card = CardModel(
            kind: .error(error), focus: error.code.mayPassByItself ? 0 : 1, deadline: isQueued ? now + Timing.queueMovesOn : nil)
        armCard()
    }

    // MARK: Keys

    mutating func actOnCard(_ key: RemoteKey, _ card: CardModel) -> CommandResult {
        switch key {
        case .ok: return activateCard(card.focus)
        case .playpause, .play: return activateCard(0)
        case .left, .right: return focusCard(card.focus + step(of: key))
        case .back: return card.kind == .sleepTimer ? activateCard(0) : activateCard(1)
        default: return .failed(.notSupported)
        }
    }

    private mutating func focusCard(_ index: Int) -> CommandResult {
        guard (0...1).contains(index) else { return .failed(.noChange) }
        card?.focus = index
        return .success
    }

    /// What a command from outside means by play while a card is up.
    mutating func activateSafest(of card: CardModel) -> CommandResult { activateCard(0) }

    private mutating func activateCard(_ button: Int) -> CommandResult {
        guard let card else { return .failed(.notSupported) }
        if card.kind == .sleepTimer {
            if button == 0 { setSleep(.off) } else { goToStandby() }
            return .success
        }
        guard button == 0 else { return policy.hasHome ? stopAndLeave() : .failed(.notSupported) }
        switch card.kind {
        case .end: return replay()
        case .error:
            closeCard()
            retry()
        case .slow:
            overlays.card?.deadline = now + Timing.retry
            armCard()
            retry()
        case .stillWatching: keepWatching()
        case .sleepTimer: break  // above
        }
        return .success
    }

    mutating func replay() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        closeCard()
        viewing.proposal = Proposal()
        viewing.interstitials.forgetEnforcement()
        seek(to: backTarget(clock.start))
        resume()
        return .success
    }

    private mutating func retry() {
        guard let item else { return }
        let place = enforcement?.range.range.start ?? position ?? item.resume?.time ?? clock.start
        viewing.forgetSeek()
        viewing.played.expect(.loading)
        viewing.orders.expectPlay()
        _ = viewing.waiting.go(on: now)
        effects.append(.retry(at: place))
    }

    // MARK: What happens by itself

    mutating func closeCard() {
        card = nil
        cancel(.retry)
    }

    /// The countdown moves once a second.
    mutating func armCard() {
        guard let deadline = card?.deadline else { return }
        let left = (deadline - now).wholeSecondsUp
        arm(.retry, at: deadline - .seconds(max(0, left - 1)))
    }

    mutating func cardDeadline() {
        guard let card, let deadline = card.deadline else { return }
        guard now >= deadline else { return armCard() }
        switch card.kind {
        case .end, .sleepTimer: break
        case .stillWatching: goToStandby()
        case .error(let error):
            closeCard()
            if session.queue.waitsForNetwork(error, at: now) { retry() } else { goOnInQueue() }
        case .slow:
            overlays.card?.deadline = now + Timing.retry
            armCard()
            retry()
        }
    }
}

extension ErrorCode {
    /// Whether trying again may help: then that is the safest button, else Home is.
    var mayPassByItself: Bool {
        switch self {
        case .networkDown, .networkSlow, .networkMetered, .sourceMissing, .sourceTimeout, .soundLost, .internal: true
        default: false
        }
    }
}
