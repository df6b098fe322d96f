import MediaModel
import MediaTime

/// Asset time and the time on the screen of one item, both ways: content time less what is trimmed off its beginning, and with what
/// interstitials beside the stream occupy.
struct ContentClock: Sendable, Equatable {
    /// Interstitials of the item.
    private let timeline: AssetTimeline
    /// Content time, untrimmed, of where the item begins.
    private let origin: MediaTime
    /// Where the item begins and ends, in asset time; an end of nil is unknown.
    let start: MediaTime
    let end: MediaTime?
    /// An interstitial that takes time on the screen but none of the stream.
    private struct Occupied: Sendable, Equatable {
        var time: MediaTime
        var duration: MediaTime
    }
    /// In the order of their time.
    private let occupied: [Occupied]

    init(
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

    /// The clock of an item of which the player says that the asset lasts so long.
    init(_ item: ItemPresentation, duration: MediaTime?, beside: [Interstitial] = []) {
        let whole = duration ?? item.duration
        let end = item.trimEnd.map { trimmed in whole.map { min($0, trimmed) } ?? trimmed } ?? whole
        self.init(timeline: item.timeline, start: item.trimStart, end: end, beside: beside)
    }

    /// Total content time.
    var total: MediaTime? { end.map { content(at: $0) + occupied.filter { $0.time == end }.reduce(.zero) { $0 + $1.duration } } }

    /// The time on the screen at a place in asset time; never negative.
    func content(at asset: MediaTime) -> MediaTime {
        occupied.reduce(max(.zero, timeline.contentTime(at: asset) - origin)) { $1.time < asset ? $0 + $1.duration : $0 }
    }

    /// The place at which a time on the screen plays: never inside an interstitial. Where one lies at that very time, the place after it.
    func asset(of content: MediaTime) -> MediaTime {
        var content = content
        for range in occupied {
            let start = max(.zero, timeline.contentTime(at: range.time) - origin)
            guard content > start else { break }
            // A time inside what is played there: all of it is one place.
            guard content >= start + range.duration else { return range.time }
            content -= range.duration
        }
        let asset = timeline.assetTime(ofContent: content + origin)
        return end.map { min($0, asset) } ?? asset
    }

    /// The same for a way back: where an interstitial lies at that very time, the last moment before it, so that a rewind lands
    /// before the dot.
    func assetBefore(_ content: MediaTime) -> MediaTime {
        let after = asset(of: content)
        guard let range = timeline.interstitials.last(where: { $0.end <= after }), range.end == after, range.start > start else {
            return after
        }
        return range.start - .milliseconds(1)
    }
}
