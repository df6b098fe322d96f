import MediaTime

/// An interstitial that is fetched beside the stream (an HLS date range) and takes no asset time, as the timeline shows it.
package struct BesideInterstitial: Sendable, Hashable {
    /// Unique in the item.
    package var id: String
    /// Asset time at which the presentation is left for it.
    package var place: MediaTime
    /// What it adds to the time on the screen; zero where it is a point of the timeline.
    package var occupied: MediaTime
    /// Whether the bar has a dot for it; else it looks like the content around it.
    package var isHighlighted: Bool
    /// Whether it was watched on an earlier day; the machine remembers what is watched while it runs.
    package var isWatched: Bool

    /// Describes one.
    package init(id: String, place: MediaTime, occupied: MediaTime = .zero, isHighlighted: Bool = true, isWatched: Bool = false) {
        self.id = id
        self.place = place
        self.occupied = occupied
        self.isHighlighted = isHighlighted
        self.isWatched = isWatched
    }
}

/// An interstitial fetched beside the stream while the player presents it: it runs on its own clock, and the place stands still.
package struct PresentedInterstitial: Sendable, Hashable {
    /// Unique in the item.
    package var id: String
    /// Asset time at which the presentation was left for it.
    package var place: MediaTime
    /// Whether position and rate are locked while it plays.
    package var isLinear: Bool
    /// How much of it has been played.
    package var elapsed: MediaTime
    /// How long it is; nil: unknown.
    package var duration: MediaTime?
    /// Which of its assets plays, counted from zero.
    package var index: Int
    /// How many assets it has.
    package var count: Int
    /// How much of that asset is still to come; nil: unknown.
    package var assetRemaining: MediaTime?
    /// When Skip is offered; nil: never.
    package var skip: InterstitialRange.Skip?
    /// What Skip is to say, as an id of a text (X-SKIP-CONTROL-LABEL-ID); nil: as for any advertisement.
    package var skipLabel: String?
    /// Where the presentation goes on because the viewer wanted to go there; nil: by itself.
    package var savedTarget: MediaTime?

    /// Describes one.
    package init(
        id: String, place: MediaTime, isLinear: Bool, elapsed: MediaTime = .zero, duration: MediaTime? = nil, index: Int = 0,
        count: Int = 1, assetRemaining: MediaTime? = nil, skip: InterstitialRange.Skip? = nil, skipLabel: String? = nil,
        savedTarget: MediaTime? = nil
    ) {
        self.id = id
        self.place = place
        self.isLinear = isLinear
        self.elapsed = elapsed
        self.duration = duration
        self.index = index
        self.count = count
        self.assetRemaining = assetRemaining
        self.skip = skip
        self.skipLabel = skipLabel
        self.savedTarget = savedTarget
    }

    /// What the machine treats it as: a range at its place, as long as it is by its own clock.
    var range: InterstitialRange {
        InterstitialRange(
            id: id, range: TimeRange(start: place, end: place + max(duration ?? .zero, .zero)), kind: .ad, isLinear: isLinear,
            skip: skip, repetition: .always)
    }
}
