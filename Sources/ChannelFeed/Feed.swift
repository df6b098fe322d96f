import CivilTime
import MediaModel
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

    private var index = FeedIndex()

    /// The addresses of all its pictures.
    package var artwork: [String] {
        var all: [String] = provider?.logo.map { [$0] } ?? []
        for channel in channels { all += channel.artwork?.all ?? [] }
        for series in series { all += series.artwork?.all ?? [] }
        for item in items {
            all += item.artwork?.all ?? []
            all += item.markers.compactMap(\.image)
        }
        return all
    }

    /// Whether an item is available at this time.
    package func availability(of item: Item, clock: FeedClock, in zone: CivilZone = .utc) -> Availability {
        availability(window: item.window, isStrict: item.strictWindow, isWithdrawn: item.withdrawn, clock, zone)
    }

    /// Whether a channel is available at this time.
    package func availability(of channel: Channel, clock: FeedClock, in zone: CivilZone = .utc) -> Availability {
        availability(window: channel.window, isStrict: channel.strictWindow, isWithdrawn: channel.withdrawn, clock, zone)
    }

    /// Until the clock is trusted, windows do not apply: only strict ones hide, so that a box without a time server is never
    /// empty.
    private func availability(
        window: Window?, isStrict: Bool, isWithdrawn: Bool, _ clock: FeedClock, _ zone: CivilZone
    ) -> Availability {
        if isWithdrawn { return .withdrawn }
        guard case .trusted(let now) = clock else { return isStrict ? .clockNotTrusted : .playable }
        if let from = window?.from, now < from { return .notYet(from: from) }
        if let to = window?.to, now >= to { return .expired(at: to) }
        if let when = window?.when, !when.rules.isEmpty, when.what(at: now.second, in: zone) == nil { return .notNow }
        if isStrict, let validUntil, now >= validUntil { return .feedExpired(at: validUntil) }
        return .playable
    }

    /// The feed with what is available at this time only; nothing in it refers to the rest, except the entries of schedules: they say what
    /// is on, also when it cannot be played.
    package func available(clock: FeedClock, in zone: CivilZone = .utc) -> Feed {
        let items = items.filter { availability(of: $0, clock: clock, in: zone) == .playable }
        let channels = channels.filter { availability(of: $0, clock: clock, in: zone) == .playable }
        guard items.count < self.items.count || channels.count < self.channels.count else { return self }
        var feed = self
        feed.items = items
        let kept = Set(items.map(\.id))
        for index in feed.series.indices { feed.series[index].keepEpisodes(in: kept) }
        feed.series.removeAll { series in
            series.seasons.allSatisfy(\.episodes.isEmpty)
                && self.series(series.id)?.seasons.contains { !$0.episodes.isEmpty } == true
        }
        feed.channels = channels.compactMap { channel in
            var channel = channel
            channel.items.removeAll { !kept.contains($0) }
            return channel.isEmpty ? nil : channel
        }
        feed.makeIndex()
        feed.removeLooseReferences()
        return feed
    }

    /// Removes what refers to nothing in this feed: entries of rows, the start, proposals. The index must be made.
    mutating func removeLooseReferences() {
        rows = rows.compactMap { row in
            var row = row
            row.entries.removeAll { reference($0.id) != $0 }
            return row.entries.isEmpty && row.tag == nil ? nil : row
        }
        if let start, reference(start.id) != start { self.start = nil }
        for index in items.indices {
            guard case .given(let proposal) = items[index].proposal, let next = proposal.next, reference(next.id) != next else {
                continue
            }
            // Proposing the next episode in place of the one that is not there would be a guess.
            items[index].proposal = .off
        }
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
    /// When the screen is on; nil: always. The box's own settings take precedence.
    package internal(set) var hours: OpeningHours?

    /// The limit from `parentalMax`; nil if there is none.
    package var parentalLimit: ParentalLimit? { ParentalLimit(maxima: parentalMax) }

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
    /// The times that recur in it; none: all of it.
    package internal(set) var when = Timetable<Bool>([])
}

extension Feed {
    /// Makes lookups by id possible; called when the lists are final.
    mutating func makeIndex() { index = FeedIndex(channels: channels, series: series, items: items) }

    // MARK: Lookup

    /// The item with this id.
    package func item(_ id: String) -> Item? { index.place(of: .item(id)).map { items[$0] } }

    /// The channel with this id.
    package func channel(_ id: String) -> Channel? { index.place(of: .channel(id)).map { channels[$0] } }

    /// The channel with the number a viewer typed.
    package func channel(number: Int) -> Channel? { channels.first { $0.number == number } }

    /// The series with this id.
    package func series(_ id: String) -> Series? { index.place(of: .series(id)).map { series[$0] } }

    /// What this id refers to.
    package func reference(_ id: String) -> Reference? { index[id] }

    /// The series, season and number (from 1) of an episode: its first position in the feed.
    package func episode(_ id: String) -> (series: Series, season: Season, number: Int)? {
        index.episode(id).map { place in
            let found = series[place.series]
            return (found, found.seasons[place.season], place.episode + 1)
        }
    }

    /// The series with this episode, in the feed's order.
    package func series(with episode: String) -> [Series] { index.series(with: episode).map { series[$0] } }

    /// The episode after this one in the first series that has it: the next of its season, otherwise the first of the next season that is not empty.
    /// An episode that is listed again keeps its first place. Nil at the end and outside series.
    package func nextEpisode(after id: String) -> Item? { index.episode(after: id).flatMap { item($0) } }

    /// The contents of a row, in order and without duplicates: its entries, then the items with its tag.
    package func contents(of row: Row) -> [Reference] {
        var seen: Set<Reference> = []
        let tagged = row.tag.map { tag in items.filter { $0.tags.contains(tag) }.map { Reference.item($0.id) } } ?? []
        return (row.entries + tagged).filter { seen.insert($0).inserted }
    }

    // MARK: What follows

    /// The resolved proposal after an item: as given by the feed, otherwise the next episode at the credits, otherwise at the
    /// end. Nil when the feed turns it off or nothing follows.
    package func proposal(of item: Item) -> ContentProposal? { proposal(of: item, nextEpisode: index.episode(after: item.id)) }

    /// The same for a viewer for whom another episode is the next one.
    ///
    /// - Parameter nextEpisode: what is proposed where the feed names nothing.
    package func proposal(of item: Item, nextEpisode: String?) -> ContentProposal? {
        let given: Proposal
        switch item.proposal {
        case .off: return nil
        case .automatic: given = Proposal()
        case .given(let proposal): given = proposal
        }
        let target = target(of: given, nextEpisode: nextEpisode)
        guard target != nil || given.url != nil else { return nil }
        let next = target.flatMap { face(of: $0) }
        // A scene follows the credits: a viewer who waits for it is not disturbed before the end.
        let transition = item.postCredits ? nil : given.at ?? item.markers.first { $0.kind == .credits }?.start
        return ContentProposal(
            next: target, streams: given.url.map { [.url($0)] } ?? next?.streams ?? [], title: given.title ?? next?.title,
            image: given.image ?? next?.image,
            description: given.description ?? next?.description, genre: given.genre ?? next?.genre,
            rating: given.rating ?? next?.rating,
            contentTimeForTransition: transition, automaticAcceptanceInterval: given.automaticAcceptanceInterval)
    }

    /// What a proposal leads to.
    private func target(of given: Proposal, nextEpisode: String?) -> Reference? {
        guard given.next == nil, given.url == nil else { return given.next }
        return nextEpisode.flatMap { index[$0] == .item($0) ? .item($0) : nil }
    }

    /// The item that the proposal after an item leads to, without what is shown of it.
    private func proposedItem(after id: String) -> String? {
        guard let place = index.place(of: .item(id)) else { return nil }
        let target: Reference? =
            switch items[place].proposal {
            case .off: nil
            case .automatic: target(of: Proposal(), nextEpisode: index.episode(after: id))
            case .given(let proposal): target(of: proposal, nextEpisode: index.episode(after: id))
            }
        if case .item(let next)? = target { return next }
        return nil
    }

    /// As `proposal(of:)`, by the item's id.
    package func proposal(after id: String) -> ContentProposal? { item(id).flatMap { proposal(of: $0) } }

    private struct Face {
        var streams: [StreamLocation]
        var title: LocalizedText?
        var image: String?
        var description: LocalizedText?
        var genre: LocalizedText?
        var rating: Rating?
    }

    private func face(of reference: Reference) -> Face? {
        switch reference {
        case .item(let id):
            item(id).map {
                Face(
                    streams: $0.streams.map(\.location), title: $0.title, image: $0.artwork?.preferred,
                    description: $0.description,
                    genre: $0.genre,
                    rating: $0.rating)
            }
        case .channel(let id):
            channel(id).map {
                Face(
                    streams: $0.streams.map(\.location), title: $0.title, image: $0.artwork?.preferred,
                    description: $0.description,
                    genre: $0.genre,
                    rating: $0.rating)
            }
        case .series: nil
        }
    }

    /// The unintended cycles of proposals, each from its first item in the feed's order.
    func proposalCycles() -> [[String]] {
        var cycles: [[String]] = []
        var done: Set<String> = []
        for item in items where !done.contains(item.id) {
            var path: [String] = []
            var places: [String: Int] = [:]
            var current: String? = item.id
            while let step = current, !done.contains(step) {
                if let start = places[step] {
                    let cycle = path[start...]
                    if !isMeant(cycle),
                        let first = cycle.indices.min(by: {
                            (index.place(of: .item(cycle[$0])) ?? 0) < (index.place(of: .item(cycle[$1])) ?? 0)
                        })
                    {
                        cycles.append(Array(cycle[first...] + cycle[..<first]))
                    }
                    break
                }
                places[step] = path.count
                path.append(step)
                current = proposedItem(after: step)
            }
            done.formUnion(path)
        }
        return cycles
    }

    /// A cycle is intended when one of its proposals says so, or when it lies in a playlist that loops.
    private func isMeant(_ cycle: ArraySlice<String>) -> Bool {
        for id in cycle {
            if case .given(let proposal)? = item(id)?.proposal, proposal.loop { return true }
        }
        return channels.contains { channel in
            // Both may have tens of thousands of items.
            channel.kind == .playlist && channel.loop && Set(cycle).isSubset(of: channel.items)
        }
    }
}

extension Feed {
    /// Whether a rating needs the PIN: under the given limit (the box's own, which takes precedence), otherwise under the feed's
    /// policy.
    package func parentalDecision(for rating: Rating?, limit: ParentalLimit? = nil) -> ParentalDecision {
        guard let limit = limit ?? policy.parentalLimit else { return .open }
        return limit.decision(for: rating)
    }
}
