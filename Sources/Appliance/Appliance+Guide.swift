import ChannelFeed
import PlayerInterface
import ProgrammeGuide

/// What guides beside the feed say is on.
extension Appliance {
    /// A guide was read; it stands for what was read of the same address before.
    package func takeGuide(_ listings: GuideListings, from address: String) {
        memory.listings[address] = listings
        parts.log.note("guide: \(listings.programmes.count) channels in \(address)")
        send(.guideChanged(presentations.guide(midnight: memory.midnight)))
    }
}

extension Presentations {
    /// What a guide says is on in a channel, in seconds since midnight.
    func listed(_ channel: Channel, _ midnight: FeedDate) -> [GuideContent.Programme] {
        guard let guide = channel.guide, let listings = listings[guide.xmltv] else { return [] }
        return listings.programmes(of: channel).compactMap { programme in
            let start = Int((programme.start.milliseconds - midnight.milliseconds) / 1000)
            let end = Int((programme.end.milliseconds - midnight.milliseconds) / 1000)
            guard end > start, end > -86_400, start < 3 * 86_400, let title = programme.title.best(for: languages) else {
                return nil
            }
            return GuideContent.Programme(title: title, summary: programme.summary?.best(for: languages), start: start, end: end)
        }
    }
}
