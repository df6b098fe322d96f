import LinuxSupport
import MediaModel
import Playback
import Screens
import Viewing

/// The record of a whole playback as facts, in order, each with the clock's time. Two simulated runs with the same input give the same facts: they
/// contain no address, port, path or wall time. Main loop only.
@MainActor
package final class EventDump {
    private let clock: any HostClock
    private let write: @MainActor (DumpLine) -> Void
    private var lastState: PresentationState?
    private var lastValues: [InterfacePart: DumpValue] = [:]

    /// - Parameter write: receives each line.
    package init(clock: any HostClock, write: @escaping @MainActor (DumpLine) -> Void) {
        self.clock = clock
        self.write = write
    }

    /// Adds a line.
    package func note(_ fact: DumpFact) { write(DumpLine(time: clock.now, fact: fact)) }

    /// Adds a line for an event of the player, if dumps contain it.
    func note(event: PlayerEvent) { if let fact = DumpFact(event) { note(fact) } }

    /// Adds a line for an effect of the interface, if dumps contain it.
    func note(effect: InterfaceEffect) { if let fact = DumpFact(effect) { note(fact) } }

    /// Adds a line for each part of the presentation state that has changed.
    func note(_ state: PresentationState) {
        guard state != lastState else { return }
        lastState = state
        for part in InterfacePart.allCases {
            let value = part.value(in: state)
            guard lastValues.updateValue(value, forKey: part) != value else { continue }
            note(.interface(part, value))
        }
    }
}
