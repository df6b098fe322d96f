import LinuxSupport
import MediaModel
import Supervision
import SystemServices

/// Feeds the service manager's watchdog for as long as pages are turned (`FlipPulse`). Main loop only.
@MainActor
final class Watchdog {
    /// The display as the watchdog sees it.
    struct Display {
        /// How many flips came back so far.
        var flipCount: @MainActor () -> UInt64
        /// Shows the scene that is there once more.
        var showAgain: @MainActor () -> Void
        /// Has the display's thread answer, without a picture.
        var ask: @MainActor (_ answered: @escaping @MainActor @Sendable () -> Void) -> Void
    }

    /// There is no screen now: answers of the display's thread count in the place of flips.
    var isScreenLost = false
    private let notifier: ServiceNotifier
    private let display: Display
    private let clock: any HostClock
    private var pulse = FlipPulse()
    private var answers: UInt64 = 0
    private var timer: ScheduledEvent?

    init(_ notifier: ServiceNotifier, display: Display, clock: any HostClock) {
        self.notifier = notifier
        self.display = display
        self.clock = clock
    }

    /// Begins to feed; without a watchdog nothing is done.
    func start() { beat() }

    /// Feeds where a flip came back since the last time, and asks for the next.
    private func beat() {
        guard let patience = notifier.watchdog else { return }
        let beat = pulse.beat(flips: display.flipCount(), answers: answers, isScreenLost: isScreenLost)
        if beat.feeds { notifier.feedWatchdog() }
        switch beat.asks {
        case .flip: display.showAgain()
        case .answer: display.ask { [weak self] in self?.answers += 1 }
        }
        timer = clock.schedule(after: FlipPulse.interval(for: patience)) { [weak self] in self?.beat() }
    }
}
