import BoxModel
import LinuxSupport
import MessageBus

/// The attempt to join a network: one at a time, with its time limits, and the way back to the network of before. Main loop only.
@MainActor
final class IWDJoining {
    /// How often the address is looked for.
    private static let addressInterval = Duration.milliseconds(500)

    /// The last attempt, until it is given up.
    private(set) var attempt: WirelessAttempt?
    /// Called when the attempt has changed.
    var onChange: @MainActor () -> Void = {}
    private let connection: IWDConnection
    private let reading: IWDReading
    private let surroundings: WirelessSurroundings
    private let clock: any HostClock
    private let note: @MainActor (String) -> Void
    /// Counts attempts, so that the end of one is not taken for another's.
    private var number = 0
    private var timer: ScheduledEvent?
    /// The network to return to when the attempt is given up.
    private var previous: String?

    init(
        _ connection: IWDConnection, _ reading: IWDReading, surroundings: WirelessSurroundings, clock: any HostClock,
        note: @escaping @MainActor (String) -> Void
    ) {
        self.connection = connection
        self.reading = reading
        self.surroundings = surroundings
        self.clock = clock
        self.note = note
    }

    private var agent: IWDAgent { connection.agent }
    private var objects: IWDObjects { reading.objects }

    func close() { timer?.cancel() }

    func join(_ id: String, _ passphrase: Passphrase?) {
        let wasJoining = attempt?.step == .joining
        stopAttempt()
        let name = objects.networks[id]?.name
        attempt = WirelessAttempt(network: id, name: name ?? "", step: .joining)
        guard name != nil, let device = objects.device, let station = device.station else {
            return finish(.failed(.notFound))
        }
        if let connected = station.connected, connected != id { previous = connected }
        let hadAddress = surroundings.hasAddress(device.link)
        agent.begin(id, passphrase: passphrase)
        let number = self.number
        timer = clock.schedule(after: surroundings.limits.join) { [weak self] in self?.timedOut(number) }
        onChange()
        guard wasJoining else { return connect(id, number, hadAddress) }
        // iwd joins one network at a time.
        connection.call(device.path, "Station", "Disconnect") { [weak self] _ in self?.connect(id, number, hadAddress) }
    }

    private func connect(_ id: String, _ number: Int, _ hadAddress: Bool) {
        guard number == self.number, attempt?.step == .joining else { return }
        connection.call(id, "Network", "Connect") { [weak self] outcome in self?.joined(outcome, number, hadAddress) }
    }

    /// - Parameter hadAddress: whether the link had an address when the attempt began.
    private func joined(_ outcome: Result<[BusValue], BusFault>, _ number: Int, _ hadAddress: Bool) {
        guard number == self.number, attempt?.step == .joining else { return }
        switch outcome {
        case .success:
            agent.end()
            timer?.cancel()
            attempt?.step = .waitingForAddress
            onChange()
            let limit = clock.now + surroundings.limits.address
            timer = clock.schedule(after: hadAddress ? surroundings.limits.staleAddress : .zero) { [weak self] in
                self?.awaitAddress(until: limit, number)
            }
        case .failure(let fault):
            note("Wi-Fi: a network could not be joined: \(fault.name ?? "no answer")")
            finish(.failed(failure(fault)))
        }
        reading.readSoon()
    }

    /// iwd was started again, or has ended: no answer comes any more.
    func iwdWasLost() {
        if attempt?.step == .joining || attempt?.step == .waitingForAddress { finish(.failed(.failed)) }
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
        guard number == self.number, attempt?.step == .joining else { return }
        note("Wi-Fi: a network did not answer")
        finish(.failed(.timedOut))
        leaveAndReturn()
    }

    /// Checks for an address at an interval. systemd-networkd assigns it, and iwd sends no signal about it.
    private func awaitAddress(until limit: HostTime, _ number: Int) {
        guard number == self.number, attempt?.step == .waitingForAddress else { return }
        guard let device = objects.device else { return finish(.failed(.failed)) }
        if surroundings.hasAddress(device.link) { return finish(.connected) }
        guard clock.now < limit else { return finish(.failed(.noAddress)) }
        timer = clock.schedule(after: Self.addressInterval) { [weak self] in self?.awaitAddress(until: limit, number) }
    }

    private func finish(_ step: WirelessAttempt.Step) {
        timer?.cancel()
        timer = nil
        agent.end()
        attempt?.step = step
        if step == .connected { previous = nil }
        onChange()
    }

    func giveUp() {
        let step = attempt?.step
        stopAttempt()
        switch step {
        case .joining: leaveAndReturn()
        case .waitingForAddress, .failed: if previous != nil { returnToPrevious() }
        case .connected, nil: previous = nil
        }
        onChange()
    }

    private func stopAttempt() {
        timer?.cancel()
        timer = nil
        number += 1
        attempt = nil
        agent.end()
    }

    /// iwd goes on joining until it is told to leave; it then joins nothing by itself, and is told to.
    private func leaveAndReturn() {
        guard let device = objects.device else { return }
        let number = self.number
        connection.call(device.path, "Station", "Disconnect") { [weak self] _ in
            // Another attempt may have begun.
            if number == self?.number { self?.returnToPrevious() }
        }
    }

    /// Joins the network of before, or another known one. What comes of it is seen by reading.
    private func returnToPrevious() {
        let known = objects.list(reading.ordered, of: objects.device).first { $0.isKnown && $0.id != attempt?.network }?.id
        let target = previous ?? known
        previous = nil
        guard let target, objects.networks[target] != nil else { return reading.readSoon() }
        connection.call(target, "Network", "Connect") { [weak self] _ in self?.reading.readSoon() }
    }
}
