import ChannelFeed

/// One programme of a guide.
package struct ListedProgramme: Sendable, Hashable {
    /// When it begins.
    package var start: FeedDate
    /// When it ends; after `start`.
    package var end: FeedDate
    /// Its title, in the languages that the guide has.
    package var title: LocalizedText
    /// Its description.
    package var summary: LocalizedText?

    package init(start: FeedDate, end: FeedDate, title: LocalizedText, summary: LocalizedText? = nil) {
        self.start = start
        self.end = end
        self.title = title
        self.summary = summary
    }
}

/// What an XMLTV file says is on when. A value.
package struct GuideListings: Sendable, Equatable {
    /// Programmes by the file's own id of their channel, in the order of their times; none overlap.
    package internal(set) var programmes: [String: [ListedProgramme]] = [:]
    /// The names that the file gives its channels, by id.
    package internal(set) var names: [String: [String]] = [:]
    /// What was wrong with the file and did not keep it from being used, at most ten sentences.
    package internal(set) var remarks: [String] = []

    /// Makes empty listings.
    package init() {}

    /// What is on in a channel of a feed: by the id that the feed names, else by the channel's own id, else by its name.
    package func programmes(of channel: Channel) -> [ListedProgramme] {
        for id in [channel.guide?.id, channel.id].compactMap({ $0 }) {
            if let found = programmes[id] { return found }
            let small = id.lowercased()
            if let other = programmes.keys.sorted().first(where: { $0.lowercased() == small }) { return programmes[other] ?? [] }
        }
        guard channel.guide?.id == nil else { return [] }
        let titles = Set(channel.title.entries.map { $0.text.lowercased() })
        let named = names.keys.sorted().first { id in names[id]?.contains { titles.contains($0.lowercased()) } ?? false }
        return named.flatMap { programmes[$0] } ?? []
    }
}
