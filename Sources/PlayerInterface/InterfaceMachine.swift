import LinuxSupport
import MediaModel
import MediaTime

/// What the viewer sees and may do, as a pure state machine: events in, effects and one immutable presentation state out.
public struct InterfaceMachine: Sendable {
    /// What the operator and the viewer have set.
    public var policy: InterfacePolicy
    /// What is on the screen now.
    public private(set) var state: PresentationState

    /// Makes a machine that shows an empty Home.
    public init(policy: InterfacePolicy = InterfacePolicy()) {
        self.policy = policy
        state = PresentationState()
    }

    /// Takes an event that happened at `now` and says what is to be done. `now` never goes back.
    public mutating func handle(_ event: InterfaceEvent, at now: HostTime) -> [InterfaceEffect] { [] }
}
