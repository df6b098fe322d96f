import MediaTime

/// What Home offers: rows of items and channels, in the viewer's language already.
public struct HomeContent: Sendable, Equatable {
    /// One row.
    public struct Row: Sendable, Equatable {
        /// What its entries are.
        public enum Style: String, Sendable, Hashable {
            /// Pictures.
            case posters
            /// Channels: number, picture, what is on now and how much of it is over.
            case channels
        }

        /// The same for one row for as long as it exists.
        public var id: String
        /// Its heading.
        public var title: String
        /// What is in it; an empty row is not shown.
        public var entries: [Entry]
        /// What its entries are.
        public var style: Style

        /// Makes a row.
        public init(id: String, title: String, entries: [Entry], style: Style = .posters) {
            self.id = id
            self.title = title
            self.entries = entries
            self.style = style
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
        /// How much of it was watched, in percent; nil: it was not begun. Of a channel: how much of what is on now is over.
        public var watchedPercent: Int?
        /// Whether a PIN stands before it: a padlock, and no picture where that would tell what it is.
        public var isLocked: Bool

        /// Makes an entry.
        public init(
            id: String, title: String, subtitle: String? = nil, number: Int? = nil, artwork: String? = nil,
            watchedPercent: Int? = nil, isLocked: Bool = false
        ) {
            self.id = id
            self.title = title
            self.subtitle = subtitle
            self.number = number
            self.artwork = artwork
            self.watchedPercent = watchedPercent
            self.isLocked = isLocked
        }
    }

    /// Name of the provider, at the top.
    public var title: String?
    /// The rows.
    public var rows: [Row]
    /// All that can be found by search and by number, whether or not a row has it.
    public var searchable: [Entry]

    /// Makes the content of Home.
    ///
    /// - Parameter searchable: nil: what the rows have, each once.
    public init(title: String? = nil, rows: [Row] = [], searchable: [Entry]? = nil) {
        self.title = title
        self.rows = rows
        var seen: Set<String> = []
        self.searchable = searchable ?? rows.flatMap(\.entries).filter { seen.insert($0.id).inserted }
    }
}
