import ChannelFeed
import PlayerInterface

/// Where viewers are in the series of a feed: the episode to go on with, and the one after what was watched. Main loop only.
@MainActor
struct SeriesProgress {
    let feed: Feed
    let remembered: RememberedChoices

    /// What an id of the feed stands for; a series is its episode to go on with.
    func programme(of id: String, at date: FeedDate?) -> Programme? {
        if let series = feed.series(id), let episode = nextEpisode(of: series) { return Programme(.item(episode)) }
        return Programme.find(id, in: feed, at: date)
    }

    /// The episode that was begun, else the one after the last that was watched, else the first; past the last it begins again.
    private func nextEpisode(of series: Series) -> Item? {
        let episodes = series.seasons.flatMap(\.episodes).compactMap { feed.item($0) }.filter { !$0.withdrawn }
        guard let last = remembered.episode[series.id], let index = episodes.firstIndex(where: { $0.id == last.id }) else {
            return episodes.first
        }
        guard last.isWatched else { return episodes[index] }
        return index + 1 < episodes.count ? episodes[index + 1] : episodes.first
    }

    /// A place was saved or, with nil, an item watched to its end: its series goes on there.
    func note(_ id: String, place: SavedPlace?) {
        guard let series = feed.episode(id)?.series else { return }
        remembered.episode[series.id] = LastEpisode(id: id, isWatched: place == nil)
    }
}
