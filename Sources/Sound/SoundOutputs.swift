import LinuxSupport
import MediaModel

/// The outputs of this machine: those of its cards, and what alsa-lib offers beside them. It knows the viewer's choice, and which output is open. Main
/// loop only; the time of its loop is real.
@MainActor
package final class SoundOutputs: SoundRouting {
    package private(set) var route: SoundRoute
    package let changes = EventSource<SoundRouteChange>()
    private let library: any ALSALibrary
    private let operatorsDevice: String?
    private var chosen: SoundPort?
    private var found: [FoundOutput]
    private var watch: CardWatch?
    private var bell: Doorbell?

    /// - Parameters:
    ///   - device: alsa-lib's name of the operator's device; nil: viewers may choose.
    ///   - onRemark: called with the reason if cards that come and go are not seen.
    package convenience init(fixed device: String?, loop: MainLoop, onRemark: @MainActor (String) -> Void) {
        self.init(fixed: device, library: InstalledALSA(), folder: "/dev/snd", loop: loop, onRemark: onRemark)
    }

    init(
        fixed device: String?, library: any ALSALibrary, folder: String, loop: MainLoop, onRemark: @MainActor (String) -> Void
    ) {
        self.library = library
        operatorsDevice = device
        found = SoundCards(library: library).outputs()
        route = SoundRoute(outputs: found.map(\.output))
        route.fixed = fixed
        // A device is opened in the middle of a call to a sink: others are told afterwards.
        bell = loop.clock.makeDoorbell(rank: .sound) { [changes] in changes.send(.opened) }
        do throws(SystemError) {
            watch = try CardWatch(folder: folder, library: library, loop: loop) { [weak self] in self?.look() }
        } catch {
            onRemark("sound cards that are plugged in later are not listed: \(error)")
        }
    }

    /// alsa-lib's name of the device to open; nil: what the machine takes by itself.
    package var device: String? { operatorsDevice ?? route.output(chosen?.id)?.id }

    /// Whether another device will do while that one cannot be opened: a viewer's choice must not prevent sound.
    package var fallsBack: Bool { operatorsDevice == nil }

    /// Whether encoded sound may be passed on: headphones take none.
    package var permitsPassthrough: Bool {
        guard operatorsDevice == nil, let output = route.output(chosen?.id) else { return true }
        return output.kind == .hdmi || output.kind == .digital
    }

    package func choose(_ output: SoundPort?) { chosen = output }

    /// A device was opened; nil: none could be.
    package func opened(_ sink: ALSASink?) {
        route.current = sink.flatMap { FoundOutput.opened($0.deviceName, card: $0.card, among: found) }
        bell?.ring()
    }

    private func look() {
        let before = route
        found = SoundCards(library: library).outputs()
        (route.outputs, route.fixed) = (found.map(\.output), fixed)
        if route != before { changes.send(.outputs) }
    }

    /// The output of the operator's device; one that is not listed has the name of the device.
    private var fixed: SoundPort? {
        guard let device = operatorsDevice else { return nil }
        let card = ALSAArguments(ofDevice: device).card
        let number = SoundCards(library: library).all().first { $0.id == card || String($0.number) == card }?.number
        return FoundOutput.opened(device, card: number, among: found) ?? SoundPort(id: device, kind: .lineOut, name: device)
    }
}
