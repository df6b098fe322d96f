import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// Back from what plays returns to the page on which it was chosen.
@Suite struct OriginTests {
    private static let film = ItemPresentation(id: "e2") {
        $0.title = "Second"
        $0.duration = .seconds(600)
    }

    /// The page of a programme, from which it was started.
    private func chosen() -> Viewer {
        var viewer = Viewer()
        viewer.details["e2"] = .programme(ProgrammeDetails(entry: Items.home.rows[0].entries[1]))
        viewer.send(.homeChanged(Items.home))
        viewer.press(.right)
        viewer.press(.ok)
        viewer.press(.ok)
        return viewer
    }

    /// The same, where it plays.
    private func playing(_ item: ItemPresentation = Self.film) -> Viewer {
        var viewer = chosen()
        viewer.open(item)
        viewer.run(.seconds(8))
        viewer.effects = []
        return viewer
    }

    private func isOnPage(_ viewer: Viewer) -> Bool {
        viewer.state.screen == .home && viewer.state.programme?.title == "Second"
    }

    @Test func aFilmEndsOnItsPageAndKeepsItsPlace() throws {
        var viewer = playing()
        viewer.press(.back)
        #expect(isOnPage(viewer) && viewer.machine.stage.viewing.played.playingID == nil)
        let saved = viewer.effects.firstIndex { if case .savePlace(id: "e2", .some) = $0 { true } else { false } }
        let described = viewer.effects.firstIndex(of: .describe(id: "e2"))
        #expect(try #require(saved) < #require(described), "the page says where it resumes")
        #expect(viewer.effects.contains(.leavePlayer))
        // One key goes on, and from the page Back leads Home.
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "e2")))
        viewer.open(Self.film)
        viewer.run(.seconds(8))
        viewer.press(.back)
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .entry(row: 0, column: 1))
    }

    @Test func itDoesWhileNothingOfItIsShown() {
        var viewer = chosen()
        viewer.press(.back)
        #expect(isOnPage(viewer), "not opened yet")
        viewer = chosen()
        viewer.isStalled = true
        viewer.open(Self.film)
        viewer.run(.seconds(1))
        viewer.press(.back)
        #expect(isOnPage(viewer), "not loaded yet")
    }

    @Test func itDoesFromCards() {
        var viewer = playing()
        viewer.failure = MediaError(.sourceMissing, "Gone.")
        viewer.tell()
        #expect(viewer.state.card != nil)
        viewer.press(.back)
        #expect(isOnPage(viewer) && viewer.state.card == nil)
        viewer = playing()
        viewer.hasEnded = true
        viewer.tell()
        #expect(viewer.state.card != nil)
        viewer.press(.back)
        #expect(isOnPage(viewer))
    }

    @Test func homeAndStopLeadHome() {
        for key in [RemoteKey.home, .stop] {
            var viewer = playing()
            viewer.press(key)
            #expect(viewer.state.page == nil && viewer.state.home != nil, "\(key)")
        }
        // From the corner it is no longer the page's.
        var viewer = playing()
        viewer.press(.home)
        viewer.press(.ok)
        #expect(viewer.state.screen == .player)
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .video)
    }

    @Test func theNextEpisodeReturnsThereToo() {
        let next = ProposalPresentation(next: "e3", title: "Third")
        var item = Self.film
        item.proposal = next
        var viewer = playing(item)
        viewer.hasEnded = true
        viewer.tell()
        #expect(viewer.state.proposal != nil)
        viewer.press(.ok)
        viewer.open(ItemPresentation(id: "e3") { $0.duration = .seconds(600) })
        viewer.run(.seconds(8))
        viewer.press(.back)
        #expect(isOnPage(viewer))
    }

    @Test func whatWasChosenElsewhereMeanwhileDoesNot() {
        // The box plays something by itself.
        var viewer = playing()
        viewer.open(Items.plain)
        viewer.run(.seconds(8))
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .video)
        // Another channel was tuned to.
        viewer = playing()
        viewer.press(.channelUp)
        viewer.open(Items.live())
        viewer.run(.seconds(8))
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .video)
    }

    @Test func aChannelGoesOnUnderTheGuide() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 72_600))
        viewer.send(.guideChanged(Items.guide))
        viewer.press(.guide)
        viewer.press(.ok)
        viewer.open(Items.live())
        viewer.run(.seconds(8))
        viewer.effects = []
        viewer.press(.back)
        #expect(viewer.state.guide?.detailTitle == "Evening News" && viewer.state.screen == .home)
        #expect(!viewer.effects.contains(.leavePlayer))
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .video, "in the corner of Home")
        // The list of channels over the picture is no page to return to.
        viewer.press(.ok)
        viewer.press(.up)
        #expect(viewer.state.channelList != nil)
        viewer.press(.down)
        viewer.press(.ok)
        viewer.open(Items.live("c2"))
        viewer.run(.seconds(8))
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home != nil)
    }

    @Test func aSearchIsAsItWasLeft() {
        let entry = HomeContent.Entry(id: "alien", title: "Alien")
        var viewer = Viewer()
        viewer.details["alien"] = .programme(ProgrammeDetails(entry: entry))
        viewer.send(.homeChanged(HomeContent(rows: Items.channels.rows, searchable: [entry])))
        viewer.press(.up)
        viewer.press(.ok)
        viewer.press(.ok)
        #expect(viewer.state.search?.query == "a")
        for _ in 0..<8 { viewer.press(.right) }
        for _ in 0..<2 { viewer.press(.ok) }
        #expect(viewer.effects.contains(.open(id: "alien")))
        viewer.open(ItemPresentation(id: "alien") { $0.duration = .seconds(600) })
        viewer.run(.seconds(8))
        viewer.press(.back)
        #expect(viewer.state.programme?.title == "Alien")
        viewer.press(.back)
        #expect(viewer.state.search?.query == "a" && viewer.state.search?.focus == .result(0))
    }
}
