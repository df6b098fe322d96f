import BoxModel
import LinuxSupport
import Viewing

/// What keys and gestures do to what is on the screen.
enum StageKeys {
    /// A gesture on a key. Taps and holds of Left and Right navigate.
    ///
    /// - Returns: nil if the key acts.
    static func carryOut(_ gesture: KeyGesture, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome? {
        let direction = gesture.key.tapDirection
        endTyping(with: gesture, &stage)
        switch gesture {
        case .press:
            // There is no target: refused with a message.
            return stage.takesTaps && direction != nil ? beginTap(&stage, &turn) : nil
        case .began: return direction == nil ? .done : beginTap(&stage, &turn)
        case .tap:
            guard let direction else { return nil }
            guard stage.takesTaps else { return .refused(.notSupported) }  // a card or a screen has appeared meanwhile
            return .answered(stage.view(&turn) { $0.transport.commitTap(direction, &$1) })
        case .holdBegan(let key) where key.frameDirection != nil:
            if let direction = key.frameDirection { stage.view(&turn) { PlayerCommands.moveSlowly(direction, &$0, &$1) } }
        case .holdEnded(let key) where key.frameDirection != nil: stage.view(&turn, PlayerCommands.standStill)
        case .holdBegan:
            guard let direction else { return stage.context == .watching ? .wants(.whatDidTheySay) : .done }
            let hold = turn.isHeldWithoutReleases ? KeyHold.byPresses : .told
            stage.view(&turn) { $0.transport.beginHold(direction, hold, &$1) }
        case .holdContinued: if direction != nil { stage.view(&turn) { $0.transport.stepSearch(&$1) } }
        case .holdEnded: if direction != nil { stage.view(&turn) { $0.transport.endHold(&$1) } }
        case .repeated: return nil
        }
        return .done
    }

    private static func beginTap(_ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome {
        let idle = turn.idleBeforePress
        return .answered(stage.view(&turn) { $0.transport.beginTap(after: idle, &$1) })
    }

    /// A key that acts: it is global, or it is for the topmost overlay or for the player.
    ///
    /// - Returns: nil if it is for Home.
    static func act(_ key: RemoteKey, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome? {
        let everywhere = GlobalKeys(
            screen: stage.screen, asksForPIN: stage.overlays.contains(.pin), hasHome: turn.policy.hasHome)
        if let outcome = everywhere.act(key) { return outcome }
        if endsListening(key, stage) {
            stage.view(&turn) { PlayerCommands.endListening(&$1) }
            return .done
        }
        if stage.takesPlaces, let outcome = typePlace(key, &stage, &turn) { return outcome }
        if let overlay = stage.overlays.top { return act(key, on: overlay, &stage, turn) }
        switch stage.context {
        case .home: return nil
        case .panel: return actOnPanel(key, &stage, turn)
        case .standby, .pin, .longText, .page, .card, .proposal, .scanning, .scrubbing, .loading, .actionsRow, .watching: break
        }
        let receiver = stage.context
        let context = stage.interfaceContext(turn.parts)
        let keys = PlayerKeys(
            hasHome: turn.policy.hasHome, hasChannels: !context.browsing.lineup.isEmpty, broadcast: context.broadcast)
        return stage.view(&turn) { keys.act(key, in: receiver, &$0, &$1) }
    }

    /// A digit of a place in a film; OK goes there before the time after the last digit is over, Back forgets it.
    ///
    /// - Returns: nil for another key.
    private static func typePlace(_ key: RemoteKey, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome? {
        if let digit = Int(key.rawValue) {
            stage.closePanel()
            return .answered(stage.view(&turn) { PlayerCommands.type(digit, &$0, &$1) })
        }
        guard stage.viewing.bar.typed != nil else { return nil }
        switch key {
        case .ok: return .answered(stage.view(&turn, PlayerCommands.goToTyped))
        case .back:
            stage.update { $0.transport.bar.endTyping() }
            return .done
        default: return nil
        }
    }

    /// A key other than those with which a place is typed: it is forgotten. The volume has nothing to do with it.
    private static func endTyping(with gesture: KeyGesture, _ stage: inout Stage) {
        guard stage.viewing.bar.typed != nil else { return }
        switch gesture {
        case .press(let key), .began(let key):
            guard Int(key.rawValue) == nil, ![.ok, .back, .volumeUp, .volumeDown, .mute].contains(key) else { return }
            stage.update { $0.transport.bar.endTyping() }
        case .tap, .holdBegan, .holdContinued, .holdEnded, .repeated: break
        }
    }

    /// Whether a key turns the picture on, and does nothing else, because the viewer listens without it. Play and Pause control the sound.
    private static func endsListening(_ key: RemoteKey, _ stage: Stage) -> Bool {
        stage.session.isListening && stage.context.isPlayer && ![.playpause, .play, .pause].contains(key)
    }

    private static func act(_ key: RemoteKey, on overlay: Overlay, _ stage: inout Stage, _ turn: StageTurn) -> KeyOutcome {
        var overlay = overlay
        let outcome = overlay.act(key, in: stage.interfaceContext(turn.parts))
        guard outcome == .closed else {
            stage.put(overlay)
            return outcome
        }
        stage.remove(overlay.kind)
        return .done
    }

    private static func actOnPanel(_ key: RemoteKey, _ stage: inout Stage, _ turn: StageTurn) -> KeyOutcome {
        let content = stage.interfaceContext(turn.parts).panel
        let outcome = stage.update { $0.actOnPanel(key, in: content) }
        guard outcome == .closed else { return outcome }
        stage.closePanel()
        return .done
    }
}
