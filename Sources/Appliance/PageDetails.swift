import ChannelFeed
import Screens

/// What the pages of programmes and series say.
extension Presentations {
    /// - Returns: nil if there is neither an item nor a series with this id now.
    func details(of id: String) -> Details? {
        if let item = feed?.item(id) { return details(of: item).map { .programme($0) } }
        return feed?.series(id).flatMap { details(of: $0) }.map { .series($0) }
    }

    private func details(of item: Item) -> ProgrammeDetails? {
        guard let entry = entry(.item(item.id)) else { return nil }
        return ProgrammeDetails(
            entry: entry, resume: presentation(of: Programme(.item(item)), source: nil).resumeTime,
            audioLanguages: item.streams.flatMap(\.audio).map(\.language), subtitleLanguages: item.subtitles.map(\.language),
            series: upNext?.series(of: item.id).flatMap { self.entry(.series($0.id)) }, isInList: list.contains(item.id),
            isContinued: upNext?.continued().contains { $0.id == item.id } == true,
            related: related(to: item.id))
    }

    /// Nothing that is not available now, because the rest of the feed is not in `feed`.
    private func related(to id: String) -> [HomeContent.Entry] {
        let references = moreLikeThis?.references(like: id) { isWatched($0) } ?? []
        return references.compactMap { entry($0, hasDetails: false) }
    }

    private func details(of series: Series) -> SeriesDetails? {
        guard let entry = entry(.series(series.id)) else { return nil }
        let upNext = upNext
        let seasons = series.seasons.compactMap { season in
            let episodes = season.episodes.compactMap { id in
                episode(of: id).map { SeriesDetails.Episode(entry: $0, number: upNext?.place(of: id, in: series)?.number ?? 1) }
            }
            return episodes.isEmpty ? nil : SeriesDetails.Season(title: title(of: season), episodes: episodes)
        }
        return SeriesDetails(
            entry: entry, seasons: seasons, next: next(in: series),
            isInList: list.contains(series.id), related: related(to: series.id))
    }

    /// The button of a series: how it goes on.
    private func next(in series: Series) -> SeriesDetails.Next? {
        guard let upNext, let step = upNext.step(in: series) else { return nil }
        guard let number = number(of: step.episode.id, in: series) else { return nil }
        let phrase: Phrase = if case .begin = step { .playEpisode } else { .continueEpisode }
        return SeriesDetails.Next(id: step.episode.id, title: strings.text(phrase, number))
    }

    private func title(of season: Season) -> String {
        season.title?.best(for: languages)
            ?? (season.number == 0 ? strings.text(.specials) : strings.text(.seasonNumber, "\(season.number)"))
    }

    /// An episode in the list of its season, with its still.
    private func episode(of id: String) -> HomeContent.Entry? {
        guard let item = feed?.item(id), var entry = entry(.item(id)) else { return nil }
        entry.facts = [item.rating?.value, viewed.statedLength(of: item).map { strings.duration($0) }].compactMap { $0 }
        entry.artwork = item.artwork?.still ?? entry.artwork
        return entry
    }
}
