import BoxModel
import MediaTime
import Screens
import Viewing

/// What follows an item: the proposal, the next episode, the next of a queue. The viewer asks for it, or nothing else is left to show.
enum Succession {
    /// Plays the next episode of the series. The one that is left counts as watched where its credits have begun.
    static func playNextEpisode(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        let viewing = flow.stage.viewing
        guard let next = viewing.played.item?.nextEpisode else { return .failed(.notSupported) }
        let hasEnded = viewing.played.snapshot.state == .ended
        if !hasEnded, flow.stage.cardOfItem == nil, let reason = viewing.transport.navigationRefusal {
            return flow.view(&turn) { $0.transport.refuse(reason, &$1) }
        }
        flow.goOn(to: next, isWatched: hasEnded || isInCredits(viewing), automatic: false, &turn)
        return .success
    }

    /// Whether the credits of the item have begun: by their marker, or because what follows was proposed.
    private static func isInCredits(_ viewing: Viewing) -> Bool {
        guard let position = viewing.played.position else { return false }
        let markers = viewing.played.item?.markers ?? []
        return viewing.proposal.wasOffered || markers.contains { $0.kind == .credits && $0.start <= position }
    }

    static func acceptProposal(automatic: Bool, _ flow: inout StageFlow, _ turn: inout StageTurn) {
        guard let offered = flow.stage.viewing.played.item?.proposal else { return }
        let next = HomeContent.Entry(
            id: offered.next, title: offered.title ?? "", subtitle: offered.subtitle, artwork: offered.image)
        flow.goOn(to: next, isWatched: true, automatic: automatic, &turn)
        turn.effects.append(.tell(.proposal(next: offered.next, .accepted(automatic: automatic))))
    }

    /// The viewer wants neither the next item nor the credits. The next one is not lost: Home offers it among what was begun.
    static func rejectProposal(_ flow: inout StageFlow, _ turn: inout StageTurn) {
        if let item = flow.stage.viewing.played.item, let next = item.proposal?.next {
            turn.effects += [.savePlace(id: item.id, nil), .savePlace(id: next, SavedPlace(time: .zero))]
            turn.effects.append(.tell(.proposal(next: next, .rejected)))
        }
        flow.leaveForHome(&turn)
    }

    /// Goes to the next item: of the queue, otherwise the next episode, otherwise what is proposed.
    static func moveOn(_ flow: inout StageFlow, _ turn: inout StageTurn) -> CommandResult {
        guard let item = flow.stage.viewing.played.item else { return .failed(.notSupported) }
        if item.isInQueue {
            flow.savePlace(&turn)
            flow.goOnInQueue(&turn)
        } else if let next = item.nextEpisode, item.proposal == nil || item.proposal?.next == next.id {
            return playNextEpisode(&flow, &turn)
        } else if item.proposal != nil {
            acceptProposal(automatic: false, &flow, &turn)
        } else {
            return .failed(.notSupported)
        }
        return .success
    }
}
