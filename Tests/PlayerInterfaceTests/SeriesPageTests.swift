import BoxModel
import LinuxSupport
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The page of a series, reached with six keys from Home.
@Suite struct SeriesPageTests {
    private static let seasons = (1...2).map { season in
        SeriesDetails.Season(
            title: "Season \(season)",
            episodes: (1...6).map {
                SeriesDetails.Episode(
                    entry: HomeContent.Entry(
                        id: "s\(season)e\($0)", title: "Part \($0)", facts: ["42 min"],
                        watchedPercent: season == 2 && $0 == 2 ? 30 : nil, isWatched: season == 1 || $0 == 1), number: $0)
            })
    }

    private static func next(_ id: String) -> SeriesDetails.Next {
        SeriesDetails.Next(id: id, title: "Continue " + id.uppercased())
    }

    /// The page on the screen, with focus on an episode.
    private func opened(
        next: String? = "s2e2", seasons: [SeriesDetails.Season] = Self.seasons, related: [HomeContent.Entry] = [],
        speaks: Bool = false
    ) -> Viewer {
        var viewer = arrived(next: next, seasons: seasons, related: related, speaks: speaks)
        if page(viewer)?.next != nil { viewer.press(.right) }
        return viewer
    }

    /// The page as it opens.
    private func arrived(
        next: String? = "s2e2", seasons: [SeriesDetails.Season] = Self.seasons, related: [HomeContent.Entry] = [],
        speaks: Bool = false
    ) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasVoice = speaks
        var viewer = Viewer(policy: policy)
        if speaks { viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.speech", "true")]))) }
        let entry = HomeContent.Entry(id: "hh", kind: .series, title: "Harbour")
        viewer.details["hh"] = .series(SeriesDetails(entry: entry, seasons: seasons, next: next.map(Self.next), related: related))
        viewer.send(.homeChanged(HomeContent(rows: [.init(id: "r", title: "Series", entries: [entry])])))
        viewer.press(.ok)
        return viewer
    }

    private func page(_ viewer: Viewer) -> SeriesView? { if case .series(let view)? = viewer.state.page { view } else { nil } }
    private func focused(_ viewer: Viewer) -> String? { page(viewer)?.episodes.first(where: \.isFocused)?.entry.id }

    @Test(arguments: [RemoteKey.ok, .play]) func focusStartsAtTheButtonThatPlaysTheNextEpisode(_ key: RemoteKey) {
        var viewer = arrived(speaks: true)
        #expect(page(viewer)?.next == ButtonView(title: "Continue S2E2", isFocused: true) && focusCount(viewer) == 1)
        #expect(page(viewer)?.seasons.map(\.isCurrent) == [false, true], "the episode is beside it")
        let said = viewer.effects.compactMap { if case .speak(let words) = $0 { words } else { nil } }
        #expect(said.last == "Harbour, Continue S2E2, button")
        viewer.press(key)
        #expect(viewer.effects.contains(.open(id: "s2e2")) && viewer.state.screen == .player)
    }

    @Test func theButtonIsAboveTheSeasonsAndBesideTheEpisodes() {
        var viewer = arrived()
        #expect(viewer.press(.up) == .failed(.noChange) && viewer.press(.left) == .failed(.noChange))
        viewer.press(.down)
        #expect(page(viewer)?.seasons.map(\.isFocused) == [false, true] && focusCount(viewer) == 1)
        for key in [RemoteKey.up, .up] { viewer.press(key) }
        #expect(page(viewer)?.next?.isFocused == true && focusCount(viewer) == 1)
        viewer.press(.right)
        #expect(focused(viewer) == "s1e1")
    }

    @Test func aButtonThatGoesAwayLeavesFocusOnTheEpisode() {
        var viewer = arrived()
        let entry = HomeContent.Entry(id: "hh", kind: .series, title: "Harbour")
        viewer.details["hh"] = .series(SeriesDetails(entry: entry, seasons: Self.seasons))
        viewer.send(.homeChanged(HomeContent()))
        #expect(page(viewer)?.next == nil && focused(viewer) == "s2e2" && focusCount(viewer) == 1)
    }

    @Test func episodesHaveTheNumbersOfTheirSeasonAlsoWhereSomeAreNotAvailable() {
        var seasons = Self.seasons
        seasons[1].episodes.removeFirst(2)
        let viewer = opened(next: "s2e4", seasons: seasons)
        #expect(page(viewer)?.episodes.first?.heading == "3. Part 3" && focused(viewer) == "s2e4")
    }

    @Test func theEpisodeThatIsNextIsBesideTheButtonAndOKPlaysIt() {
        var viewer = opened()
        #expect(focused(viewer) == "s2e2" && page(viewer)?.episodes[1].heading == "2. Part 2")
        #expect(page(viewer)?.seasons.map(\.isCurrent) == [false, true])
        #expect(page(viewer)?.episodes.map(\.entry.isWatched) == [true, false, false, false, false, false])
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "s2e2")) && viewer.state.screen == .player)
    }

    @Test func seasonsAreOnTheLeadingSideAndShowTheirEpisodes() {
        var viewer = opened()
        viewer.press(.left)
        #expect(focused(viewer) == nil && page(viewer)?.seasons.map(\.isFocused) == [false, true])
        viewer.press(.up)
        #expect(page(viewer)?.episodes.first?.entry.id == "s1e1")
        #expect(viewer.press(.left) == .failed(.noChange))
        viewer.press(.right)
        #expect(focused(viewer) == "s1e1")
        #expect(viewer.press(.right) == .failed(.noChange))
    }

    @Test func theFocusedEpisodeIsOnTheScreen() {
        var viewer = opened(next: nil)
        #expect(focused(viewer) == "s1e1")
        for _ in 0..<5 {
            viewer.press(.down)
            guard let view = page(viewer), let index = view.episodes.firstIndex(where: \.isFocused) else { break }
            #expect((view.firstEpisode..<view.firstEpisode + Metrics.Series.episodesPerScreen).contains(index))
        }
        #expect(focused(viewer) == "s1e6")
        #expect(viewer.press(.down) == .failed(.noChange))
    }

    @Test func theSeriesIsPutIntoTheListAndBackReturnsToItsPoster() {
        var viewer = opened()
        for key in [RemoteKey.left, .down] { viewer.press(key) }
        #expect(page(viewer)?.button == ButtonView(title: "Add to My List", isFocused: true))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setInList(id: "hh", true)))
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .entry(row: 0, column: 0))
    }

    @Test func whatIsWatchedMeanwhileIsMarkedAndFocusStays() {
        var viewer = opened()
        viewer.press(.down)
        var seasons = Self.seasons
        seasons[1].episodes.remove(at: 0)
        viewer.details["hh"] = .series(
            SeriesDetails(
                entry: HomeContent.Entry(id: "hh", kind: .series, title: "Harbour"), seasons: seasons,
                next: Self.next("s1e1")))
        viewer.send(.homeChanged(HomeContent()))
        #expect(focused(viewer) == "s2e3", "a page that is open does not move its focus")
    }

    @Test func aSeriesOfWhichNothingIsAvailableSaysSo() {
        var viewer = opened(seasons: [])
        #expect(page(viewer)?.message == "This programme isn’t available right now.")
        #expect(page(viewer)?.button?.isFocused == true)
        for key in [RemoteKey.up, .right, .left] { #expect(viewer.press(key) == .failed(.noChange)) }
        viewer.press(.back)
        #expect(viewer.state.home != nil)
    }

    // MARK: More Like This

    private static let related = [
        HomeContent.Entry(id: "f1", title: "Film"), HomeContent.Entry(id: "hs", kind: .series, title: "Sound"),
        HomeContent.Entry(id: "f2", title: "Locked", isLocked: true),
    ]

    private func focusedRelated(_ viewer: Viewer) -> String? {
        page(viewer)?.related.flatMap { row in row.focused.map { row.entries[$0].id } }
    }

    /// The number of elements with focus.
    private func focusCount(_ viewer: Viewer) -> Int {
        guard let view = page(viewer) else { return 0 }
        return view.seasons.count { $0.isFocused } + view.episodes.count { $0.isFocused }
            + (view.button?.isFocused == true ? 1 : 0) + (view.next?.isFocused == true ? 1 : 0)
            + (view.related?.focused == nil ? 0 : 1)
    }

    @Test func belowTheLastEpisodeIsWhatIsLikeTheSeries() {
        var viewer = opened(next: "s2e5", related: Self.related)
        #expect(page(viewer)?.related?.title == "More Like This" && focusedRelated(viewer) == nil)
        for key in [RemoteKey.down, .down] { viewer.press(key) }
        #expect(focusedRelated(viewer) == "f1" && focused(viewer) == nil && focusCount(viewer) == 1)
        #expect(viewer.press(.left) == .failed(.noChange) && viewer.press(.down) == .failed(.noChange))
        viewer.press(.right)
        #expect(focusedRelated(viewer) == "hs")
        viewer.press(.up)
        #expect(focused(viewer) == "s2e6" && focusCount(viewer) == 1, "it returns to the episode")
        viewer.press(.down)
        #expect(focusedRelated(viewer) == "hs", "the row keeps its place")
    }

    @Test func belowMyListItIsTheSameRow() {
        var viewer = opened(related: Self.related)
        for key in [RemoteKey.left, .down, .down] { viewer.press(key) }
        #expect(focusedRelated(viewer) == "f1" && page(viewer)?.seasons.map(\.isCurrent) == [false, true])
        viewer.press(.up)
        #expect(page(viewer)?.button?.isFocused == true && focusCount(viewer) == 1, "it returns to My List")
        viewer.press(.up)
        #expect(page(viewer)?.seasons.map(\.isFocused) == [false, true])
    }

    @Test func okOpensThePageOfWhatIsLikeItAndBackReturnsToTheRow() {
        var viewer = opened(next: "s2e6", related: Self.related)
        viewer.details["f1"] = .programme(ProgrammeDetails(entry: Self.related[0]))
        for key in [RemoteKey.down, .ok] { viewer.press(key) }
        #expect(viewer.state.programme?.title == "Film" && !viewer.effects.contains(.open(id: "f1")))
        viewer.press(.back)
        #expect(focusedRelated(viewer) == "f1")
        viewer.press(.play)
        #expect(viewer.effects.contains(.open(id: "f1")) && !viewer.effects.contains(.open(id: "s2e6")))
    }

    @Test func aRowThatEmptiesGivesFocusBack() {
        var viewer = opened(next: "s2e6", related: Self.related)
        viewer.press(.down)
        viewer.send(.connectionChanged(isConnected: false))
        #expect(page(viewer)?.related == nil && focused(viewer) == "s2e6" && focusCount(viewer) == 1, "nothing of it plays")
        #expect(viewer.press(.down) == .failed(.noChange))
        viewer.send(.connectionChanged(isConnected: true))
        viewer.press(.down)
        #expect(focusedRelated(viewer) == "f1")
        let entry = HomeContent.Entry(id: "hh", kind: .series, title: "Harbour")
        viewer.details["hh"] = .series(SeriesDetails(entry: entry, related: [Self.related[1]]))
        viewer.send(.homeChanged(HomeContent()))
        #expect(focusedRelated(viewer) == "hs" && focusCount(viewer) == 1, "without episodes it stays in the row")
        viewer.press(.up)
        #expect(page(viewer)?.button?.isFocused == true && focusCount(viewer) == 1)
        #expect(viewer.press(.up) == .failed(.noChange))
    }

    @Test func theVoiceSaysTheRowAndWhatHasFocusInIt() {
        var viewer = opened(next: "s2e6", related: Self.related, speaks: true)
        viewer.effects = []
        for key in [RemoteKey.down, .right, .right, .up] { viewer.press(key) }
        let said = viewer.effects.compactMap { if case .speak(let words) = $0 { words } else { nil } }
        #expect(said.prefix(3) == ["More Like This, Film, 1 of 3", "Sound, 2 of 3", "Locked, 3 of 3, locked"])
        #expect(said.last == "Harbour, Season 2, 6. Part 6, 6 of 6" && said.count == 4)
    }

    @Test func theSeriesOfAnEpisodeOpensOverItsPageAndBackReturns() {
        var viewer = opened()
        viewer.press(.back)
        let series = HomeContent.Entry(id: "hh", kind: .series, title: "Harbour")
        let episode = HomeContent.Entry(id: "s1e1", title: "Part 1")
        viewer.details["s1e1"] = .programme(ProgrammeDetails(entry: episode, series: series))
        viewer.send(.homeChanged(HomeContent(rows: [.init(id: "e", title: "Episodes", entries: [episode])])))
        for key in [RemoteKey.ok, .down, .ok] { viewer.press(key) }
        #expect(page(viewer)?.next?.isFocused == true)
        viewer.press(.back)
        #expect(viewer.state.programme?.buttons.first { $0.isFocused }?.title == "All Episodes")
    }
}
