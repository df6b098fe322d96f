/// What is on when, as far as anybody has told: the schedules of the feed's own channels, and their XMLTV files. In the order of the
/// channels, times in seconds since the beginning of today (local; negative is yesterday), texts in the viewer's language.
package struct GuideContent: Sendable, Equatable {
    /// One programme.
    package struct Programme: Sendable, Hashable {
        /// Its title.
        package var title: String
        /// Its description.
        package var summary: String?
        /// When it begins.
        package var start: Int
        /// When it ends; after `start`.
        package var end: Int

        package init(title: String, summary: String? = nil, start: Int, end: Int) {
            self.title = title
            self.summary = summary
            self.start = start
            self.end = end
        }
    }

    /// One channel.
    package struct Channel: Sendable, Equatable {
        /// Its id.
        package var id: String
        /// Its number.
        package var number: Int?
        /// Its name.
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// Its programmes in the order of their times; none overlap.
        package var programmes: [Programme]

        package init(id: String, number: Int? = nil, title: String, artwork: String? = nil, programmes: [Programme] = []) {
            self.id = id
            self.number = number
            self.title = title
            self.artwork = artwork
            self.programmes = programmes
        }

        /// What is on at a time.
        package func programme(at time: Int) -> Programme? { programmes.last { $0.start <= time && time < $0.end } }

        /// What begins next after a time.
        package func next(after time: Int) -> Programme? { programmes.first { $0.start > time } }
    }

    /// The channels.
    package var channels: [Channel]

    package init(channels: [Channel] = []) { self.channels = channels }

    /// Whether anything is known of any channel.
    package var isEmpty: Bool { channels.allSatisfy(\.programmes.isEmpty) }

    /// The channel with this id.
    package func channel(_ id: String) -> Channel? { channels.first { $0.id == id } }
}
