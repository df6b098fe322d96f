import LinuxSupport
import MediaModel

/// Checks at intervals whether a call into a decoder hangs. In simulated time only a call that waits inside a monitor can hang. Main loop.
@MainActor
final class DecoderWatch {
    private static let interval = Duration.milliseconds(500)

    private let clock: any HostClock
    private let look: @MainActor () -> Bool
    private var timer: ScheduledEvent?
    /// - Parameter look: replaces hanging decoders, and returns whether decoders are still working.
    init(_ clock: any HostClock, look: @escaping @MainActor () -> Bool) {
        self.clock = clock
        self.look = look
    }

    /// Checks until no decoder is working.
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
