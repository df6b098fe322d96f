import BoxModel
import LinuxSupport
import MessageBus

/// What iwd has, as last read. It is read anew after each signal, at most five times a second. Main loop only.
@MainActor
final class IWDReading {
    private enum State {
        case idle
        case reading
        /// Something has changed since the reading began.
        case outdated
    }

    /// Signals within this time lead to one reading.
    private static let delay = Duration.milliseconds(200)

    private(set) var objects = IWDObjects()
    /// The answer of `GetOrderedNetworks`, while it is wanted.
    private(set) var ordered: [BusValue] = []
    /// Called after each reading, with whether it has shown that the device is gone.
    var onEnd: @MainActor (_ hasLostDevice: Bool) -> Void = { _ in }
    private let connection: IWDConnection
    private let clock: any HostClock
    private let note: @MainActor (String) -> Void
    private var state = State.idle
    private var isOrderWanted = false
    private var next: ScheduledEvent?

    init(_ connection: IWDConnection, clock: any HostClock, note: @escaping @MainActor (String) -> Void) {
        self.connection = connection
        self.clock = clock
        self.note = note
    }

    /// Forgets all: iwd is another one, or none.
    func reset() {
        (objects, ordered) = (IWDObjects(), [])
        state = .idle
    }

    func close() { next?.cancel() }

    /// Reads the order of the networks too, from now on, or no longer.
    func wantOrder(_ isWanted: Bool) {
        isOrderWanted = isWanted
        if !isWanted { ordered = [] }
    }

    func readSoon() {
        guard connection.isThere, next == nil else { return }
        next = clock.schedule(after: Self.delay) { [weak self] in
            self?.next = nil
            self?.read()
        }
    }

    func read() {
        guard connection.isThere else { return }
        guard state == .idle else {
            state = .outdated
            return
        }
        state = .reading
        connection.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects") { [weak self] in self?.take($0) }
    }

    private func take(_ outcome: Result<[BusValue], BusFault>) {
        guard case .success(let values) = outcome, case .objects(let found)? = values.first else {
            if case .failure(let fault) = outcome { note("Wi-Fi: iwd does not answer: \(fault.name ?? "no answer")") }
            return end()
        }
        let hadDevice = objects.device != nil
        objects = IWDObjects(found)
        connection.offerAgent(to: objects.agentManager)
        guard isOrderWanted, let device = objects.device, device.station != nil else {
            return end(hasLostDevice: hadDevice && objects.device == nil)
        }
        connection.call(device.path, "Station", "GetOrderedNetworks") { [weak self] outcome in
            if case .success(let values) = outcome, case .array(_, let list)? = values.first { self?.ordered = list }
            self?.end()
        }
    }

    private func end(hasLostDevice: Bool = false) {
        let isOutdated = state == .outdated
        state = .idle
        onEnd(hasLostDevice)
        if isOutdated { readSoon() }
    }
}
