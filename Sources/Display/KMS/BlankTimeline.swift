import LinuxSupport

/// When the vertical blanks of a screen are, extrapolated from its last flip.
///
/// A driver without blanks completes a flip at once and numbers it 0 (the kernel's `drm_crtc_send_vblank_event`). Its blanks are then those of a clock that
/// begins with the first flip.
struct BlankTimeline {
    private var last: (time: HostTime, sequence: UInt64)?
    /// Whether flips wait for a blank, by the last of them.
    private(set) var hasBlanks = true

    /// Records a flip.
    ///
    /// - Parameters:
    ///   - sequence: the lower 32 bits of the number of its blank.
    ///   - interval: the time between blanks.
    /// - Returns: the whole number.
    mutating func flipped(at time: HostTime, sequence: UInt32, interval: Duration) -> UInt64 {
        hasBlanks = sequence != 0
        guard let before = last else {
            last = (time, UInt64(sequence))
            return UInt64(sequence)
        }
        let number: UInt64
        if hasBlanks {
            let step = Int32(bitPattern: sequence &- UInt32(truncatingIfNeeded: before.sequence))
            number = step < 0 ? before.sequence - min(before.sequence, UInt64(step.magnitude)) : before.sequence + UInt64(step)
            last = (time, number)
        } else {
            // The nearest one: a flip just before its time belongs to it.
            let passed = max(
                0, ((time - before.time).wholeNanoseconds + interval.wholeNanoseconds / 2) / interval.wholeNanoseconds)
            number = before.sequence + UInt64(passed)
            last = (before.time + interval * Int(passed), number)
        }
        return number
    }

    /// The last blank at or before `now`; `now` itself while there was no flip.
    func lastBlank(at now: HostTime, interval: Duration) -> (time: HostTime, sequence: UInt64) {
        guard let last else { return (now, 0) }
        let passed = max(0, (now - last.time).wholeNanoseconds / interval.wholeNanoseconds)
        return (last.time + interval * Int(passed), last.sequence + UInt64(passed))
    }

    /// The first blank at or after an instant; nil while there was no flip.
    func first(atOrAfter instant: HostTime, interval: Duration) -> HostTime? {
        guard let last else { return nil }
        return last.time + interval * Int(Self.count(of: max(.zero, instant - last.time), interval: interval))
    }

    /// How many blanks there are until a time has passed since one of them.
    static func count(of time: Duration, interval: Duration) -> Int64 {
        let (passed, length) = (time.wholeNanoseconds, interval.wholeNanoseconds)
        return passed / length + (passed % length > 0 ? 1 : 0)
    }
}
