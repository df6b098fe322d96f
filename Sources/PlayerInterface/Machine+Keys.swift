import LinuxSupport
import MediaModel

/// Keys: their behaviour on the current screen, and the effects of their gestures.
extension InterfaceMachine {
    mutating func handleKey(_ event: RemoteEvent) -> CommandResult {
        switch event.phase {
        case .press:
            if let gesture = keys.makeWay(for: event, at: now) { _ = carryOut(gesture) }
            let gestures = keys.press(event, as: role(of: event.key), isKiosk: policy.isKiosk, at: now)
            if let first = gestures.first { note(first) }
            return gestures.reduce(.success) { carryOut($1) }
        case .repeat:
            guard context.isMoved(by: event.key, overlays.panel), let gesture = keys.repeat(event, at: now) else {
                return .success
            }
            note(gesture)
            return carryOut(gesture)
        case .release: return keys.release(event).map { carryOut($0) } ?? .success
        }
    }

    /// A press and release at once: from the web page or from a program.
    mutating func tap(_ key: RemoteKey, from device: String) -> CommandResult {
        let pressed = handleKey(RemoteEvent(key: key, phase: .press, time: now, device: device))
        let released = handleKey(RemoteEvent(key: key, phase: .release, time: now, device: device))
        return pressed == .success ? released : pressed
    }

    mutating func holdTimeIsOver() {
        guard let key = keys.undecided else { return }
        if let gesture = keys.holdTimeIsOver(isHold: key.tapDirection == nil || takesTaps) { _ = carryOut(gesture) }
    }

    mutating func unreleasedHoldIsOver() {
        if let gesture = keys.unreleasedHoldIsOver() { _ = carryOut(gesture) }
    }

    private mutating func note(_ gesture: KeyGesture) {
        switch gesture {
        case .press, .began: activity.keyPressed(at: now)
        case .repeated, .holdBegan, .holdContinued: activity.continues(at: now)
        case .tap, .holdEnded: break
        }
    }

    private mutating func carryOut(_ gesture: KeyGesture) -> CommandResult {
        switch gesture {
        case .press(let key):
            if takesTaps, key.tapDirection != nil { return beginTap() }  // there is no target: refused with a message
            return act(key)
        case .began(let key): return key.tapDirection == nil ? .success : beginTap()
        case .tap(let key):
            guard let direction = key.tapDirection else { return act(key) }
            guard takesTaps else { return .failed(.notSupported) }  // a card or a screen has appeared meanwhile
            return view { $0.transport.commitTap(direction, &$1) }
        case .holdBegan(let key):
            if let direction = key.tapDirection {
                let wasTapped = keys.isHeldWithoutReleases
                view { $0.transport.beginHold(direction, wasTapped: wasTapped, &$1) }
            } else if context == .watching {
                _ = whatDidTheySay()
            }
            return .success
        case .holdContinued: return .success
        case .holdEnded(let key):
            if key.tapDirection != nil { viewing.transport.endHold() }
            return .success
        case .repeated(let key): return act(key)
        }
    }

    private mutating func beginTap() -> CommandResult {
        let idle = activity.idleBeforePress(at: now)
        return view { $0.transport.beginTap(after: idle, &$1) }
    }

    // MARK: Behaviour of keys

    private func role(of key: RemoteKey) -> KeyRole {
        switch key {
        case .left, .right: takesTaps && viewing.transport.navigationRefusal == nil ? .tapOrHold : .press
        // The next captions, or "What did they say?".
        case .subtitle: context == .watching && !session.isListening ? .pressOrHold : .press
        default: .press
        }
    }

    private var takesTaps: Bool { context.takesTaps && !session.isListening }

    /// The direction of the key that is down.
    var directionOfKey: Int? { keys.tapOrHold?.tapDirection }

    /// The direction of the key that is down, while it is a tap.
    var directionOfTap: Int? { keys.undecided?.tapDirection }
}
