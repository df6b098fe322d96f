import LinuxSupport
import MediaModel
import PlayerInterface

/// Carries out what the interface asks for.
@MainActor
protocol InterfaceDriverDelegate: AnyObject {
    /// An effect that concerns more than the machine itself.
    func carryOut(_ effect: InterfaceEffect)
    /// What is on the screen has changed.
    func stateChanged()
}

/// Runs the interface's state machine: events go in one after the other, each one's effects are carried out before the next; timers and answers are kept
/// here. Main loop only.
@MainActor
final class InterfaceDriver {
    weak var delegate: (any InterfaceDriverDelegate)?
    private(set) var machine: InterfaceMachine
    /// What the operator and the box have set of the interface.
    private(set) var policy: InterfacePolicy
    private let clock: any HostClock
    private var timers: [InterfaceTimer: ScheduledEvent] = [:]
    private var waiting: [InterfaceEvent] = []
    private var isHandling = false
    private var isCollecting = false
    /// The state that the delegate was told of last.
    private var told: PresentationState
    private var answer: CommandResult?

    init(_ policy: InterfacePolicy, clock: any HostClock) {
        self.policy = policy
        machine = InterfaceMachine(policy: policy)
        self.clock = clock
        told = machine.state
    }

    /// Hands an event in.
    func send(_ event: InterfaceEvent) {
        waiting.append(event)
        if !isCollecting { handleWaiting() }
    }

    /// Hands in a key or a command.
    ///
    /// - Returns: the machine's answer.
    func ask(_ event: InterfaceEvent) -> CommandResult {
        answer = nil
        send(event)
        return answer ?? .failed(.notSupported)
    }

    /// Makes several changes one: their events are handled when all have been made.
    func collect(_ changes: () -> Void) {
        isCollecting = true
        changes()
        isCollecting = false
        handleWaiting()
    }

    /// The texts of the viewer's language.
    var strings: StringCatalogue { machine.policy.strings }

    /// Puts another policy into force.
    func changePolicy(_ change: (inout InterfacePolicy) -> Void) {
        change(&policy)
        send(.policyChanged(policy))
    }

    private func handleWaiting() {
        guard !isHandling else { return }
        isHandling = true
        let before = machine.stateNumber
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            for effect in machine.handle(next, at: clock.now) { carryOut(effect) }
        }
        isHandling = false
        // What has changed and changed back is as it was.
        if machine.stateNumber != before, machine.state != told {
            told = machine.state
            delegate?.stateChanged()
        }
    }

    private func carryOut(_ effect: InterfaceEffect) {
        switch effect {
        case .answer(let result): answer = result
        case .arm(let timer, let instant):
            timers[timer]?.cancel()
            timers[timer] = clock.schedule(at: instant, rank: .timer) { [weak self] in
                self?.timers[timer] = nil
                self?.send(.timer(timer))
            }
        case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
        default: delegate?.carryOut(effect)
        }
    }
}
