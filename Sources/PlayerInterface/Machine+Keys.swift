import LinuxSupport
import MediaModel

/// Press, tap and hold: from what a device says to what the viewer means.
///
/// Left and Right in the player act when they are let go of (a tap) or after 400 ms (a hold). Every other key acts when it is
/// pressed. A device that never says when keys go up gives a tap with each press, and a hold with two equal presses close to each
/// other.
extension InterfaceMachine {
    mutating func handleKey(_ event: RemoteEvent) -> CommandResult {
        switch event.phase {
        case .press: event.sendsReleases ? pressed(event) : pressedWithoutRelease(event)
        case .repeat: repeated(event)
        case .release: released(event)
        }
    }

    /// A key that goes down and up at once: from the web, from a program.
    mutating func tap(_ key: RemoteKey, from device: String) -> CommandResult {
        let result = pressed(RemoteEvent(key: key, phase: .press, time: now, device: device))
        let released = released(RemoteEvent(key: key, phase: .release, time: now, device: device))
        return result == .success ? released : result
    }

    private mutating func pressed(_ event: RemoteEvent) -> CommandResult {
        if let down = keys.down {
            // The same key again without a release between is one press told twice; another key lets go of the first.
            if down.key == event.key && down.device == event.device { return .success }
            _ = letGo(of: down)
        }
        notePress()
        noteHeldTogether(event.key)
        var down = KeyModel.Down(key: event.key, device: event.device, since: now, moved: now)
        guard let direction = tapDirection(event.key) else {
            if isHoldable(event.key) {
                // It acts when it is let go of, unless it is held.
                down.actsOnRelease = true
                arm(.hold, at: now + Timing.hold)
                keys.down = down
                return .success
            }
            keys.down = down
            return act(event.key)
        }
        let result = beginTap(direction)
        if result == .success {
            down.tap = direction
            arm(.hold, at: now + Timing.hold)
        }
        keys.down = down
        return result
    }

    private mutating func released(_ event: RemoteEvent) -> CommandResult {
        heldTogether[event.key] = nil
        if heldTogether.count < 2 { cancel(.operatorKeys) }
        guard let down = keys.down, down.key == event.key, down.device == event.device else { return .success }
        return letGo(of: down)
    }

    private mutating func letGo(of down: KeyModel.Down) -> CommandResult {
        keys.down = nil
        cancel(.hold)
        if down.actsOnRelease { return down.isHeld ? .success : act(down.key) }
        guard let direction = down.tap else { return .success }
        if down.isHeld {
            holdEnded()
            return .success
        }
        guard takesTaps else { return .failed(.notSupported) }  // a card or a screen has come in between
        return commitTap(direction)
    }

    /// The key is still down after 400 ms, on a device that would have said if it were not.
    mutating func holdBegins() {
        if let down = keys.down, down.actsOnRelease {
            keys.down?.isHeld = true
            actOnHold(down.key)
            return
        }
        guard let direction = keys.down?.tap, takesTaps else { return }
        keys.down?.isHeld = true
        beginHold(direction)
    }

    private mutating func pressedWithoutRelease(_ event: RemoteEvent) -> CommandResult {
        let last = keys.unreleased
        var down = KeyModel.Down(key: event.key, device: event.device, since: now, moved: now)
        let isPair =
            last.map { $0.key == event.key && $0.device == event.device && now - $0.since <= Timing.noReleasePair } ?? false
        if isPair, last?.tap == nil, isHoldable(event.key) {
            keys.lastPress = now
            keys.unreleased = nil
            actOnHold(event.key)
            return .success
        }
        if isPair, let last, let direction = last.tap {
            // The second press of a pair, or what keeps a hold going.
            keys.lastPress = now
            down.tap = direction
            down.isHeld = true
            keys.unreleased = down
            arm(.holdEnds, at: now + Timing.noReleasePair)
            if !last.isHeld { beginHold(direction) }
            return .success
        }
        if let last, last.isHeld { unreleasedHoldEnds() }
        notePress()
        guard let direction = tapDirection(event.key) else {
            keys.unreleased = down
            return act(event.key)
        }
        var result = beginTap(direction)
        if result == .success {
            result = commitTap(direction)
            down.tap = direction
        }
        keys.unreleased = down
        return result
    }

    mutating func unreleasedHoldEnds() {
        guard keys.unreleased?.isHeld == true else { return }
        keys.unreleased = nil
        cancel(.holdEnds)
        holdEnded()
    }

    /// The device says that a key is still down: this moves lists, at a pace that a viewer can follow, and does nothing else.
    private mutating func repeated(_ event: RemoteEvent) -> CommandResult {
        guard var down = keys.down, down.key == event.key, down.device == event.device else { return .success }
        guard movesList(event.key) else { return .success }
        let pace = now - down.since >= Timing.listRepeatAccelerates ? Timing.fastListRepeat : Timing.listRepeat
        guard now - down.moved >= pace else { return .success }
        down.moved = now
        keys.down = down
        keys.lastPress = now
        return act(event.key)
    }

    private func movesList(_ key: RemoteKey) -> Bool {
        guard [.up, .down, .left, .right].contains(key) else { return false }
        return switch context {
        case .home, .page, .longText: true
        case .pin, .standby: false
        case .panel: panel?.focus != .tabs && key != .up || [.left, .right].contains(key)
        case .card, .proposal, .scanning, .scrubbing, .loading, .actionsRow, .watching: false
        }
    }

    private mutating func notePress() {
        keys.pressBefore = keys.lastPress
        keys.lastPress = now
        automaticAcceptances = 0
    }

    /// -1 or 1 for a key that is a tap or a hold here.
    private func tapDirection(_ key: RemoteKey) -> Int? {
        guard key == .left || key == .right, takesTaps else { return nil }
        return key == .left ? -1 : 1
    }

    /// Subtitle is a tap or a hold: the next captions, or "What did they say?".
    private func isHoldable(_ key: RemoteKey) -> Bool { key == .subtitle && context == .watching && !isListening }

    private mutating func actOnHold(_ key: RemoteKey) {
        if key == .subtitle, context == .watching { _ = whatDidTheySay() }
    }

    /// Back and OK together, in a kiosk.
    private mutating func noteHeldTogether(_ key: RemoteKey) {
        guard policy.isKiosk, key == .back || key == .ok else { return }
        heldTogether[key] = now
        if heldTogether.count == 2 { arm(.operatorKeys, at: now + Timing.operatorHold) }
    }

    mutating func operatorKeysHeld() {
        guard policy.isKiosk, heldTogether.count == 2, pin == nil else { return }
        heldTogether = [:]
        wantsOperator = true
    }

    private var takesTaps: Bool { (context == .watching || context == .scrubbing) && !isListening }
}
