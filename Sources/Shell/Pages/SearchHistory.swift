/// What was searched for of late, the newest first. A search belongs to it when something of what it found was opened.
struct SearchHistory: Sendable, Equatable {
    /// More are not kept: the oldest go.
    static let most = 10
    static let longestQuery = 40

    private(set) var queries: [String] = []

    init() {}

    /// - Parameter queries: the newest first; stored text may be anything.
    init(_ queries: [String]) {
        for query in queries.prefix(Self.most).reversed() { note(query) }
    }

    /// The same with a query that is the newest now.
    func noting(_ query: String) -> SearchHistory {
        var new = self
        new.note(query)
        return new
    }

    /// Something that a query had found was opened. The same words in other letters replace the earlier ones.
    mutating func note(_ query: String) {
        let query = query.split(separator: " ").joined(separator: " ")
        let folded = LetterSearch.folded(query)
        guard !folded.isEmpty, query.count <= Self.longestQuery else { return }
        queries.removeAll { LetterSearch.folded($0) == folded }
        queries = Array(([query] + queries).prefix(Self.most))
    }
}
