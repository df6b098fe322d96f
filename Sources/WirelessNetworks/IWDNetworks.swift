import BoxModel
import LinuxSupport
import MessageBus

/// The wireless networks that iwd manages, over the system's bus (`net.connman.iwd`). Main loop only.
///
/// The state is read anew after each signal, and so nothing depends on which signals came. It lives on when there is no bus or no iwd, when
/// iwd is restarted, and when an adapter is pulled. It is on the bus only while the kernel has a wireless adapter: a box on a cable has no
/// connection for it.
@MainActor
package final class IWDNetworks: WirelessDoor {
    package private(set) var status = WirelessStatus()
    package let changes = EventSource<Void>()

    private let surroundings: WirelessSurroundings
    private let clock: any HostClock
    private let note: @MainActor (String) -> Void
    private let connection: IWDConnection
    private let reading: IWDReading
    private let joining: IWDJoining
    private let scanning: IWDScanning
    private var isClosed = false
    /// Whether the kernel had a wireless adapter when it was last looked for.
    private var hasAdapter = false
    private var nextLook: ScheduledEvent?

    /// Connects to the bus if the kernel has a wireless adapter, otherwise when it gets one. Returns at once.
    ///
    /// - Parameters:
    ///   - address: of the bus.
    ///   - note: receives sentences for the log. They name neither networks nor passphrases.
    package init(
        address: String = BusLink.systemAddress, loop: MainLoop, surroundings: WirelessSurroundings,
        note: @escaping @MainActor (String) -> Void
    ) {
        self.surroundings = surroundings
        self.note = note
        clock = loop.clock
        connection = IWDConnection(address: address, loop: loop, note: note)
        reading = IWDReading(connection, clock: clock, note: note)
        joining = IWDJoining(connection, reading, surroundings: surroundings, clock: clock, note: note)
        scanning = IWDScanning(connection, reading, joining, clock: clock, limits: surroundings.limits)
        connection.onEvent = { [weak self] in self?.take($0) }
        reading.onEnd = { [weak self] in self?.readingEnded(hasLostDevice: $0) }
        joining.onChange = { [weak self] in self?.publish() }
        scanning.onStart = { [weak self] in self?.publish() }
        look()
    }

    /// Leaves the bus. Nothing is sent any more.
    package func close() {
        isClosed = true
        nextLook?.cancel()
        reading.close()
        scanning.close()
        joining.close()
        connection.close()
    }

    // MARK: The adapter and iwd

    /// Joins the bus when the kernel has an adapter and leaves it when it has none. While iwd has an adapter, its signals report what happens
    /// to it; otherwise the kernel is asked at an interval.
    private func look() {
        nextLook?.cancel()
        nextLook = nil
        guard !isClosed else { return }
        hasAdapter = surroundings.adapters.isPresent
        if hasAdapter { connection.joinBus() } else { connection.leaveBus() }
        publish()
        guard objects.device == nil else { return }
        nextLook?.cancel()
        nextLook = clock.schedule(after: surroundings.limits.lookInterval) { [weak self] in self?.look() }
    }

    /// Looks after the event of the bus that gave the reason: the link is not closed in the middle of it.
    private func lookSoon() {
        nextLook?.cancel()
        nextLook = clock.schedule(after: .zero) { [weak self] in self?.look() }
    }

    private func take(_ event: IWDConnection.Event) {
        switch event {
        case .changed: reading.readSoon()
        case .appeared:
            forgetAll()
            note("Wi-Fi: iwd is there")
            reading.read()
        case .vanished:
            forgetAll()
            note(connection.isOnBus ? "Wi-Fi: iwd has ended" : "Wi-Fi: the adapter is gone")
            publish()
        }
    }

    private func forgetAll() {
        lookSoon()
        reading.reset()
        scanning.reset()
        joining.iwdWasLost()
    }

    private func readingEnded(hasLostDevice: Bool) {
        if hasLostDevice { lookSoon() }
        scanning.takeReading()
        switchOn()
        publish()
        scanning.scanIfOwed()
    }

    // MARK: The status

    private var objects: IWDObjects { reading.objects }

    private func publish() {
        let networks = scanning.isListShown ? objects.list(reading.ordered, of: objects.device) : knownConnection
        let new = WirelessStatus(
            radio: radio, isScanning: scanning.isScanning, networks: networks, attempt: joining.attempt)
        guard new != status else { return }
        status = new
        changes.send(())
    }

    /// The only network in the status while the list is not on the screen: the one that the box is in.
    private var knownConnection: [WirelessNetwork] {
        guard let device = objects.device, let path = device.station?.connected, objects.networks[path] != nil else { return [] }
        return objects.list([.tuple([.path(path), .int16(0)])], of: device)
    }

    private var radio: WirelessStatus.Radio {
        if let device = objects.device { return device.isPowered && device.station != nil ? .on : .off }
        guard case .box(let hasCountry) = surroundings.owner, hasAdapter else { return .absent }
        return hasCountry ? .unavailable : .noCountry
    }

    // MARK: Requests

    package func perform(_ request: WirelessRequest) {
        switch request {
        case .watch(let isWatched): watch(isWatched)
        case .scan: scanning.scan()
        case .join(let id, let passphrase): joining.join(id, passphrase)
        case .giveUp: joining.giveUp()
        case .forget(let id): forget(id)
        }
    }

    private func watch(_ isWanted: Bool) {
        scanning.showList(isWanted)
        reading.wantOrder(isWanted)
        guard isWanted else { return publish() }
        connection.hurry()
        switchOn()
        scanning.scan()
        look()
    }

    /// Switches the radio on while the list is on the screen.
    private func switchOn() {
        guard scanning.isListShown, let device = objects.device, !device.isPowered else { return }
        for (path, interface) in [(device.adapter, "Adapter"), (device.path, "Device")] {
            connection.call(
                path, "org.freedesktop.DBus.Properties", "Set",
                [.text("\(IWDObjects.service).\(interface)"), .text("Powered"), .variant(.flag(true))])
        }
    }

    private func forget(_ id: String) {
        if joining.attempt?.network == id { joining.giveUp() }
        guard let known = objects.networks[id]?.known else { return }
        connection.call(known, "KnownNetwork", "Forget") { [weak self] outcome in
            if case .failure(let fault) = outcome {
                self?.note("Wi-Fi: a network was not forgotten: \(fault.name ?? "no answer")")
            }
            self?.reading.read()
        }
    }
}
