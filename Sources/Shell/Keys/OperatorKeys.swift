import BoxModel
import LinuxSupport
import Screens

/// The keys of a kiosk's operator: Up Up Down Down OK, or Back and OK held together for five seconds.
struct OperatorKeys: Sendable, Equatable {
    private static let sequence: [RemoteKey] = [.up, .up, .down, .down, .ok]

    /// The last keys.
    private var recent: [RemoteKey] = []
    /// Whether Back and OK are down.
    private var down: Set<RemoteKey> = []
    /// When both have been held long enough.
    private(set) var deadline: HostTime?
    private var isAsked = false

    /// A key was pressed, on a device that will report its release.
    mutating func wentDown(_ key: RemoteKey, at now: HostTime) {
        guard key == .back || key == .ok else { return }
        down.insert(key)
        if down.count == 2 { deadline = now + Timing.operatorHold }
    }

    mutating func wentUp(_ key: RemoteKey) {
        down.remove(key)
        if down.count < 2 { deadline = nil }
    }

    /// A key has acted.
    mutating func acted(_ key: RemoteKey) {
        recent = Array((recent + [key]).suffix(Self.sequence.count))
        guard recent == Self.sequence else { return }
        recent = []
        isAsked = true
    }

    /// Both have been held long enough.
    ///
    /// - Parameter isAllowed: whether the operator's keys are allowed here.
    mutating func heldLongEnough(isAllowed: Bool) {
        deadline = nil
        guard isAllowed, down.count == 2 else { return }
        down = []
        isAsked = true
    }

    /// Whether the keys were completed since the last call.
    mutating func takeRequest() -> Bool {
        defer { isAsked = false }
        return isAsked
    }
}
