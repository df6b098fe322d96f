import LinuxSupport

/// How often what stands on a dark screen has moved, so that it does not burn in.
enum BurnIn {
    static func moves(since start: HostTime, at now: HostTime) -> Int { max(0, Int((now - start) / Timing.burnIn)) }

    /// When it moves next.
    static func nextMove(since start: HostTime, at now: HostTime) -> HostTime {
        start + Timing.burnIn * (moves(since: start, at: now) + 1)
    }
}
