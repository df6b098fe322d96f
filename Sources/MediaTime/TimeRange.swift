/// A half-open range of a timeline: `start` is included, `end` is not. The counterpart of `CMTimeRange`.
package struct TimeRange: Sendable, Hashable, CustomStringConvertible {
    package let start: MediaTime
    /// Never negative.
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

    /// The first time after the range.
    package var end: MediaTime { start + duration }

    package var isEmpty: Bool { duration == .zero }

    /// Whether a time is in the range: at or after its start and before its end.
    package func contains(_ time: MediaTime) -> Bool { time >= start && time < end }

    /// Whether another range lies completely in this one.
    package func contains(_ other: TimeRange) -> Bool { other.start >= start && other.end <= end }

    /// The intersection of both ranges, or nil when it is empty.
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

/// A duration that distinguishes "unknown" from "has no end".
package enum MediaDuration: Sendable, Hashable {
    case finite(MediaTime)
    /// A live stream: it has no end yet.
    case live
    /// A stream whose end exists but is unknown, such as an endless raw file.
    case indefinite

    /// The duration if it is known.
    package var time: MediaTime? {
        if case .finite(let time) = self { time } else { nil }
    }
}
