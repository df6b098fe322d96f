import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Without a key for five minutes nothing of the interface stands still: it makes way for what plays, moves, or the screen saver covers it.
@Suite struct LeftAloneTests {
    private let film = Items.episode(interstitials: [], duration: 4000)

    private func watching(_ change: (inout InterfacePolicy) -> Void = { _ in }) -> Viewer {
        var policy = InterfacePolicy()
        change(&policy)
        var viewer = Viewer(policy: policy)
        viewer.send(.homeChanged(Items.home))
        viewer.send(.wallClock(secondsSinceMidnight: 72_000))
        viewer.open(film)
        viewer.run(.seconds(1))
        return viewer
    }

    /// Whether a state is that of a film alone.
    private func isAlone(_ state: PresentationState) -> Bool {
        state.screen == .player && state.video == .full && state.panel == nil && state.page == nil && state.longText == nil
            && state.bar == nil && state.home == nil && state.pin == nil && state.delay == nil
    }

    /// Lets five minutes pass but for a second, and then two seconds.
    private func leave(_ viewer: inout Viewer, _ isThere: (PresentationState) -> Bool) {
        viewer.run(.seconds(299))
        #expect(isThere(viewer.state))
        viewer.run(.seconds(2))
    }

    @Test func aPanelOverAFilmCloses() {
        var viewer = watching()
        viewer.press(.down)
        leave(&viewer) { $0.panel != nil }
        #expect(isAlone(viewer.state) && viewer.isPlaying)
    }

    @Test func aPageOverAFilmCloses() {
        var viewer = watching()
        viewer.press(.home)
        viewer.press(.menu)
        leave(&viewer) { $0.settings != nil }
        #expect(isAlone(viewer.state) && viewer.isPlaying)
    }

    @Test func homeMakesWayForTheFilmInItsCorner() {
        var viewer = watching()
        viewer.press(.home)
        leave(&viewer) { $0.home != nil }
        #expect(isAlone(viewer.state) && viewer.isPlaying)
        let press = viewer.machine.lastPress
        #expect(press.map { viewer.now - $0 > .seconds(300) } == true, "it does not count as a key")
    }

    @Test func aPanelOverAPausedFilmClosesAndTheWordsOfThePauseMove() {
        var viewer = watching()
        viewer.press(.ok)
        viewer.press(.down)
        leave(&viewer) { $0.panel != nil }
        #expect(viewer.state.panel == nil && viewer.state.bar == nil && viewer.state.paused?.title == "Pilot")
        let place = viewer.state.paused?.frame
        viewer.run(.seconds(60))
        #expect(viewer.state.paused != nil && viewer.state.paused?.frame != place)
        viewer.press(.down)
        #expect(viewer.state.paused == nil && viewer.state.panel != nil, "a key acts at once")
    }

    @Test func aSearchThatWasNotEndedEndsWhereItBegan() {
        var viewer = watching()
        viewer.press(.ok)
        let place = viewer.position
        for _ in 0..<3 { viewer.press(.right) }
        #expect(viewer.state.bar?.scrub != nil)
        leave(&viewer) { $0.bar?.scrub != nil }
        #expect(viewer.state.bar == nil && viewer.state.paused != nil)
        #expect(viewer.position == place)
    }

    @Test func aDelayStaysAsItWasSet() {
        var viewer = watching { $0.soundOutput = "hdmi" }
        viewer.options = Items.options
        viewer.tell()
        viewer.openTab(.audio)
        viewer.choose("Audio Delay")
        viewer.press(.right)
        leave(&viewer) { $0.delay != nil }
        #expect(isAlone(viewer.state) && viewer.machine.settings.soundDelays == ["hdmi": 10])
    }

    @Test func whatIsTriedAgainAndAgainHasTheScreenSaver() {
        var viewer = watching()
        viewer.failsAlways = true
        viewer.failure = MediaError(.sourceMissing, "HTTP 404")
        viewer.run(.seconds(298))
        #expect(viewer.state.screenSaver == nil)
        viewer.run(.seconds(10))
        #expect(viewer.state.screenSaver != nil)
        viewer.press(.ok)
        #expect(viewer.state.screenSaver == nil, "a key only ends it")
        viewer.run(.seconds(310))
        #expect(viewer.state.screenSaver != nil)
        (viewer.failsAlways, viewer.failure) = (false, nil)
        viewer.run(.seconds(30))
        #expect(viewer.state.screenSaver == nil && isAlone(viewer.state), "what plays ends it")
    }

    @Test func goLiveHidesAndComesBackWithAKey() {
        var viewer = Viewer()
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(4000))]
        viewer.open(Items.live())
        viewer.duration = nil
        viewer.run(.seconds(1))
        viewer.place(.seconds(1000))
        viewer.press(.up)
        viewer.run(.seconds(6))
        #expect(viewer.state.action?.kind == .goLive)
        viewer.run(.seconds(300))
        #expect(viewer.state.action == nil)
        viewer.press(.up)
        viewer.run(.seconds(6))
        #expect(viewer.state.action?.kind == .goLive)
    }

    @Test func controlsThatNeverHideDoSoForTheScreen() {
        var viewer = Viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.patience", "endless")])))
        viewer.open(film)
        viewer.run(.seconds(1))
        viewer.press(.up)
        leave(&viewer) { $0.bar != nil }
        #expect(isAlone(viewer.state))
    }

    @Test func inAKioskWhatHoldsPlaybackIsSaidInChangingPlaces() {
        var viewer = watching { $0.isKiosk = true }
        viewer.command(.pause)
        viewer.send(.held(.heat))
        leave(&viewer) { $0.notice != nil }
        #expect(viewer.state.notice == nil && viewer.state.paused?.title == "Paused while the box cools down")
        viewer.run(.seconds(2000))
        #expect(viewer.state.screen == .player, "it plays again when that is over")
    }
}
