import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite struct PressTapHoldTests {
    @Test func thePressShowsTheNewTimeAndTheReleaseSeeks() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let before = viewer.position!
        viewer.down(.right)
        #expect(viewer.state.bar?.glyph == .skipForward)
        #expect(viewer.state.bar?.contentTime == .seconds((before + .seconds(10)).wholeSeconds))
        #expect(viewer.exactSeeks.isEmpty)
        viewer.up(.right)
        #expect(viewer.exactSeeks == [before + .seconds(10)])
    }

    @Test func aTapRunIsOneNavigation() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let origin = viewer.position!
        for _ in 0..<3 {
            viewer.press(.right)
            viewer.run(.milliseconds(300))
        }
        #expect(viewer.exactSeeks.last! >= origin + .seconds(30))
        #expect(viewer.exactSeeks.last! < origin + .seconds(31), "each tap adds ten seconds to the position before the first")
        viewer.press(.back)
        #expect(viewer.exactSeeks.last! < origin + .seconds(1), "the undo returns to the position before the first")
    }

    @Test func aKeyHeldFor400MillisecondsScansAndSeeksNoTap() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right)
        viewer.run(.milliseconds(399))
        #expect(viewer.state.bar?.scrub == nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1))
        viewer.run(.seconds(1))
        viewer.up(.right)
        #expect(viewer.exactSeeks.isEmpty)
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1), "it continues when the key is released")
    }

    @Test func aKeyReleasedJustBeforeIsATap() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.right, for: .milliseconds(399))
        #expect(viewer.exactSeeks.count == 1)
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test func theKernelsRepeatsDoNotSeek() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.right)
        for _ in 0..<5 {
            viewer.run(.milliseconds(33))
            viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "test")))
        }
        viewer.up(.right)
        #expect(viewer.exactSeeks.count == 1)
    }

    @Test func aPressToldTwiceCountsOnce() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.down(.ok)
        viewer.down(.ok)
        viewer.up(.ok)
        #expect(!viewer.isPlaying)
    }

    @Test func withoutReleasesEachPressIsATap() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        for _ in 0..<2 {
            viewer.down(.right, sendsReleases: false)
            viewer.run(.milliseconds(700))
        }
        #expect(viewer.exactSeeks.count == 2)
        #expect(viewer.state.bar?.scrub == nil)
    }

    @Test func withoutReleasesTwoClosePressesAreAHold() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let origin = viewer.position!
        viewer.down(.right, sendsReleases: false)
        viewer.run(.milliseconds(500))
        viewer.down(.right, sendsReleases: false)
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1))
        for _ in 0..<3 {
            viewer.run(.milliseconds(450))
            viewer.down(.right, sendsReleases: false)
        }
        #expect(viewer.state.bar?.glyph == .scanForward(level: 1), "repeats that continue the hold do not make the scan faster")
        viewer.run(.seconds(1))
        viewer.down(.back, sendsReleases: false)
        viewer.run(.milliseconds(200))
        #expect(viewer.position! >= origin && viewer.position! < origin + .seconds(1), "the tap that started the hold is dropped")
    }

    @Test("a hold whose first press had no target keeps the taps before it")
    func aHoldKeepsEarlierTaps() {
        var viewer = Viewer(watching: Items.plain, at: 3)
        viewer.down(.left, sendsReleases: false)
        viewer.run(.milliseconds(700))
        viewer.down(.left, sendsReleases: false)  // already at the beginning
        viewer.run(.milliseconds(500))
        #expect(viewer.lastShown < .seconds(2) && viewer.exactSeeks.count == 1)
        viewer.down(.left, sendsReleases: false)
        #expect(viewer.machine.stage.viewing.played.position == viewer.lastShown)
    }

    @Test func repeatsMoveListsEightTimesASecondThenTwenty() {
        let entries = (0..<60).map { HomeContent.Entry(id: "i\($0)", title: "\($0)") }
        var viewer = Viewer()
        viewer.send(.homeChanged(HomeContent(rows: [.init(id: "r", title: "Row", entries: entries)])))
        viewer.down(.right)
        func column(_ viewer: Viewer) -> Int {
            if case .entry(_, let column) = viewer.state.home?.focus { column } else { -1 }
        }
        func hold(_ viewer: inout Viewer, _ count: Int) {
            for _ in 0..<count {
                viewer.run(.milliseconds(25))
                viewer.send(.key(RemoteEvent(key: .right, phase: .repeat, time: viewer.now, device: "test")))
            }
        }
        hold(&viewer, 40)
        #expect(column(viewer) == 9, "one press and eight repeats in the first second")
        hold(&viewer, 40)
        let after2 = column(viewer)
        hold(&viewer, 40)
        #expect(column(viewer) == after2 + 20)
    }

    @Test func aWebKeyIsATap() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        #expect(viewer.command(.key(.right)) == .success)
        #expect(viewer.exactSeeks.count == 1)
        #expect(!viewer.machine.keys.isDown)
    }

    @Test func everyKeyAndCommandIsAnsweredExactlyOnce() {
        for key in RemoteKey.allCases {
            var viewer = Viewer(watching: Items.episode(), at: 15)
            viewer.send(.homeChanged(Items.home))
            for effects in [
                viewer.down(key), viewer.send(.key(RemoteEvent(key: key, phase: .repeat, time: viewer.now, device: "test"))),
                viewer.up(key),
            ] {
                #expect(effects.count { if case .answer = $0 { true } else { false } } == 1, "\(key)")
            }
        }
        var viewer = Viewer(watching: Items.episode(), at: 15)
        for command in [
            RemoteCommand.play, .pause, .togglePlayPause, .skip(.seconds(5)), .changePlaybackPosition(.zero), .restart,
            .open(id: "x"), .key(.ok), .stop,
        ] {
            #expect(
                viewer.send(.command(command, origin: "web")).count { if case .answer = $0 { true } else { false } } == 1,
                "\(command)")
        }
    }

    @Test func theFirstArrowAfterAMinuteOffersToUndo() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 300), at: 30)
        viewer.run(.seconds(61))
        viewer.press(.left)
        #expect(viewer.state.bar?.hint == "Press Back to undo")
        viewer.run(.seconds(1))
        viewer.press(.back)
        #expect(viewer.state.bar?.hint == nil)
        viewer.run(.seconds(10))
        viewer.press(.left)
        #expect(viewer.state.bar?.hint == nil)
    }

    @Test func theBarHidesFourSecondsAfterTheLastKey() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.up)
        viewer.run(.milliseconds(3900))
        #expect(viewer.state.bar != nil)
        viewer.run(.milliseconds(200))
        #expect(viewer.state.bar == nil)
    }
}
