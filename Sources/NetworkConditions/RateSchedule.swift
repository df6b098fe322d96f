import LinuxSupport

/// The rate of a link over time.
package struct RateSchedule: Sendable, Hashable {
    /// A period of constant rate.
    package struct Period: Sendable, Hashable {
        package var duration: Duration
        /// Bits per second; 0 is an outage.
        package var rate: Int64

        package init(duration: Duration, rate: Int64) {
            self.duration = duration
            self.rate = rate
        }
    }
    /// The periods in order.
    package private(set) var periods: [Period]
    /// Whether the periods repeat; otherwise the last one continues.
    package private(set) var repeats: Bool
    /// Times in which nothing passes, whatever the periods say.
    package private(set) var outages: [Range<Duration>] = []

    /// Makes a schedule.
    ///
    /// - Precondition: there is a period, and none is empty.
    package init(_ periods: [Period], repeats: Bool) {
        precondition(!periods.isEmpty && periods.allSatisfy { $0.duration > .zero }, "a schedule has periods that last")
        self.periods = periods
        self.repeats = repeats
    }

    /// One rate forever.
    package init(_ rate: Int64) { self.init([Period(duration: .seconds(1), rate: rate)], repeats: false) }

    /// The rate at a time after the start, and the time of the next change; nil when there is none.
    package func rate(at time: Duration) -> (rate: Int64, until: Duration?) {
        if let outage = outages.first(where: { $0.contains(time) }) { return (0, outage.upperBound) }
        let (rate, until) = undisturbedRate(at: time)
        let nextOutage = outages.map(\.lowerBound).filter { $0 > time }.min()
        guard let until else { return (rate, nextOutage) }
        return (rate, nextOutage.map { min($0, until) } ?? until)
    }

    /// When bits pass again, at `time` or later; nil for never.
    package func nextUp(from time: Duration) -> Duration? {
        guard periods.contains(where: { $0.rate > 0 }) else { return nil }
        var time = time
        while true {
            let now = rate(at: time)
            if now.rate > 0 { return time }
            guard let until = now.until else { return nil }
            time = until
        }
    }

    /// The same with an outage.
    package func interrupted(from start: Duration, for length: Duration) -> RateSchedule {
        var schedule = self
        schedule.outages.append(start..<start + length)
        return schedule
    }

    private func undisturbedRate(at time: Duration) -> (rate: Int64, until: Duration?) {
        var start = Duration.zero
        if repeats {
            let length = periods.reduce(0) { $0 + $1.duration.wholeNanoseconds }
            start = .nanoseconds(time.wholeNanoseconds / length * length)
        }
        for (index, period) in periods.enumerated() {
            let end = start + period.duration
            if !repeats, index == periods.count - 1 { break }
            if time < end { return (period.rate, end) }
            start = end
        }
        return (periods[periods.count - 1].rate, nil)
    }
}
