import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import PlayerInterface

/// The page of a programme, reached with six keys from Home and from Search.
@Suite struct ProgrammePageTests {
    /// What the box knows about the second programme of Home.
    private static func details(resume: Int64? = nil, isInList: Bool = false) -> Details {
        let details = ProgrammeDetails(
            entry: HomeContent.Entry(
                id: "e2", title: "Second", subtitle: "S1 E2", facts: ["Comedy", "PG"], summary: "It goes on.",
                watchedPercent: resume.map { Int($0) }),
            backdrop: "wide", resume: resume.map { .seconds($0) }, audioLanguages: ["en", "en-GB", "fr"],
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
