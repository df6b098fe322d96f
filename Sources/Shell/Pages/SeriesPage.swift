import BoxModel
import Screens
import Viewing

/// The page of a series: on the leading side how it goes on and its seasons, the episodes of one of them beside it, with what was watched. Below both is what is
/// like it.
struct SeriesPage: Sendable, Equatable {
    private enum Focus: Sendable, Hashable {
        /// The button that plays the next episode, over the seasons.
        case next
        case season
        /// Into the viewer's list or out of it, below the seasons.
        case myList
        case episode
        /// The row of what is like it.
        case related
    }

    /// What its poster knows.
    private var entry: HomeContent.Entry
    /// nil until the box has answered.
    private var details: SeriesDetails?
    private var focus = Focus.episode
    /// What Up from the row returns to: the episode or My List.
    private var above = Focus.episode
    private var row = RelatedRow()
    /// The season whose episodes are shown, and the episode of it that has focus or had it last.
    private var season = 0
    private var episode = 0

    init(_ entry: HomeContent.Entry) { self.entry = entry }

    var id: String { entry.id }

    private var seasons: [SeriesDetails.Season] { details?.seasons ?? [] }
    private var episodes: [SeriesDetails.Episode] { seasons.indices.contains(season) ? seasons[season].episodes : [] }

    /// The episode that is next, as a poster has it.
    private var next: HomeContent.Entry? {
        guard let id = details?.next?.id else { return nil }
        return seasons.lazy.flatMap(\.episodes).first { $0.entry.id == id }?.entry
    }

    /// More is known about it. At first its button has focus, and the episode that is next is beside it; later focus stays on its episode.
    mutating func take(_ new: SeriesDetails) {
        let isFirst = details == nil
        let wanted = isFirst ? new.next?.id : episodes.indices.contains(episode) ? episodes[episode].entry.id : nil
        entry = new.entry
        details = new
        if isFirst, next != nil { focus = .next }
        if let wanted { find(wanted) }
        settle()
    }

    private mutating func find(_ id: String) {
        for (index, season) in seasons.enumerated() {
            guard let place = season.episodes.firstIndex(where: { $0.entry.id == id }) else { continue }
            (self.season, episode) = (index, place)
            return
        }
    }

    private mutating func settle() {
        season = min(season, max(0, seasons.count - 1))
        episode = min(episode, max(0, episodes.count - 1))
        if focus == .next, next == nil { focus = .episode }
        if above == .next, next == nil { above = .episode }
        guard episodes.isEmpty else { return }
        above = .myList
        if focus != .related { focus = .myList }
    }

    /// What is like it and can be played now.
    private func related(_ context: BrowsingContext) -> [HomeContent.Entry] {
        (details?.related ?? []).filter { $0.canPlay(isOffline: context.isOffline) }
    }

    /// Focus leaves a row that has become empty.
    private mutating func leaveRow(_ related: [HomeContent.Entry]) {
        if focus == .related, related.isEmpty { focus = above }
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        guard let details else { return key == .back ? .closed : .refused(.notReady) }
        let related = related(context)
        leaveRow(related)
        switch key {
        case .back: return .closed
        case .up, .down: return move(key == .down ? 1 : -1, hasRow: !related.isEmpty) ? .done : .refused(.noChange)
        case .left where focus == .related, .right where focus == .related:
            return row.move(context.strings.step(of: key), in: related, context.grid)
        case .left, .right:
            let isForward = context.strings.step(of: key) > 0
            guard isForward != (focus == .episode), !episodes.isEmpty else { return .refused(.noChange) }
            focus = isForward ? .episode : .season
            return .done
        case .ok:
            switch focus {
            case .next: return .wants(.open(next ?? entry))
            case .season: focus = .episode
            case .myList: return .wants(.request(.setInList(id: id, !details.isInList)))
            case .episode: return .wants(.open(episodes[episode].entry))
            case .related: return .wants(row.entry(in: related).intent)
            }
            return .done
        case .play, .playpause:
            switch focus {
            case .episode: return .wants(.open(episodes[episode].entry))
            case .related: return .wants(.open(row.entry(in: related)))
            // What would be next.
            case .next, .season, .myList: return .wants(.open(next ?? entry))
            }
        default: return .refused(.notSupported)
        }
    }

    private mutating func move(_ step: Int, hasRow: Bool) -> Bool {
        switch focus {
        case .next:
            guard step > 0 else { return false }
            focus = .season
        case .episode:
            guard episodes.indices.contains(episode + step) else { return step > 0 && enterRow(hasRow) }
            episode += step
        case .season:
            if seasons.indices.contains(season + step) {
                season += step
                episode = 0
            } else if step > 0 {
                focus = .myList
            } else {
                guard next != nil else { return false }
                focus = .next
            }
        case .myList:
            guard step < 0 else { return enterRow(hasRow) }
            guard !seasons.isEmpty else { return false }
            focus = .season
        case .related:
            guard step < 0 else { return false }
            focus = above
        }
        return true
    }

    private mutating func enterRow(_ hasRow: Bool) -> Bool {
        guard hasRow else { return false }
        (above, focus) = (focus, .related)
        return true
    }

    // MARK: View

    func view(_ context: BrowsingContext) -> SeriesView {
        var page = self
        let related = related(context)
        page.leaveRow(related)
        return page.settledView(related, context)
    }

    private func settledView(_ related: [HomeContent.Entry], _ context: BrowsingContext) -> SeriesView {
        let strings = context.strings
        let firstSeason = Self.first(season, of: seasons.count, Metrics.Series.seasonsPerScreen)
        let firstEpisode = Self.first(episode, of: episodes.count, Metrics.Series.episodesPerScreen)
        return SeriesView(
            title: entry.title, facts: entry.facts, summary: entry.summary, backdrop: entry.backdrop,
            next: details?.next.map { ButtonView(title: $0.title, isFocused: focus == .next) },
            seasons: seasons.enumerated().map { index, season in
                SeriesView.Season(
                    title: season.title, isCurrent: index == self.season, isFocused: focus == .season && index == self.season)
            },
            firstSeason: firstSeason,
            episodes: episodes.enumerated().map { index, episode in
                SeriesView.Episode(
                    entry: episode.entry, heading: strings.text(.numberedTitle, "\(episode.number)", episode.entry.title),
                    isFocused: focus == .episode && index == self.episode)
            },
            firstEpisode: firstEpisode,
            button: details.map {
                ButtonView(
                    title: strings.text($0.isInList ? .removeFromMyList : .addToMyList), isFocused: focus == .myList)
            },
            watched: strings.text(.watched),
            message: details != nil && episodes.isEmpty ? strings.sentence(for: .sourceMissing) : nil,
            related: row.view(related, isFocused: focus == .related, context.grid, strings))
    }

    /// The first row on the screen: the focused one is in the middle where there are rows on both sides.
    private static func first(_ focused: Int, of count: Int, _ room: Int) -> Int {
        min(max(0, focused - (room - 1) / 2), max(0, count - room))
    }
}
