import MediaTime

/// Finds the place to which a step over single frames leads: over frames that were decoded a moment ago, else by the length of a frame.
struct FrameStep {
    /// Where a frame begins and ends.
    typealias Interval = (from: MediaTime, until: MediaTime)

    /// The frame from which the step is made.
    var from: Interval
    let cache: FrameCache
    /// Where the first frame begins.
    let lowerBound: MediaTime

    /// - Parameter count: how many frames further; negative goes back.
    func target(of count: Int) -> MediaTime {
        var frame = from
        var left = count
        let usual = from.until - from.from
        while left > 0 {
            guard left > 1 else { return frame.until }
            guard let next = cache.frame(at: frame.until) else { return frame.until + usual * (left - 1) }
            frame = (next.time, next.end)
            left -= 1
        }
        while left < 0 {
            guard let before = cache.frame(before: frame.from) else {
                return max(frame.from - usual * (-left - 1) - .nanoseconds(1), lowerBound)
            }
            frame = (before.time, before.end)
            left += 1
        }
        return frame.from
    }
}
