import LinuxSupport
import MediaModel
import MediaTime

/// The contextual action: what can be done here and now with one press of Select.
extension InterfaceMachine {
    /// What can be done at this place, whether or not there is room for it on the screen.
    private var possibleAction: ContextualActionView.Kind? {
        if presenting != nil { return offersSkip ? .skipInterstitial : nil }
        guard let item, let position else { return nil }
        guard !isLinear else { return nil }
        if item.isLive { return viewing.played.isBehindLive ? .goLive : nil }
        for marker in item.markers where position >= marker.start {
            guard let end = marker.end, position < end else { continue }
            switch marker.kind {
            case .intro: return .skipIntro
            case .recap: return .skipRecap
            case .chapter, .credits, .postCredits: continue
            }
        }
        let inCredits = item.markers.contains {
            $0.kind == .credits && position >= $0.start && $0.end.map { position < $0 } ?? true
        }
        return inCredits && item.proposal != nil && viewing.proposal.wasOffered ? .nextEpisode : nil
    }

    /// It is on the screen while nothing lies over the picture; Skip in an interstitial stays beside a bar that shows without
    /// having been asked for.
    private var shownAction: ContextualActionView.Kind? {
        guard context == .watching, let possible = possibleAction else { return nil }
        return !bar.isVisible || possible == .skipInterstitial && bar.focus == .none ? possible : nil
    }

    mutating func settleAction() {
        let focusAt = viewing.action.settle(shownAction, lastPress: activity.lastPress, at: now)
        if let focusAt { arm(.actionFocus, at: focusAt) } else { cancel(.actionFocus) }
    }

    mutating func activate(_ kind: ContextualActionView.Kind) -> CommandResult {
        switch kind {
        case .skipInterstitial: return skipInterstitial()
        case .skipIntro: return skipMarker(.intro)
        case .skipRecap: return skipMarker(.recap)
        case .nextEpisode:
            acceptProposal(automatic: false)
            return .success
        case .goLive: return goLive()
        }
    }

    private mutating func skipMarker(_ kind: NavigationMarker.Kind) -> CommandResult {
        guard let position,
            let end = item?.markers.first(where: { $0.kind == kind && $0.start <= position && $0.end ?? .zero > position })?.end
        else { return .failed(.notSupported) }
        return jump(to: end)
    }

    /// The policy is not asked: nothing is jumped over that the viewer could have seen.
    mutating func goLive() -> CommandResult {
        guard let edge = snapshot.seekableRanges.last?.end else { return .failed(.notSupported) }
        seek(to: edge)
        return .success
    }
}
