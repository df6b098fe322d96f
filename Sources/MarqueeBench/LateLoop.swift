import LinuxSupport

/// How late the main loop handles timers: how long a viewer would see a frozen interface. In real time only.
@MainActor
final class LateLoop {
    private let clock: any HostClock
    private var due: HostTime
    private var event: ScheduledEvent?
    /// The longest delay.
    private(set) var worst = Duration.zero

    private static let step = Duration.milliseconds(10)

    init(clock: any HostClock) {
        self.clock = clock
        due = clock.now
        arm()
    }

    func stop() { event?.cancel() }

    private func arm() {
        due = clock.now + Self.step
        event = clock.schedule(at: due, rank: .display) { [weak self] in
            guard let self else { return }
            self.worst = max(self.worst, self.clock.now - self.due)
            self.arm()
        }
    }
}
