import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The page of a programme, reached with six keys from Home and from Search.
@Suite struct ProgrammePageTests {
    /// What the box knows about the second programme of Home.
    private static func details(resume: Int64? = nil, isInList: Bool = false) -> Details {
        let details = ProgrammeDetails(
            entry: HomeContent.Entry(
                id: "e2", title: "Second", subtitle: "S1 E2", facts: ["Comedy", "PG"], summary: "It goes on.",
                backdrop: "wide", watchedPercent: resume.map { Int($0) }),
            resume: resume.map { .seconds($0) }, audioLanguages: ["en", "en-GB", "fr"],
            subtitleLanguages: ["de"], isInList: isInList)
        return .programme(details)
    }

    /// At the page of the second programme.
    private func opened(resume: Int64? = nil) -> Viewer {
        var viewer = Viewer()
        viewer.details["e2"] = Self.details(resume: resume)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.right)
        viewer.press(.ok)
        return viewer
    }

    private func buttons(_ viewer: Viewer) -> [String] { viewer.state.programme?.buttons.map(\.title) ?? [] }
    private func focused(_ viewer: Viewer) -> String? { viewer.state.programme?.buttons.first(where: \.isFocused)?.title }

    @Test func okShowsWhatTheProgrammeIsAndPlaysNothing() throws {
        let viewer = opened()
        let page = try #require(viewer.state.programme)
        #expect(page.title == "Second" && page.subtitle == "S1 E2" && page.facts == ["Comedy", "PG"])
        #expect(page.summary == "It goes on." && page.backdrop == "wide" && page.progressPercent == nil)
        #expect(page.languages == ["Audio: English, French", "Subtitles: German"], "a name that two tags share is there once")
        #expect(buttons(viewer) == ["Play", "Add to My List"] && focused(viewer) == "Play")
        #expect(viewer.state.home == nil && !viewer.effects.contains(.open(id: "e2")))
    }

    @Test func backReturnsToTheSamePosterAndOKPlays() {
        var viewer = opened()
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .entry(row: 0, column: 1))
        viewer.press(.ok)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "e2")))
        #expect(viewer.state.screen == .player && viewer.state.page == nil)
    }

    @Test(arguments: [RemoteKey.play, .playpause]) func thePlayKeyPlaysFromEveryButton(_ key: RemoteKey) {
        var viewer = opened(resume: 40)
        viewer.press(.down)
        viewer.press(key)
        #expect(viewer.effects.contains(.open(id: "e2")))
    }

    @Test func whatWasBegunResumesOrBeginsAgainOrIsForgotten() {
        var viewer = opened(resume: 40)
        #expect(buttons(viewer) == ["Resume at 0:40", "From Beginning", "Add to My List", "Remove from Continue Watching"])
        #expect(viewer.state.programme?.progressPercent == 40)
        var other = viewer
        other.press(.down)
        #expect(focused(other) == "From Beginning")
        other.press(.ok)
        #expect(other.effects.contains(.openFromBeginning(id: "e2")) && !other.effects.contains(.open(id: "e2")))
        for _ in 0..<3 { viewer.press(.down) }
        #expect(viewer.press(.down) == .failed(.noChange))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.forgetPlace(id: "e2")))
        // The box has forgotten it, and says so.
        viewer.details["e2"] = Self.details()
        viewer.send(.homeChanged(Items.home))
        #expect(buttons(viewer) == ["Play", "Add to My List"] && focused(viewer) == "Play", "focus is on a button that exists")
    }

    @Test func fromTheBeginningOfWhatPlaysInTheCornerGoesBackInIt() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: Items.home.rows[0].entries[0], resume: .seconds(30)))
        viewer.send(.homeChanged(Items.home))
        for key in [RemoteKey.back, .down, .ok, .down] { viewer.press(key) }
        #expect(focused(viewer) == "From Beginning")
        viewer.press(.ok)
        #expect(viewer.state.screen == .player && viewer.exactSeeks == [.zero])
        #expect(!viewer.effects.contains(.openFromBeginning(id: "e1")), "it is open already")
    }

    @Test func aProgrammeIsPutIntoTheListAndTakenOut() {
        var viewer = opened()
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setInList(id: "e2", true)))
        viewer.details["e2"] = Self.details(isInList: true)
        viewer.send(.homeChanged(Items.home))
        #expect(focused(viewer) == "Remove from My List", "focus stays on its button")
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setInList(id: "e2", false)))
    }

    @Test func theSummaryOpensInFull() {
        var viewer = opened()
        viewer.press(.up)
        #expect(viewer.state.programme?.isSummaryFocused == true && focused(viewer) == nil)
        #expect(viewer.press(.up) == .failed(.noChange))
        viewer.press(.ok)
        #expect(viewer.state.longText?.text == "It goes on." && viewer.state.longText?.title == "Second")
        viewer.press(.back)
        #expect(viewer.state.longText == nil && viewer.state.programme?.isSummaryFocused == true)
    }

    // MARK: More Like This

    private static let series = HomeContent.Entry(id: "hh", kind: .series, title: "Harbour")

    /// At the page of the first programme, to which the second, the film and a series are like; all are like one another.
    private func related(speaks: Bool = false) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasVoice = speaks
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: speaks ? [("interface.speech", "true")] : [])))
        var entries = Items.home.rows[0].entries
        entries[1].subtitle = "S1 E2"
        entries[2].isLocked = true
        entries[0].playsOffline = true
        for (index, entry) in entries.enumerated() {
            let others = entries[..<index] + entries[(index + 1)...] + [Self.series]
            viewer.details[entry.id] = .programme(ProgrammeDetails(entry: entry, related: Array(others)))
        }
        viewer.details["hh"] = .series(SeriesDetails(entry: Self.series))
        viewer.send(.homeChanged(Items.home))
        viewer.press(.ok)
        return viewer
    }

    private func focusedRelated(_ viewer: Viewer) -> String? {
        viewer.state.programme?.related.flatMap { row in row.focused.map { row.entries[$0].id } }
    }

    @Test func whatIsLikeItIsBelowTheButtonsAndOpensItsOwnPage() {
        var viewer = related()
        #expect(viewer.state.programme?.related?.title == "More Like This" && focusedRelated(viewer) == nil)
        #expect(viewer.press(.right) == .failed(.noChange), "the buttons are a column")
        viewer.press(.down)
        viewer.press(.down)
        #expect(focusedRelated(viewer) == "e2" && focused(viewer) == nil)
        #expect(viewer.press(.down) == .failed(.noChange) && viewer.press(.left) == .failed(.noChange))
        viewer.press(.right)
        #expect(focusedRelated(viewer) == "m1")
        viewer.press(.up)
        #expect(focused(viewer) == "Add to My List" && focusedRelated(viewer) == nil)
        viewer.press(.down)
        #expect(focusedRelated(viewer) == "m1", "the row keeps its place")
        viewer.press(.ok)
        #expect(viewer.state.programme?.title == "Film" && viewer.state.programme?.isLocked == true)
        #expect(viewer.state.programme?.related?.entries.map(\.id) == ["e1", "e2", "hh"])
        #expect(!viewer.effects.contains(.open(id: "m1")))
    }

    @Test func backReturnsThroughTheChainAsItWasLeft() {
        var viewer = related()
        for key in [RemoteKey.down, .down, .right, .ok] { viewer.press(key) }
        for key in [RemoteKey.down, .down, .right, .right, .ok] { viewer.press(key) }
        guard case .series? = viewer.state.page else {
            Issue.record("no page of the series")
            return
        }
        viewer.press(.back)
        #expect(viewer.state.programme?.title == "Film" && focusedRelated(viewer) == "hh")
        viewer.press(.back)
        #expect(viewer.state.programme?.title == "Pilot" && focusedRelated(viewer) == "m1")
        viewer.press(.back)
        #expect(viewer.state.page == nil && viewer.state.home?.focus == .entry(row: 0, column: 0))
    }

    @Test func thePlayKeyPlaysWhatHasFocusInTheRow() {
        var viewer = related()
        for key in [RemoteKey.down, .down, .play] { viewer.press(key) }
        #expect(viewer.effects.contains(.open(id: "e2")) && !viewer.effects.contains(.open(id: "e1")))
    }

    @Test func aRowThatEmptiesGivesFocusBackAndOneThatChangesKeepsIt() {
        var viewer = related()
        for key in [RemoteKey.down, .down, .right, .right] { viewer.press(key) }
        #expect(focusedRelated(viewer) == "hh")
        let pilot = Items.home.rows[0].entries[0]
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: pilot, related: [Self.series]))
        viewer.send(.homeChanged(Items.home))
        #expect(focusedRelated(viewer) == "hh" && viewer.state.programme?.related?.focused == 0)
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: pilot))
        viewer.send(.homeChanged(Items.home))
        #expect(viewer.state.programme?.related == nil && focused(viewer) == "Add to My List")
        #expect(viewer.press(.down) == .failed(.noChange))
    }

    @Test func withoutANetworkTheRowHasWhatIsOnTheBox() {
        var viewer = related()
        for key in [RemoteKey.down, .down, .ok] { viewer.press(key) }
        for key in [RemoteKey.down, .down, .right] { viewer.press(key) }
        viewer.send(.connectionChanged(isConnected: false))
        #expect(viewer.state.programme?.title == "Second" && viewer.state.programme?.related?.entries.map(\.id) == ["e1"])
        #expect(focusedRelated(viewer) == "e1")
        viewer.press(.back)
        #expect(viewer.state.programme?.related == nil && focused(viewer) == "Add to My List", "nothing of it plays")
        viewer.send(.connectionChanged(isConnected: true))
        #expect(viewer.state.programme?.related?.entries.count == 3)
    }

    @Test func theFocusedOneIsOnTheScreen() {
        var viewer = Viewer()
        let many = (0..<12).map { HomeContent.Entry(id: "r\($0)", title: "R\($0)") }
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: Items.home.rows[0].entries[0], related: many))
        viewer.send(.homeChanged(Items.home))
        for key in [RemoteKey.ok, .down, .down] { viewer.press(key) }
        for step in Array(repeating: RemoteKey.right, count: 11) + Array(repeating: .left, count: 11) {
            viewer.press(step)
            guard let row = viewer.state.programme?.related, let index = row.focused else { break }
            #expect((row.first..<row.first + row.grid.postersPerScreen).contains(index))
        }
        #expect(focusedRelated(viewer) == "r0")
    }

    @Test func theVoiceSaysTheRowAndWhatHasFocusInIt() {
        var viewer = related(speaks: true)
        viewer.press(.down)
        var said: [String] = []
        for key in [RemoteKey.down, .right] {
            let before = viewer.effects.count
            viewer.press(key)
            said += viewer.effects[before...].compactMap { if case .speak(let words) = $0 { words } else { nil } }
        }
        #expect(said == ["More Like This, Second, 1 of 3, S1 E2", "Film, 2 of 3, locked"])
    }

    @Test func aChannelIsTunedToAtOnce() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "c1")) && viewer.state.screen == .player)
    }

    @Test func backFromThePINReturnsToThePage() {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.locked = ["e1"]
        viewer.details["e1"] = .programme(ProgrammeDetails(entry: Items.home.rows[0].entries[0], resume: .seconds(30)))
        viewer.send(.homeChanged(Items.home))
        for key in [RemoteKey.ok, .down, .ok] { viewer.press(key) }
        viewer.send(.locked(HomeContent.Entry(id: "e1", title: "Pilot"), rating: nil))
        #expect(viewer.state.pin != nil && viewer.state.page == nil)
        viewer.press(.back)
        #expect(viewer.state.pin == nil && focused(viewer) == "From Beginning", "as it was left")
        viewer.press(.back)
        #expect(viewer.state.home?.focus == .entry(row: 0, column: 0))
    }

    @Test func aProgrammeThatIsWithdrawnClosesItsPageWithAMessage() {
        var viewer = opened()
        viewer.send(.described(id: "other", nil))
        #expect(viewer.state.programme != nil && viewer.state.toast == nil)
        viewer.send(.described(id: "e2", nil))
        #expect(viewer.state.page == nil && viewer.state.home != nil)
        #expect(viewer.state.toast == "This programme isn’t available right now.")
    }

    @Test func aPageShowsWhatItsPosterKnowsUntilTheBoxHasAnswered() {
        var machine = InterfaceMachine()
        let now = HostTime(nanoseconds: 1)
        _ = machine.handle(.homeChanged(Items.home), at: now)
        let effects = machine.handle(.command(.key(.ok), origin: "web"), at: now)
        #expect(effects.contains(.describe(id: "e1")))
        #expect(machine.state.programme?.title == "Pilot")
        #expect(machine.state.programme?.buttons == [], "nothing can be done before it is known what")
        #expect(machine.handle(.command(.key(.ok), origin: "web"), at: now).contains(.answer(.failed(.notReady))))
    }
}
