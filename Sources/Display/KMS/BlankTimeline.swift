import LinuxSupport

/// When the vertical blanks of a screen are, extrapolated from its last flip.
struct BlankTimeline {
    private var last: (time: HostTime, sequence: UInt64)?

    /// Records a flip.
    ///
    /// - Parameter sequence: the lower 32 bits of the number of its blank.
    /// - Returns: the whole number.
    mutating func flipped(at time: HostTime, sequence: UInt32) -> UInt64 {
        let before = last?.sequence ?? UInt64(sequence)
        let number = UInt64(Int64(before) + Int64(Int32(bitPattern: sequence &- UInt32(truncatingIfNeeded: before))))
        last = (time, number)
        return number
    }

    /// The last blank at or before `now`; `now` itself while there was no flip.
    func lastBlank(at now: HostTime, interval: Duration) -> (time: HostTime, sequence: UInt64) {
        guard let last else { return (now, 0) }
        let passed = max(0, (now - last.time).wholeNanoseconds / interval.wholeNanoseconds)
        return (last.time + interval * Int(passed), last.sequence + UInt64(passed))
    }
}
