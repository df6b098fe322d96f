import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The key table, row by row.
@Suite struct KeyTableTests {
    // MARK: Playing

    @Test func playingSelectPausesAndShowsTheBar() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.effects.contains(.pause))
        #expect(viewer.state.bar?.glyph == .pause)
        #expect(viewer.state.title == TitleView(title: "Pilot", subtitle: "S1 E1"))
    }

    @Test(arguments: [RemoteKey.playpause, .pause]) func playingPauses(_ key: RemoteKey) {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.press(key) == .success)
        #expect(viewer.effects.contains(.pause))
        #expect(!viewer.isPlaying)
    }

    @Test func playingPlayChangesNothing() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.press(.play) == .failed(.noChange))
    }

    @Test func playingRightGoesTenSecondsOn() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.press(.right) == .success)
        #expect(viewer.exactSeeks == [viewer.lastShown + .seconds(10)])
    }

    @Test func playingLeftGoesTenSecondsBack() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.left)
        #expect(viewer.exactSeeks == [viewer.lastShown - .seconds(10)])
    }

    @Test func playingUpShowsTheBarAndAgainTogglesTheEnd() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.wallClock(secondsSinceMidnight: 21 * 3600 + 40 * 60))
        viewer.press(.up)
        #expect(viewer.state.bar?.focus == .bar)
        #expect(viewer.state.bar?.trailing == "\u{2212}1:20")
        viewer.press(.up)
        #expect(viewer.state.bar?.trailing == "Ends at 21:41")
        viewer.press(.up)
        #expect(viewer.state.bar?.trailing?.hasPrefix("\u{2212}") == true)
    }

    @Test func playingDownOpensThePanel() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.down)
        #expect(viewer.state.panel?.tabs.map(\.tab) == [.info, .chapters, .picture])
        #expect(viewer.isPlaying)
    }

    @Test func playingBackGoesHomeWithTheVideoInItsCorner() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.video == VideoPlacement(frame: Metrics.Video.cornerFrame(isRightToLeft: false), isFocused: true))
        #expect(viewer.isPlaying)
        #expect(!viewer.effects.contains(.leavePlayer))
    }

    @Test func playingBackUndoesTheLastSeekForFiveSeconds() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.right)
        let origin = viewer.exactSeeks[0] - .seconds(10)
        viewer.run(.milliseconds(4500))
        viewer.press(.back)
        #expect(viewer.exactSeeks.last == origin)
        #expect(viewer.state.screen == .player)
        viewer.run(.seconds(1))
        viewer.press(.back)
        #expect(viewer.state.screen == .home, "there is one undo, then Back leaves")
    }

    @Test func undoEndsAfterFiveSeconds() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.right)
        viewer.run(.milliseconds(5100))
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
    }

    // MARK: Paused

    @Test(arguments: [RemoteKey.ok, .playpause, .play]) func pausedResumes(_ key: RemoteKey) {
        var viewer = paused()
        #expect(viewer.press(key) == .success)
        #expect(viewer.isPlaying)
    }

    @Test func pausedPauseChangesNothing() {
        var viewer = paused()
        #expect(viewer.press(.pause) == .failed(.noChange))
    }

    @Test func pausedRightStartsScrubbing() {
        var viewer = paused()
        let origin = viewer.position!
        viewer.press(.right)
        #expect(viewer.state.bar?.scrub?.contentTime == .seconds((origin + .seconds(10)).wholeSeconds))
        #expect(viewer.exactSeeks.isEmpty, "previews need not be exact")
        #expect(!viewer.isPlaying)
    }

    @Test func pausedUpGoesToTheActionsRowAndDownBack() {
        var viewer = paused()
        viewer.press(.up)
        #expect(viewer.state.bar?.focus == .action(0))
        #expect(viewer.state.bar?.actions == ["From Beginning", "Info"])
        #expect(viewer.press(.up) == .failed(.notSupported))
        viewer.press(.right)
        #expect(viewer.state.bar?.focus == .action(1))
        viewer.press(.down)
        #expect(viewer.state.bar?.focus == .bar)
    }

    @Test func actionsRowSelectActivates() {
        var viewer = paused()
        viewer.press(.up)
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.panel != nil)
        viewer.press(.back)
        viewer.press(.left)
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.zero] && viewer.isPlaying)
    }

    @Test func actionsRowBackHidesTheBar() {
        var viewer = paused()
        viewer.press(.up)
        viewer.press(.back)
        #expect(viewer.state.bar == nil)
        #expect(viewer.state.screen == .player)
    }

    @Test func actionsRowPlayPauseToggles() {
        var viewer = paused()
        viewer.press(.up)
        viewer.press(.playpause)
        #expect(viewer.isPlaying)
    }

    @Test func pausedDownOpensThePanelAndBackClosesIt() {
        var viewer = paused()
        viewer.press(.down)
        #expect(viewer.state.panel != nil)
        viewer.press(.back)
        #expect(viewer.state.panel == nil)
        #expect(viewer.state.bar != nil, "the bar stays while paused")
    }

    @Test func pausedBackGoesHome() {
        var viewer = paused()
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.savedPlace == .some(SavedPlace(time: viewer.position!)))
    }

    @Test func theBarStaysWhilePaused() {
        var viewer = paused()
        viewer.run(.seconds(60))
        #expect(viewer.state.bar != nil)
    }

    // MARK: Linear

    @Test(arguments: [RemoteKey.left, .right, .ff, .rw, .next, .prev]) func linearRefusesToMove(_ key: RemoteKey) {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        #expect(viewer.press(key) == .failed(.linear))
        #expect(viewer.state.refusal?.words == "You can skip ahead in 0:08")
        #expect(viewer.exactSeeks.isEmpty)
        viewer.run(.seconds(3))
        #expect(viewer.state.refusal == nil)
    }

    @Test("the time in the refusal counts as the advertisement goes on, and each press is one refusal")
    func linearRefusalCounts() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.press(.right)
        let first = viewer.state.refusal
        #expect(first?.words == "You can skip ahead in 0:08")
        viewer.run(.milliseconds(1200))
        #expect(viewer.state.refusal?.words == "You can skip ahead in 0:07" && viewer.state.refusal?.count == first?.count)
        viewer.run(.seconds(1))
        #expect(viewer.state.refusal == nil)
        // One that is still on the screen when the advertisement ends keeps its words.
        viewer = Viewer(watching: Items.episode(), at: 29)
        viewer.press(.right)
        viewer.run(.milliseconds(1500))
        #expect(!viewer.machine.requiresLinearPlayback && viewer.state.refusal != nil)
    }

    @Test func linearRefusesToScanWhenHeld() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.press(.right, for: .seconds(2))
        #expect(viewer.state.bar?.scrub == nil)
        #expect(!viewer.effects.contains { if case .seek = $0 { true } else { false } })
    }

    @Test func linearSelectAndPlayPauseToggle() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        #expect(viewer.press(.ok) == .success)
        #expect(!viewer.isPlaying)
        #expect(viewer.press(.playpause) == .success)
        #expect(viewer.isPlaying)
    }

    @Test func linearPausedDoesNotScrub() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.press(.pause)
        #expect(viewer.press(.right) == .failed(.linear))
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test func linearUpShowsTheBar() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        #expect(viewer.press(.up) == .success)
        #expect(viewer.state.bar != nil)
    }

    @Test func linearDownOpensThePanelWithChaptersDisabled() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.press(.down)
        #expect(viewer.state.panel?.tabs.map(\.isEnabled) == [true, false, true])
        viewer.press(.right)
        #expect(viewer.state.panel?.selected == 2, "the disabled tab is skipped")
    }

    @Test func linearBackLeavesAndKeepsTheSavedTarget() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.press(.right)
        viewer.run(.seconds(2))
        #expect(viewer.presentations == ["will a1"])
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(
            viewer.savedPlace == .some(SavedPlace(time: viewer.exactSeeks[0] + .seconds(15) + frames(1), owedInterstitial: "a1")))
    }

    @Test func linearSelectSkipsIfSkipIsOffered() {
        let item = Items.episode(interstitials: [Items.ad("a1", 20, skip: .init(offset: .seconds(5)))])
        var viewer = Viewer(watching: item, at: 22)
        #expect(viewer.state.skipCountdown == "Skip in 3")
        #expect(viewer.state.action == nil)
        viewer.run(.seconds(4))
        #expect(viewer.state.skipCountdown == nil)
        #expect(viewer.state.action == ContextualActionView(kind: .skipInterstitial, title: "Skip Ad", isFocused: true))
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.presentations == ["did a1 skipped"])
        #expect(viewer.exactSeeks == [.seconds(30)])
    }

    @Test func linearNextSkipsIfSkipIsOffered() {
        let item = Items.episode(interstitials: [Items.ad("a1", 20, skip: .init(offset: .seconds(5), duration: .seconds(2)))])
        var viewer = Viewer(watching: item, at: 26)
        #expect(viewer.press(.next) == .success)
        viewer = Viewer(watching: item, at: 28)
        #expect(viewer.press(.next) == .failed(.linear), "Skip is no longer offered")
    }

    // MARK: Loading

    @Test func loadingTakesOnlyUpAndBack() {
        var viewer = Viewer()
        viewer.open(Items.plain)
        for key in [RemoteKey.ok, .playpause, .left, .right, .down] {
            #expect(Viewer.answer(in: viewer.down(key)) == .failed(.notReady))
            viewer.up(key)
        }
        viewer.down(.up)
        viewer.up(.up)
        #expect(viewer.state.title?.title == "Pilot")
        #expect(viewer.state.bar == nil)
        viewer.down(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.effects.contains(.leavePlayer))
    }

    // MARK: Live without a window

    @Test func liveWithoutWindowCannotBePaused() {
        var item = Items.episode(interstitials: [], markers: [])
        item.isLive = true
        var viewer = Viewer(watching: item)
        #expect(viewer.press(.ok) == .failed(.notSupported))
        #expect(viewer.state.toast == "This channel can’t be paused")
        #expect(viewer.isPlaying)
        #expect(viewer.press(.left) == .failed(.notSupported))
    }

    @Test func liveWithWindowSkipsInsideItAndOffersTheEdge() {
        var item = Items.episode(interstitials: [], markers: [])
        item.isLive = true
        var viewer = Viewer(watching: item, at: 50)
        viewer.seekable = [TimeRange(start: .seconds(45), end: .seconds(105))]
        viewer.run(.seconds(1))
        #expect(viewer.state.action?.kind == .goLive)
        viewer.press(.left)
        #expect(viewer.exactSeeks == [.seconds(45)], "the window is the limit")
        viewer.run(.seconds(10))
        viewer.press(.ok)
        #expect(viewer.exactSeeks.last == .seconds(105))
    }

    // MARK: Shortcuts

    @Test func infoOpensAndClosesItsTab() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.info)
        #expect(viewer.state.panel != nil)
        viewer.press(.info)
        #expect(viewer.state.panel == nil)
    }

    @Test func nextAndPreviousWalkChapters() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.next)
        viewer.run(.milliseconds(500))
        #expect(viewer.exactSeeks == [.seconds(40)])
        viewer.run(.seconds(4))
        viewer.press(.prev)
        #expect(viewer.exactSeeks.last == .seconds(40), "after three seconds Previous goes to the start of the chapter")
        viewer.run(.milliseconds(500))
        viewer.press(.prev)
        #expect(viewer.exactSeeks.last == .zero)
    }

    @Test func stopLeaves() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.press(.stop) == .success)
        #expect(viewer.effects.contains(.leavePlayer))
        #expect(viewer.savedPlace == .some(SavedPlace(time: viewer.lastShown)))
    }

    @Test func volumeWorksEverywhere() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        #expect(viewer.press(.volumeUp) == .success)
        #expect(viewer.press(.mute) == .success)
        viewer.press(.down)
        #expect(viewer.press(.volumeDown) == .success)
        #expect(
            viewer.effects.filter { if case .changeVolume = $0 { true } else { false } } == [
                .changeVolume(1), .changeVolume(0), .changeVolume(-1),
            ])
    }

    @Test func digitsChooseAChannelAfterAPause() {
        var item = Items.episode()
        item.channel = "c1"
        var viewer = Viewer(watching: item, at: 22)
        viewer.send(.homeChanged(Items.home))
        viewer.press(.digit2)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "2", title: "Loop"))
        viewer.run(.milliseconds(1400))
        #expect(!viewer.effects.contains(.open(id: "c2")))
        viewer.run(.milliseconds(200))
        #expect(viewer.effects.contains(.open(id: "c2")))
        #expect(viewer.presentations == ["did a1 abandoned"], "changing the channel is allowed in a linear range")
    }

    @Test func channelKeysCycleThroughTheList() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.press(.channelDown)
        #expect(viewer.effects.contains(.open(id: "c2")))
        viewer.press(.channelUp)
        #expect(viewer.effects.contains(.open(id: "c1")))
    }

    // MARK: Kiosk

    @Test func kioskHasNoWayHome() {
        var viewer = Viewer(watching: Items.plain, at: 30, policy: InterfacePolicy(isKiosk: true))
        #expect(viewer.press(.back) == .failed(.notSupported))
        #expect(viewer.press(.home) == .failed(.notSupported))
        #expect(viewer.press(.stop) == .failed(.notSupported))
        viewer.press(.down)
        viewer.press(.back)
        #expect(viewer.state.panel == nil)
        #expect(viewer.state.screen == .player)
    }

    private func paused() -> Viewer {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        viewer.run(.milliseconds(500))
        viewer.effects = []
        return viewer
    }

    private func frames(_ count: Int) -> MediaTime { Viewer.frame * count }
}
