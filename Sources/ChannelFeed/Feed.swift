import MediaTime

/// A feed that passed: what a box offers, as one immutable value. What did not pass is not in it.
///
/// Every URL in it is absolute, every time is asset time of the stream as served, and every reference leads to something in the same feed.
package struct Feed: Sendable, Hashable {
    /// The version it is written in; the major one is 1.
    package internal(set) var version = FeedVersion(major: 1, minor: 0)
    /// The operator's name for the feed.
    package internal(set) var id: String?
    /// Rises with every change; required where keys are pinned.
    package internal(set) var revision: Int64?
    /// When the operator wrote it.
    package internal(set) var lastUpdated: FeedDate?
    /// Until when it holds; after that only items with `strictWindow` are hidden.
    package internal(set) var validUntil: FeedDate?
    /// The language every text must have, unless it has `und`.
    package internal(set) var defaultLanguage: String?
    /// The languages the feed is written in.
    package internal(set) var languages: [String] = []
    /// Who offers it.
    package internal(set) var provider: Provider?
    /// How often a box asks for a newer one.
    package internal(set) var refresh = Refresh()
    /// What relative URLs were resolved on.
    package internal(set) var baseURL = ""
    /// What plays at power-on; nil: Home.
    package internal(set) var start: Reference?
    /// The feed's next page, where it has one.
    package internal(set) var next: String?
    /// The channels in the feed's order.
    package internal(set) var channels: [Channel] = []
    /// The series in the feed's order.
    package internal(set) var series: [Series] = []
    /// The items in the feed's order.
    package internal(set) var items: [Item] = []
    /// The rows of Home in the feed's order.
    package internal(set) var rows: [Row] = []
    /// What the operator asks of the player.
    package internal(set) var policy = Policy()

    /// The one place where an id is looked up; built when the feed is.
    var directory: [String: Reference] = [:]
    var itemIndexes: [String: Int] = [:]
    var channelIndexes: [String: Int] = [:]
    var seriesIndexes: [String: Int] = [:]
    /// For each episode its first place in a series.
    var episodePlaces: [String: EpisodePlace] = [:]

    struct EpisodePlace: Sendable, Hashable {
        let series: Int
        let season: Int
        let episode: Int
    }
}

/// The version of the shape a feed is written in. A box that knows version 1 reads 1.x.
package struct FeedVersion: Sendable, Hashable {
    /// Changes when old boxes can no longer read it.
    package let major: Int
    /// Changes when keys are added.
    package let minor: Int
}

/// Something in the feed that can be played or opened, by its id.
package enum Reference: Sendable, Hashable {
    /// An item.
    case item(String)
    /// A channel.
    case channel(String)
    /// A series.
    case series(String)

    /// The id, of whatever it is.
    package var id: String {
        switch self {
        case .item(let id), .channel(let id), .series(let id): id
        }
    }
}

/// Who offers the feed.
package struct Provider: Sendable, Hashable {
    /// The name shown in About.
    package internal(set) var name: LocalizedText?
    /// A picture.
    package internal(set) var logo: String?
    /// How a viewer reaches help, e.g. a telephone number.
    package internal(set) var support: String?
}

/// How often a box asks for a newer feed.
package struct Refresh: Sendable, Hashable {
    /// The time between two askings.
    package internal(set) var interval = MediaTime.seconds(900)
    /// How far each box strays from it, so that they do not all ask at once: 0 to 100.
    package internal(set) var jitterPercent = 20
}

/// One row of Home.
package struct Row: Sendable, Hashable {
    /// Its heading.
    package internal(set) var title = LocalizedText(entries: [])
    /// What is named in it.
    package internal(set) var entries: [Reference] = []
    /// Every item with this tag follows.
    package internal(set) var tag: String?
}

/// What the operator asks of the player.
package struct Policy: Sendable, Hashable {
    /// The highest rating open without PIN, by system, in the feed's order.
    package internal(set) var parentalMax: [Rating] = []
    /// Whether the viewer may pass over interstitials (`canSkipInterstitials`); changes nothing about linear playback.
    package internal(set) var skippableAds = false
    /// Which unwatched interstitials a seek forward plays first.
    package internal(set) var snapBack = SnapBack.first
    /// What is allowed on a metered network; nil leaves it to the box.
    package internal(set) var metered: Metered?
    /// After how many hours of live watching the box asks whether anybody is there; nil: never.
    package internal(set) var idleAskAfterHours: MediaTime?
    /// What Next and Previous lead to where an item does not say.
    package internal(set) var skipMode = SkipMode.chapter

    /// The limit that `parentalMax` sets; nil where there is none.
    package var parentalLimit: ParentalLimit? { ParentalLimit(maxima: parentalMax) }

    /// Which interstitials are played when a viewer seeks over several that were not watched.
    package enum SnapBack: String, Sendable, Hashable, CaseIterable {
        /// The first of them.
        case first
        /// The last of them.
        case last
        /// All, one after the other.
        case all
    }

    /// What a metered network may carry.
    package enum Metered: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case deny
        /// The lowest quality.
        case low
        /// Everything.
        case allow
    }
}

/// What Next and Previous lead to.
package enum SkipMode: String, Sendable, Hashable, CaseIterable {
    /// The next chapter.
    case chapter
    /// The next item.
    case item
}

/// When something may be offered.
package struct Window: Sendable, Hashable {
    /// From when; nil: always until `to`.
    package internal(set) var from: FeedDate?
    /// Until when, not included; nil: for ever.
    package internal(set) var to: FeedDate?

    /// Whether a moment lies in the window.
    package func contains(_ date: FeedDate) -> Bool { from.map { date >= $0 } ?? true && to.map { date < $0 } ?? true }
}
