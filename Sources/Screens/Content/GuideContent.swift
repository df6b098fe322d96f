/// The known schedule: the schedules of the feed's channels, and their XMLTV files. In the order of the channels, times in seconds since the start of
/// today (local; negative is yesterday), texts in the viewer's language.
package struct GuideContent: Sendable, Equatable {
    /// One programme.
    package struct Programme: Sendable, Hashable {
        package var title: String
        /// The title of its episode.
        package var subtitle: String?
        package var summary: String?
        /// What else is known, in a few words each: the number of the episode, the category.
        package var facts: [String]
        package var rating: String?
        /// Its picture, as a reference.
        package var artwork: String?
        package var start: Int
        /// After `start`.
        package var end: Int
        /// Whether the viewer asked to be reminded of it.
        package var hasReminder: Bool

        package init(
            title: String, subtitle: String? = nil, summary: String? = nil, facts: [String] = [], rating: String? = nil,
            artwork: String? = nil, start: Int, end: Int,
            hasReminder: Bool = false
        ) {
            self.title = title
            self.subtitle = subtitle
            self.summary = summary
            self.facts = facts
            self.rating = rating
            self.artwork = artwork
            self.start = start
            self.end = end
            self.hasReminder = hasReminder
        }
    }

    /// One channel.
    package struct Channel: Sendable, Equatable {
        package var id: String
        package var number: Int?
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// Its programmes ordered by time; none overlap.
        package var programmes: [Programme]

        package init(id: String, number: Int? = nil, title: String, artwork: String? = nil, programmes: [Programme] = []) {
            self.id = id
            self.number = number
            self.title = title
            self.artwork = artwork
            self.programmes = programmes
        }

        /// The programme at a time.
        package func programme(at time: Int) -> Programme? { programmes.last { $0.start <= time && time < $0.end } }

        /// The next programme after a time.
        package func next(after time: Int) -> Programme? { programmes.first { $0.start > time } }
    }

    package var channels: [Channel]

    package init(channels: [Channel] = []) { self.channels = channels }

    /// Whether any channel has programmes.
    package var isEmpty: Bool { channels.allSatisfy(\.programmes.isEmpty) }

    package func channel(_ id: String) -> Channel? { channels.first { $0.id == id } }
}
