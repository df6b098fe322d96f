import ChannelFeed

/// One programme of a guide.
package struct ListedProgramme: Sendable, Hashable {
    package var start: FeedDate
    /// After `start`.
    package var end: FeedDate
    /// Its title, in the guide's languages.
    package var title: LocalizedText
    /// What the programme says beside its title.
    package var details = Details()

    /// What a programme says beside its title and its times.
    package struct Details: Sendable, Hashable {
        /// The title of the episode.
        package var subtitle: LocalizedText?
        package var summary: LocalizedText?
        /// The number of the episode, as viewers know it: "S2 E5".
        package var episode: String?
        /// Its first category.
        package var category: LocalizedText?
        /// The address of its picture.
        package var icon: String?
        /// Its age rating, without the system.
        package var rating: String?

        package init() {}
    }
}

/// The programmes of an XMLTV file. A value.
package struct GuideListings: Sendable, Equatable {
    /// Programmes by the file's channel id, ordered by time; none overlap.
    package internal(set) var programmes: [String: [ListedProgramme]] = [:]
    /// The names of the file's channels, by id.
    package internal(set) var names: [String: [String]] = [:]
    /// The ids of the file's channels: those that it describes, and those that programmes name.
    package var channels: Set<String> { Set(names.keys).union(programmes.keys) }
    /// Problems in the file that did not prevent its use, at most ten sentences.
    package internal(set) var remarks: [String] = []

    package init() {}

    /// The programmes of a feed's channel: by the id given in the feed, otherwise by the channel's own id, otherwise by its name.
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
