import BoxModel
import LinuxSupport

/// The remotes and keyboards of this machine: finds them, reads them and passes their keys to the door, with hot-plug.
///
/// Main loop only. Each device is grabbed, so that its keys reach no other program. When a device is removed, its pressed keys
/// are released.
@MainActor
package final class RemoteDevices {
    private struct Opened {
        let device: EvdevDevice
        let watch: MainLoop.Watch
        var translator: KeyTranslator
        /// Of a pointing device.
        var steps: PointerSteps?
    }

    private let loop: MainLoop
    private let clock: RealClock
    private let door: any CommandDoor
    private let note: @MainActor (String) -> Void
    private let monitor: HotPlugMonitor
    private var monitorWatch: MainLoop.Watch?
    private let changes: [String: [UInt16: RemoteKey?]]
    private let grabs: Bool
    /// The name for changes that apply to all devices.
    package static let everyDevice = "*"
    /// By path. Only looked up, never iterated.
    private var devices: [String: Opened] = [:]
    /// Identities of devices that have reported releases, so that a device that is plugged in again is known at once.
    private var releasing: Set<String> = []
    private var power = PowerGuard()

    /// Opens the present devices and watches for others.
    ///
    /// - Parameters:
    ///   - loop: the main loop; its time is real.
    ///   - door: where keys enter.
    ///   - maps: changed key codes by the device's kernel name, or `everyDevice`; see `KeyMap.changes`.
    ///   - grabs: whether keys are kept from other programs.
    ///   - note: called with a sentence about each device that was added, removed or could not be opened.
    /// - Throws: `RemoteError` when a map is invalid, or devices cannot be watched. A device that cannot be opened is only noted.
    package init(
        loop: MainLoop, door: any CommandDoor, maps: [String: [String: String]] = [:], grabs: Bool = true,
        note: @escaping @MainActor (String) -> Void
    ) throws(RemoteError) {
        guard let clock = loop.clock as? RealClock else {
            throw RemoteError(.clock, "Remotes cannot be read in simulated time; use a key script.")
        }
        var changes: [String: [UInt16: RemoteKey?]] = [:]
        for (device, entries) in maps.sorted(by: { $0.key < $1.key }) {
            changes[device] = try KeyMap.changes(entries, device: device)
        }
        self.loop = loop
        self.clock = clock
        self.door = door
        self.note = note
        self.changes = changes
        self.grabs = grabs
        // Start the monitor first: a device plugged in during the scan is then found twice instead of never.
        monitor = try HotPlugMonitor()
        do {
            monitorWatch = try loop.watch(monitor.descriptor) { [weak self] in self?.followChanges() }
        } catch {
            throw RemoteError(.hotPlug, "Input devices could not be watched: \(error); close other programs.")
        }
        for node in EventNode.all() { open(node) }
    }

    /// Closes all devices; no more keys arrive.
    package func close() {
        monitorWatch?.cancel()
        monitorWatch = nil
        for node in openNodes { devices.removeValue(forKey: node.path)?.watch.cancel() }
    }

    private var openNodes: [EventNode] { devices.keys.compactMap { EventNode(path: $0) }.sorted() }

    private func followChanges() {
        while monitorWatch != nil, let change = monitor.next() {
            switch change {
            case .added(let path): if let node = EventNode(path: path) { open(node) }
            case .removed(let path): lose(path)
            // A removed device is noticed when it is read.
            case .lost: for node in EventNode.all() { open(node) }
            }
        }
    }

    private func open(_ node: EventNode) {
        guard devices[node.path] == nil else { return }
        do {
            let device = try EvdevDevice(path: node.path)
            let isPointer = device.isPointer
            let map = (device.isCEC ? KeyMap.cec : KeyMap.standard).merging(isPointer ? KeyMap.pointerButtons : [:])
                .merging(changes[Self.everyDevice] ?? [:]).merging(changes[device.name] ?? [:])
            guard Self.isRemote(device, map) else { return }
            let watch = try loop.watch(device.descriptor.number) { [weak self] in self?.read(node.path) }
            let translator = KeyTranslator(device: node.name, map: map, sendsReleases: releasing.contains(device.identity))
            devices[node.path] = Opened(
                device: device, watch: watch, translator: translator, steps: isPointer ? PointerSteps() : nil)
            note("remote \(node.name): \(device.name)\(device.isCEC ? " (CEC)" : "")")
        } catch {
            return note("the input device \(node.path) could not be read: \(error); add the user to the group input")
        }
        if grabs { grab(node.path) }
    }

    /// Whether a device is a remote or a keyboard. A device with only a power key is the case's button, which the system handles.
    private static func isRemote(_ device: EvdevDevice, _ map: KeyMap) -> Bool {
        map.keys.contains { $0.value != .power && device.has($0.key) }
    }

    /// A device grabbed by another program sends no events; it is kept open, since that may change.
    private func grab(_ path: String) {
        do {
            try devices[path]?.device.grab()
        } catch {
            note("the input device \(path) could not be grabbed: \(error)")
        }
    }

    private func read(_ path: String) {
        // Looked up for each event: a key may stop the program and close the devices.
        while let device = devices[path]?.device {
            switch device.read() {
            case .key(let key): pass(key, from: device)
            case .motion(let motion): pass(motion, from: device)
            case .nothing: return
            case .gone: return lose(path)
            }
        }
    }

    private func pass(_ key: EvdevDevice.KeyEvent, from device: EvdevDevice) {
        let time = clock.instant(ofMonotonic: key.nanoseconds)
        let event = devices[device.path]?.translator.event(code: key.code, value: key.value, time: time)
        if key.value == 0 { releasing.insert(device.identity) }
        if let event { pass(event) }
    }

    private func pass(_ motion: EvdevDevice.Motion, from device: EvdevDevice) {
        let time = clock.instant(ofMonotonic: motion.nanoseconds)
        guard let key = devices[device.path]?.steps?.move(motion.axis, by: motion.counts, at: time),
            let name = devices[device.path]?.translator.device
        else { return }
        pass(RemoteEvent(key: key, phase: .motion, time: time, device: name))
    }

    private func pass(_ event: RemoteEvent) { if power.passes(event) { door.handle(event) } }

    private func lose(_ path: String) {
        guard var opened = devices.removeValue(forKey: path) else { return }
        opened.watch.cancel()
        note("remote \(opened.translator.device) was removed: \(opened.device.name)")
        for event in opened.translator.releaseAll(at: clock.now) { pass(event) }
    }
}
