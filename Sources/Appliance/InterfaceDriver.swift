import BoxModel
import LinuxSupport
import Screens
import Shell
import Viewing

/// Carries out the interface's effects.
@MainActor
protocol InterfaceDriverDelegate: AnyObject {
    /// An effect that the driver does not handle itself.
    func carryOut(_ effect: InterfaceEffect)
    /// The presentation state has changed.
    func stateChanged()
}

/// Runs the interface's state machine. Events are handled one after another, and each one's effects are carried out before the next. Timers and
/// answers are kept here. Main loop only.
@MainActor
final class InterfaceDriver {
    weak var delegate: (any InterfaceDriverDelegate)?
    private(set) var machine: InterfaceMachine
    /// The policy that the operator and the box have set.
    private(set) var policy: InterfacePolicy
    private let clock: any HostClock
    private var timers: [InterfaceTimer: ScheduledEvent] = [:]
    private var waiting: [InterfaceEvent] = []
    private var isHandling = false
    private var isCollecting = false
    /// The last state reported to the delegate.
    private var told: PresentationState
    private var answer: CommandResult?

    init(_ policy: InterfacePolicy, clock: any HostClock) {
        self.policy = policy
        machine = InterfaceMachine(policy: policy)
        self.clock = clock
        told = machine.state
    }

    /// Handles an event.
    func send(_ event: InterfaceEvent) {
        waiting.append(event)
        if !isCollecting { handleWaiting() }
    }

    /// Handles a key or a command.
    ///
    /// - Returns: the machine's answer.
    func ask(_ event: InterfaceEvent) -> CommandResult {
        answer = nil
        send(event)
        return answer ?? .failed(.notSupported)
    }

    /// Groups several changes: their events are handled after the last of them.
    func collect(_ changes: () -> Void) {
        isCollecting = true
        changes()
        isCollecting = false
        handleWaiting()
    }

    var strings: StringCatalogue { machine.strings }

    /// Applies a changed policy.
    func changePolicy(_ change: (inout InterfacePolicy) -> Void) {
        change(&policy)
        send(.policyChanged(policy))
    }

    private func handleWaiting() {
        guard !isHandling else { return }
        isHandling = true
        // A stored property: a computed one of the machine would copy all of it.
        let before = machine.presentation.number
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            for effect in machine.handle(next, at: clock.now) { carryOut(effect) }
        }
        isHandling = false
        // The number also grows for a change that was undone.
        if machine.presentation.number != before, machine.state != told {
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
