import LinuxSupport

/// When the blanks of the screen behind a window are. A value.
///
/// A desktop does not tell its clients. A call that waited for the screen returned just after a blank; without one they are those of a clock that begins with the
/// first picture. A call that only took long says nothing: what counts as waiting ends near a blank that was expected.
struct WindowBlanks {
    /// Extrapolated from the last picture.
    private(set) var timeline = BlankTimeline()
    private var last: (time: HostTime, number: UInt64)?

    /// - Parameter blank: one that is known; nil if none is.
    init(_ blank: HostTime? = nil, interval: Duration = .zero) {
        guard let blank else { return }
        last = (blank, 0)
        _ = timeline.flipped(at: blank, sequence: 0, interval: interval)
    }

    /// A picture has been given to the desktop.
    ///
    /// - Parameters:
    ///   - target: the blank for which it was made.
    ///   - time: when the call returned.
    ///   - waited: whether it may have waited for the screen.
    /// - Returns: the blank from which the picture is seen, and its number, which grows with each picture.
    mutating func shown(
        for target: HostTime, at time: HostTime, waited: Bool, interval: Duration
    ) -> (time: HostTime, number: UInt64) {
        let blank = blank(for: target, at: time, waited: waited, interval: interval.wholeNanoseconds)
        last = blank
        _ = timeline.flipped(at: blank.time, sequence: UInt32(truncatingIfNeeded: blank.number), interval: interval)
        return blank
    }

    private func blank(
        for target: HostTime, at time: HostTime, waited: Bool, interval: Int64
    ) -> (time: HostTime, number: UInt64) {
        guard let last else { return (waited ? time : max(target, time), 1) }
        func nearest(_ instant: HostTime) -> Int64 { ((instant - last.time).wholeNanoseconds + interval / 2) / interval }
        func instant(_ count: Int64) -> HostTime { last.time + .nanoseconds(count * interval) }
        let (wanted, now) = (max(1, nearest(target)), nearest(time))
        if waited, now >= wanted, abs((time - instant(now)).wholeNanoseconds) <= interval / 4 {
            return (time, last.number + UInt64(now))
        }
        // A picture that is late is seen at the blank that has just passed.
        let count = max(wanted, (time - last.time).wholeNanoseconds / interval)
        return (instant(count), last.number + UInt64(count))
    }
}
