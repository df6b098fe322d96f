import MediaTime

/// What Home offers: rows of items and channels, in the viewer's language already.
package struct HomeContent: Sendable, Equatable {
    /// One row.
    package struct Row: Sendable, Equatable {
        /// What its entries are.
        package enum Style: String, Sendable, Hashable {
            /// Pictures.
            case posters
            /// Channels: number, picture, what is on now and how much of it is over.
            case channels
        }

        /// The same for one row for as long as it exists.
        package var id: String
        /// Its heading.
        package var title: String
        /// What is in it; an empty row is not shown.
        package var entries: [Entry]
        /// What its entries are.
        package var style: Style

        package init(id: String, title: String, entries: [Entry], style: Style = .posters) {
            self.id = id
            self.title = title
            self.entries = entries
            self.style = style
        }
    }

    /// One item or channel.
    package struct Entry: Sendable, Equatable {
        /// What is opened.
        package var id: String
        /// Its title.
        package var title: String
        /// A second line, e.g. what is on now.
        package var subtitle: String?
        /// Number of a channel.
        package var number: Int?
        /// Its picture, as a reference.
        package var artwork: String?
        /// How much of it was watched, in percent; nil: it was not begun. Of a channel: how much of what is on now is over.
        package var watchedPercent: Int?
        /// Whether a PIN stands before it: a padlock, and no picture where that would tell what it is.
        package var isLocked: Bool

        package init(
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
    package var title: String?
    /// The rows.
    package var rows: [Row]
    /// All that can be found by search and by number, whether or not a row has it.
    package var searchable: [Entry]

    /// Makes the content of Home.
    ///
    /// - Parameter searchable: nil: what the rows have, each once.
    package init(title: String? = nil, rows: [Row] = [], searchable: [Entry]? = nil) {
        self.title = title
        self.rows = rows
        var seen: Set<String> = []
        self.searchable = searchable ?? rows.flatMap(\.entries).filter { seen.insert($0.id).inserted }
    }
}
