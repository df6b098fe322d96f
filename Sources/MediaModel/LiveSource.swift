import MediaTime

/// A place on the asset's timeline whose date is known; dates in between are counted on.
package struct DateAnchor: Sendable, Hashable {
    /// Asset time.
    package var time: MediaTime
    /// Nanoseconds since the start of 1970 in UTC.
    package var nanosecondsSinceEpoch: Int64

    /// Joins a time and a date.
    package init(time: MediaTime, nanosecondsSinceEpoch: Int64) {
        self.time = time
        self.nanosecondsSinceEpoch = nanosecondsSinceEpoch
    }
}

/// What a source whose content still grows, or whose places have dates, tells of itself at a moment.
package struct LiveStatus: Sendable, Hashable {
    /// Whether more media will come (no EXT-X-ENDLIST yet).
    package var isLive: Bool
    /// What can be sought now: from the first segment that is still there to the newest place that can be played without waiting.
    package var seekableTimeRange: TimeRange
    /// The end of the newest media, in asset time.
    package var edge: MediaTime
    /// The instant of the host clock at which `edge` was the end, in nanoseconds: since then the edge has moved on.
    package var edgeInstant: Int64
    /// How far behind the edge the source advises to play: HOLD-BACK, PART-HOLD-BACK, or three target durations.
    package var recommendedTimeOffsetFromLive: MediaTime
    /// The longest that a segment is.
    package var targetDuration: MediaTime
    /// Whether it is served in parts of segments, and play may be close to the edge.
    package var isLowLatency: Bool
    /// Whether what was to be read next is no longer there: play has to go on elsewhere.
    package var isBehindWindow: Bool
    /// Whether the server has brought nothing new for longer than it promised.
    package var isStuck: Bool
    /// Dates by asset time, in order.
    package var dates: [DateAnchor]
    /// Edges at which something was spliced in, in asset time.
    package var discontinuities: [MediaTime]
    /// The length, once it is over.
    package var duration: MediaDuration

    /// Describes a moment.
    package init(
        isLive: Bool, seekableTimeRange: TimeRange, edge: MediaTime, edgeInstant: Int64,
        recommendedTimeOffsetFromLive: MediaTime, targetDuration: MediaTime, isLowLatency: Bool = false,
        isBehindWindow: Bool = false, isStuck: Bool = false, dates: [DateAnchor] = [], discontinuities: [MediaTime] = [],
        duration: MediaDuration = .live
    ) {
        self.isLive = isLive
        self.seekableTimeRange = seekableTimeRange
        self.edge = edge
        self.edgeInstant = edgeInstant
        self.recommendedTimeOffsetFromLive = recommendedTimeOffsetFromLive
        self.targetDuration = targetDuration
        self.isLowLatency = isLowLatency
        self.isBehindWindow = isBehindWindow
        self.isStuck = isStuck
        self.dates = dates
        self.discontinuities = discontinuities
        self.duration = duration
    }

    /// The date of a place; nil where the source has no dates.
    ///
    /// - Returns: nanoseconds since the start of 1970 in UTC.
    package func date(at time: MediaTime) -> Int64? {
        guard let anchor = dates.last(where: { $0.time <= time }) ?? dates.first else { return nil }
        return anchor.nanosecondsSinceEpoch + (time - anchor.time).nanoseconds
    }

    /// The place of a date; nil where the source has no dates. A date in a hole of the calendar is the place behind the hole.
    package func time(ofDate nanoseconds: Int64) -> MediaTime? {
        guard let index = dates.lastIndex(where: { $0.nanosecondsSinceEpoch <= nanoseconds }) else {
            return dates.first.map { $0.time + .nanoseconds(nanoseconds - $0.nanosecondsSinceEpoch) }
        }
        let time = dates[index].time + .nanoseconds(nanoseconds - dates[index].nanosecondsSinceEpoch)
        guard index + 1 < dates.count else { return time }
        return min(time, dates[index + 1].time)
    }
}

/// A source that tells how it stands while it is open.
@MainActor
package protocol LiveSource: MediaSource {
    /// How it stands; nil before it has been prepared.
    var liveStatus: LiveStatus? { get }
    /// Called on the main loop whenever `liveStatus` has changed.
    var onLiveStatusChange: (@MainActor (LiveStatus) -> Void)? { get set }
}
