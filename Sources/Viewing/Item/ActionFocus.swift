import LinuxSupport
import MediaTime
import Screens

extension ContextualActionView.Kind {
    /// The contextual action at the current position, whether or not the screen has room for it.
    ///
    /// - Parameter hasProposed: whether the proposal of the item has been shown.
    init?(in transport: Transport, hasProposed: Bool) {
        if transport.interstitials.presenting != nil {
            guard transport.offersSkip else { return nil }
            self = .skipInterstitial
            return
        }
        guard let item = transport.played.item, let position = transport.played.position, !transport.isLinear else { return nil }
        if item.isLive {
            guard transport.played.isBehindLive else { return nil }
            self = .goLive
            return
        }
        for marker in item.markers where position >= marker.start {
            guard let end = marker.end, position < end else { continue }
            switch marker.kind {
            case .intro: self = .skipIntro
            case .recap: self = .skipRecap
            case .chapter, .credits, .postCredits: continue
            }
            return
        }
        let inCredits = item.markers.contains {
            $0.kind == .credits && position >= $0.start && $0.end.map { position < $0 } ?? true
        }
        guard inCredits, item.proposal != nil, hasProposed else { return nil }
        self = .nextEpisode
    }
}

/// The contextual action, and when it takes focus: at once, or a second after a key that was pressed just before it appeared, because that key was
/// meant for something else. One that lasts, such as Go Live, hides after `Timing.standsAtMost` without a key.
struct ActionFocus: Sendable {
    /// The action on the screen.
    private(set) var kind: ContextualActionView.Kind?
    /// What there is to do, hidden or not, and for how long it has stood.
    private var offered: ContextualActionView.Kind?
    private var stillness = Stillness()
    private var focusAt = HostTime.zero

    /// - Parameter shown: the action for which there is room.
    mutating func settle(_ shown: ContextualActionView.Kind?, lastPress: HostTime?, at now: HostTime) {
        if offered != shown { stillness = Stillness() }
        offered = shown
        stillness.update(shown != nil, lastPress: lastPress, at: now)
        let shown = stillness.isOver(at: now) ? nil : shown
        guard kind != shown else { return }
        kind = shown
        focusAt = lastPress.map { now - $0 < Timing.actionGuard ? $0 + Timing.actionGuard : now } ?? now
    }

    func hasFocus(at now: HostTime) -> Bool { kind != nil && now >= focusAt }

    /// When it gets focus; nil if it has focus, or if there is none.
    func focusTime(at now: HostTime) -> HostTime? { kind != nil && now < focusAt ? focusAt : nil }

    /// When it gets focus or hides.
    func nextStep(at now: HostTime) -> HostTime? { focusTime(at: now) ?? stillness.deadline(at: now) }
}
