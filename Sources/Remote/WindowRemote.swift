import BoxModel
import LinuxSupport

/// The keyboard and the mouse of a window, as a remote: the codes of linux/input-event-codes.h, with the same keys as from a keyboard or a mouse of a box.
@MainActor
package final class WindowRemote {
    /// The name for key maps, and in events.
    package static let device = "window"

    private let door: any CommandDoor
    private var translator: KeyTranslator
    private var steps = PointerSteps()
    private var power = PowerGuard()

    /// - Parameters:
    ///   - door: where keys enter.
    ///   - maps: changed key codes by the name of the device, of which those for `device` and for every device count; see `KeyMap.changes`.
    /// - Throws: `RemoteError` when one of these maps is invalid.
    package init(door: any CommandDoor, maps: [String: [String: String]] = [:]) throws(RemoteError) {
        self.door = door
        var map = KeyMap.standard.merging(KeyMap.pointerButtons)
        for name in [RemoteDevices.everyDevice, Self.device] {
            if let entries = maps[name] { map = map.merging(try KeyMap.changes(entries, device: name)) }
        }
        // A desktop reports releases.
        translator = KeyTranslator(device: Self.device, map: map, sendsReleases: true)
    }

    /// A key or a button.
    ///
    /// - Parameter value: 1 down, 0 up, 2 repeated.
    package func key(code: UInt16, value: Int32, at time: HostTime) {
        pass(translator.event(code: code, value: value, time: time))
    }

    /// The pointer was moved by so many pixels, right and down.
    package func move(horizontal: Int32, vertical: Int32, at time: HostTime) {
        for (axis, counts) in [(PointerSteps.Axis.horizontal, horizontal), (.vertical, vertical)] where counts != 0 {
            pass(steps.move(axis, by: counts, at: time), at: time)
        }
    }

    /// The wheel was turned, away from the viewer.
    package func turnWheel(_ notches: Int32, at time: HostTime) { pass(steps.move(.wheel, by: notches, at: time), at: time) }

    private func pass(_ step: RemoteKey?, at time: HostTime) {
        pass(step.map { RemoteEvent(key: $0, phase: .motion, time: time, device: Self.device) })
    }

    private func pass(_ event: RemoteEvent?) {
        if let event, power.passes(event) { door.handle(event) }
    }
}
