import MediaModel
import MediaTime

/// What the player may be told of a queue before an item is over.
extension InterfaceMachine {
    /// Whether the queue goes on at the end of the item without anything being shown or asked.
    package var goesOnByItself: Bool {
        item?.isInQueue == true && item?.proposal == nil && sleep.choice != .endOfItem && card == nil && screen != .standby
    }

    /// Nothing follows: what was on ends, or fails, as if it had been in no queue, so that no picture stands still without words.
    mutating func queueIsOver() {
        guard session.queue.awaitsNext else { return }
        session.queue.arrive()
        guard item != nil else {
            // It was given up after a long wait.
            screen = .home
            effects.append(.leavePlayer)
            return
        }
        guard card == nil, viewing.proposal.shown == nil else { return }
        switch snapshot.state {
        case .ended: showEndOfItem()
        case .failed(let error): showError(error, isQueued: false)
        default: break  // it was the viewer who wanted to go on, and it plays
        }
    }

    /// What the player would tell had it stopped at the end of the item.
    package var endedSnapshot: PlaybackSnapshot {
        var ended = snapshot
        ended.state = .ended
        return ended
    }
}
