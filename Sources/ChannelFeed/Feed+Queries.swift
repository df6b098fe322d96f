import MediaTime

extension Feed {
    /// Builds the lookup tables; called once, when the lists are final.
    mutating func makeDirectory() {
        for (index, channel) in channels.enumerated() {
            directory[channel.id] = .channel(channel.id)
            channelIndexes[channel.id] = index
        }
        for (index, series) in series.enumerated() {
            directory[series.id] = .series(series.id)
            seriesIndexes[series.id] = index
            for (season, value) in series.seasons.enumerated() {
                for (episode, id) in value.episodes.enumerated() where episodePlaces[id] == nil {
                    episodePlaces[id] = EpisodePlace(series: index, season: season, episode: episode)
                }
            }
        }
        for (index, item) in items.enumerated() {
            directory[item.id] = .item(item.id)
            itemIndexes[item.id] = index
        }
    }

    // MARK: Lookup

    /// The item with this id.
    package func item(_ id: String) -> Item? { itemIndexes[id].map { items[$0] } }

    /// The channel with this id.
    package func channel(_ id: String) -> Channel? { channelIndexes[id].map { channels[$0] } }

    /// The channel with the number a viewer typed.
    package func channel(number: Int) -> Channel? { channels.first { $0.number == number } }

    /// The series with this id.
    package func series(_ id: String) -> Series? { seriesIndexes[id].map { series[$0] } }

    /// What this id refers to.
    package func reference(_ id: String) -> Reference? { directory[id] }

    /// The series, season and number (from 1) of an episode: its first position in the feed.
    package func episode(_ id: String) -> (series: Series, season: Season, number: Int)? {
        episodePlaces[id].map { place in
            let found = series[place.series]
            return (found, found.seasons[place.season], place.episode + 1)
        }
    }

    /// The episode after this one: the next of its season, otherwise the first of the next season that is not empty. Nil at the
    /// end and outside series.
    package func nextEpisode(after id: String) -> Item? {
        guard let place = episodePlaces[id] else { return nil }
        let seasons = series[place.series].seasons
        let rest =
            seasons[place.season].episodes.dropFirst(place.episode + 1) + seasons.dropFirst(place.season + 1).flatMap(\.episodes)
        return rest.first.flatMap { item($0) }
    }

    /// The contents of a row, in order and without duplicates: its entries, then the items with its tag.
    package func contents(of row: Row) -> [Reference] {
        var seen: Set<Reference> = []
        let tagged = row.tag.map { tag in items.filter { $0.tags.contains(tag) }.map { Reference.item($0.id) } } ?? []
        return (row.entries + tagged).filter { seen.insert($0).inserted }
    }

    // MARK: What follows

    /// The resolved proposal after an item: as given by the feed, otherwise the next episode at the credits, otherwise at the
    /// end. Nil when the feed turns it off or nothing follows.
    package func proposal(of item: Item) -> ContentProposal? {
        let given: Proposal
        switch item.proposal {
        case .off: return nil
        case .automatic: given = Proposal()
        case .given(let proposal): given = proposal
        }
        var target = given.next
        if target == nil, given.url == nil { target = nextEpisode(after: item.id).map { .item($0.id) } }
        guard target != nil || given.url != nil else { return nil }
        let next = target.flatMap { face(of: $0) }
        // A scene follows the credits: a viewer who waits for it is not disturbed before the end.
        let transition = item.postCredits ? nil : given.at ?? item.markers.first { $0.kind == .credits }?.start
        return ContentProposal(
            next: target, urls: given.url.map { [$0] } ?? next?.urls ?? [], title: given.title ?? next?.title,
            image: given.image ?? next?.image,
            description: given.description ?? next?.description, genre: given.genre ?? next?.genre,
            rating: given.rating ?? next?.rating,
            contentTimeForTransition: transition, automaticAcceptanceInterval: given.automaticAcceptanceInterval)
    }

    /// As `proposal(of:)`, by the item's id.
    package func proposal(after id: String) -> ContentProposal? { item(id).flatMap { proposal(of: $0) } }

    private struct Face {
        var urls: [String]
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
                    urls: $0.streams.map(\.url), title: $0.title, image: $0.artwork?.preferred, description: $0.description,
                    genre: $0.genre,
                    rating: $0.rating)
            }
        case .channel(let id):
            channel(id).map {
                Face(
                    urls: $0.streams.map(\.url), title: $0.title, image: $0.artwork?.preferred, description: $0.description,
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
            var current: Item? = item
            while let step = current, !done.contains(step.id) {
                if let start = places[step.id] {
                    let cycle = path[start...]
                    if !isMeant(cycle),
                        let first = cycle.indices.min(by: {
                            itemIndexes[cycle[$0], default: 0] < itemIndexes[cycle[$1], default: 0]
                        })
                    {
                        cycles.append(Array(cycle[first...] + cycle[..<first]))
                    }
                    break
                }
                places[step.id] = path.count
                path.append(step.id)
                current = nil
                if case .item(let id)? = proposal(of: step)?.next { current = self.item(id) }
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
            channel.kind == .playlist && channel.loop && cycle.allSatisfy { channel.items.contains($0) }
        }
    }
}

extension Item {
    /// The chapters in order: the navigation markers of the first group.
    package var chapters: [Marker] { markers.filter { $0.kind == .chapter } }

    /// The marker of a kind that contains a position, e.g. the intro, to offer skipping it.
    package func marker(_ kind: Marker.Kind, at assetTime: MediaTime) -> Marker? {
        markers.last { $0.kind == kind && $0.start <= assetTime && $0.end.map { assetTime < $0 } ?? true }
    }

    /// The mapping between asset and content time for these interstitials.
    package var timeline: AssetTimeline { AssetTimeline(interstitials: interstitials.map(\.range)) }

    /// The range that is played; nil when its end is not known from the feed.
    package var playRange: TimeRange? {
        let start = trim?.start ?? .zero
        return playEnd.flatMap { $0 >= start ? TimeRange(start: start, end: $0) : nil }
    }
}
