import MediaTime

/// Asset time and the time on the screen of one item, both ways: content time less what is trimmed off its beginning.
struct ContentClock: Sendable, Equatable {
    /// Interstitials of the item.
    private let timeline: AssetTimeline
    /// Content time, untrimmed, of where the item begins.
    private let origin: MediaTime
    /// Where the item begins and ends, in asset time; an end of nil is unknown.
    let start: MediaTime
    let end: MediaTime?

    init(timeline: AssetTimeline = AssetTimeline(interstitials: []), start: MediaTime = .zero, end: MediaTime? = nil) {
        self.timeline = timeline
        self.start = start
        self.end = end
        origin = timeline.contentTime(at: start)
    }

    /// The clock of an item of which the player says that the asset lasts so long.
    init(_ item: ItemPresentation, duration: MediaTime?) {
        let whole = duration ?? item.duration
        let end = item.trimEnd.map { trimmed in whole.map { min($0, trimmed) } ?? trimmed } ?? whole
        self.init(timeline: item.timeline, start: item.trimStart, end: end)
    }

    /// Total content time.
    var total: MediaTime? { end.map { content(at: $0) } }

    /// The time on the screen at a place in asset time; never negative.
    func content(at asset: MediaTime) -> MediaTime { max(.zero, timeline.contentTime(at: asset) - origin) }

    /// The place at which a time on the screen plays: never inside an interstitial. Where one lies at that very time, the place after it.
    func asset(of content: MediaTime) -> MediaTime {
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
