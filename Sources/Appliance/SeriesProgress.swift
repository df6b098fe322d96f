import ChannelFeed
import MediaModel
import PlayerInterface

/// Viewers' progress in the series of a feed: the episode to continue with, and the one after the last watched. Main loop only.
@MainActor
struct SeriesProgress {
    let feed: Feed
    let remembered: RememberedChoices

    /// The programme for an id of the feed; for a series, the episode to continue with.
    func programme(of id: String, at date: FeedDate?) -> Programme? {
        if let series = feed.series(id), let episode = nextEpisode(of: series) { return Programme(.item(episode)) }
        return Programme.find(id, in: feed, at: date)
    }

    /// The episode that was started, otherwise the one after the last watched, otherwise the first. After the last it starts again.
    private func nextEpisode(of series: Series) -> Item? {
        let episodes = series.seasons.flatMap(\.episodes).compactMap { feed.item($0) }
        guard let last = remembered.episode[series.id], let index = episodes.firstIndex(where: { $0.id == last.id }) else {
            return episodes.first
        }
        guard last.isWatched else { return episodes[index] }
        return index + 1 < episodes.count ? episodes[index + 1] : episodes.first
    }

    /// A position was saved or, with nil, an item was watched to its end. This updates its series.
    func note(_ id: String, place: SavedPlace?) {
        guard let series = feed.episode(id)?.series else { return }
        remembered.episode[series.id] = LastEpisode(id: id, isWatched: place == nil)
    }
}
