import LinuxSupport
import MediaModel

/// A gesture of a viewer on one key.
enum KeyGesture: Sendable, Equatable {
    /// It acts now.
    case press(RemoteKey)
    /// It went down, and becomes a tap or a hold.
    case began(RemoteKey)
    /// It was let go of before it was held.
    case tap(RemoteKey)
    /// It is held.
    case holdBegan(RemoteKey)
    /// A device without releases says that the hold goes on.
    case holdContinued(RemoteKey)
    /// What was held was let go of.
    case holdEnded(RemoteKey)
    /// It is still down, and moves a list once more.
    case repeated(RemoteKey)
}

/// How a key behaves when it goes down. The screen decides.
enum KeyRole: Sendable, Equatable {
    /// It acts when it is pressed.
    case press
    /// It acts when it is let go of, unless it was held. On a device without releases it acts when it is pressed.
    case pressOrHold
    /// It shows at once where a tap would lead. On a device without releases a press is a tap, and a hold lasts as long as presses follow each other.
    case tapOrHold
}

/// Press, tap and hold: from what a device says to what the viewer means.
///
/// A key that can be held becomes a tap when it is let go of, or a hold after 400 ms. A device that never says when keys go up gives a tap with each
/// press, and a hold with two equal presses close to each other.
struct KeyTracker: Sendable, Equatable {
    /// A key that is down, on a device that will say when it goes up.
    private struct Down: Sendable, Equatable {
        enum Phase: Sendable, Equatable {
            /// It acted when it was pressed.
            case acted
            /// It is a tap as long as it is not held; nil: nothing could be held when it was time, so it stays a tap.
            case undecided(holdAt: HostTime?)
            case held
        }
        let key: RemoteKey
        let device: String
        let since: HostTime
        var phase: Phase
        /// When it last moved a list.
        var moved: HostTime
    }

    /// The last press of a device without releases.
    private struct Unreleased: Sendable, Equatable {
        enum Phase: Sendable, Equatable {
            case acted, tapped, held
        }
        let key: RemoteKey
        let device: String
        let since: HostTime
        let phase: Phase
    }

    private var down: Down?
    private var unreleased: Unreleased?
    private var operatorKeys = OperatorKeys()

    // MARK: The key that is down

    /// Whether a key is down.
    var isDown: Bool { down != nil }

    /// The key that is down and may be held or tapped.
    var tapOrHold: RemoteKey? { down.flatMap { $0.phase == .acted ? nil : $0.key } }

    /// The key that is down and is a tap as long as it is not held.
    var undecided: RemoteKey? {
        if case .undecided = down?.phase { down?.key } else { nil }
    }

    /// Whether a device without releases holds a key.
    var isHeldWithoutReleases: Bool { unreleased?.phase == .held }

    /// When a key becomes a hold, when a hold without releases is over, and when the operator's keys have been held for long enough.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        var holdAt: HostTime?
        if case .undecided(let deadline) = down?.phase { holdAt = deadline }
        let holdEnds = isHeldWithoutReleases ? unreleased.map { $0.since + Timing.noReleasePair } : nil
        return [(.hold, holdAt), (.holdEnds, holdEnds), (.operatorKeys, operatorKeys.deadline)]
    }

    // MARK: Events

    /// Another key goes down, or the same on another device. It comes before `press`, so that the role of the new key can follow from what this does.
    ///
    /// - Returns: what the end of the key that was down means.
    mutating func makeWay(for event: RemoteEvent, at now: HostTime) -> KeyGesture? {
        guard event.sendsReleases else {
            guard let last = unreleased, last.phase == .held, !isPair(event, at: now) else { return nil }
            unreleased = nil
            return .holdEnded(last.key)
        }
        guard let down, !isSame(event, as: down) else { return nil }
        return letGo(of: down)
    }

    /// A key goes down.
    ///
    /// - Parameter isKiosk: whether the operator's keys are watched for.
    /// - Returns: what it means, in order; empty: the press was told twice.
    mutating func press(_ event: RemoteEvent, as role: KeyRole, isKiosk: Bool = false, at now: HostTime) -> [KeyGesture] {
        guard event.sendsReleases else { return pressWithoutRelease(event, as: role, at: now) }
        if let down, isSame(event, as: down) { return [] }
        let phase: Down.Phase = role == .press ? .acted : .undecided(holdAt: now + Timing.hold)
        down = Down(key: event.key, device: event.device, since: now, phase: phase, moved: now)
        if isKiosk { operatorKeys.wentDown(event.key, at: now) }
        return [role == .press ? .press(event.key) : .began(event.key)]
    }

    private mutating func pressWithoutRelease(_ event: RemoteEvent, as role: KeyRole, at now: HostTime) -> [KeyGesture] {
        func last(_ phase: Unreleased.Phase) -> Unreleased {
            Unreleased(key: event.key, device: event.device, since: now, phase: phase)
        }
        if isPair(event, at: now) {
            switch unreleased?.phase {
            case .acted where role == .pressOrHold:
                unreleased = nil
                return [.holdBegan(event.key)]
            case .tapped:
                unreleased = last(.held)
                return [.holdBegan(event.key)]
            case .held:
                unreleased = last(.held)
                return [.holdContinued(event.key)]
            case .acted, nil: break
            }
        }
        switch role {
        case .press, .pressOrHold:
            unreleased = last(.acted)
            return [.press(event.key)]
        case .tapOrHold:
            unreleased = last(.tapped)
            return [.began(event.key), .tap(event.key)]
        }
    }

    /// A key goes up.
    mutating func release(_ event: RemoteEvent) -> KeyGesture? {
        operatorKeys.wentUp(event.key)
        guard let down, isSame(event, as: down) else { return nil }
        return letGo(of: down)
    }

    /// The device says that a key is still down. It moves a list at a pace that a viewer can follow.
    mutating func `repeat`(_ event: RemoteEvent, at now: HostTime) -> KeyGesture? {
        guard let down, isSame(event, as: down) else { return nil }
        let pace = now - down.since >= Timing.listRepeatAccelerates ? Timing.fastListRepeat : Timing.listRepeat
        guard now - down.moved >= pace else { return nil }
        self.down?.moved = now
        return .repeated(event.key)
    }

    /// The key has been down for as long as a hold takes.
    ///
    /// - Parameter isHold: whether it can be held now; if not, it stays a tap.
    mutating func holdTimeIsOver(isHold: Bool) -> KeyGesture? {
        guard let key = undecided else { return nil }
        down?.phase = isHold ? .held : .undecided(holdAt: nil)
        return isHold ? .holdBegan(key) : nil
    }

    /// No press has kept the hold of a device without releases going.
    mutating func unreleasedHoldIsOver() -> KeyGesture? {
        guard let last = unreleased, last.phase == .held else { return nil }
        unreleased = nil
        return .holdEnded(last.key)
    }

    // MARK: The operator of a kiosk

    /// A key has its meaning now, in a place where the operator can be let in.
    mutating func noteForOperator(_ key: RemoteKey) { operatorKeys.acted(key) }

    /// The operator's keys have been held for long enough.
    ///
    /// - Parameter isAllowed: whether the operator can be let in here.
    mutating func operatorKeysHeld(isAllowed: Bool) { operatorKeys.heldLongEnough(isAllowed: isAllowed) }

    /// Whether the operator has asked to be let in since the last time that this was called.
    mutating func takeOperatorRequest() -> Bool { operatorKeys.takeRequest() }

    // MARK: Parts

    private mutating func letGo(of down: Down) -> KeyGesture? {
        self.down = nil
        return switch down.phase {
        case .acted: nil
        case .undecided: .tap(down.key)
        case .held: .holdEnded(down.key)
        }
    }

    private func isSame(_ event: RemoteEvent, as down: Down) -> Bool { down.key == event.key && down.device == event.device }

    /// Whether a press without releases belongs to the one before it.
    private func isPair(_ event: RemoteEvent, at now: HostTime) -> Bool {
        guard let last = unreleased, last.key == event.key, last.device == event.device else { return false }
        return now - last.since <= Timing.noReleasePair
    }
}
