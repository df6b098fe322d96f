import MediaModel
import Screens

/// Focus in a row of what is like a programme: on its page, and when it has ended.
package struct RelatedRow: Sendable, Equatable {
    /// The entry that has focus, or had it last; nil for the first.
    private var focusedID: String?
    /// The first entry on the screen.
    private var first = 0

    package init() {}

    private func column(in entries: [HomeContent.Entry]) -> Int { entries.firstIndex { $0.id == focusedID } ?? 0 }

    /// What has focus in a row that is not empty.
    package func entry(in entries: [HomeContent.Entry]) -> HomeContent.Entry { entries[column(in: entries)] }

    /// Keeps what has focus on the screen.
    mutating func settle(_ entries: [HomeContent.Entry], _ grid: Metrics.Home.Grid) {
        let column = column(in: entries)
        first = min(max(first, column - grid.postersPerScreen + 1), column)
    }

    /// - Parameter step: -1 or 1 along the row.
    package mutating func move(_ step: Int, in entries: [HomeContent.Entry], _ grid: Metrics.Home.Grid) -> KeyOutcome {
        let moved = column(in: entries) + step
        guard entries.indices.contains(moved) else { return .refused(.noChange) }
        focusedID = entries[moved].id
        settle(entries, grid)
        return .done
    }

    /// - Returns: nil for an empty row.
    package func view(
        _ entries: [HomeContent.Entry], isFocused: Bool, _ grid: Metrics.Home.Grid, _ strings: StringCatalogue
    ) -> RelatedView? {
        guard !entries.isEmpty else { return nil }
        var row = self
        row.settle(entries, grid)
        return RelatedView(
            title: strings.text(.moreLikeThis), entries: entries, first: row.first,
            focused: isFocused ? column(in: entries) : nil, grid: grid, watched: strings.text(.watched))
    }
}
