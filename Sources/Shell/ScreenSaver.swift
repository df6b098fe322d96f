import LinuxSupport
import Screens
import Viewing

/// When the screen saver is shown: after a time without a key, while the same picture stands on the screen. A value.
///
/// Any key ends it, and does nothing else. A long pause has its own rule (`LongPause`), and running video needs none.
struct ScreenSaver: Sendable, Equatable {
    private var stillness = Stillness()
    /// The time without a key after which it is shown; nil for never.
    private var delay: Duration?

    /// - Parameters:
    ///   - isStill: whether the same picture stands on the screen until a key is pressed.
    ///   - lastPress: the last press of any key.
    ///   - delay: the viewer's setting; nil for never.
    mutating func update(isStill: Bool, lastPress: HostTime?, after delay: Duration?, at now: HostTime) {
        self.delay = delay
        stillness.update(isStill, lastPress: lastPress, at: now)
    }

    private var start: HostTime? {
        guard let since = stillness.since, let delay else { return nil }
        return since + delay
    }

    func isShown(at now: HostTime) -> Bool { start.map { now >= $0 } ?? false }

    /// How often it has moved.
    func moves(at now: HostTime) -> Int { start.map { BurnIn.moves(since: $0, at: now) } ?? 0 }

    /// When it appears, or moves next.
    func deadline(at now: HostTime) -> HostTime? {
        start.map { now < $0 ? $0 : BurnIn.nextMove(since: $0, at: now) }
    }
}
