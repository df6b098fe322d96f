import LinuxSupport
import MediaTime

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
/// meant for something else.
struct ActionFocus: Sendable {
    private(set) var kind: ContextualActionView.Kind?
    private var focusAt = HostTime.zero

    /// - Parameter shown: the action on the screen.
    mutating func settle(_ shown: ContextualActionView.Kind?, lastPress: HostTime?, at now: HostTime) {
        guard kind != shown else { return }
        kind = shown
        focusAt = lastPress.map { now - $0 < Timing.actionGuard ? $0 + Timing.actionGuard : now } ?? now
    }

    func hasFocus(at now: HostTime) -> Bool { kind != nil && now >= focusAt }

    /// When it gets focus; nil if it has focus, or if there is none.
    func focusTime(at now: HostTime) -> HostTime? { kind != nil && now < focusAt ? focusAt : nil }
}
