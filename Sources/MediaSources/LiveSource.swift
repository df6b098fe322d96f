import MediaTime

/// A position on the asset's timeline with a known date; dates between anchors are interpolated.
package struct DateAnchor: Sendable, Hashable {
    /// Asset time.
    package var time: MediaTime
    /// Nanoseconds since the start of 1970 in UTC.
    package var nanosecondsSinceEpoch: Int64

    package init(time: MediaTime, nanosecondsSinceEpoch: Int64) {
        self.time = time
        self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
    }

    /// The position of a date, counted from here.
    fileprivate func time(ofDate nanoseconds: Int64) -> MediaTime {
        let distance = Int128(nanoseconds) - Int128(nanosecondsSinceEpoch)
        return time + MediaTime(numerator: distance, denominator: 1_000_000_000)
    }
}

/// The state of a source that is live, or whose positions have dates.
package struct LiveStatus: Sendable, Hashable {
    /// Whether more media will come (no EXT-X-ENDLIST yet).
    package var isLive: Bool
    /// The range in which seeking is possible: from the first available segment to the newest position that plays without
    /// waiting.
    package var seekableTimeRange: TimeRange
    /// The end of the newest media, in asset time.
    package var edge: MediaTime
    /// The instant of the host clock at which `edge` was the end, in nanoseconds: the edge has moved on since then.
    package var edgeInstant: Int64
    /// The recommended distance from the edge: HOLD-BACK, PART-HOLD-BACK, or three target durations.
    package var recommendedTimeOffsetFromLive: MediaTime
    /// The longest duration of a segment.
    package var targetDuration: MediaTime
    /// Whether it is served in partial segments, so that playback may be close to the edge.
    package var isLowLatency = false
    /// Whether the next media to be read is no longer available: playback has to continue elsewhere.
    package var isBehindWindow = false
    /// Whether the server has delivered nothing new for longer than it promised.
    package var isStuck = false
    /// Dates ordered by asset time.
    package var dates: [DateAnchor] = []
    /// The discontinuities, in asset time.
    package var discontinuities: [MediaTime] = []
    /// The duration, once it has ended.
    package var duration = MediaDuration.live

    package init(
        isLive: Bool, seekableTimeRange: TimeRange, edge: MediaTime, edgeInstant: Int64,
        recommendedTimeOffsetFromLive: MediaTime, targetDuration: MediaTime
    ) {
        self.isLive = isLive
        self.seekableTimeRange = seekableTimeRange
        self.edge = edge
        self.edgeInstant = edgeInstant
        self.recommendedTimeOffsetFromLive = recommendedTimeOffsetFromLive
        self.targetDuration = targetDuration
    }

    /// The date of a position; nil when the source has no dates, or when the date is centuries away.
    ///
    /// - Returns: nanoseconds since the start of 1970 in UTC.
    package func date(at time: MediaTime) -> Int64? {
        guard let anchor = dates.last(where: { $0.time <= time }) ?? dates.first else { return nil }
        let (date, overflow) = anchor.nanosecondsSinceEpoch.addingReportingOverflow((time - anchor.time).nanoseconds)
        return overflow ? nil : date
    }

    /// The position of a date; nil when the source has no dates. A date in a gap maps to the position after the gap.
    package func time(ofDate nanoseconds: Int64) -> MediaTime? {
        guard let index = dates.lastIndex(where: { $0.nanosecondsSinceEpoch <= nanoseconds }) else {
            return dates.first.map { $0.time(ofDate: nanoseconds) }
        }
        let time = dates[index].time(ofDate: nanoseconds)
        guard index + 1 < dates.count else { return time }
        return min(time, dates[index + 1].time)
    }
}

/// A source that reports its live state while it is open.
@MainActor
package protocol LiveSource: MediaSource {
    /// The current state; nil before it has been prepared.
    var liveStatus: LiveStatus? { get }
}

extension LiveSource {
    package var liveSource: (any LiveSource)? { self }
}
