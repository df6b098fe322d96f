/// Which part of the rows of Home is wanted.
package struct HomeQuery: Sendable, Equatable {
    /// Only the row with this id; nil for all.
    package var row: String?
    /// How many entries of each row to pass over.
    package var offset: Int
    /// How many entries of each row to return.
    package var limit: Int

    package init(row: String? = nil, offset: Int, limit: Int) {
        self.row = row
        self.offset = offset
        self.limit = limit
    }
}

/// A part of a row of Home, as the viewer sees it.
package struct HomeRow: Sendable, Equatable {
    /// Stable while the row exists.
    package var id: String
    package var title: String
    /// The number of entries of the whole row.
    package var total: Int
    package var entries: [LibraryPage.Entry]

    package init(id: String, title: String, total: Int, entries: [LibraryPage.Entry]) {
        self.id = id
        self.title = title
        self.total = total
        self.entries = entries
    }
}

/// Finds entries in the library of one moment.
package struct LibrarySearch: Sendable {
    /// The entries whose titles contain words that begin with those of a text, the best first. Any thread; may take its time for a large feed.
    package let find: @Sendable (_ text: String) -> [LibraryPage.Entry]

    package init(find: @escaping @Sendable (_ text: String) -> [LibraryPage.Entry]) { self.find = find }
}
