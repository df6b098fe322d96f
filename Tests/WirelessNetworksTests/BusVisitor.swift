import LinuxSupport
import MessageBus
import TestSupport

/// Counts the other connections to the bus.
@MainActor
final class BusVisitor {
    private(set) var others = 0
    private(set) var mostOthers = 0
    private var link: BusLink?
    private let clock: any HostClock

    init(_ address: String, _ loop: MainLoop) throws {
        clock = loop.clock
        link = try BusLink(address: address, loop: loop) { [weak self] event in if event == .connected { self?.count() } }
        loop.run(within: .seconds(10)) { link?.isConnected == true }
    }

    func close() {
        link?.close()
        link = nil
    }

    private func count() {
        let bus = "org.freedesktop.DBus"
        link?.call(bus, "/org/freedesktop/DBus", bus, "ListNames") { [weak self] outcome in
            guard let self, case .success(let values) = outcome, case .texts(let names)? = values.first else { return }
            others = names.count { $0.hasPrefix(":") } - 1
            mostOthers = max(mostOthers, others)
            clock.schedule(after: .milliseconds(10)) { [weak self] in self?.count() }
        }
    }
}
