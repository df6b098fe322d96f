import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// What is presented, snap-back, and the return to the saved target.
@Suite struct InterstitialTests {
    @Test func playingThroughPresentsEachOnce() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.run(.seconds(60))
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a2", "did a2 completed"])
        #expect(viewer.exactSeeks.isEmpty)
    }

    /// Three that touch, and content on both sides.
    private static let pod = [Items.ad("a1", 20), Items.ad("a2", 30), Items.ad("a3", 40)]

    @Test(arguments: SnapBack.allCases) func aJumpOverAPodPlaysAllOfItAsOneBreak(_ snapBack: SnapBack) {
        let item = Items.episode(interstitials: Self.pod, duration: 200)
        var viewer = Viewer(watching: item, at: 15, policy: InterfacePolicy(snapBack: snapBack))
        viewer.command(.changePlaybackPosition(.seconds(60)))
        viewer.run(.seconds(1))
        #expect(viewer.state.interstitialLabel == "Ad 1 of 3 · 0:10" || viewer.state.interstitialLabel == "Ad 1 of 3 · 0:09")
        viewer.run(.seconds(34))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(90)])
        #expect(
            viewer.presentations == [
                "will a1", "did a1 completed", "will a2", "did a2 completed", "will a3", "did a3 completed",
            ])
        let linear = viewer.shown.filter { $0.position > .seconds(20) && $0.position < .seconds(50) }
        #expect(linear.count == 749 && linear.allSatisfy(\.isLinear), "all of their frames")
    }

    @Test func aTargetInsideAPodIsItsEnd() {
        let item = Items.episode(
            interstitials: Self.pod, markers: [NavigationMarker(kind: .chapter, start: .seconds(35))], duration: 200)
        var viewer = Viewer(watching: item, at: 15)
        viewer.press(.next)
        #expect(viewer.exactSeeks == [.seconds(20)])
        viewer.run(.seconds(34))
        #expect(viewer.presentations.count == 6)
        #expect(!viewer.shown.contains { $0.position > .seconds(20) && $0.position < .seconds(50) && !$0.isLinear })
        #expect(viewer.position! > .seconds(50))
    }

    @Test func aWatchedPartOfAPodIsPassedOverAndTheRestPlays() {
        let item = Items.episode(interstitials: Self.pod, watched: ["a2"], duration: 200)
        var viewer = Viewer(watching: item, at: 15)
        viewer.command(.changePlaybackPosition(.seconds(60)))
        viewer.run(.seconds(25))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(40), .seconds(90)])
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a3", "did a3 completed"])
    }

    @Test func aViewerWhoLeavesInAPodOwesTheRestOfIt() {
        let item = Items.episode(interstitials: Self.pod, duration: 200)
        var viewer = Viewer(watching: item, at: 15)
        viewer.run(.seconds(20))
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a2"])
        let saved = viewer.machine.stage.viewing.transport.placeToSave
        #expect(saved == SavedPlace(time: .seconds(50), owedInterstitial: "a2"))
        viewer = Viewer()
        viewer.open(Items.episode(interstitials: Self.pod, watched: ["a1"], duration: 200, resume: saved))
        viewer.run(.seconds(23))
        #expect(viewer.presentations == ["will a2", "did a2 completed", "will a3", "did a3 completed"])
        #expect(viewer.position! > .seconds(50))
    }

    @Test func theFirstOfAPodThatDoesNotStartIsFollowedByTheNext() {
        let item = Items.episode(interstitials: Self.pod, duration: 200)
        var viewer = Viewer(watching: item, at: 15)
        viewer.seekLatency = .seconds(60)
        viewer.command(.changePlaybackPosition(.seconds(60)))
        viewer.run(.milliseconds(8100))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(30)])
        viewer.run(.milliseconds(8100))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(30), .seconds(90)], "the rest is not waited for")
    }

    @Test func aPreRollPodThatIsMeantForItPlaysBeforeResume() {
        let pod = [Items.ad("p1", 0, 5, onResume: true), Items.ad("p2", 5, 5, onResume: true)]
        var viewer = Viewer()
        viewer.open(Items.episode(interstitials: pod, resume: SavedPlace(time: .seconds(50))))
        viewer.run(.seconds(12))
        #expect(viewer.exactSeeks == [.zero, .seconds(50)])
        #expect(viewer.presentations == ["will p1", "did p1 completed", "will p2", "did p2 completed"])
    }

    @Test func touchingRangesKeepLinearBetweenThem() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20), Items.ad("a2", 30)]), at: 15)
        viewer.run(.seconds(30))
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a2", "did a2 completed"])
        for frame in viewer.shown where frame.position > .seconds(20) && frame.position < .seconds(40) { #expect(frame.isLinear) }
    }

    @Test func playbackIsLinearFromTheFirstFrameToTheLast() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20), Items.ad("a2", 30)]), at: 15)
        viewer.run(.seconds(30))
        for frame in viewer.shown {
            // Each frame with the state at the instant at which it comes to the screen.
            #expect(frame.isLinear == (frame.position > .milliseconds(19_920) && frame.position <= .seconds(40)))
        }
    }

    @Test func aPauseJustBeforeAnAdKeepsItsWords() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        while viewer.presentations.isEmpty { viewer.run(Viewer.step) }
        #expect(viewer.position! < .seconds(20))
        #expect(viewer.state.interstitialLabel == "Ad · 0:10")
        viewer.press(.pause)
        viewer.run(.seconds(5))
        #expect(viewer.position! < .seconds(20) && viewer.presentations == ["will a1"])
        // The viewer leaves: the advertisement is owed, as from inside it.
        let saved = viewer.machine.stage.viewing.transport.placeToSave
        #expect(saved == SavedPlace(time: .seconds(30), owedInterstitial: "a1"))
        #expect(viewer.state.interstitialLabel == "Ad · 0:10")
        viewer.press(.play)
        viewer.run(.seconds(12))
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
        #expect(viewer.shown.count { $0.position >= .seconds(20) && $0.position < .seconds(30) } == 250)
    }

    @Test(arguments: [Ratio(1, 2), .one, Ratio(2)]) func atEverySpeedItIsPresentedOnceAndBeforeItsFirstFrame(_ speed: Ratio) {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        var (position, rate) = (MediaTime.seconds(19), speed)
        var presented: MediaTime?
        while position < .seconds(21) {
            viewer.send(.playback(PlaybackSnapshot(state: .playing, position: position, rate: rate)))
            if viewer.machine.requiresLinearPlayback, presented == nil { presented = position }
            // An advertisement plays at 1x.
            if presented != nil { rate = .one }
            position += Viewer.frame.scaled(by: rate)
        }
        #expect(presented! < .seconds(20) && presented! >= .seconds(20) - Timing.presentsAheadAtMost)
        #expect(viewer.presentations == ["will a1"])
    }

    @Test func aPausedViewerBeforeAnAdMayNavigate() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.press(.pause)
        viewer.place(.milliseconds(19_960))
        viewer.run(.seconds(1))
        #expect(viewer.presentations.isEmpty && !viewer.machine.requiresLinearPlayback)
    }

    @Test func aSkippedEnforcedAdIsFollowedByTheOneThatTouchesIt() {
        let ads = [Items.ad("a1", 20, skip: .init(offset: .seconds(2))), Items.ad("a2", 30)]
        var viewer = Viewer(
            watching: Items.episode(interstitials: ads, duration: 200), at: 15, policy: InterfacePolicy(snapBack: .all))
        viewer.command(.changePlaybackPosition(.seconds(60)))
        viewer.run(.seconds(4))
        viewer.press(.ok)
        viewer.run(.seconds(1))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(30)])
        #expect(viewer.presentations == ["will a1", "did a1 skipped", "will a2"])
        #expect(viewer.machine.requiresLinearPlayback)
        viewer.run(.seconds(11))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(30), .seconds(80)])
    }

    @Test func theLabelCountsTheAdsOfTheBreak() {
        var viewer = Viewer(
            watching: Items.episode(interstitials: [Items.ad("a1", 20), Items.ad("a2", 30), Items.ad("a3", 60)]), at: 22)
        #expect(viewer.state.interstitialLabel == "Ad 1 of 2 · 0:08")
        viewer.place(.seconds(39))
        #expect(viewer.state.interstitialLabel == "Ad 2 of 2 · 0:01")
        viewer.place(.seconds(62))
        #expect(viewer.state.interstitialLabel == "Ad · 0:08")
        viewer.place(.seconds(80))
        #expect(viewer.state.interstitialLabel == nil)
    }

    @Test func aJumpOverAnAdPlaysItThenReturnsToTheSavedTarget() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.press(.right)
        viewer.run(.seconds(14))
        let target = viewer.exactSeeks[1]
        #expect(viewer.exactSeeks == [.seconds(20), target])
        #expect(target > .seconds(35) && target < .seconds(36), "25 s of content are at 35 s of asset time")
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
        // The frames: content up to the key, the whole advertisement, then the saved target without content between.
        let after = viewer.shown.drop { $0.position < .seconds(20) }
        let ad = after.prefix { $0.position < .seconds(30) }
        #expect(ad.count == 250, "the advertisement is shown in full")
        #expect(after.dropFirst(ad.count).first?.position == target)
    }

    @Test func aWatchedAdIsSkippedAfterARewind() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.run(.seconds(17))
        viewer.effects = []
        viewer.press(.left)
        viewer.run(.milliseconds(200))
        #expect(viewer.position! < .seconds(20))
        viewer.shown = []
        viewer.run(.seconds(15))
        #expect(!viewer.shown.contains { TimeRange(start: .seconds(20), end: .seconds(30)).contains($0.position) })
        #expect(viewer.shown.contains { $0.position >= .seconds(30) })
        #expect(viewer.presentations.isEmpty)
    }

    @Test func repeatAlwaysPlaysAgain() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20, repetition: .always)]), at: 15)
        viewer.run(.seconds(17))
        viewer.press(.left)
        viewer.run(.seconds(10))
        #expect(viewer.presentations.count == 3)
        viewer.run(.seconds(10))
        #expect(viewer.presentations.last == "did a1 completed")
    }

    @Test func leftRightAfterADotLandsBeforeIt() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20)], watched: ["a1"]), at: 40)
        // 30 s of content: ten seconds back is the content time of the dot.
        viewer.machine = placed(viewer.machine, at: .seconds(40))
        viewer.press(.left)
        let landed = viewer.exactSeeks[0]
        #expect(landed < .seconds(20) || landed > .seconds(30))
    }

    @Test func aRewindExactlyIntoADotLandsBeforeIt() {
        let clock = ContentClock(Items.episode(), duration: nil)
        #expect(clock.assetBefore(.seconds(20)) == .milliseconds(19_999))
        #expect(clock.asset(of: .seconds(20)) == .seconds(30))
        #expect(clock.assetBefore(.seconds(19)) == .seconds(19))
    }

    @Test func allEnforcesOneAfterTheOther() {
        var viewer = Viewer(watching: Items.episode(duration: 200), at: 15, policy: InterfacePolicy(snapBack: .all))
        viewer.command(.changePlaybackPosition(.seconds(90)))
        viewer.run(.seconds(25))
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a2", "did a2 completed"])
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(60), .seconds(110)])
        let shown = viewer.shown.drop { $0.position < .seconds(20) }
        #expect(!shown.contains { $0.position >= .seconds(30) && $0.position < .seconds(60) }, "no content frame between")
        #expect(!shown.contains { $0.position >= .seconds(70) && $0.position < .seconds(110) })
    }

    @Test func lastEnforcesTheLastOnly() {
        var viewer = Viewer(watching: Items.episode(duration: 200), at: 15, policy: InterfacePolicy(snapBack: .last))
        viewer.command(.changePlaybackPosition(.seconds(90)))
        viewer.run(.seconds(15))
        #expect(viewer.exactSeeks == [.seconds(60), .seconds(110)])
    }

    @Test func adsThatMayBeSkippedAreJumpedOver() {
        var viewer = Viewer(watching: Items.episode(), at: 15, policy: InterfacePolicy(canSkipInterstitials: true))
        viewer.press(.right)
        viewer.run(.seconds(2))
        #expect(viewer.presentations.isEmpty)
        #expect(viewer.exactSeeks.count == 1)
    }

    @Test func touchingEnforcedRangesFollowEachOtherWithoutASeek() {
        let item = Items.episode(interstitials: [Items.ad("a1", 20), Items.ad("a2", 30)], duration: 200)
        var viewer = Viewer(watching: item, at: 15, policy: InterfacePolicy(snapBack: .all))
        viewer.command(.changePlaybackPosition(.seconds(60)))
        viewer.run(.seconds(25))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(80)])
        #expect(viewer.presentations == ["will a1", "did a1 completed", "will a2", "did a2 completed"])
        let linear = viewer.shown.filter { $0.position > .seconds(20) && $0.position < .seconds(40) }
        #expect(linear.count == 499 && linear.allSatisfy(\.isLinear), "also for the frame at which the second begins")
    }

    @Test func skippingTheEnforcedAdGoesToTheSavedTarget() {
        let item = Items.episode(interstitials: [Items.ad("a1", 20, skip: .init(offset: .seconds(2)))])
        var viewer = Viewer(watching: item, at: 15)
        viewer.press(.right)
        viewer.run(.seconds(8))
        viewer.press(.ok)
        viewer.run(.milliseconds(200))
        #expect(viewer.presentations == ["will a1", "did a1 skipped"])
        #expect(viewer.exactSeeks.count == 2)
        #expect(viewer.exactSeeks[1] > .seconds(35))
    }

    @Test func anAdThatDoesNotStartIsCancelledAndContentContinues() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.seekLatency = .seconds(60)
        viewer.press(.right)
        viewer.run(.milliseconds(8100))
        #expect(viewer.exactSeeks.count == 2)
        #expect(viewer.exactSeeks[1] > .seconds(35))
        #expect(viewer.presentations.isEmpty)
    }

    @Test func anAdThatStallsOnItsFirstFrameFails() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.press(.right)
        while viewer.presentations.isEmpty { viewer.run(Viewer.step) }
        #expect(viewer.position == .seconds(20))
        viewer.isStalled = true
        viewer.run(.seconds(9))
        #expect(viewer.presentations == ["will a1", "did a1 failed"])
        viewer.isStalled = false
        viewer.run(.seconds(1))
        #expect(viewer.position! > .seconds(35))
    }

    @Test func theQuartersThatWerePlayedAreToldOnceEach() {
        var viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20, linear: false)]), at: 15)
        viewer.run(.seconds(9))
        #expect(viewer.quarters == ["a1 25"])
        // Back and forth in it: what is played again is not told again, and what a seek passes over is not told.
        viewer.send(.seekCompleted(.programmatic, landed: .seconds(21), finished: true))
        viewer.position = .seconds(21)
        viewer.run(.seconds(3))
        #expect(viewer.quarters == ["a1 25"])
        viewer.send(.seekCompleted(.programmatic, landed: .seconds(26), finished: true))
        viewer.position = .seconds(26)
        viewer.run(.seconds(6))
        #expect(viewer.quarters == ["a1 25", "a1 75"])
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
    }

    @Test func ofALateBeginningOnlyTheRestIsTold() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.send(.playback(PlaybackSnapshot(state: .playing, position: .seconds(26), rate: .one)))
        viewer.position = .seconds(26)
        viewer.run(.seconds(5))
        #expect(viewer.quarters == ["a1 75"])
    }

    @Test func watchedIsReachedAt95Percent() {
        var viewer = Viewer(watching: Items.episode(), at: 28)
        viewer.run(.milliseconds(1400))
        #expect(!viewer.effects.contains(.watched(interstitial: "a1")))
        viewer.run(.milliseconds(200))
        #expect(viewer.effects.contains(.watched(interstitial: "a1")))
    }

    @Test func anItemMayBeLinearForItsWholeLength() {
        var item = Items.plain
        item.requiresLinearPlayback = true
        var viewer = Viewer(watching: item, at: 30)
        #expect(viewer.press(.right) == .failed(.linear))
        #expect(viewer.state.refusal?.words == "Not available right now")
        #expect(viewer.press(.pause) == .success)
        #expect(viewer.press(.back) == .success)
        #expect(viewer.effects.contains(.leavePlayer), "it does not continue in the corner")
    }

    @Test func resumeDoesNotAskThePolicyAndSkipsThePreRoll() {
        let item = Items.episode(
            interstitials: [Items.ad("p", 0, 5), Items.ad("a1", 20)], resume: SavedPlace(time: .seconds(50)))
        var viewer = Viewer()
        viewer.open(item)
        viewer.run(.seconds(1))
        #expect(viewer.exactSeeks == [.seconds(50)])
        #expect(viewer.presentations.isEmpty)
    }

    @Test func resumePlaysAPreRollThatIsMeantForIt() {
        let item = Items.episode(interstitials: [Items.ad("p", 0, 5, onResume: true)], resume: SavedPlace(time: .seconds(50)))
        var viewer = Viewer()
        viewer.open(item)
        viewer.run(.seconds(7))
        #expect(viewer.exactSeeks == [.zero, .seconds(50)])
        #expect(viewer.presentations == ["will p", "did p completed"])
    }

    @Test func resumePlaysTheOwedInterstitialFirst() {
        var viewer = Viewer()
        viewer.open(Items.episode(resume: SavedPlace(time: .seconds(50), owedInterstitial: "a1")))
        viewer.run(.seconds(12))
        #expect(viewer.exactSeeks == [.seconds(20), .seconds(50)])
        #expect(viewer.presentations == ["will a1", "did a1 completed"])
    }

    @Test func programmaticSeeksAreNotAffected() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.place(.seconds(50))
        #expect(viewer.machine.requiresLinearPlayback == false)
        viewer.send(.seekCompleted(.programmatic, landed: .seconds(65), finished: true))
        #expect(viewer.presentations == ["will a2"], "a seek over a range is not allowed, one into it is")
        #expect(viewer.machine.requiresLinearPlayback)
    }

    @Test func theNextKeyAfterWillPresentIsHeldToIt() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.down(.right)
        viewer.send(.playback(PlaybackSnapshot(state: .playing, position: .seconds(20), rate: .one)))
        #expect(Viewer.answer(in: viewer.up(.right)) == .failed(.linear), "also for a key that was pressed before")
    }

    private func placed(_ machine: InterfaceMachine, at time: MediaTime) -> InterfaceMachine {
        var machine = machine
        _ = machine.handle(
            .seekCompleted(.programmatic, landed: time, finished: true), at: HostTime(nanoseconds: 100_000_000_000))
        return machine
    }
}

/// Starts and ends: each presentation ends exactly once.
@Suite struct PresentationPairingTests {
    enum WayIn: CaseIterable {
        case play, tap, tapRun, scrub, scan, chapter, nextKey, web, resume, owedInterstitial, programmatic, lateJoin
    }
    enum WayOut: CaseIterable {
        case end, skip, leave, zap, failure, programmatic
    }

    @Test(arguments: WayIn.allCases, WayOut.allCases) func willAndDidPair(_ wayIn: WayIn, _ wayOut: WayOut) {
        let ad = Items.ad("a1", 20, skip: .init(offset: .zero))
        var viewer: Viewer
        switch wayIn {
        case .resume:
            viewer = Viewer()
            viewer.open(
                Items.episode(
                    interstitials: [Items.ad("a1", 0, skip: .init(offset: .zero), onResume: true)],
                    resume: SavedPlace(time: .seconds(50))))
        case .owedInterstitial:
            viewer = Viewer()
            viewer.open(Items.episode(interstitials: [ad], resume: SavedPlace(time: .seconds(50), owedInterstitial: "a1")))
        default: viewer = Viewer(watching: Items.episode(interstitials: [ad]), at: 15)
        }
        switch wayIn {
        case .play: viewer.run(.seconds(6))
        case .tap: viewer.press(.right)
        case .tapRun:
            viewer.press(.left)
            viewer.press(.right)
            viewer.press(.right)
        case .scrub:
            viewer.press(.pause)
            viewer.press(.right)
            viewer.press(.ok)
        case .scan:
            viewer.press(.right, for: .seconds(1))
            viewer.run(.seconds(1))
            viewer.press(.ok)
        case .chapter:
            viewer.press(.down)
            viewer.press(.right)
            viewer.press(.down)
            viewer.press(.right)
            viewer.press(.ok)
        case .nextKey: viewer.press(.next)
        case .web: viewer.command(.changePlaybackPosition(.seconds(60)))
        case .resume, .owedInterstitial: break
        case .programmatic: viewer.send(.seekCompleted(.programmatic, landed: .seconds(20), finished: true))
        case .lateJoin: viewer.send(.playback(PlaybackSnapshot(state: .playing, position: .seconds(24), rate: .one)))
        }
        if wayIn == .programmatic || wayIn == .lateJoin { viewer.position = .seconds(25) }
        viewer.run(.milliseconds(600))
        #expect(viewer.presentations == ["will a1"])
        #expect(viewer.machine.requiresLinearPlayback)
        let outcome: String
        switch wayOut {
        case .end:
            viewer.run(.seconds(11))
            outcome = "completed"
        case .skip:
            viewer.run(.seconds(2))
            #expect(viewer.press(.ok) == .success)
            outcome = "skipped"
        case .leave:
            viewer.press(.stop)
            outcome = "abandoned"
        case .zap:
            viewer.send(.homeChanged(Items.home))
            viewer.command(.open(id: "c1"))
            outcome = "abandoned"
        case .failure:
            viewer.failure = MediaError(.sourceMissing, "No such segment.")
            viewer.tell()
            outcome = "failed"
        case .programmatic:
            viewer.send(.seekCompleted(.programmatic, landed: .seconds(80), finished: true))
            viewer.position = .seconds(80)
            outcome = "abandoned"
        }
        viewer.run(.milliseconds(500))
        #expect(viewer.presentations == ["will a1", "did a1 \(outcome)"])
        #expect(viewer.machine.requiresLinearPlayback == false)
    }
}
