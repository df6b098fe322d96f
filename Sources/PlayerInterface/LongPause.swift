import LinuxSupport

/// A long pause: the picture is dimmed, then the box enters standby.
struct LongPause: Sendable, Equatable {
    /// Since when it is paused without a key press.
    private var since: HostTime?

    /// - Parameter lastPress: the last press of any key.
    mutating func update(isPaused: Bool, lastPress: HostTime?, at now: HostTime) {
        guard isPaused else {
            since = nil
            return
        }
        let paused = since ?? now
        since = lastPress.map { max(paused, $0) } ?? paused
    }

    func isDimmed(at now: HostTime) -> Bool { since.map { now >= $0 + Timing.pausedDims } ?? false }

    /// Whether it is time for standby.
    func isOver(at now: HostTime) -> Bool { since.map { now >= $0 + Timing.pausedStandby } ?? false }

    /// How often what is on the dimmed picture has moved.
    func moves(at now: HostTime) -> Int { since.map { BurnIn.moves(since: $0 + Timing.pausedDims, at: now) } ?? 0 }

    /// When the picture dims, when what is on it moves next, or when standby begins.
    func deadline(at now: HostTime) -> HostTime? {
        since.map { since in
            let dims = since + Timing.pausedDims
            return isDimmed(at: now) ? min(BurnIn.nextMove(since: dims, at: now), since + Timing.pausedStandby) : dims
        }
    }
}
