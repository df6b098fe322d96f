import LinuxSupport
import MediaModel

/// What becomes of a screen whose viewer has left it while something plays: after `Timing.standsAtMost` without a key the interface makes way for what plays.
extension InterfaceContext {
    /// Whether something of the interface stands over what plays, or in its place, until a key is pressed: Home around its corner, a page, a PIN, a panel, a
    /// proposal that waits for an answer, a search that was not ended.
    var standsOverPlayback: Bool {
        guard stage.hasItem, stage.card == nil else { return false }
        let viewing = stage.viewing
        switch stage.screen {
        case .standby: return false
        case .home: return viewing.orders.wantsToPlay
        case .player:
            guard stage.overlays.isEmpty else { return true }
            switch viewing.overlay {
            case .panel: return true
            // One that is accepted by itself goes away. At the end of the item the screen is still.
            case .proposal(let shown): return !shown.countsDown && viewing.played.snapshot.state != .ended
            case nil: return viewing.seeking.mode == .scrubbing
            }
        }
    }
}

extension StageFlow {
    /// Shows what plays, with nothing over it. A search ends where it began, a proposal is put off, and a delay stays as it was set.
    mutating func showWhatPlays(_ turn: inout StageTurn) {
        if case .delay(let page)? = stage.overlays.page, stage.screen == .player {
            _ = endDelay(page, keeps: true, &turn)
            // After the lip-sync test something else is opened.
            guard case .stay = page.outcome else { return }
        }
        if stage.viewing.seeking.mode == .scrubbing { _ = view(&turn) { $0.transport.cancelSearch(&$1) } }
        if stage.hasProposal { deferProposal(&turn) }
        uncover()
    }
}
