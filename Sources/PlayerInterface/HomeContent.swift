import MediaTime

/// What Home offers: rows of items and channels, in the viewer's language already.
public struct HomeContent: Sendable, Equatable {
    /// One row.
    public struct Row: Sendable, Equatable {
        /// The same for one row for as long as it exists.
        public var id: String
        /// Its heading.
        public var title: String
        /// What is in it; an empty row is not shown.
        public var entries: [Entry]

        /// Makes a row.
        public init(id: String, title: String, entries: [Entry]) {
            self.id = id
            self.title = title
            self.entries = entries
        }
    }

    /// One item or channel.
    public struct Entry: Sendable, Equatable {
        /// What is opened.
        public var id: String
        /// Its title.
        public var title: String
        /// A second line, e.g. what is on now.
        public var subtitle: String?
        /// Number of a channel.
        public var number: Int?
        /// Its picture, as a reference.
        public var artwork: String?
        /// How much of it was watched, in percent; nil: it was not begun.
        public var watchedPercent: Int?

        /// Makes an entry.
        public init(
            id: String, title: String, subtitle: String? = nil, number: Int? = nil, artwork: String? = nil,
            watchedPercent: Int? = nil
        ) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.number = number
            self.artwork = artwork
            self.watchedPercent = watchedPercent
        }
    }

    /// Name of the provider, at the top.
    public var title: String?
    /// The rows.
    public var rows: [Row]

    /// Makes the content of Home.
    public init(title: String? = nil, rows: [Row] = []) {
        self.title = title
        self.rows = rows
    }
}
