/// What becomes of a screen whose viewer has left it while something plays: after `Timing.standsAtMost` without a key the interface makes way for what plays.
extension StageFlow {
    /// Shows what plays, with nothing over it. A search ends where it began, a proposal is put off, and a delay stays as it was set.
    mutating func showWhatPlays(_ turn: inout StageTurn) {
        if case .delay(let page)? = stage.overlays.page, stage.screen == .player {
            _ = endDelay(keeps: true, &turn)
            // After the lip-sync test something else is opened.
            guard case .stay = page.outcome else { return }
        }
        if stage.viewing.seeking.mode == .scrubbing { _ = view(&turn) { $0.transport.cancelSearch(&$1) } }
        if stage.hasProposal { deferProposal(&turn) }
        uncover()
    }
}
