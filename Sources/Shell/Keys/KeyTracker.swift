import BoxModel
import LinuxSupport
import Screens
import Viewing

/// A gesture on one key.
enum KeyGesture: Sendable, Equatable {
    /// It acts now.
    case press(RemoteKey)
    /// It was pressed, and becomes a tap or a hold.
    case began(RemoteKey)
    /// It was released before a hold.
    case tap(RemoteKey)
    /// It is held.
    case holdBegan(RemoteKey)
    /// A device without releases reports that the hold continues.
    case holdContinued(RemoteKey)
    /// A held key was released.
    case holdEnded(RemoteKey)
    /// It is still down, and moves a list by another step.
    case repeated(RemoteKey)

    var key: RemoteKey {
        switch self {
        case .press(let key), .began(let key), .tap(let key), .holdBegan(let key), .holdContinued(let key), .holdEnded(let key),
            .repeated(let key):
            key
        }
    }
}

/// How a key behaves. The screen decides.
enum KeyRole: Sendable, Equatable {
    /// It acts on its press.
    case press
    /// It acts on its release, unless it was held. On a device without releases it acts on its press.
    case pressOrHold
    /// The same, but a device without releases cannot hold it, because nothing would end that.
    case pressOrRun
    /// It shows the result of a tap at once. On a device without releases a press is a tap, and presses in quick succession are a hold.
    case tapOrHold
}

/// Press, tap and hold: converts events of a device to gestures.
///
/// A key that can be held becomes a tap when it is released, or a hold after 400 ms. A device that reports no releases gives a tap with each press,
/// and a hold with two equal presses close together.
struct KeyTracker: Sendable, Equatable {
    /// A key that is down, on a device that will report its release.
    private struct Down: Sendable, Equatable {
        enum Phase: Sendable, Equatable {
            /// It acted on its press.
            case acted
            /// It is a tap until it is held; with nil nothing could be held at that time, so it stays a tap.
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

    var isDown: Bool { down != nil }

    /// The key that is down and may become a tap or a hold.
    var tapOrHold: RemoteKey? { down.flatMap { $0.phase == .acted ? nil : $0.key } }

    /// The key that is down and is a tap until it is held.
    var undecided: RemoteKey? {
        if case .undecided = down?.phase { down?.key } else { nil }
    }

    /// Whether a device without releases holds a key.
    var isHeldWithoutReleases: Bool { unreleased?.phase == .held }

    /// When a key becomes a hold, when a hold without releases ends, and when the operator's keys have been held long enough.
    var deadlines: [(timer: InterfaceTimer, deadline: HostTime?)] {
        var holdAt: HostTime?
        if case .undecided(let deadline) = down?.phase { holdAt = deadline }
        let holdEnds = isHeldWithoutReleases ? unreleased.map { $0.since + Timing.noReleasePair } : nil
        return [(.hold, holdAt), (.holdEnds, holdEnds), (.operatorKeys, operatorKeys.deadline)]
    }

    // MARK: Events

    /// Another key is pressed, or the same on another device. Called before `press`, because this may change the behaviour of the new key.
    ///
    /// - Returns: the gesture with which the key that was down ends.
    mutating func makeWay(for event: RemoteEvent, at now: HostTime) -> KeyGesture? {
        guard event.sendsReleases else {
            guard let last = unreleased, last.phase == .held, !isPair(event, at: now) else { return nil }
            unreleased = nil
            return .holdEnded(last.key)
        }
        guard let down, !isSame(event, as: down) else { return nil }
        return letGo(of: down)
    }

    /// A key is pressed.
    ///
    /// - Parameter isKiosk: whether to detect the operator's keys.
    /// - Returns: the gestures, in order; empty for a repeated press.
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
        case .press, .pressOrHold, .pressOrRun:
            unreleased = last(.acted)
            return [.press(event.key)]
        case .tapOrHold:
            unreleased = last(.tapped)
            return [.began(event.key), .tap(event.key)]
        }
    }

    /// A key is released.
    mutating func release(_ event: RemoteEvent) -> KeyGesture? {
        operatorKeys.wentUp(event.key)
        guard let down, isSame(event, as: down) else { return nil }
        return letGo(of: down)
    }

    /// The device reports that a key is still down. It moves a list at a limited rate.
    mutating func `repeat`(_ event: RemoteEvent, at now: HostTime) -> KeyGesture? {
        guard let down, isSame(event, as: down) else { return nil }
        let pace = now - down.since >= Timing.listRepeatAccelerates ? Timing.fastListRepeat : Timing.listRepeat
        guard now - down.moved >= pace else { return nil }
        self.down?.moved = now
        return .repeated(event.key)
    }

    /// The key has been down for the time of a hold.
    ///
    /// - Parameter isHold: whether it can be held now; if not, it stays a tap.
    mutating func holdTimeIsOver(isHold: Bool) -> KeyGesture? {
        guard let key = undecided else { return nil }
        down?.phase = isHold ? .held : .undecided(holdAt: nil)
        return isHold ? .holdBegan(key) : nil
    }

    /// No further press has continued the hold of a device without releases.
    mutating func unreleasedHoldIsOver() -> KeyGesture? {
        guard let last = unreleased, last.phase == .held else { return nil }
        unreleased = nil
        return .holdEnded(last.key)
    }

    // MARK: The operator of a kiosk

    /// A key has acted where the operator's sequence is allowed.
    mutating func noteForOperator(_ key: RemoteKey) { operatorKeys.acted(key) }

    /// The operator's keys have been held long enough.
    ///
    /// - Parameter isAllowed: whether the operator's keys are allowed here.
    mutating func operatorKeysHeld(isAllowed: Bool) { operatorKeys.heldLongEnough(isAllowed: isAllowed) }

    /// Whether the operator's keys were completed since the last call.
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

    /// Whether a press without releases continues the previous one.
    private func isPair(_ event: RemoteEvent, at now: HostTime) -> Bool {
        guard let last = unreleased, last.key == event.key, last.device == event.device else { return false }
        return now - last.since <= Timing.noReleasePair
    }
}
