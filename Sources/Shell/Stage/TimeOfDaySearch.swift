import MediaTime

/// Finds times of day in a live stream with dates. A value.
struct TimeOfDaySearch {
    /// The local time of day at asset time zero, as `ItemPresentation.clockOrigin`.
    let origin: MediaTime
    /// The changes of clocks around today.
    let changes: ClockChanges

    private static let day = 86_400
    /// No stream keeps more.
    private static let mostDays = 400

    /// Where the stream is when clocks showed a time of day the last time.
    ///
    /// - Parameters:
    ///   - seconds: since midnight, as clocks show it.
    ///   - first: the oldest place of the stream, in asset time.
    ///   - last: the newest place of the stream, in asset time.
    /// - Returns: nil if the stream has no such time.
    func newest(at seconds: Int, from first: MediaTime, to last: MediaTime) -> MediaTime? {
        guard let newest = Int(exactly: (origin + last).wholeSeconds), let oldest = Int(exactly: (origin + first).wholeSeconds),
            newest.magnitude < 1 << 40, oldest.magnitude < 1 << 40, oldest <= newest
        else { return nil }
        // Clocks may differ from those of now by hours.
        let lastDay = newest / Self.day + 1
        for day in (max(oldest / Self.day - 2, lastDay - Self.mostDays)...lastDay).reversed() {
            let shown = seconds + day * Self.day
            let time = shown - (changes.clock(at: shown) - shown)
            let place = MediaTime.seconds(Int64(time)) - origin
            if place >= first, place <= last { return place }
        }
        return nil
    }
}
