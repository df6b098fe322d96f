import MediaModel
import MediaTime

/// What the page of a programme or of a series says. The box answers `InterfaceEffect.describe` with it.
package enum Details: Sendable, Equatable {
    case programme(ProgrammeDetails)
    case series(SeriesDetails)
}

/// What the page of a programme says.
package struct ProgrammeDetails: Sendable, Equatable {
    /// The programme as a poster has it, with facts and summary.
    package var entry: HomeContent.Entry
    /// Where it resumes, in content time; nil if there is no saved position.
    package var resume: MediaTime?
    /// The languages of its sound as far as the feed has them (BCP 47).
    package var audioLanguages: [String]
    /// Those of its subtitles.
    package var subtitleLanguages: [String]
    /// The series of which it is an episode.
    package var series: HomeContent.Entry?
    /// Whether it is in the viewer's list.
    package var isInList: Bool
    /// Whether Continue Watching has it: it was begun, or is the next episode of a series.
    package var isContinued: Bool
    /// What is like it, the best first; nothing that is not available now.
    package var related: [HomeContent.Entry]

    package init(
        entry: HomeContent.Entry, resume: MediaTime? = nil, audioLanguages: [String] = [], subtitleLanguages: [String] = [],
        series: HomeContent.Entry? = nil, isInList: Bool = false, isContinued: Bool = false, related: [HomeContent.Entry] = []
    ) {
        self.entry = entry
        self.resume = resume
        self.audioLanguages = audioLanguages
        self.subtitleLanguages = subtitleLanguages
        self.series = series
        self.isInList = isInList
        self.isContinued = isContinued
        self.related = related
    }
}

/// What the page of a series says.
package struct SeriesDetails: Sendable, Equatable {
    /// A season with at least one episode.
    package struct Season: Sendable, Equatable {
        package var title: String
        /// In viewing order.
        package var episodes: [Episode]

        package init(title: String, episodes: [Episode]) {
            self.title = title
            self.episodes = episodes
        }
    }

    /// An episode in its season.
    package struct Episode: Sendable, Equatable {
        /// The episode as a poster has it, with facts and summary.
        package var entry: HomeContent.Entry
        /// Its number, which counts the episodes that are not available now.
        package var number: Int

        package init(entry: HomeContent.Entry, number: Int) {
            self.entry = entry
            self.number = number
        }
    }

    /// How it goes on.
    package struct Next: Sendable, Equatable {
        /// The id of one of its episodes.
        package var id: String
        /// The title of the button for it: "Continue S1 E3".
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// The series as a poster has it, with facts and summary.
    package var entry: HomeContent.Entry
    /// In viewing order; none if nothing of it is available now.
    package var seasons: [Season]
    /// The episode that it goes on with; nil if nothing of it is available now.
    package var next: Next?
    /// Whether it is in the viewer's list.
    package var isInList: Bool
    /// What is like it, the best first; nothing that is not available now.
    package var related: [HomeContent.Entry]

    package init(
        entry: HomeContent.Entry, seasons: [Season] = [], next: Next? = nil, isInList: Bool = false,
        related: [HomeContent.Entry] = []
    ) {
        self.entry = entry
        self.seasons = seasons
        self.next = next
        self.isInList = isInList
        self.related = related
    }
}
