/// Search by letters: what was typed at the top, a pad of keys, and what was found beside it, at once with each letter.
package struct SearchView: Sendable, Equatable {
    /// A key of the pad.
    package struct Key: Sendable, Hashable {
        /// Its words: a letter, or the name of what it does.
        package var title: String
        /// How many columns it takes.
        package var width: Int

        package init(title: String, width: Int = 1) {
            self.title = title
            self.width = width
        }
    }

    /// What has focus.
    package enum Focus: Sendable, Hashable {
        /// A key, by row and index in that row.
        case key(row: Int, column: Int)
        /// Something that was found.
        case result(Int)
    }

    /// What was typed.
    package var query: String
    /// Words in its place while nothing was typed.
    package var placeholder: String
    /// The pad, row by row; at most `Metrics.Search.columns` columns. The last row has space, delete and clear.
    package var keys: [[Key]]
    /// The first row of the pad on the screen.
    package var firstKeyRow: Int
    /// What was found.
    package var results: [HomeContent.Entry]
    /// The first of them on the screen.
    package var firstResult: Int
    /// Words where nothing was found.
    package var message: String?
    /// What has focus.
    package var focus: Focus

    package init(
        query: String = "", placeholder: String = "", keys: [[Key]], firstKeyRow: Int = 0, results: [HomeContent.Entry] = [],
        firstResult: Int = 0, message: String? = nil, focus: Focus
    ) {
        self.query = query
        self.placeholder = placeholder
        self.keys = keys
        self.firstKeyRow = firstKeyRow
        self.results = results
        self.firstResult = firstResult
        self.message = message
        self.focus = focus
    }
}
