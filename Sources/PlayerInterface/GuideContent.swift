/// What is on when, as far as anybody has told: the schedules of the feed's own channels, and their XMLTV files. In the order of the
/// channels, times in seconds since the beginning of today (local; negative is yesterday), texts in the viewer's language.
public struct GuideContent: Sendable, Equatable {
    /// One programme.
    public struct Programme: Sendable, Hashable {
        /// Its title.
        public var title: String
        /// Its description.
        public var summary: String?
        /// When it begins.
        public var start: Int
        /// When it ends; after `start`.
        public var end: Int

        /// Makes a programme.
        public init(title: String, summary: String? = nil, start: Int, end: Int) {
            self.title = title
            self.summary = summary
            self.start = start
            self.end = end
        }
    }

    /// One channel.
    public struct Channel: Sendable, Equatable {
        /// Its id.
        public var id: String
        /// Its number.
        public var number: Int?
        /// Its name.
        public var title: String
        /// Its picture, as a reference.
        public var artwork: String?
        /// Its programmes in the order of their times; none overlap.
        public var programmes: [Programme]

        /// Makes a channel.
        public init(id: String, number: Int? = nil, title: String, artwork: String? = nil, programmes: [Programme] = []) {
            self.id = id
            self.number = number
            self.title = title
            self.artwork = artwork
            self.programmes = programmes
        }

        /// What is on at a time.
        public func programme(at time: Int) -> Programme? { programmes.last { $0.start <= time && time < $0.end } }

        /// What begins next after a time.
        public func next(after time: Int) -> Programme? { programmes.first { $0.start > time } }
    }

    /// The channels.
    public var channels: [Channel]

    /// Makes a guide.
    public init(channels: [Channel] = []) { self.channels = channels }

    /// Whether anything is known of any channel.
    public var isEmpty: Bool { channels.allSatisfy(\.programmes.isEmpty) }

    /// The channel with this id.
    public func channel(_ id: String) -> Channel? { channels.first { $0.id == id } }
}
