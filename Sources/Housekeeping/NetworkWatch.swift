import LinuxSupport

/// Notices that the machine has a network again, so that nothing waits for the end of a back-off. Main loop only.
@MainActor
final class NetworkWatch {
    private let clock: any HostClock
    private let address: @MainActor () -> String?
    private let onReturn: @MainActor () -> Void
    private var hadAddress = false
    private var next: ScheduledEvent?

    private static let interval = Duration.seconds(2)

    /// - Parameters:
    ///   - address: the machine's network address; nil if it has none.
    ///   - onReturn: called when there is an address after there was none.
    init(clock: any HostClock, address: @escaping @MainActor () -> String?, onReturn: @escaping @MainActor () -> Void) {
        (self.clock, self.address, self.onReturn) = (clock, address, onReturn)
        hadAddress = address() != nil
        lookLater()
    }

    func close() { next?.cancel() }

    private func lookLater() {
        next = clock.schedule(after: Self.interval) { [weak self] in
            self?.look()
            self?.lookLater()
        }
    }

    private func look() {
        let hasAddress = address() != nil
        defer { hadAddress = hasAddress }
        if hasAddress, !hadAddress { onReturn() }
    }
}
