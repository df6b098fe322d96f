import LinuxSupport
import Screens

/// A long pause: the picture is dimmed, then the box enters standby.
package struct LongPause: Sendable, Equatable {
    private var stillness = Stillness()
    /// Since when it is paused without a key press.
    private var since: HostTime? { stillness.since }

    /// - Parameter lastPress: the last press of any key.
    mutating func update(isPaused: Bool, lastPress: HostTime?, at now: HostTime) {
        stillness.update(isPaused, lastPress: lastPress, at: now)
    }

    func isDimmed(at now: HostTime) -> Bool { since.map { now >= $0 + Timing.pausedDims } ?? false }

    /// Whether it is time for standby.
    func isOver(at now: HostTime) -> Bool { since.map { now >= $0 + Timing.pausedStandby } ?? false }

    /// When the picture dims, or when standby begins.
    func deadline(at now: HostTime) -> HostTime? {
        since.map { $0 + (isDimmed(at: now) ? Timing.pausedStandby : Timing.pausedDims) }
    }
}
