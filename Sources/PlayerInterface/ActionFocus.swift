import LinuxSupport
import MediaTime

extension ContextualActionView.Kind {
    /// What can be done at the place where an item plays, whether or not there is room for it on the screen.
    ///
    /// - Parameter hasProposed: the proposal of the item was shown.
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

/// The contextual action on the screen, and when it takes focus: at once, or a second after a key that came just before it, because that key was meant for
/// something else.
struct ActionFocus: Sendable {
    private(set) var kind: ContextualActionView.Kind?
    private var focusAt = HostTime.zero

    /// - Parameter shown: what is on the screen.
    mutating func settle(_ shown: ContextualActionView.Kind?, lastPress: HostTime?, at now: HostTime) {
        guard kind != shown else { return }
        kind = shown
        focusAt = lastPress.map { now - $0 < Timing.actionGuard ? $0 + Timing.actionGuard : now } ?? now
    }

    func hasFocus(at now: HostTime) -> Bool { kind != nil && now >= focusAt }

    /// When it takes focus; nil: it has focus, or there is none.
    func focusTime(at now: HostTime) -> HostTime? { kind != nil && now < focusAt ? focusAt : nil }
}
