import BoxModel
import ChannelFeed

/// What a viewer watches next: the order of the feed's series, and how far the viewer is in them. It answers for Continue Watching, the panel, the card at the
/// end, the proposal and the pages of series. Main loop only.
///
/// - The order is that of the feed, each episode once. What is not available now is passed over, but keeps its place: after an episode whose window has closed
///   comes the one that followed it.
/// - An episode of several series counts for the one that the viewer is in, otherwise for the first.
/// - A series begins with its first season that is no season of specials.
/// - A series that goes on has a place of its own among those of items, which says when it was watched last and goes with the viewing history.
@MainActor
struct UpNext {
    /// How a series goes on.
    enum Step: Equatable {
        /// Nothing of it was watched, or all of it.
        case begin(Item)
        /// With the episode that was begun, or the one after the last that was watched.
        case goOn(Item)

        var episode: Item {
            switch self {
            case .begin(let item), .goOn(let item): item
            }
        }
    }

    /// What is available now.
    let feed: Feed
    /// The feed with what is not available now.
    let whole: Feed
    let viewed: ViewedParts
    let remembered: RememberedChoices

    private var places: any PlaceStore { viewed.places }

    // MARK: Order

    /// The series of an episode, with what is not available now; nil for what is no episode.
    func series(of id: String) -> Series? {
        let all = whole.series(with: id)
        guard all.count > 1 else { return all.first }
        return all.first { isIn($0, at: id) } ?? all.first
    }

    /// Whether the viewer has come to an episode in this series.
    private func isIn(_ series: Series, at id: String) -> Bool {
        guard let last = remembered.episode[series.id]?.id else { return false }
        return last == id || episode(after: last, in: series.order)?.id == id
    }

    /// The episode after another one; nil after the last, and for what is no episode.
    func episode(after id: String) -> Item? {
        guard let series = series(of: id) else { return nil }
        // The feed's index is quick, but has only the first series of each episode.
        var current = id
        while whole.episode(current)?.series.id == series.id {
            guard let next = whole.nextEpisode(after: current) else { return nil }
            if let item = feed.item(next.id) { return item }
            current = next.id
        }
        return episode(after: current, in: series.order)
    }

    /// The season of an episode, and its number in it, which counts what is not available now; nil if it is not of this series.
    func place(of id: String, in series: Series) -> (season: Season, number: Int)? {
        if let place = whole.episode(id), place.series.id == series.id { return (place.season, place.number) }
        return whole.series(series.id)?.place(of: id)
    }

    private func episode(after id: String, in order: [String]) -> Item? {
        order.firstIndex(of: id).flatMap { firstAvailable(order[($0 + 1)...]) }
    }

    private func firstAvailable(_ ids: some Sequence<String>) -> Item? {
        for id in ids { if let item = feed.item(id) { return item } }
        return nil
    }

    // MARK: Progress

    /// How a series goes on; nil if nothing of it is available now.
    func step(in series: Series) -> Step? {
        let series = whole.series(series.id) ?? series
        if let item = continuation(of: series) { return .goOn(item) }
        return first(of: series) { _ in true }.map { .begin($0) }
    }

    /// The first episode for which a condition holds; a special only where no other one is.
    private func first(of series: Series, where isWanted: (String) -> Bool) -> Item? {
        let regular = series.seasons.filter { $0.number != 0 }.flatMap(\.episodes)
        return firstAvailable(regular.filter(isWanted)) ?? firstAvailable(series.order.filter(isWanted))
    }

    /// The episode with which a series that was begun goes on; nil if it was not begun, and after its last episode.
    private func continuation(of series: Series) -> Item? {
        let order = series.order
        guard let last = last(of: series, order) else { return nil }
        if !last.isWatched, let item = feed.item(last.id) { return item }
        guard order.contains(last.id) else {
            // The feed no longer has the last one.
            return first(of: series) { !viewed.wasWatched($0) }
        }
        return episode(after: last.id, in: order)
    }

    /// The episode that was begun or watched last. What the viewing history does not have any more does not count.
    private func last(of series: Series, _ order: [String]) -> LastEpisode? {
        if let last = remembered.episode[series.id],
            last.isWatched ? viewed.wasWatched(last.id) : places.place(of: last.id) != nil
        {
            return last
        }
        let episodes = Set(order)
        if let begun = places.recent.first(where: { episodes.contains($0) && isBegun($0) }) {
            return LastEpisode(id: begun, isWatched: false)
        }
        return order.last { viewed.wasWatched($0) }.map { LastEpisode(id: $0, isWatched: true) }
    }

    private func isBegun(_ id: String) -> Bool { whole.item(id).map { viewed.isBegun($0) } ?? false }

    // MARK: Continue Watching

    /// More are not offered.
    private static let most = 10

    /// What was begun, and of each series that goes on its next episode; the newest first, at most ten.
    func continued() -> [Item] {
        var found: [Item] = []
        var seen: Set<String> = []
        for id in places.recent where found.count < Self.most {
            if let series = whole.series(id) ?? series(of: id) {
                guard seen.insert(series.id).inserted, let item = continued(series), seen.insert(item.id).inserted else {
                    continue
                }
                found.append(item)
            } else if let item = feed.item(id), item.resume, !item.withdrawn, viewed.isBegun(item) {
                found.append(item)
            }
        }
        return found
    }

    private func continued(_ series: Series) -> Item? {
        guard let item = continuation(of: series) else { return nil }
        return places.place(of: series.id) != nil || item.resume && viewed.isBegun(item) ? item : nil
    }

    // MARK: Changes

    /// A place was saved, or an item was watched to its end. What was looked into for a few seconds does not change how its series goes on.
    func note(_ id: String, isWatched: Bool) {
        guard let series = series(of: id), isWatched || isBegun(id) else { return }
        let last = LastEpisode(id: id, isWatched: isWatched)
        if remembered.episode[series.id] != last { remembered.episode[series.id] = last }
        guard isWatched else { return }
        // Anew, because only a new place is the newest.
        places.save(nil, of: series.id)
        places.save(SavedPlace(time: .zero), of: series.id)
    }

    /// The viewer no longer wants to go on with an item. With the episode with which a series goes on the whole series is meant.
    func forget(_ id: String) {
        if let series = series(of: id), continuation(of: series)?.id == id {
            for begun in series.order + [series.id] where places.place(of: begun) != nil { places.save(nil, of: begun) }
        }
        places.save(nil, of: id)
    }
}
