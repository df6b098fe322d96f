import LinuxSupport
import MediaModel
import MediaTime

/// Nothing new to show: first nothing is said, then a spinner, a word, a sentence, a card. A black or frozen screen without words
/// is never left standing.
extension InterfaceMachine {
    private var isWaiting: Bool {
        guard mode == .watching else { return false }
        if isLoading { return true }
        guard item != nil else { return false }
        switch snapshot.state {
        case .waiting, .loading: return true
        case .ready, .playing, .paused, .ended: return pendingSeek != nil
        case .failed: return false
        }
    }

    mutating func settleWaiting() {
        if snapshot.state == .playing { outageSince = nil }
        guard isWaiting else {
            waitingSince = nil
            cancel(.waiting)
            if card?.kind == .slow { closeCard() }
            return
        }
        let since = waitingSince ?? now
        waitingSince = since
        let waited = now - since
        if waited >= Timing.interstitialStart, giveUpInterstitial() {
            waitingSince = now
            arm(.waiting, at: now + Timing.spinner)
            return
        }
        if waited >= Timing.moveOn, item?.isInQueue == true {
            waitingSince = nil
            cancel(.waiting)
            goOnInQueue()
            letGoOfItem()
            return
        }
        if waited >= Timing.slowCard, card == nil, screen == .player, pin == nil {
            panel = nil
            page = nil
            longText = nil
            card = CardModel(kind: .slow, focus: 0, deadline: now + Timing.retry)
            armCard()
        }
        let steps = [Timing.spinner, Timing.spinnerWord, Timing.slowNetwork, Timing.slowCard, Timing.moveOn]
        if let next = steps.first(where: { waited < $0 }) {
            arm(.waiting, at: since + next)
        } else {
            cancel(.waiting)
        }
    }

    /// What is shown of the waiting; nil: nothing yet, or a card says it.
    var spinner: SpinnerView? {
        guard let waitingSince, card == nil else { return nil }
        let waited = now - waitingSince
        if waited < Timing.spinner { return nil }
        if waited < Timing.spinnerWord { return SpinnerView() }
        if waited < Timing.slowNetwork { return SpinnerView(words: policy.strings.text(isLoading ? .loading : .buffering)) }
        return SpinnerView(words: policy.strings.text(.slowNetwork))
    }
}
