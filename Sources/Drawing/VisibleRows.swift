import Screens

// What of a long list is on the screen at once.

extension SeriesView {
    /// The episodes on the screen.
    var visibleEpisodes: Range<Int> {
        let first = min(max(firstEpisode, 0), episodes.count)
        return first..<min(first + Metrics.Series.episodesPerScreen, episodes.count)
    }

    /// What does not change while focus moves.
    var withoutLists: SeriesView {
        var view = self
        (view.seasons, view.firstSeason, view.episodes, view.firstEpisode, view.button) = ([], 0, [], 0, nil)
        view.next = nil
        return view
    }

    /// Only what names it.
    var head: ProgrammeView { ProgrammeView(title: title, facts: facts) }
}

extension RelatedView {
    /// The entries on the screen, including the one on each side that the edge of the screen cuts.
    var visible: Range<Int> {
        let first = min(max(first, 0), entries.count)
        return max(first - 1, 0)..<min(first + grid.postersPerScreen + 1, entries.count)
    }
}

extension SearchView {
    /// The search results on the screen.
    var visibleResults: Range<Int> {
        let first = min(max(firstResult, 0), results.count)
        return first..<min(first + Metrics.Search.resultsPerScreen, results.count)
    }
}
