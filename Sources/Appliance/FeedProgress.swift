import ChannelFeed
import CivilTime
import MediaModel

/// Viewers' progress in what has several items: in a series the episode that is next; in a playlist channel that resumes the item that was opened last. Main loop
/// only.
@MainActor
struct FeedProgress {
    let upNext: UpNext
    let remembered: RememberedChoices

    private var feed: Feed { upNext.feed }

    /// The programme for an id of the feed; for a series or a channel that resumes, the item to continue with.
    func programme(of id: String, at date: FeedDate?, in zone: CivilZone) -> Programme? {
        if let series = feed.series(id), let step = upNext.step(in: series) { return Programme(.item(step.episode)) }
        if let channel = feed.channel(id), resumes(channel), let index = remembered.queued[id]?.index(in: channel),
            let programme = Programme.queued(channel, from: index, in: feed)
        {
            return programme
        }
        return Programme.find(id, in: feed, at: date, zone: zone)
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
