import LinuxSupport

/// Notices when the network becomes metered, or stops being so: a phone or a modem may take over at any time. Main loop only.
@MainActor
final class LinkWatch {
    /// How often the link is looked at: a few small files of the kernel and of the network service.
    static let interval: Duration = .seconds(10)

    private let clock: any HostClock
    private let isMetered: @MainActor () -> Bool
    private let onChange: @MainActor () -> Void
    private var last: Bool
    private var timer: ScheduledEvent?

    /// - Parameters:
    ///   - isMetered: looks at the link.
    ///   - onChange: called when the answer differs from the one before.
    init(clock: any HostClock, isMetered: @escaping @MainActor () -> Bool, onChange: @escaping @MainActor () -> Void) {
        self.clock = clock
        self.isMetered = isMetered
        self.onChange = onChange
        last = isMetered()
        wait()
    }

    func close() {
        timer?.cancel()
        timer = nil
    }

    private func wait() {
        timer = clock.schedule(after: Self.interval) { [weak self] in self?.look() }
    }

    private func look() {
        wait()
        let isMetered = isMetered()
        guard isMetered != last else { return }
        last = isMetered
        onChange()
    }
}
