import ChannelFeed
import MediaTime
import PlayerInterface

/// What is on when, and the rows that come from it.
extension Presentations {
    /// The guide: the schedules of the feed's own channels, and what XMLTV files say of the others.
    ///
    /// - Parameter midnight: the beginning of today, local; nil: nobody knows what time it is, and there is no guide.
    func guide(midnight: FeedDate?) -> GuideContent {
        guard let feed, let midnight else { return GuideContent() }
        return GuideContent(
            channels: feed.channels.sorted { $0.number < $1.number }.map { channel in
                GuideContent.Channel(
                    id: channel.id, number: channel.number, title: channel.title.best(for: languages) ?? channel.id,
                    artwork: channel.artwork?.preferred, programmes: programmes(of: channel, midnight))
            })
    }

    private func programmes(of channel: Channel, _ midnight: FeedDate) -> [GuideContent.Programme] {
        guard channel.kind == .schedule else { return listed(channel, midnight) }
        return channel.entries.indices.compactMap { index in
            let entry = channel.entries[index]
            guard let item = feed?.item(entry.item) else { return nil }
            let start = Int((entry.at.milliseconds - midnight.milliseconds) / 1000)
            var end = item.duration.map { start + Int($0.wholeSteps(of: .seconds(1))) }
            if index + 1 < channel.entries.count {
                let next = Int((channel.entries[index + 1].at.milliseconds - midnight.milliseconds) / 1000)
                end = min(end ?? next, next)
            }
            let last = end ?? start + 3600
            // Two days are more than anybody looks ahead on a television.
            guard last > start, last > -86_400, start < 3 * 86_400 else { return nil }
            return GuideContent.Programme(
                title: item.title?.best(for: languages) ?? item.id, summary: item.description?.best(for: languages), start: start,
                end: last)
        }
    }

    /// Whether something with this rating needs the PIN: under the viewer's limit, else the box's, else the feed's.
    func isLocked(_ rating: Rating?) -> Bool { feed?.parentalDecision(for: rating, limit: limit).isLocked ?? false }

    /// What was begun and not finished, the newest first; at most ten.
    func continueWatching() -> [HomeContent.Entry] {
        var entries: [HomeContent.Entry] = []
        for id in places.recent where entries.count < 10 {
            guard let item = feed?.item(id), item.resume, !item.withdrawn, let entry = entry(.item(id)) else { continue }
            entries.append(entry)
        }
        return entries
    }

    /// All that can be found: channels, series, items.
    func searchable() -> [HomeContent.Entry] {
        guard let feed else { return [] }
        return feed.channels.compactMap { entry(.channel($0.id)) } + feed.series.compactMap { entry(.series($0.id)) }
            + feed.items.compactMap { entry(.item($0.id)) }
    }
}
