import MediaModel

/// The channels over the picture, on the leading side. Up in a live channel opens it; Select tunes to the focused one.
package struct ChannelListView: Sendable, Hashable {
    /// A channel.
    package struct Row: Sendable, Hashable {
        package var number: Int?
        package var title: String
        /// Its picture, as a reference.
        package var artwork: String?
        /// The current programme.
        package var now: String?
        /// When the current programme ends: "20:40".
        package var ends: String?
        /// Its progress, in percent.
        package var progressPercent: Int?
        /// Whether it is the current channel.
        package var isCurrent: Bool
        /// Whether it needs the PIN.
        package var isLocked: Bool
        package var isFocused: Bool

        package init(
            number: Int? = nil, title: String, artwork: String? = nil, now: String? = nil, ends: String? = nil,
            progressPercent: Int? = nil,
            isCurrent: Bool = false, isLocked: Bool = false, isFocused: Bool = false
        ) {
            self.number = number
            self.title = title
            self.artwork = artwork
            self.now = now
            self.ends = ends
            self.progressPercent = progressPercent
            self.isCurrent = isCurrent
            self.isLocked = isLocked
            self.isFocused = isFocused
        }
    }

    package var title: String
    /// The rows on the screen, at most `Metrics.Menu.channelRows`.
    package var rows: [Row]
    /// Those of the viewer's favourite channels: indices of `rows`.
    package var favourites: [Int]
    package var hasMoreAbove: Bool
    package var hasMoreBelow: Bool
    /// The next programme of the focused channel: "Next: 20:40 The Long Pier".
    package var next: String?

    package init(
        title: String, rows: [Row], favourites: [Int] = [], hasMoreAbove: Bool = false, hasMoreBelow: Bool = false,
        next: String? = nil
    ) {
        self.next = next
        self.title = title
        self.rows = rows
        self.favourites = favourites
        self.hasMoreAbove = hasMoreAbove
        self.hasMoreBelow = hasMoreBelow
    }
}

extension ChannelListView: PageContent {
    package static let name = "channels"
    package static let hidesPicture = false
    package static let showsTime = true

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("rows", \.rows), .init("favourites", \.favourites),
            .init("hasMoreAbove", \.hasMoreAbove), .init("hasMoreBelow", \.hasMoreBelow), .init("next", \.next),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        guard let index = rows.firstIndex(where: \.isFocused) else { return SpokenWords(place: [title]) }
        let row = rows[index]
        let words = row.isCurrent ? strings.text(.spokenSelected, row.title) : row.title
        let favourite = favourites.contains(index) ? strings.text(.favourite) : nil
        return SpokenWords(place: [title], focus: [row.number.map { "\($0)" }, words, favourite, row.now, next])
    }
}

extension ChannelListView.Row: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("number", \.number), .init("title", \.title), .init("artwork", \.artwork), .init("now", \.now),
            .init("ends", \.ends),
            .init("progressPercent", \.progressPercent), .init("isCurrent", \.isCurrent), .init("isLocked", \.isLocked),
            .init("isFocused", \.isFocused),
        ]
    }
}
