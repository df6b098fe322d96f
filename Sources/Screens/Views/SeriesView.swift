import MediaModel

/// The page of a series: its title, facts and summary; below them its seasons and the episodes of one of them.
package struct SeriesView: Sendable, Equatable {
    package struct Season: Sendable, Hashable {
        package var title: String
        /// Whether its episodes are shown.
        package var isCurrent: Bool
        package var isFocused: Bool

        package init(title: String, isCurrent: Bool = false, isFocused: Bool = false) {
            self.title = title
            self.isCurrent = isCurrent
            self.isFocused = isFocused
        }
    }

    package struct Episode: Sendable, Equatable {
        /// The episode as a poster has it.
        package var entry: HomeContent.Entry
        /// Its number and title.
        package var heading: String
        package var isFocused: Bool

        package init(entry: HomeContent.Entry, heading: String, isFocused: Bool = false) {
            self.entry = entry
            self.heading = heading
            self.isFocused = isFocused
        }
    }

    package var title: String
    package var facts: [String]
    package var summary: String?
    /// The picture behind it, as a reference.
    package var backdrop: String?
    /// How it goes on, over the seasons; nil if nothing of it is available.
    package var next: ButtonView?
    package var seasons: [Season]
    /// The first season on the screen, of at most `Metrics.Series.seasonsPerScreen`.
    package var firstSeason: Int
    /// The episodes of the current season.
    package var episodes: [Episode]
    /// The first episode on the screen, of at most `Metrics.Series.episodesPerScreen`.
    package var firstEpisode: Int
    /// My List, below the seasons; nil until the box knows more than the poster.
    package var button: ButtonView?
    /// The badge of a watched episode.
    package var watched: String
    /// Why there are no episodes.
    package var message: String?
    /// What is like it; it looks in from below until it has focus. Nil if there is nothing.
    package var related: RelatedView?

    package init(
        title: String, facts: [String] = [], summary: String? = nil, backdrop: String? = nil, next: ButtonView? = nil,
        seasons: [Season] = [],
        firstSeason: Int = 0, episodes: [Episode] = [], firstEpisode: Int = 0, button: ButtonView? = nil, watched: String = "",
        message: String? = nil, related: RelatedView? = nil
    ) {
        self.title = title
        self.facts = facts
        self.summary = summary
        self.backdrop = backdrop
        self.next = next
        self.seasons = seasons
        self.firstSeason = firstSeason
        self.episodes = episodes
        self.firstEpisode = firstEpisode
        self.button = button
        self.watched = watched
        self.message = message
        self.related = related
    }
}

extension SeriesView: PageContent {
    package static let name = "series"
    package static let hidesPicture = true
    package static let showsTime = false

    package static var dumpFields: [DumpFieldWriter<Self>] {
        [
            .init("title", \.title), .init("facts", \.facts), .init("summary", \.summary), .init("backdrop", \.backdrop),
            .init("next", \.next), .init("seasons", \.seasons), .init("firstSeason", \.firstSeason),
            .init("episodes", \.episodes),
            .init("firstEpisode", \.firstEpisode), .init("button", \.button), .init("watched", \.watched),
            .init("message", \.message), .init("related", \.related),
        ]
    }

    package func spoken(in strings: StringCatalogue) -> SpokenWords {
        guard let button else { return SpokenWords() }
        if let words = related?.spoken(in: strings) { return words }
        if let next, next.isFocused { return SpokenWords(place: [title], focus: [strings.text(.spokenButton, next.title)]) }
        if let index = seasons.firstIndex(where: \.isFocused) {
            return SpokenWords(
                place: [title],
                focus: [strings.text(.spokenOf, seasons[index].title, "\(index + 1)", "\(seasons.count)")])
        }
        guard let index = episodes.firstIndex(where: \.isFocused) else {
            return SpokenWords(place: [title, message], focus: [strings.text(.spokenButton, button.title)])
        }
        let entry = episodes[index].entry
        return SpokenWords(
            place: [title, seasons.first(where: \.isCurrent)?.title],
            focus: [strings.text(.spokenOf, episodes[index].heading, "\(index + 1)", "\(episodes.count)")]
                + entry.spokenState(in: strings))
    }
}

extension SeriesView.Season: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("title", \.title), .init("isCurrent", \.isCurrent), .init("isFocused", \.isFocused)]
    }
}

extension SeriesView.Episode: DumpRecord {
    package static var dumpFields: [DumpFieldWriter<Self>] {
        [.init("entry", \.entry), .init("heading", \.heading), .init("isFocused", \.isFocused)]
    }
}
