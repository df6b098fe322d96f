import MediaModel
import MediaTime

/// What the player may know about a queue before an item has ended.
extension InterfaceMachine {
    /// Whether the queue advances at the end of the item without a screen or a question.
    package var goesOnByItself: Bool {
        item?.isInQueue == true && item?.proposal == nil && sleep.choice != .endOfItem && card == nil && screen != .standby
    }

    /// Nothing follows: the item ends, or fails, as if it were in no queue, so that no frozen picture stays without a message.
    mutating func queueIsOver() {
        guard session.queue.awaitsNext else { return }
        session.queue.arrive()
        guard item != nil else {
            // It was abandoned after a long wait.
            screen = .home
            effects.append(.leavePlayer)
            return
        }
        guard card == nil, viewing.proposal.shown == nil else { return }
        switch snapshot.state {
        case .ended: showEndOfItem()
        case .failed(let error): showError(error, isQueued: false)
        default: break  // the viewer requested the next item, and this one still plays
        }
    }

    /// The snapshot that the player would send if it had stopped at the end of the item.
    package var endedSnapshot: PlaybackSnapshot {
        var ended = snapshot
        ended.state = .ended
        return ended
    }
}
