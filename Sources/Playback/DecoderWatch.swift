import LinuxSupport
import MediaModel

/// Looks now and then whether a call into a decoder hangs. In simulated time only a call that waits for something in it can. Main loop.
@MainActor
final class DecoderWatch {
    private static let interval = Duration.milliseconds(500)

    private let clock: any HostClock
    private let look: @MainActor () -> Bool
    private var timer: ScheduledEvent?
    /// - Parameter look: gives up what hangs, and answers whether decoders are still at work.
    init(_ clock: any HostClock, look: @escaping @MainActor () -> Bool) {
        self.clock = clock
        self.look = look
    }

    /// Looks until decoders are no longer at work.
    func start() {
        guard timer == nil else { return }
        timer = clock.schedule(after: Self.interval, rank: .timer) { [weak self] in
            guard let self else { return }
            self.timer = nil
            if self.look() { self.start() }
        }
    }

    func stop() { timer?.cancel() }
}
