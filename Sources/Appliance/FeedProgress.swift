import ChannelFeed
import MediaModel
import PlayerInterface

/// Viewers' progress in what has several items: in a series the episode to continue with, or the one after the last watched; in a playlist channel that
/// resumes the item that was opened last. Main loop only.
@MainActor
struct FeedProgress {
    let feed: Feed
    let remembered: RememberedChoices

    /// The programme for an id of the feed; for a series or a channel that resumes, the item to continue with.
    func programme(of id: String, at date: FeedDate?) -> Programme? {
        if let series = feed.series(id), let episode = nextEpisode(of: series) { return Programme(.item(episode)) }
        if let channel = feed.channel(id), resumes(channel), let index = remembered.queued[id]?.index(in: channel),
            let programme = Programme.queued(channel, from: index, in: feed)
        {
            return programme
        }
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

    private func resumes(_ channel: Channel) -> Bool { channel.kind == .playlist && channel.resume }

    /// A programme begins.
    func note(_ programme: Programme) {
        guard let (channel, index) = programme.queue, resumes(channel) else { return }
        remembered.queued[channel.id] = QueuePlace(index: index, id: programme.id)
    }

    /// A queue has been played to its end: it begins again next time.
    func noteEnd(of programme: Programme) {
        guard let channel = programme.queue?.channel, resumes(channel) else { return }
        remembered.queued[channel.id] = nil
    }
}
