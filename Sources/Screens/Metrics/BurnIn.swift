import LinuxSupport

/// How often what stands on a dark screen has moved, so that it does not burn in.
package enum BurnIn {
    /// Whole numbers: the quotient of two durations is a floating-point number, which may be a little less than the number of minutes at the very time of a
    /// move. The next move would then be due at once, without end.
    package static func moves(since start: HostTime, at now: HostTime) -> Int {
        Int(max(0, (now - start).wholeNanoseconds / Timing.burnIn.wholeNanoseconds))
    }

    /// When it moves next.
    package static func nextMove(since start: HostTime, at now: HostTime) -> HostTime {
        start + Timing.burnIn * (moves(since: start, at: now) + 1)
    }
}
