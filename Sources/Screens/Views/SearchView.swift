import MediaModel

/// Search by letters: the query at the top, a pad of keys, and the results next to it, updated with each letter.
package struct SearchView: Sendable, Equatable {
    /// A key of the pad.
    package struct Key: Sendable, Hashable {
        /// Its label: a letter, or the name of its function.
        package var title: String
        /// Its width in columns.
        package var width: Int

        package init(title: String, width: Int = 1) {
            self.title = title
            self.width = width
        }
    }

    /// The recent searches, which are in the place of the results while nothing is typed.
    package struct Recents: Sendable, Equatable {
        /// The heading.
        package var title: String
        /// The newest first; at least one.
        package var queries: [String]
        /// The row after the last of them, which clears them.
        package var clear: String
        /// The first row on the screen.
        package var firstRow: Int

        package init(title: String, queries: [String], clear: String, firstRow: Int = 0) {
            self.title = title
            self.queries = queries
            self.clear = clear
            self.firstRow = firstRow
        }
    }

    /// The focused element.
    package enum Focus: Sendable, Hashable {
        /// A key, by row and index in that row.
        case key(row: Int, column: Int)
        /// A result.
        case result(Int)
        /// A row of the recent searches; the last one clears them.
        case recent(Int)
    }

    /// The query.
    package var query: String
    /// A text instead of an empty query.
    package var placeholder: String
    /// The pad, row by row; at most `Metrics.Search.columns` columns. The last row has space, delete and clear.
    package var keys: [[Key]]
    /// The number of keys of one width that fill a row.
    package var columns: Int
    /// The first row of the pad on the screen.
    package var firstKeyRow: Int
    package var results: [HomeContent.Entry]
    /// The first result on the screen.
    package var firstResult: Int
    /// nil if something is typed, or if there are none.
    package var recents: Recents?
    /// A text if there are no results.
    package var message: String?
    /// nil if something is typed, or if no phone reaches the box.
    package var phone: PhoneCode?
    package var focus: Focus

    package init(
        query: String = "", placeholder: String = "", keys: [[Key]], columns: Int = Metrics.Search.columns,
        firstKeyRow: Int = 0, results: [HomeContent.Entry] = [], firstResult: Int = 0, recents: Recents? = nil,
        message: String? = nil, phone: PhoneCode? = nil, focus: Focus
    ) {
        self.query = query
        self.placeholder = placeholder
        self.keys = keys
        self.columns = columns
        self.firstKeyRow = firstKeyRow
        self.results = results
        self.firstResult = firstResult
        self.recents = recents
        self.message = message
        self.phone = phone
        self.focus = focus
    }
}

extension SearchView: PageContent {
    package static let name = "search"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("query", \.query), .init("placeholder", \.placeholder), .init("keys", \.keys),
            .init("columns", \.columns), .init("firstKeyRow", \.firstKeyRow), .init("results", \.results),
            .init("firstResult", \.firstResult),
            .init("recents", \.recents), .init("message", \.message), .init("phone", \.phone), .init("focus", \.focus),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        switch focus {
        case .key(let row, let column): return SpokenWords(place: [message], focus: [keys[row][column].title])
        case .result(let index):
            guard results.indices.contains(index) else { return SpokenWords() }
            let entry = results[index]
            return SpokenWords(
                place: [message],
                focus: [strings.text(.spokenOf, entry.title, "\(index + 1)", "\(results.count)"), entry.subtitle])
        case .recent(let row):
            guard let recents else { return SpokenWords() }
            let words =
                recents.queries.indices.contains(row)
                ? strings.text(.spokenOf, recents.queries[row], "\(row + 1)", "\(recents.queries.count)")
                : strings.text(.spokenButton, recents.clear)
            return SpokenWords(place: [recents.title], focus: [words])
        }
    }
}

extension SearchView.Key: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("width", \.width)]
    }
}

extension SearchView.Recents: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("queries", \.queries), .init("clear", \.clear), .init("firstRow", \.firstRow)]
    }
}

extension SearchView.Focus: DumpWritable {
    package var dumpValue: DumpValue {
        switch self {
        case .key(let row, let column): .cell("key", row: row, column: column)
        case .result(let index): .tagged("result", .number(index))
        case .recent(let row): .tagged("recent", .number(row))
        }
    }
}
