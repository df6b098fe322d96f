import LinuxSupport

/// Turns the spinner while it is shown, and draws again what moves by itself. Main loop.
@MainActor
final class SpinnerTimer {
    /// 0 ..< `Spinner.phases`.
    private(set) var phase = 0
    private let clock: any HostClock
    private var turn: ScheduledEvent?

    init(clock: any HostClock) { self.clock = clock }

    /// Schedules the next turn, unless it is scheduled already.
    ///
    /// - Parameter turned: called when `phase` has changed.
    func run(every interval: Duration, turned: @escaping @MainActor () -> Void) {
        guard turn == nil else { return }
        turn = clock.schedule(after: interval, rank: .drawing) { [weak self] in
            guard let self, self.turn != nil else { return }
            self.turn = nil
            self.phase = (self.phase + 1) % Spinner.phases
            turned()
        }
    }

    func stop() {
        turn?.cancel()
        turn = nil
    }
}
