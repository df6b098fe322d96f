import MediaModel
import MediaTime

/// Maps between asset time and the displayed time of one item: content time without a trimmed start, plus the time that separately fetched
/// interstitials occupy.
package struct ContentClock: Sendable, Equatable {
    /// The interstitials of the item.
    private let timeline: AssetTimeline
    /// The start of the item in content time, untrimmed.
    private let origin: MediaTime
    /// The start and the end of the item, in asset time; an end of nil is unknown.
    package let start: MediaTime
    package let end: MediaTime?
    /// An interstitial that takes displayed time but no asset time.
    private struct Occupied: Sendable, Equatable {
        var time: MediaTime
        var duration: MediaTime
    }
    /// In the order of their time.
    private let occupied: [Occupied]

    package init(
        timeline: AssetTimeline = AssetTimeline(interstitials: []), start: MediaTime = .zero, end: MediaTime? = nil,
        beside: [Interstitial] = []
    ) {
        occupied = beside.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.compactMap(\.event).map {
            Occupied(time: $0.time, duration: $0.occupiedDuration)
        }.filter { $0.duration > .zero && $0.time >= start }
        self.timeline = timeline
        self.start = start
        self.end = end
        origin = timeline.contentTime(at: start)
    }

    /// The clock of an item whose asset has this duration according to the player.
    package init(_ item: ItemPresentation, duration: MediaTime?, beside: [Interstitial] = []) {
        let whole = duration ?? item.duration
        let end = item.trimEnd.map { trimmed in whole.map { min($0, trimmed) } ?? trimmed } ?? whole
        self.init(timeline: item.timeline, start: item.trimStart, end: end, beside: beside)
    }

    /// Total content time.
    package var total: MediaTime? {
        end.map { content(at: $0) + occupied.filter { $0.time == end }.reduce(.zero) { $0 + $1.duration } }
    }

    /// The displayed time at a position in asset time; never negative.
    package func content(at asset: MediaTime) -> MediaTime {
        occupied.reduce(max(.zero, timeline.contentTime(at: asset) - origin)) { $1.time < asset ? $0 + $1.duration : $0 }
    }

    /// The position for a displayed time: never inside an interstitial. If one is exactly at that time, the position after it.
    package func asset(of content: MediaTime) -> MediaTime {
        var content = content
        for range in occupied {
            let start = max(.zero, timeline.contentTime(at: range.time) - origin)
            guard content > start else { break }
            // All times inside an occupying interstitial map to one position.
            guard content >= start + range.duration else { return range.time }
            content -= range.duration
        }
        let asset = timeline.assetTime(ofContent: content + origin)
        return end.map { min($0, asset) } ?? asset
    }

    /// The same for seeks backward: if an interstitial is exactly at that time, the last moment before it, so that a rewind lands before the dot.
    package func assetBefore(_ content: MediaTime) -> MediaTime {
        let after = asset(of: content)
        guard let range = timeline.interstitials.last(where: { $0.end <= after }), range.end == after, range.start > start else {
            return after
        }
        return range.start - .milliseconds(1)
    }
}
