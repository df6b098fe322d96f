import MediaTime

/// A validated feed as one immutable value. It contains only what passed.
///
/// Every URL in it is absolute, every time is asset time of the stream as served, and every reference leads to something in the
/// same feed.
package struct Feed: Sendable, Hashable {
    /// The version of its format; the major one is 1.
    package internal(set) var version = FeedVersion(major: 1, minor: 0)
    /// The operator's name for the feed.
    package internal(set) var id: String?
    /// Rises with every change; required with pinned keys.
    package internal(set) var revision: Int64?
    /// When the operator wrote it.
    package internal(set) var lastUpdated: FeedDate?
    /// When it expires; after that only items with `strictWindow` are hidden.
    package internal(set) var validUntil: FeedDate?
    /// The language every text must have, unless it has `und`.
    package internal(set) var defaultLanguage: String?
    /// The languages of the feed.
    package internal(set) var languages: [String] = []
    package internal(set) var provider: Provider?
    /// How often a box requests a newer one.
    package internal(set) var refresh = Refresh()
    /// The base of relative URLs.
    package internal(set) var baseURL = ""
    /// What plays at power-on; nil: Home.
    package internal(set) var start: Reference?
    /// The feed's next page, if there is one.
    package internal(set) var next: String?
    /// In the feed's order.
    package internal(set) var channels: [Channel] = []
    /// In the feed's order.
    package internal(set) var series: [Series] = []
    /// In the feed's order.
    package internal(set) var items: [Item] = []
    /// The rows of Home in the feed's order.
    package internal(set) var rows: [Row] = []
    /// The operator's policy for the player.
    package internal(set) var policy = Policy()

    /// Maps every id to what it refers to; built with the feed.
    var directory: [String: Reference] = [:]
    var itemIndexes: [String: Int] = [:]
    var channelIndexes: [String: Int] = [:]
    var seriesIndexes: [String: Int] = [:]
    /// For each episode its first position in a series.
    var episodePlaces: [String: EpisodePlace] = [:]

    struct EpisodePlace: Sendable, Hashable {
        let series: Int
        let season: Int
        let episode: Int
    }
}

/// The version of a feed's format. A box that supports version 1 reads 1.x.
package struct FeedVersion: Sendable, Hashable {
    /// Changes when old boxes can no longer read it.
    package let major: Int
    /// Changes when keys are added.
    package let minor: Int
}

/// A reference to something in the feed that can be played or opened.
package enum Reference: Sendable, Hashable {
    case item(String)
    case channel(String)
    case series(String)

    /// The id, of any kind.
    package var id: String {
        switch self {
        case .item(let id), .channel(let id), .series(let id): id
        }
    }
}

/// The provider of the feed.
package struct Provider: Sendable, Hashable {
    /// The name shown in About.
    package internal(set) var name: LocalizedText?
    package internal(set) var logo: String?
    /// How a viewer gets help, e.g. a telephone number.
    package internal(set) var support: String?
}

/// How often a box requests a newer feed.
package struct Refresh: Sendable, Hashable {
    /// The time between two requests.
    package internal(set) var interval = MediaTime.seconds(900)
    /// The random deviation of each box, so that they do not all ask at once: 0 to 100.
    package internal(set) var jitterPercent = 20
}

/// One row of Home.
package struct Row: Sendable, Hashable {
    package internal(set) var title = LocalizedText(entries: [])
    /// Its explicit entries.
    package internal(set) var entries: [Reference] = []
    /// All items with this tag follow.
    package internal(set) var tag: String?
}

/// The operator's policy for the player.
package struct Policy: Sendable, Hashable {
    /// The highest rating that needs no PIN, by system, in the feed's order.
    package internal(set) var parentalMax: [Rating] = []
    /// Whether the viewer may skip interstitials (`canSkipInterstitials`); does not affect linear playback.
    package internal(set) var skippableAds = false
    /// Which unwatched interstitials a seek forward plays first.
    package internal(set) var snapBack = SnapBack.first
    /// What is allowed on a metered network; nil: the box decides.
    package internal(set) var metered: Metered?
    /// After how many hours of live viewing the box asks whether somebody is watching; nil: never.
    package internal(set) var idleAskAfterHours: MediaTime?
    /// The default target of Next and Previous.
    package internal(set) var skipMode = SkipMode.chapter

    /// The limit from `parentalMax`; nil if there is none.
    package var parentalLimit: ParentalLimit? { ParentalLimit(maxima: parentalMax) }

    /// Which interstitials are played after a seek over several unwatched ones.
    package enum SnapBack: String, Sendable, Hashable, CaseIterable {
        case first
        case last
        /// All, one after another.
        case all
    }

    /// What a metered network may be used for.
    package enum Metered: String, Sendable, Hashable, CaseIterable {
        case deny
        /// Only the lowest quality.
        case low
        case allow
    }
}

/// The target of Next and Previous.
package enum SkipMode: String, Sendable, Hashable, CaseIterable {
    case chapter
    case item
}

/// When something is available.
package struct Window: Sendable, Hashable {
    /// The start; nil: no start.
    package internal(set) var from: FeedDate?
    /// The end, not included; nil: no end.
    package internal(set) var to: FeedDate?

    /// Whether a time is in the window.
    package func contains(_ date: FeedDate) -> Bool { from.map { date >= $0 } ?? true && to.map { date < $0 } ?? true }
}
