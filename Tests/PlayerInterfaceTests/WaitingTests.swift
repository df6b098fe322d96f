import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// Waiting for frames, the end, and errors.
@Suite struct WaitingTests {
    @Test func loadingSaysMoreTheLongerItTakes() {
        var viewer = Viewer()
        viewer.isStalled = true
        viewer.open(Items.plain)
        #expect(viewer.state.poster == PosterView(artwork: "art", title: "Pilot"))
        #expect(viewer.state.video == .hidden)
        viewer.run(.milliseconds(499))
        #expect(viewer.state.spinner == nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.spinner == SpinnerView())
        viewer.run(.milliseconds(1500))
        #expect(viewer.state.spinner == SpinnerView(words: "Loading…"))
        viewer.run(.seconds(6))
        #expect(viewer.state.spinner == SpinnerView(words: "The network is slow. Still trying."))
        viewer.run(.seconds(12))
        #expect(viewer.state.spinner == nil)
        #expect(viewer.state.card?.kind == .slow)
        #expect(viewer.state.card?.code == "NET-SLOW")
        #expect(
            viewer.state.card?.buttons == [
                ButtonView(title: "Try Again (10)", plainTitle: "Try Again", isFocused: true),
                ButtonView(title: "Home", isFocused: false),
            ])
    }

    @Test func aStallSaysBufferingAndEndsWithTheNextFrame() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.isStalled = true
        viewer.run(.milliseconds(2100))
        #expect(viewer.state.spinner == SpinnerView(words: "Buffering…"))
        viewer.isStalled = false
        viewer.run(.milliseconds(80))
        #expect(viewer.state.spinner == nil)
    }

    @Test func theSlowCardRetriesEveryTenSecondsAndClosesWithTheNextFrame() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let place = viewer.position!
        viewer.isStalled = true
        viewer.run(.milliseconds(20_100))
        #expect(viewer.state.card?.kind == .slow)
        #expect(viewer.state.video.dimPercent > 0)
        viewer.run(.milliseconds(4000))
        #expect(viewer.state.card?.buttons[0].title == "Try Again (6)")
        viewer.run(.milliseconds(6000))
        #expect(viewer.effects.contains(.retry(at: place)))
        viewer.isStalled = false
        viewer.run(.milliseconds(200))
        #expect(viewer.state.card == nil)
    }

    @Test func theSlowCardLeadsHome() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.isStalled = true
        viewer.run(.seconds(21))
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.screen == .home)
        #expect(viewer.savedPlace == .some(SavedPlace(time: viewer.lastShown)))
    }

    @Test func aQueueMovesOnAfterThirtySeconds() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 30)
        viewer.isStalled = true
        viewer.run(.seconds(29))
        #expect(!viewer.effects.contains(.playNextInQueue))
        viewer.run(.seconds(2))
        #expect(viewer.effects.contains(.playNextInQueue))
    }

    @Test func theBarStaysWhileBuffering() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.up)
        viewer.isStalled = true
        viewer.run(.seconds(10))
        #expect(viewer.state.bar != nil)
    }

    @Test func theEndShowsTheCardAndForgetsThePlace() {
        var viewer = Viewer(watching: Items.plain, at: 108)
        viewer.run(.seconds(3))
        #expect(viewer.state.card?.kind == .end)
        #expect(viewer.state.card?.buttons.map(\.title) == ["Replay", "Home"])
        #expect(viewer.savedPlace == .some(.none))
    }

    @Test(arguments: [RemoteKey.ok, .playpause, .play]) func replayBeginsAgain(_ key: RemoteKey) {
        var viewer = Viewer(watching: Items.plain, at: 108)
        viewer.run(.seconds(3))
        viewer.press(key)
        #expect(viewer.exactSeeks == [.zero])
        viewer.run(.seconds(2))
        #expect(viewer.state.card == nil)
        #expect(viewer.position! > .seconds(1))
    }

    @Test func replayThenTheEndAgainShowsTheCardAgain() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 8))
        viewer.place(.seconds(7))
        viewer.run(.seconds(2))
        viewer.press(.ok)
        viewer.run(.seconds(9))
        #expect(viewer.state.card?.kind == .end)
    }

    @Test func theEndCardLeadsHomeByBack() {
        var viewer = Viewer(watching: Items.plain, at: 108)
        viewer.run(.seconds(3))
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.effects.contains(.leavePlayer))
        #expect(viewer.savedPlace == .some(.none), "a finished item has no saved position")
    }

    @Test(arguments: [
        (ErrorCode.sourceMissing, "This programme isn’t available right now.", 0),
        (.networkSlow, "The network is slow. Still trying.", 0),
        (.decoderUnsupported, "This box can’t play this format.", 1),
        (.protected, "This programme is protected and can’t be played here.", 1),
    ])
    func theErrorCardFocusesWhatIsSafest(_ code: ErrorCode, _ sentence: String, _ focus: Int) {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.failure = MediaError(code, "It was tried and did not work.")
        viewer.run(.milliseconds(100))
        #expect(viewer.state.card?.kind == .error)
        #expect(viewer.state.card?.message == sentence)
        #expect(viewer.state.card?.code == code.rawValue)
        #expect(viewer.state.card?.buttons.firstIndex { $0.isFocused } == focus)
    }

    @Test func tryAgainOpensTheItemAtItsPlace() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.failure = MediaError(.sourceTimeout, "No answer.")
        viewer.run(.milliseconds(100))
        let place = viewer.lastShown
        viewer.isStalled = true
        viewer.press(.ok)
        #expect(viewer.effects.contains(.retry(at: place)))
        #expect(viewer.state.card?.buttons.first?.title == "Try Again (…)" && viewer.state.spinner == nil, "one way of waiting")
        viewer.failure = MediaError(.sourceTimeout, "No answer.")
        viewer.run(.milliseconds(100))
        #expect(viewer.state.card?.kind == .error, "it is reported again when it fails again")
    }

    @Test func anErrorInAQueueIsReadAndThenTheNextPlays() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 30)
        viewer.failure = MediaError(.sourceMissing, "Nothing there.")
        viewer.run(.seconds(1))
        #expect(viewer.state.card?.countdown == "Next programme in 5 s")
        #expect(viewer.state.card?.buttons.map(\.title) == ["Try Again", "Home"], "only one thing counts down")
        viewer.run(.seconds(1))
        #expect(viewer.state.card?.countdown == "Next programme in 4 s")
        viewer.run(.seconds(4))
        #expect(viewer.effects.contains(.playNextInQueue))
    }

    @Test(arguments: [true, false]) func aCardThatCountsDownIsSpokenOnce(isInQueue: Bool) {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: isInQueue), at: 30)
        viewer.changePolicy { $0.hasVoice = true }
        var settings = viewer.machine.settings
        settings[.spokenFocus] = true
        viewer.send(.settingsRestored(settings))
        viewer.effects = []
        viewer.failsAlways = true
        viewer.failure = MediaError(.sourceTimeout, "No answer.", fault: .noFirstByte)
        viewer.run(.milliseconds(3500))
        #expect(viewer.state.card?.kind == .error)
        let spoken = viewer.effects.compactMap { if case .speak(let words) = $0 { words } else { nil } }
        #expect(spoken.count == 1, "\(spoken)")
        #expect(spoken.first?.contains(isInQueue ? "Next programme in" : "Try Again, button, 1 of 2") == true)
        viewer.press(.right)
        #expect(viewer.effects.count { if case .speak = $0 { true } else { false } } == 2, "focus that moves is")
    }

    @Test func aQueueInWhichNothingFollowsEndsInWords() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 105)
        viewer.run(.seconds(10))
        #expect(viewer.effects.contains(.playNextInQueue))
        #expect(viewer.state.card == nil, "the next item is about to start")
        viewer.send(.queueIsOver)
        #expect(viewer.state.card?.kind == .end)
        viewer.press(.ok)
        viewer.run(.seconds(1))
        #expect(viewer.state.card == nil)
        #expect(viewer.lastShown < .seconds(105), "it plays again")
    }

    @Test func anErrorInAQueueInWhichNothingFollowsStays() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 30)
        viewer.failure = MediaError(.sourceMissing, "Nothing there.")
        viewer.failsAlways = true
        viewer.run(.seconds(6))
        #expect(viewer.effects.contains(.playNextInQueue))
        viewer.send(.queueIsOver)
        #expect(viewer.state.card?.kind == .error)
        #expect(viewer.state.card?.countdown == nil)
        viewer.run(.seconds(30))
        #expect(viewer.state.card?.kind == .error)
    }

    @Test func aQueueThatEndsAfterALongWaitGoesHome() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 30)
        viewer.isStalled = true
        viewer.run(.seconds(31))
        viewer.send(.queueIsOver)
        #expect(viewer.state.screen == .home)
    }

    @Test func withoutANetworkAQueueRetriesItsItemBeforeItAdvances() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], isInQueue: true), at: 30)
        viewer.isStalled = true
        for _ in 0..<4 {
            viewer.failure = MediaError(.networkDown, "No route.")
            viewer.run(.seconds(6))
        }
        #expect(viewer.effects.contains { if case .retry = $0 { true } else { false } })
        #expect(!viewer.effects.contains(.playNextInQueue))
        for _ in 0..<2 {
            viewer.failure = MediaError(.networkDown, "No route.")
            viewer.run(.seconds(6))
        }
        #expect(viewer.effects.contains(.playNextInQueue))
    }

    @Test func anItemThatFailsBeforeItsFirstFrameShowsTheCard() {
        var viewer = Viewer()
        viewer.open(Items.plain)
        viewer.failure = MediaError(.sourceMissing, "Nothing there.")
        viewer.tell()
        #expect(viewer.state.card?.kind == .error)
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
    }

    @Test func longPausesDimThenStandBy() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        viewer.run(.seconds(599))
        #expect(viewer.state.video.dimPercent == 0)
        viewer.run(.seconds(2))
        #expect(viewer.state.video.dimPercent > 0)
        #expect(viewer.state.paused?.title == "Pilot" && viewer.state.paused?.time == "0:30")
        #expect(viewer.state.bar == nil && viewer.state.title == nil, "nothing white stands still")
        let place = viewer.state.paused?.frame
        viewer.run(.seconds(61))
        #expect(viewer.state.paused?.frame != place)
        viewer.press(.up)
        #expect(viewer.state.paused == nil && viewer.state.bar != nil && viewer.state.video.dimPercent == 0)
        viewer.run(.seconds(601))
        viewer.run(.seconds(1200))
        #expect(viewer.effects.contains(.standby))
    }

    @Test func thePlaceIsSavedEveryFourSecondsOfPlay() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.run(.seconds(41))
        let saves = viewer.effects.count { if case .savePlace = $0 { true } else { false } }
        #expect(saves == 10)
    }
}
