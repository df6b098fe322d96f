import BoxModel
import Screens

/// The keys of the player while no overlay takes them.
package struct PlayerKeys: Sendable {
    /// Whether Home has anything to show.
    let hasHome: Bool
    /// Whether there are channels to choose from.
    let hasChannels: Bool
    /// What is on the live channel that plays; nil without a guide.
    let broadcast: Broadcast?

    package init(hasHome: Bool, hasChannels: Bool, broadcast: Broadcast?) {
        self.hasHome = hasHome
        self.hasChannels = hasChannels
        self.broadcast = broadcast
    }

    /// - Parameter context: what of the player receives the key.
    package func act(_ key: RemoteKey, in context: KeyContext, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome
    {
        switch context {
        case .scanning, .scrubbing:
            if let result = viewing.actInSearch(key, &turn) { return .answered(result) }
            return .wants(key == .next ? .nextChapter : .previousChapter)
        case .loading: return actWhileLoading(key, &viewing, &turn)
        case .actionsRow: return actOnActionsRow(key, &viewing, &turn)
        case .proposal: return viewing.actOnProposal(key, step: turn.strings.step(of: key), &turn)
        case .watching, .standby, .pin, .longText, .page, .home, .card, .panel:
            return actWhileWatching(key, &viewing, &turn)
        }
    }

    private func actWhileWatching(_ key: RemoteKey, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome {
        switch key {
        case .ok:
            guard let action = viewing.action.kind, viewing.action.hasFocus(at: turn.now) else { return .wants(.togglePlayPause) }
            return activate(action, &viewing, &turn)
        case .up: return up(&viewing, &turn)
        case .back: return back(&viewing, &turn)
        default:
            if let direction = key.frameDirection, PlayerCommands.stands(viewing) {
                return .answered(PlayerCommands.step(direction, &viewing, &turn))
            }
            return Intent(whileWatching: key).map { .wants($0) } ?? .refused(.notSupported)
        }
    }

    /// Carries out the contextual action.
    private func activate(
        _ kind: ContextualActionView.Kind, _ viewing: inout Viewing, _ turn: inout ViewingTurn
    ) -> KeyOutcome {
        switch kind {
        case .skipInterstitial: .answered(viewing.transport.skipInterstitial(&turn))
        case .skipIntro: .answered(viewing.skip(.intro, &turn))
        case .skipRecap: .answered(viewing.skip(.recap, &turn))
        case .nextEpisode: .wants(.playNext)
        case .goLive: .wants(.goLive)
        }
    }

    private func up(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome {
        let (bar, played) = (viewing.bar, viewing.played)
        if played.isLiveWithoutWindow { return .wants(.openPage(.channels)) }
        if !bar.isVisible {
            viewing.transport.bar.show(.bar)
        } else if played.item?.isLive == true, hasChannels, bar.focus == .bar {
            return .wants(.openPage(.channels))
        } else if !viewing.orders.wantsToPlay, !viewing.transport.isLinear, !played.rowActions(broadcast).isEmpty {
            viewing.transport.bar.show(.action(0))
        } else if bar.focus != .bar {
            viewing.transport.bar.show(.bar)
        } else {
            turn.session.showsEnd.toggle()
        }
        return .done
    }

    /// The order is the same everywhere: close the top layer, undo the last seek or the last "Off" for the sound, leave.
    private func back(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome {
        if let heard = viewing.soundToUndo { return .answered(viewing.selectAudio(heard, &turn)) }
        let canUndo = viewing.seeking.undoOrigin != nil
        if viewing.orders.wantsToPlay, viewing.bar.isVisible, viewing.bar.focus == .bar, !canUndo {
            viewing.transport.bar.hide()
            return .done
        }
        if !viewing.transport.isLinear, canUndo { return .answered(viewing.transport.undo(&turn)) }
        return hasHome ? .wants(.goBack) : .refused(.notSupported)
    }

    private func actOnActionsRow(_ key: RemoteKey, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome {
        guard case .action(let index) = viewing.bar.focus else { return .refused(.notSupported) }
        let row = viewing.played.rowActions(broadcast)
        switch key {
        case .ok:
            guard row.indices.contains(index) else { return .refused(.notSupported) }
            if row[index] != .info { viewing.transport.bar.show(.bar) }
            return .wants(row[index].intent)
        case .left, .right:
            let moved = index + turn.strings.step(of: key)
            guard row.indices.contains(moved) else { return .refused(.noChange) }
            viewing.transport.bar.show(.action(moved))
        case .down: viewing.transport.bar.show(.bar)
        case .back: viewing.transport.bar.hide()
        case .up: return .refused(.notSupported)
        default: return actWhileWatching(key, &viewing, &turn)
        }
        return .done
    }

    private func actWhileLoading(_ key: RemoteKey, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> KeyOutcome {
        switch key {
        case .up: viewing.transport.bar.show(.none)
        case .back: return hasHome ? .wants(.goBack) : .refused(.notSupported)
        case .ok, .playpause, .play:
            // An external command may have paused it at its first frame.
            guard !viewing.orders.wantsToPlay, viewing.played.item != nil else { return .refused(.notReady) }
            viewing.transport.resume(&turn)
        default: return .refused(.notReady)
        }
        return .done
    }
}
