import BoxModel
import LinuxSupport
import MessageBus

/// The way to iwd: the system's bus while it is wanted, who has iwd's name there, the calls to it, and the agent that it asks for passphrases.
/// Main loop only.
@MainActor
final class IWDConnection {
    /// What happens to iwd.
    enum Event {
        /// It has appeared, or was replaced by another one.
        case appeared
        /// It has ended, or the bus is left.
        case vanished
        /// Something in it has changed.
        case changed
    }

    private enum Bus {
        case unused
        /// The loop cannot watch it, and the log has it.
        case unwatchable
        case used(BusLink)
    }

    let agent = IWDAgent()
    var onEvent: @MainActor (Event) -> Void = { _ in }
    private let address: String
    private let loop: MainLoop
    private let note: @MainActor (String) -> Void
    private var bus = Bus.unused
    /// Whether this iwd was told of the agent.
    private var hasOfferedAgent = false
    /// Grows when iwd appears or vanishes: answers from before mean nothing.
    private var epoch = 0

    init(address: String, loop: MainLoop, note: @escaping @MainActor (String) -> Void) {
        self.address = address
        self.loop = loop
        self.note = note
    }

    /// Whether iwd is on the bus.
    var isThere: Bool { agent.owner != nil }
    var isOnBus: Bool { link != nil }

    private var link: BusLink? { if case .used(let link) = bus { link } else { nil } }

    func joinBus() {
        guard !isOnBus else { return }
        do throws(SystemError) {
            let link = try BusLink(address: address, loop: loop) { [weak self] in self?.take($0) }
            bus = .used(link)
        } catch {
            // The next look tries again.
            if case .unused = bus { note("Wi-Fi: the bus cannot be watched: \(error)") }
            bus = .unwatchable
        }
    }

    func leaveBus() {
        guard let link else { return }
        link.close()
        bus = .unused
        ownerChanged(nil)
    }

    /// Leaves the bus for good. Nothing is reported any more.
    func close() {
        onEvent = { _ in }
        agent.end()
        epoch += 1
        link?.close()
        bus = .unused
    }

    /// Tries a bus again that could not be reached.
    func hurry() { link?.hurry() }

    private func take(_ event: BusLink.Event) {
        switch event {
        case .connected:
            link?.listen(
                to: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", first: IWDObjects.service
            ) { [weak self] signal in
                guard signal.name == "NameOwnerChanged", case .text(let owner)? = signal.arguments.last else { return }
                self?.ownerChanged(owner.isEmpty ? nil : owner)
            }
            link?.listen(to: IWDObjects.service) { [weak self] _ in self?.onEvent(.changed) }
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
        epoch += 1
        hasOfferedAgent = false
        onEvent(owner == nil ? .vanished : .appeared)
    }

    /// iwd has its name on the bus before it has the object that takes agents, which a signal announces.
    func offerAgent(to manager: String?) {
        guard !hasOfferedAgent, let manager else { return }
        hasOfferedAgent = true
        call(manager, "AgentManager", "RegisterAgent", [.path(IWDAgent.path)]) { [weak self] outcome in
            if case .failure(let fault) = outcome {
                self?.note("Wi-Fi: iwd asks for no passphrases: \(fault.name ?? "no answer")")
            }
        }
    }

    /// Calls a method of iwd. An answer that comes after iwd was restarted is dropped.
    func call(
        _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = [],
        then: @escaping @MainActor (Result<[BusValue], BusFault>) -> Void = { _ in }
    ) {
        let asked = epoch
        let interface = interface.contains(".") ? interface : "\(IWDObjects.service).\(interface)"
        link?.call(IWDObjects.service, path, interface, method, arguments) { [weak self] outcome in
            if self?.epoch == asked { then(outcome) }
        }
    }
}
