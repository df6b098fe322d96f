/// A half-open stretch of a timeline: `start` belongs to it, `end` does not. The counterpart of `CMTimeRange`.
package struct TimeRange: Sendable, Hashable, CustomStringConvertible {
    /// The first moment of the range.
    package let start: MediaTime
    /// How long it lasts; never negative.
    package let duration: MediaTime

    /// - Precondition: `duration >= .zero`.
    package init(start: MediaTime, duration: MediaTime) {
        precondition(duration >= .zero, "a range does not end before it starts")
        self.start = start
        self.duration = duration
    }

    /// - Precondition: `end >= start`.
    package init(start: MediaTime, end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// The first moment after the range.
    package var end: MediaTime { start + duration }

    /// Whether the range holds no moment at all.
    package var isEmpty: Bool { duration == .zero }

    /// Whether a moment lies in the range: at or after its start and before its end.
    package func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// Whether another range lies wholly in this one.
    package func contains(_ other: TimeRange) -> Bool { other.start >= start && other.end <= end }

    /// What both ranges share, or nil where they share no moment.
    package func intersection(_ other: TimeRange) -> TimeRange? {
        let start = max(self.start, other.start)
        let end = min(self.end, other.end)
        return start < end ? TimeRange(start: start, end: end) : nil
    }

    /// The smallest range that holds both.
    package func union(_ other: TimeRange) -> TimeRange {
        TimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    package var description: String { "[\(start), \(end))" }
}

/// How long something lasts, where "we cannot know" differs from "it has no end".
package enum MediaDuration: Sendable, Hashable {
    /// A known length.
    case finite(MediaTime)
    /// A live stream: it goes on for as long as it is sent.
    case live
    /// A stream whose end exists and cannot be told, such as an endless raw file.
    case indefinite

    /// The length where there is one.
    package var time: MediaTime? {
        if case .finite(let time) = self { time } else { nil }
    }
}
