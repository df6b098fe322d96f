import BoxModel
import LinuxSupport
import MessageBus

/// The wireless networks that iwd manages, over the system's bus (`net.connman.iwd`). Main loop only.
///
/// The state is read anew after each signal, at most five times a second, and so nothing depends on which signals came. It lives on when
/// there is no bus or no iwd, when iwd is restarted, and when an adapter is pulled. It is on the bus only while the kernel has a wireless
/// adapter: a box on a cable has no connection for it.
@MainActor
package final class IWDNetworks: WirelessDoor {
    /// What surrounds iwd.
    package struct Surroundings {
        /// Who has wireless networks on this machine.
        package enum Owner: Sendable {
            /// The box, whose services start iwd where a country is set.
            case box(hasCountry: Bool)
            /// A desktop or server, on which iwd may run.
            case machine
        }

        package var owner: Owner
        /// The wireless adapters of the kernel.
        package var adapters: WirelessAdapters
        /// Whether a link has an address, by its name.
        package var hasAddress: @MainActor (_ link: String) -> Bool

        /// How long things may take.
        package struct Limits: Sendable {
            /// A network that does not answer has this long; iwd itself gives up sooner.
            package var join = Duration.seconds(45)
            /// A network has this long to give the box an address.
            package var address = Duration.seconds(30)
            /// An address of the network before stays this long: systemd-networkd ignores the loss of a carrier for 3 s in the image.
            package var staleAddress = Duration.seconds(4)
            /// How often networks are looked for while the list is on the screen.
            package var scanInterval = Duration.seconds(15)
            /// When a scan that iwd refused is requested again: it refuses while it joins a network.
            package var refusedScanInterval = Duration.seconds(2)
            /// How often the kernel's adapter is looked for while iwd has none.
            package var lookInterval = Duration.seconds(5)

            package init() {}
        }

        package var limits = Limits()

        package init(
            owner: Owner, adapters: WirelessAdapters, hasAddress: @escaping @MainActor (String) -> Bool
        ) {
            self.owner = owner
            self.adapters = adapters
            self.hasAddress = hasAddress
        }
    }

    /// How often the address is looked for.
    private static let addressInterval = Duration.milliseconds(500)
    /// Signals within this time lead to one reading.
    private static let readDelay = Duration.milliseconds(200)

    package private(set) var status = WirelessStatus()
    package let changes = EventSource<Void>()

    private let address: String
    private let loop: MainLoop
    private let surroundings: Surroundings
    private var clock: any HostClock { loop.clock }
    private let note: @MainActor (String) -> Void
    private let agent = IWDAgent()
    /// Nil while the kernel has no wireless adapter.
    private var link: BusLink?
    private var isClosed = false
    /// Whether the kernel had a wireless adapter when it was last looked for.
    private var hasAdapter = false
    /// Whether the log has it that the loop cannot watch the bus.
    private var hasNotedLoop = false
    /// Whether this iwd was told of the agent.
    private var hasOfferedAgent = false
    /// Grows when iwd appears or vanishes: answers from before mean nothing.
    private var epoch = 0
    private var objects = IWDObjects()
    private var ordered: [BusValue] = []
    private var isWatched = false
    /// A scan was requested, and iwd has not said yet that it is scanning.
    private var isScanRequested = false
    /// Whether networks were looked for since the list is on the screen.
    private var hasScanned = false
    private var isReading = false
    private var mustReadAgain = false
    private var nextRead: ScheduledEvent?
    private var nextScan: ScheduledEvent?
    private var nextLook: ScheduledEvent?
    private var attempt: WirelessAttempt?
    /// Counts attempts, so that the end of one is not taken for another's.
    private var attemptNumber = 0
    private var attemptTimer: ScheduledEvent?
    /// Whether the link had an address when the attempt began.
    private var hadAddress = false
    /// The network to return to when the attempt is given up.
    private var previous: String?

    /// Connects to the bus if the kernel has a wireless adapter, otherwise when it gets one. Returns at once.
    ///
    /// - Parameters:
    ///   - address: of the bus.
    ///   - note: receives sentences for the log. They name neither networks nor passphrases.
    package init(
        address: String = BusLink.systemAddress, loop: MainLoop, surroundings: Surroundings,
        note: @escaping @MainActor (String) -> Void
    ) {
        self.address = address
        self.loop = loop
        self.surroundings = surroundings
        self.note = note
        look()
    }

    /// Leaves the bus. Nothing is sent any more.
    package func close() {
        isClosed = true
        for timer in [nextRead, nextScan, nextLook, attemptTimer] { timer?.cancel() }
        agent.end()
        epoch += 1
        link?.close()
        link = nil
    }

    // MARK: The adapter, the bus and iwd

    /// Joins the bus when the kernel has an adapter and leaves it when it has none. While iwd has an adapter, its signals report what happens
    /// to it; otherwise the kernel is asked at an interval.
    private func look() {
        nextLook?.cancel()
        nextLook = nil
        guard !isClosed else { return }
        hasAdapter = surroundings.adapters.isPresent
        if hasAdapter { joinBus() } else { leaveBus() }
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

    private func joinBus() {
        guard link == nil else { return }
        do throws(SystemError) {
            link = try BusLink(address: address, loop: loop) { [weak self] in self?.take($0) }
            hasNotedLoop = false
        } catch {
            // The next look tries again.
            if !hasNotedLoop { note("Wi-Fi: the bus cannot be watched: \(error)") }
            hasNotedLoop = true
        }
    }

    private func leaveBus() {
        guard let link else { return }
        link.close()
        self.link = nil
        ownerChanged(nil)
    }

    private func take(_ event: BusLink.Event) {
        switch event {
        case .connected:
            link?.listen(
                to: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", first: IWDObjects.service
            ) { [weak self] signal in
                guard signal.name == "NameOwnerChanged", case .text(let owner)? = signal.arguments.last else { return }
                self?.ownerChanged(owner.isEmpty ? nil : owner)
            }
            link?.listen(to: IWDObjects.service) { [weak self] _ in self?.readSoon() }
            // iwd asks it, whenever it appears.
            if link?.register(agent, at: IWDAgent.path) != true { note("Wi-Fi: no passphrases can be given to iwd") }
            link?.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                [.text(IWDObjects.service)]
            ) { [weak self] outcome in
                if case .success(let values) = outcome, case .text(let owner)? = values.first { self?.ownerChanged(owner) }
            }
        case .lost: ownerChanged(nil)
        case .unreachable: break  // the bus may start later, and the link tries again
        }
    }

    private func ownerChanged(_ owner: String?) {
        guard agent.owner != owner else { return }
        agent.owner = owner
        lookSoon()
        epoch += 1
        (objects, ordered) = (IWDObjects(), [])
        (isReading, mustReadAgain, isScanRequested, hasScanned) = (false, false, false, false)
        hasOfferedAgent = false
        if attempt?.step == .joining || attempt?.step == .waitingForAddress { finish(.failed(.failed)) }
        guard owner != nil else {
            note(link == nil ? "Wi-Fi: the adapter is gone" : "Wi-Fi: iwd has ended")
            return publish()
        }
        note("Wi-Fi: iwd is there")
        read()
    }

    /// iwd has its name on the bus before it has the object that takes agents, which a signal announces.
    private func offerAgent() {
        guard !hasOfferedAgent, let manager = objects.agentManager else { return }
        hasOfferedAgent = true
        call(manager, "AgentManager", "RegisterAgent", [.path(IWDAgent.path)]) { [weak self] outcome in
            if case .failure(let fault) = outcome {
                self?.note("Wi-Fi: iwd asks for no passphrases: \(fault.name ?? "no answer")")
            }
        }
    }

    /// Calls a method of iwd. An answer that comes after iwd was restarted is dropped.
    private func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = [],
        then: @escaping @MainActor (Result<[BusValue], BusFault>) -> Void = { _ in }
    ) {
        let asked = epoch
        let interface = interface.contains(".") ? interface : "\(IWDObjects.service).\(interface)"
        link?.call(IWDObjects.service, path, interface, method, arguments) { [weak self] outcome in
            if self?.epoch == asked { then(outcome) }
        }
    }

    // MARK: Reading

    private func readSoon() {
        guard agent.owner != nil, nextRead == nil else { return }
        nextRead = clock.schedule(after: Self.readDelay) { [weak self] in
            self?.nextRead = nil
            self?.read()
        }
    }

    private func read() {
        guard agent.owner != nil else { return }
        guard !isReading else {
            mustReadAgain = true
            return
        }
        isReading = true
        call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { [weak self] outcome in
            guard let self else { return }
            guard case .success(let values) = outcome, case .objects(let found)? = values.first else {
                if case .failure(let fault) = outcome { note("Wi-Fi: iwd does not answer: \(fault.name ?? "no answer")") }
                return readingEnded()
            }
            let hadDevice = objects.device != nil
            objects = IWDObjects(found)
            offerAgent()
            if hadDevice, objects.device == nil { lookSoon() }
            guard isWatched, let device = objects.device, device.station != nil else { return readingEnded() }
            call(device.path, "Station", "GetOrderedNetworks") { [weak self] outcome in
                if case .success(let values) = outcome, case .array(_, let list)? = values.first { self?.ordered = list }
                self?.readingEnded()
            }
        }
    }

    private func readingEnded() {
        isReading = false
        if objects.device?.station?.isScanning == true { isScanRequested = false }
        switchOn()
        publish()
        if isWatched, !hasScanned, objects.device?.station != nil { scan() }
        guard mustReadAgain else { return }
        mustReadAgain = false
        readSoon()
    }

    private func publish() {
        let new = WirelessStatus(
            radio: radio, isScanning: isScanRequested || objects.device?.station?.isScanning == true,
            networks: isWatched ? objects.list(ordered, of: objects.device) : knownConnection, attempt: attempt)
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
        case .scan: scan()
        case .join(let id, let passphrase): join(id, passphrase)
        case .giveUp: giveUp()
        case .forget(let id): forget(id)
        }
    }

    private func watch(_ isWanted: Bool) {
        isWatched = isWanted
        hasScanned = false
        nextScan?.cancel()
        nextScan = nil
        guard isWanted else {
            ordered = []
            isScanRequested = false
            return publish()
        }
        link?.hurry()
        switchOn()
        scan()
        look()
    }

    /// Switches the radio on while the list is on the screen.
    private func switchOn() {
        guard isWatched, let device = objects.device, !device.isPowered else { return }
        for (path, interface) in [(device.adapter, "Adapter"), (device.path, "Device")] {
            call(
                path, "org.freedesktop.DBus.Properties", "Set",
                [.text("\(IWDObjects.service).\(interface)"), .text("Powered"), .variant(.flag(true))])
        }
    }

    private func scan() {
        scanAgain(after: surroundings.limits.scanInterval)
        guard let device = objects.device, device.station != nil, attempt?.step != .joining else { return read() }
        (isScanRequested, hasScanned) = (true, true)
        publish()
        call(device.path, "Station", "Scan") { [weak self] outcome in
            guard let self else { return }
            if case .failure = outcome {
                isScanRequested = false
                scanAgain(after: surroundings.limits.refusedScanInterval)
            }
            read()
        }
    }

    private func scanAgain(after pause: Duration) {
        nextScan?.cancel()
        nextScan = isWatched ? clock.schedule(after: pause) { [weak self] in self?.scan() } : nil
    }

    private func forget(_ id: String) {
        if attempt?.network == id { giveUp() }
        guard let known = objects.networks[id]?.known else { return }
        call(known, "KnownNetwork", "Forget") { [weak self] outcome in
            if case .failure(let fault) = outcome {
                self?.note("Wi-Fi: a network was not forgotten: \(fault.name ?? "no answer")")
            }
            self?.read()
        }
    }

    // MARK: Joining

    private func join(_ id: String, _ passphrase: Passphrase?) {
        let wasJoining = attempt?.step == .joining
        stopAttempt()
        let name = objects.networks[id]?.name
        attempt = WirelessAttempt(network: id, name: name ?? "", step: .joining)
        guard name != nil, let device = objects.device, let station = device.station else {
            return finish(.failed(.notFound))
        }
        if let connected = station.connected, connected != id { previous = connected }
        hadAddress = surroundings.hasAddress(device.link)
        agent.begin(id, passphrase: passphrase)
        let number = attemptNumber
        attemptTimer = clock.schedule(after: surroundings.limits.join) { [weak self] in self?.timedOut(number) }
        publish()
        guard wasJoining else { return connect(id, number) }
        // iwd joins one network at a time.
        call(device.path, "Station", "Disconnect") { [weak self] _ in self?.connect(id, number) }
    }

    private func connect(_ id: String, _ number: Int) {
        guard number == attemptNumber, attempt?.step == .joining else { return }
        call(id, "Network", "Connect") { [weak self] outcome in self?.joined(outcome, number) }
    }

    private func joined(_ outcome: Result<[BusValue], BusFault>, _ number: Int) {
        guard number == attemptNumber, attempt?.step == .joining else { return }
        switch outcome {
        case .success:
            agent.end()
            attemptTimer?.cancel()
            attempt?.step = .waitingForAddress
            publish()
            let limit = clock.now + surroundings.limits.address
            attemptTimer = clock.schedule(after: hadAddress ? surroundings.limits.staleAddress : .zero) { [weak self] in
                self?.awaitAddress(until: limit, number)
            }
        case .failure(let fault):
            note("Wi-Fi: a network could not be joined: \(fault.name ?? "no answer")")
            finish(.failed(failure(fault)))
        }
        readSoon()
    }

    private func failure(_ fault: BusFault) -> WirelessAttempt.Failure {
        if agent.wasAskedInVain { return .passphraseMissing }
        let isProtected = attempt.flatMap { objects.networks[$0.network] }?.security == .passphrase
        switch fault.name?.split(separator: ".").last {
        case "Timeout": return .timedOut
        case "NotFound", "UnknownObject", "UnknownMethod", "UnknownInterface": return .notFound
        case "NoAgent": return .passphraseMissing
        // The handshake failed: iwd does not say why, and a wrong passphrase is the usual reason, also of a known network.
        case "Failed", "InvalidFormat", "InvalidArguments": return isProtected ? .passphraseRefused : .failed
        default: return .failed
        }
    }

    private func timedOut(_ number: Int) {
        guard number == attemptNumber, attempt?.step == .joining else { return }
        note("Wi-Fi: a network did not answer")
        finish(.failed(.timedOut))
        leaveAndReturn()
    }

    /// Checks for an address at an interval. systemd-networkd assigns it, and iwd sends no signal about it.
    private func awaitAddress(until limit: HostTime, _ number: Int) {
        guard number == attemptNumber, attempt?.step == .waitingForAddress else { return }
        guard let device = objects.device else { return finish(.failed(.failed)) }
        if surroundings.hasAddress(device.link) { return finish(.connected) }
        guard clock.now < limit else { return finish(.failed(.noAddress)) }
        attemptTimer = clock.schedule(after: Self.addressInterval) { [weak self] in self?.awaitAddress(until: limit, number) }
    }

    private func finish(_ step: WirelessAttempt.Step) {
        attemptTimer?.cancel()
        attemptTimer = nil
        agent.end()
        attempt?.step = step
        if step == .connected { previous = nil }
        publish()
    }

    private func giveUp() {
        let step = attempt?.step
        stopAttempt()
        switch step {
        case .joining: leaveAndReturn()
        case .waitingForAddress, .failed: if previous != nil { returnToPrevious() }
        case .connected, nil: previous = nil
        }
        publish()
    }

    private func stopAttempt() {
        attemptTimer?.cancel()
        attemptTimer = nil
        attemptNumber += 1
        attempt = nil
        agent.end()
    }

    /// iwd goes on joining until it is told to leave; it then joins nothing by itself, and is told to.
    private func leaveAndReturn() {
        guard let device = objects.device else { return }
        let number = attemptNumber
        call(device.path, "Station", "Disconnect") { [weak self] _ in
            // Another attempt may have begun.
            if number == self?.attemptNumber { self?.returnToPrevious() }
        }
    }

    /// Joins the network of before, or another known one. What comes of it is seen by reading.
    private func returnToPrevious() {
        let known = objects.list(ordered, of: objects.device).first { $0.isKnown && $0.id != attempt?.network }?.id
        let target = previous ?? known
        previous = nil
        guard let target, objects.networks[target] != nil else { return readSoon() }
        call(target, "Network", "Connect") { [weak self] _ in self?.readSoon() }
    }
}
