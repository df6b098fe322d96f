import MediaModel

/// A row of what is like a programme.
package struct RelatedView: Sendable, Equatable {
    /// The heading.
    package var title: String
    /// The best first; at least one.
    package var entries: [HomeContent.Entry]
    /// The first entry on the screen.
    package var first: Int
    /// The entry with focus; nil if focus is elsewhere.
    package var focused: Int?
    /// The arrangement of its posters.
    package var grid: Metrics.Home.Grid
    /// The badge of a watched programme.
    package var watched: String

    package init(
        title: String, entries: [HomeContent.Entry], first: Int = 0, focused: Int? = nil,
        grid: Metrics.Home.Grid = .standard, watched: String = ""
    ) {
        self.title = title
        self.entries = entries
        self.first = first
        self.focused = focused
        self.grid = grid
        self.watched = watched
    }
}

extension RelatedView: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("entries", \.entries), .init("first", \.first), .init("focused", \.focused),
            .init("grid", \.grid), .init("watched", \.watched),
        ]
    }
}

extension RelatedView {
    /// The words for what has focus; nil if nothing in it has.
    func spoken(in strings: StringCatalogue) -> SpokenWords? {
        guard let focused, entries.indices.contains(focused) else { return nil }
        let entry = entries[focused]
        return SpokenWords(
            place: [title],
            focus: [strings.text(.spokenOf, entry.title, "\(focused + 1)", "\(entries.count)"), entry.subtitle]
                + entry.spokenState(in: strings))
    }
}
