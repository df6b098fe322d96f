import MediaTime

/// Finds the target of a step by single frames: from the cached frames, else from the duration of a frame.
struct FrameStep {
    /// Start and end of a frame.
    typealias Interval = (from: MediaTime, until: MediaTime)

    /// The frame at which the step begins.
    var from: Interval
    let cache: FrameCache
    /// Start of the first frame.
    let lowerBound: MediaTime

    /// - Parameter count: the number of frames; negative steps back.
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
