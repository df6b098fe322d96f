import LinuxSupport
import MediaModel
import MediaTime

/// When cards are shown (end, error) and what their buttons do.
extension InterfaceMachine {
    mutating func ended() {
        view { $0.transport.ended(&$1) }
        guard let item, card == nil else { return }
        view { $0.transport.leaveSearch(&$1) }
        overlays.remove(.panel)
        effects.append(.savePlace(id: item.id, nil))
        view { $0.endReplay(&$1) }
        if sleep.choice == .endOfItem {
            goToStandby()
            return
        }
        guard viewing.proposal.shown == nil else {
            if asksWhetherWatched { askWhetherWatched() }
            return  // it stays, over the last frame
        }
        if view({ $0.showProposalAtEnd($1) }) { return }
        showEnd()
    }

    /// Nothing is proposed: the queue advances, the corner of Home closes, or the card is shown.
    mutating func showEnd() {
        if item?.isInQueue == true { goOnInQueue() } else { showEndOfItem() }
    }

    /// The corner of Home closes, or the card is shown.
    mutating func showEndOfItem() {
        if screen == .home {
            endViewing()
            home.focusEntries()
            effects.append(.leavePlayer)
        } else {
            viewing.transport.stop()
            overlays.put(.card(Card(.end)))
        }
    }

    mutating func failed(_ error: MediaError) {
        view { $0.failed(&$1) }
        overlays.remove(.panel)
        showError(error, isQueued: item?.isInQueue == true)
    }

    /// - Parameter isQueued: whether another item follows automatically.
    mutating func showError(_ error: MediaError, isQueued: Bool) {
        guard screen == .home else {
            overlays.put(.card(Card(.error(error), until: isQueued ? now + Timing.queueMovesOn : nil)))
            return
        }
        savePlace()
        showToast(strings.sentence(for: error.code))
        if isQueued {
            goOnInQueue()
        } else {
            endViewing()
            home.focusEntries()
            effects.append(.leavePlayer)
        }
    }

    // MARK: Actions of the cards

    mutating func replay() -> CommandResult {
        guard item != nil else { return .failed(.noItem) }
        overlays.remove(.card)
        view { $0.playAgain(&$1) }
        return .success
    }

    /// Retries. An error leaves the screen; the card of a slow network may stay.
    mutating func tryAgain() {
        if var card, card.kind == .slow {
            card.waitAgain(at: now)
            overlays.put(.card(card))
        } else {
            overlays.remove(.card)
        }
        view { $0.retry(&$1) }
    }

    /// Checks whether the deadline of a card has passed.
    mutating func cardDeadline() {
        guard let card, let deadline = card.deadline, now >= deadline else { return }
        switch card.kind {
        case .end, .sleepTimer: break
        case .stillWatching: goToStandby()
        case .error(let error):
            if session.queue.waitsForNetwork(error, at: now) {
                tryAgain()
            } else {
                overlays.remove(.card)
                goOnInQueue()
            }
        case .slow: tryAgain()
        }
    }
}
