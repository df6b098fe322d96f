import LinuxSupport
import Screens

/// When an item that cannot be played is tried again by itself: soon at first, then less often, for as long as it is wanted.
package struct Retries: Sendable {
    private var failures = 0
    /// When the current try began; nil for the first one, and while it plays.
    private var began: HostTime?

    /// A try begins, at `now`.
    mutating func begin(at now: HostTime) { began = now }

    /// The item has failed, at `now`. The pauses count from try to try: a server that does not answer keeps a try waiting, and the pause after it is
    /// shorter by that time, so that the item plays soon after the server is back.
    ///
    /// - Returns: when it is tried again, never before the first of the pauses has passed.
    package mutating func failed(at now: HostTime) -> HostTime {
        defer { failures = min(failures + 1, Timing.retries.count - 1) }
        return max((began ?? now) + Timing.retries[failures], now + Timing.retries[0])
    }

    /// The item plays.
    mutating func succeeded() { self = Retries() }
}
