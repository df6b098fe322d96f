import LinuxSupport

/// Notices that the machine has no network, and that it has one again, so that nothing waits for the end of a back-off. Main loop only.
@MainActor
final class NetworkWatch {
    private let clock: any HostClock
    private let address: @MainActor () -> String?
    private let onChange: @MainActor (_ isConnected: Bool) -> Void
    /// Since when there is no address; nil while there is one.
    private var lostAt: HostTime?
    private var isReported = false
    private var next: ScheduledEvent?

    private static let interval = Duration.seconds(2)
    /// A start, and a cable that is plugged in again, take less time than this.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - address: the machine's network address; nil if it has none.
    ///   - onChange: called when there has been no address for ten seconds, also at the start, and each time that there is one after there was none.
    init(
        clock: any HostClock, address: @escaping @MainActor () -> String?,
        onChange: @escaping @MainActor (_ isConnected: Bool) -> Void
    ) {
        (self.clock, self.address, self.onChange) = (clock, address, onChange)
        look()
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
        guard address() == nil else {
            if lostAt != nil { onChange(true) }
            lostAt = nil
            isReported = false
            return
        }
        let since = lostAt ?? clock.now
        lostAt = since
        guard !isReported, clock.now - since >= Self.patience else { return }
        isReported = true
        onChange(false)
    }
}
