import LinuxSupport
import MediaModel
import Screens
import Viewing

/// The card of an item that cannot be played: it stays while the item is tried again, and gives way to a page.
struct ErrorCards: Sendable {
    /// Whether a page shows instead of the card, which returns when the page closes.
    private var isCovered = false

    /// Shows an error, and what happens by itself. After a try it is the same card, with focus where the viewer has put it.
    static func show(_ error: MediaError, isQueued: Bool, _ stage: inout Stage, _ turn: inout StageTurn) {
        let next = followUp(of: error, isQueued: isQueued, &stage, &turn)
        guard var card = stage.card, card.isTrying else { return stage.put(.card(Card(.error(error), then: next))) }
        card.failed(again: error, then: next)
        stage.put(.card(card))
    }

    /// What happens by itself after an error. What the viewer wants to see is tried again as long as that may help; a kiosk and a live item are always
    /// tried again, because only their operator can mend them.
    private static func followUp(
        of error: MediaError, isQueued: Bool, _ stage: inout Stage, _ turn: inout StageTurn
    ) -> Card.Countdown? {
        if isQueued {
            let instant = turn.now + Timing.queueMovesOn
            let waits = stage.view(&turn) { $1.session.queue.waitsForNetwork(error, at: $1.now) }
            return waits ? .retry(at: instant) : .moveOn(at: instant)
        }
        guard error.mayPassByItself || turn.policy.isKiosk || stage.viewing.played.item?.isLive == true else { return nil }
        let now = turn.now
        return .retry(at: stage.update { $0.retries.failed(at: now) })
    }

    /// A try begins. The card stays until the item plays, so that what is waited for is told in one way.
    static func tryAgain(_ stage: inout Stage, at now: HostTime) {
        guard var card = stage.card, card.kind == .slow || card.kind.isError else { return stage.remove(.card) }
        card.tryAgain(at: now)
        stage.put(.card(card))
    }

    /// What could not be shown is there: it plays, or stands paused after a try.
    static func playback(_ state: PlaybackSnapshot.State, _ stage: inout Stage) {
        guard let card = stage.card, card.kind == .slow || card.kind.isError else { return }
        switch state {
        case .playing: stage.remove(.card)
        case .ready, .paused, .ended: if card.isTrying { stage.remove(.card) }
        case .loading, .waiting, .failed: break
        }
    }

    /// A page opens, and shows instead of the card.
    mutating func makeRoom(for overlay: Overlay, _ stage: inout Stage) {
        guard overlay.kind == .page, stage.card?.kind.isError == true else { return }
        stage.remove(.card)
        isCovered = true
    }

    /// The error that is to be shown again, because the page has closed and the item still cannot be played.
    mutating func uncovered(_ stage: Stage) -> MediaError? {
        guard isCovered, !stage.overlays.coversScreen else { return nil }
        isCovered = false
        guard stage.hasItem, stage.card == nil, case .failed(let error) = stage.viewing.played.snapshot.state else { return nil }
        return error
    }
}
