import MediaTime

/// How far the times of a live playlist have moved away from the time stamps of its media: durations in playlists may be rounded, and after
/// a day the sum is wrong by minutes. A value.
struct DriftMeter {
    /// The previous difference, if it was too large.
    private var previous: MediaTime?

    /// Takes a difference.
    ///
    /// - Parameters:
    ///   - difference: how much later the media ends than its playlist says.
    ///   - tolerance: a smaller difference is one of a single segment.
    /// - Returns: how much later the playlist has to be; nil as long as it may be one segment that is shorter or longer than stated.
    mutating func take(_ difference: MediaTime, tolerance: MediaTime) -> MediaTime? {
        let before = previous
        previous = difference.magnitude > tolerance ? difference : nil
        guard let before, previous != nil, (before > .zero) == (difference > .zero) else { return nil }
        previous = nil
        return before.magnitude < difference.magnitude ? before : difference
    }
}
