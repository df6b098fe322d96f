import LinuxSupport
import MediaModel

/// How a kiosk's operator asks to be let in: Up Up Down Down OK, or Back and OK held together for five seconds.
struct OperatorKeys: Sendable, Equatable {
    private static let sequence: [RemoteKey] = [.up, .up, .down, .down, .ok]

    /// The last keys.
    private var recent: [RemoteKey] = []
    /// Which of Back and OK are down.
    private var down: Set<RemoteKey> = []
    /// When both have been held for long enough.
    private(set) var deadline: HostTime?
    private var isAsked = false

    /// A key went down, on a device that will say when it goes up.
    mutating func wentDown(_ key: RemoteKey, at now: HostTime) {
        guard key == .back || key == .ok else { return }
        down.insert(key)
        if down.count == 2 { deadline = now + Timing.operatorHold }
    }

    mutating func wentUp(_ key: RemoteKey) {
        down.remove(key)
        if down.count < 2 { deadline = nil }
    }

    /// A key has its meaning now.
    mutating func acted(_ key: RemoteKey) {
        recent = Array((recent + [key]).suffix(Self.sequence.count))
        guard recent == Self.sequence else { return }
        recent = []
        isAsked = true
    }

    /// Both have been held for long enough.
    ///
    /// - Parameter isAllowed: whether the operator can be let in here.
    mutating func heldLongEnough(isAllowed: Bool) {
        deadline = nil
        guard isAllowed, down.count == 2 else { return }
        down = []
        isAsked = true
    }

    /// Whether the operator has asked since the last time that this was called.
    mutating func takeRequest() -> Bool {
        defer { isAsked = false }
        return isAsked
    }
}
