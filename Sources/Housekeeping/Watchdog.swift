import LinuxSupport
import MediaModel
import Supervision
import SystemServices

/// Feeds the service manager's watchdog while page flips complete (`FlipPulse`). Main loop only.
@MainActor
final class Watchdog {
    /// The display as the watchdog uses it.
    struct Display {
        /// The number of completed flips.
        var flipCount: @MainActor () -> UInt64
        /// Shows the current scene again.
        var showAgain: @MainActor () -> Void
        /// Requests a reply of the display's thread, without a picture.
        var ask: @MainActor (_ answered: @escaping @MainActor @Sendable () -> Void) -> Void
    }

    /// There is no screen now, so replies of the display's thread count instead of flips.
    var isScreenLost = false
    private let notifier: ServiceNotifier
    private let display: Display
    private let clock: any HostClock
    /// Whether the slot is on trial: then an unchanged picture is shown more often, until the slot has shown as many as it must.
    private let isOnTrial: Bool
    private var pulse = FlipPulse()
    private var answers: UInt64 = 0
    private var timer: ScheduledEvent?

    /// Ten flips a second until a slot on trial has shown enough: half of the time that it has to run.
    private static let trialInterval = Duration.milliseconds(100)

    init(_ notifier: ServiceNotifier, display: Display, clock: any HostClock, isOnTrial: Bool = false) {
        self.notifier = notifier
        self.display = display
        self.clock = clock
        self.isOnTrial = isOnTrial
    }

    /// Starts to feed; without a watchdog this does nothing.
    func start() { beat() }

    /// Feeds if a flip has completed since the last time, and requests the next.
    private func beat() {
        guard let patience = notifier.watchdog else { return }
        let beat = pulse.beat(flips: display.flipCount(), answers: answers, isScreenLost: isScreenLost)
        if beat.feeds { notifier.feedWatchdog() }
        switch beat.asks {
        case .flip: display.showAgain()
        case .answer: display.ask { [weak self] in self?.answers += 1 }
        }
        let isProving = isOnTrial && !isScreenLost && display.flipCount() < SlotHealth.wantedFlips
        timer = clock.schedule(after: isProving ? Self.trialInterval : FlipPulse.interval(for: patience)) { [weak self] in
            self?.beat()
        }
    }
}
