import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite struct PanelTests {
    private func info(_ viewer: Viewer) -> InfoView? {
        if case .info(let view) = viewer.state.panel?.content { view } else { nil }
    }

    private func chapters(_ viewer: Viewer) -> [ChapterView] {
        if case .chapters(let views) = viewer.state.panel?.content { views } else { [] }
    }

    @Test func infoShowsTheFiveIdentifiersDurationAndBadges() {
        var viewer = Viewer(watching: Items.episode(), at: 35)
        viewer.press(.down)
        let view = info(viewer)
        #expect(view?.artwork == "art")
        #expect(view?.title == "Pilot")
        #expect(view?.subtitle == "S1 E1")
        #expect(view?.summary == "It begins.")
        #expect(
            view?.facts == ["Comedy", "2\u{A0}min"] && view?.badges == ["PG", "HD"],
            "90 s of content are two minutes, rounded; advertisements do not count")
        #expect(view?.actions == [ButtonView(title: "From Beginning", isFocused: false)])
    }

    @Test func selectOpensTheWholeDescriptionAndBackClosesIt() {
        var viewer = Viewer(watching: Items.plain, at: 35)
        viewer.press(.down)
        viewer.press(.down)
        viewer.press(.left)
        #expect(info(viewer)?.isSummaryFocused == true)
        viewer.press(.ok)
        #expect(info(viewer)?.showsWholeSummary == true)
        viewer.press(.back)
        #expect(info(viewer)?.showsWholeSummary == false)
        #expect(viewer.state.panel != nil)
    }

    @Test func fromBeginningGoesThereAndClosesThePanel() {
        var viewer = Viewer(watching: Items.plain, at: 35)
        viewer.press(.down)
        viewer.press(.down)
        #expect(info(viewer)?.actions[0].isFocused == true)
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.zero])
        #expect(viewer.state.panel == nil)
    }

    @Test func liveHasNoFromBeginning() {
        var item = Items.plain
        item.isLive = true
        var viewer = Viewer(watching: item, at: 35)
        viewer.press(.down)
        #expect(info(viewer)?.actions.isEmpty == true)
    }

    @Test func chaptersHaveTitlesTimesAndTheCurrentOne() {
        var viewer = Viewer(watching: Items.episode(), at: 45)
        viewer.press(.down)
        viewer.press(.right)
        let views = chapters(viewer)
        #expect(views.map(\.title) == ["Opening", "Chapter 2", "The end"])
        #expect(views.map(\.time) == ["0:00", "0:30", "1:00"])
        #expect(views.map(\.isCurrent) == [false, true, false])
        #expect(views.map(\.progressPercent) == [nil, 16, nil], "5 of 30 seconds")
        viewer.press(.down)
        #expect(chapters(viewer).map(\.isFocused) == [false, true, false], "focus starts on the current one")
    }

    @Test func aChapterBeyondTheEndHasNoProgress() {
        let late = NavigationMarker(kind: .chapter, start: .seconds(500), title: "Late")
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [Items.chapters[0], late]), at: 55)
        viewer.press(.down)
        viewer.press(.right)
        #expect(chapters(viewer).map(\.progressPercent) == [50, nil], "the first one ends with the item")
    }

    @Test func selectGoesToTheChapterExactly() {
        var viewer = Viewer(watching: Items.plain, at: 10)
        viewer.press(.down)
        viewer.press(.right)
        viewer.press(.down)
        viewer.press(.right)
        viewer.press(.right)
        #expect(viewer.press(.right) == .failed(.noChange))
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(80)])
        #expect(viewer.state.panel == nil)
        viewer.press(.back)
        #expect(viewer.exactSeeks.count == 2, "and Back undoes it")
    }

    @Test func withoutMarkersThereIsNoChaptersTab() {
        var viewer = Viewer(
            watching: Items.episode(markers: [NavigationMarker(kind: .intro, start: .zero, end: .seconds(5))]), at: 35)
        viewer.press(.down)
        #expect(viewer.state.panel?.tabs.map(\.tab) == [.info, .picture])
    }

    @Test func upFromTheTabsClosesAndFromContentGoesToThem() {
        var viewer = Viewer(watching: Items.plain, at: 35)
        viewer.press(.down)
        viewer.press(.down)
        viewer.press(.up)
        #expect(viewer.state.panel?.focus == .tabs)
        viewer.press(.up)
        #expect(viewer.state.panel == nil)
    }

    @Test func playPauseWorksInThePanel() {
        var viewer = Viewer(watching: Items.plain, at: 35)
        viewer.press(.down)
        viewer.press(.playpause)
        #expect(!viewer.isPlaying)
        #expect(viewer.state.panel != nil)
    }

    @Test func aLinearRangeLeavesTheChaptersTab() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.press(.down)
        viewer.press(.right)
        #expect(viewer.state.panel?.selected == 1)
        viewer.run(.seconds(6))
        #expect(viewer.state.panel?.selected == 0)
        #expect(viewer.state.panel?.tabs[1].isEnabled == false)
    }

    @Test func theItemMayChangeWhileThePanelIsOpen() {
        var viewer = Viewer(
            watching: ItemPresentation(id: "x") {
                $0.title = "Raw"
                $0.duration = .seconds(110)
            }, at: 35)
        viewer.press(.down)
        #expect(viewer.state.panel?.tabs.map(\.tab) == [.info, .picture])
        viewer.send(
            .itemUpdated(
                ItemPresentation(id: "x") {
                    $0.title = "Known"
                    $0.duration = .seconds(110)
                    $0.markers = Items.chapters
                }))
        #expect(viewer.state.panel?.tabs.map(\.tab) == [.info, .chapters, .picture])
        #expect(info(viewer)?.title == "Known")
        #expect(viewer.position! > .seconds(30))
    }
}

@Suite struct ContextualActionTests {
    static let item = Items.episode(
        interstitials: [],
        markers: [
            NavigationMarker(kind: .recap, start: .zero, end: .seconds(10)),
            NavigationMarker(kind: .intro, start: .seconds(20), end: .seconds(50)),
        ])

    @Test("an action comes with the frame at which the bar hides, not with the next event")
    func skipIntroComesWhenTheBarHides() {
        var viewer = Viewer(watching: Self.item, at: 15)
        viewer.press(.up)
        viewer.position = .seconds(25)
        viewer.now = viewer.now + Timing.autoHide + .milliseconds(1)
        viewer.tell()  // before the timer of the bar
        #expect(viewer.state.bar == nil && viewer.state.action?.kind == .skipIntro)
        viewer.tell()
        #expect(viewer.state.action?.kind == .skipIntro)
    }

    @Test func skipIntroTakesSelectAndGoesToItsEnd() {
        var viewer = Viewer(watching: Self.item, at: 30)
        viewer.run(.seconds(1))
        #expect(viewer.state.action == ContextualActionView(kind: .skipIntro, title: "Skip Intro", isFocused: true))
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(50)])
        #expect(viewer.isPlaying)
    }

    @Test func playPauseStillPauses() {
        var viewer = Viewer(watching: Self.item, at: 30)
        viewer.press(.playpause)
        #expect(!viewer.isPlaying)
    }

    @Test func upShowsTheBarWithFocusOnPause() {
        var viewer = Viewer(watching: Self.item, at: 30)
        viewer.press(.up)
        #expect(viewer.state.action == nil)
        viewer.press(.ok)
        #expect(!viewer.isPlaying)
    }

    @Test func anActionThatAppearsRightAfterAKeyWaitsForASecond() {
        var viewer = Viewer(watching: Self.item, at: 19)
        viewer.run(.milliseconds(700))
        viewer.press(.volumeUp)
        viewer.run(.milliseconds(400))
        #expect(viewer.state.action == ContextualActionView(kind: .skipIntro, title: "Skip Intro", isFocused: false))
        viewer.press(.ok)
        #expect(!viewer.isPlaying, "the press was meant for pause")
        viewer.press(.ok)
        viewer.run(.seconds(5))
        #expect(viewer.state.action?.isFocused == true)
    }

    @Test func itTakesFocusASecondAfterTheKey() {
        var viewer = Viewer(watching: Self.item, at: 19)
        viewer.run(.milliseconds(700))
        viewer.press(.volumeUp)
        viewer.run(.milliseconds(950))
        #expect(viewer.state.action?.isFocused == false)
        viewer.run(.milliseconds(50))
        #expect(viewer.state.action?.isFocused == true)
    }
}
