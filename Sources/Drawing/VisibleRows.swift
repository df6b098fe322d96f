import PlayerInterface

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
        return view
    }
}

extension SearchView {
    /// The search results on the screen.
    var visibleResults: Range<Int> {
        let first = min(max(firstResult, 0), results.count)
        return first..<min(first + Metrics.Search.resultsPerScreen, results.count)
    }
}
