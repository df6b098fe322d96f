import LinuxSupport

/// When an item that cannot be played is tried again by itself: soon at first, then less often, for as long as it is wanted.
struct Retries: Sendable {
    private var failures = 0

    /// The item has failed, at `now`.
    ///
    /// - Returns: when it is tried again.
    mutating func failed(at now: HostTime) -> HostTime {
        defer { failures = min(failures + 1, Timing.retries.count - 1) }
        return now + Timing.retries[failures]
    }

    /// The item plays.
    mutating func succeeded() { failures = 0 }
}
