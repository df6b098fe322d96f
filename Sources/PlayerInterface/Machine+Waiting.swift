import LinuxSupport
import MediaModel
import MediaTime

/// What follows where nothing new is shown for long.
extension InterfaceMachine {
    private var isWaiting: Bool {
        guard mode == .watching else { return false }
        if isLoading { return true }
        guard item != nil else { return false }
        switch snapshot.state {
        case .waiting, .loading: return true
        case .ready, .playing, .paused, .ended: return viewing.seeking.isSeeking
        case .failed: return false
        }
    }

    mutating func settleWaiting() {
        if snapshot.state == .playing { session.queue.notePlaying() }
        guard isWaiting else {
            viewing.waiting.end()
            cancel(.waiting)
            if card?.kind == .slow { overlays.remove(.card) }
            return
        }
        let waited = viewing.waiting.go(on: now)
        if waited >= Timing.interstitialStart, giveUpInterstitial() {
            viewing.waiting.restart(at: now)
            arm(.waiting, at: now + Timing.spinner)
            return
        }
        if waited >= Timing.moveOn, item?.isInQueue == true {
            cancel(.waiting)
            goOnInQueue()
            endViewing()
            return
        }
        if waited >= Timing.slowCard, card == nil, screen == .player, pin == nil {
            overlays.remove(.panel, .page, .longText)
            overlays.put(.card(Card(.slow, until: now + Timing.retry)))
        }
        if let next = viewing.waiting.nextStep(at: now) { arm(.waiting, at: next) } else { cancel(.waiting) }
    }
}
