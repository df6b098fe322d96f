import ChannelFeed
import MediaModel
import MediaTime
import PlayerInterface

/// Where viewers are in a series: the one to go on with, and the one after what was watched.
extension Appliance {
    /// What an id of the feed stands for; a series is its episode to go on with.
    func programme(of id: String) -> Programme? {
        guard let feed else { return nil }
        if let series = feed.series(id), let episode = nextEpisode(of: series) { return Programme(.item(episode)) }
        return Programme.find(id, in: feed, at: parts.wallClock())
    }

    /// The episode that was begun, else the one after the last that was watched, else the first; past the last it begins again.
    func nextEpisode(of series: Series) -> Item? {
        let episodes = series.seasons.flatMap(\.episodes).compactMap { feed?.item($0) }.filter { !$0.withdrawn }
        guard let last = choices.episode[series.id], let index = episodes.firstIndex(where: { $0.id == last.id }) else {
            return episodes.first
        }
        guard last.isWatched else { return episodes[index] }
        return index + 1 < episodes.count ? episodes[index + 1] : episodes.first
    }

    /// A place was saved or, with nil, an item watched to its end: its series goes on there.
    func noteEpisode(_ id: String, place: SavedPlace?) {
        guard let series = feed?.episode(id)?.series else { return }
        choices.episode[series.id] = LastEpisode(id: id, isWatched: place == nil)
    }
}

extension Appliance {
    /// What was chosen before for an item like this, and when it is on.
    func addChoices(to presentation: inout ItemPresentation) {
        presentation.series = feed?.episode(presentation.id)?.series.id
        presentation.speed = choices.speed[presentation.series ?? presentation.id]
        if presentation.isLive, let midnight = memory.midnight {
            presentation.clockOrigin = parts.player.currentItem?.liveStatus.flatMap {
                Self.clockOrigin($0, at: parts.player.currentTime, midnight: midnight)
            }
        }
    }

    /// The time of day, local, at asset time zero, by the dates of the stream around a place; nil where it has none.
    static func clockOrigin(_ status: LiveStatus, at place: MediaTime, midnight: FeedDate) -> MediaTime? {
        status.date(at: place).map { .nanoseconds($0 - midnight.milliseconds * 1_000_000) - place }
    }
}
