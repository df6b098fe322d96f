import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Shell
@testable import Viewing

@Suite struct ScreenSaverTests {
    private func viewer(_ settings: [(name: String, value: String)] = []) -> Viewer {
        var viewer = Viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: settings)))
        viewer.send(.wallClock(secondsSinceMidnight: 72_000))
        viewer.send(.homeChanged(Items.home))
        viewer.press(.down)
        viewer.effects = []
        return viewer
    }

    @Test func itAppearsAfterFiveMinutesWithoutAKeyAndMovesEachMinute() {
        var viewer = viewer()
        let home = viewer.state.home
        viewer.run(.seconds(299))
        #expect(viewer.state.screenSaver == nil)
        viewer.run(.seconds(2))
        let first = viewer.state.screenSaver
        #expect(first?.clock == "20:05" && viewer.state.home == nil && viewer.state.video == .hidden)
        var places: [PixelRect] = []
        for _ in 0..<5 {
            places += viewer.state.screenSaver.map { [$0.frame] } ?? []
            viewer.run(.seconds(60))
        }
        #expect(places.count == 5)
        for (one, two) in zip(places, places.dropFirst()) {
            #expect(
                one.x + one.width <= two.x || two.x + two.width <= one.x || one.y + one.height <= two.y
                    || two.y + two.height <= one.y)
        }
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.state.screenSaver == nil && viewer.state.home?.focus == home?.focus, "the key only ends it")
        #expect(!viewer.effects.contains { if case .open = $0 { true } else { false } })
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.effects.contains { if case .open = $0 { true } else { false } }, "the next key acts again")
    }

    @Test(arguments: RemoteKey.allCases) func everyKeyOnlyEndsIt(_ key: RemoteKey) {
        var viewer = viewer()
        viewer.run(.seconds(301))
        viewer.effects = []
        let focus = viewer.state.home?.focus
        #expect(viewer.press(key, for: .milliseconds(900)) == .success)
        #expect(viewer.state.screenSaver == nil && viewer.state.screen == .home)
        #expect(
            viewer.state.page == nil && viewer.state.numberEntry == nil && (focus == nil || viewer.state.home?.focus == focus))
        let acts = viewer.effects.filter {
            switch $0 {
            case .answer, .arm, .cancel: false
            default: true
            }
        }
        #expect(acts.isEmpty)
    }

    @Test func itIsNeverOverVideoThatPlays() {
        var viewer = viewer()
        viewer.open(Items.episode(interstitials: [], duration: 4000))
        viewer.run(.seconds(400))
        #expect(viewer.state.screenSaver == nil && viewer.state.card == nil)
        viewer.press(.home)
        #expect(viewer.state.screen == .home && !viewer.state.video.frame.isEmpty)
        viewer.run(.seconds(298))
        #expect(viewer.state.screenSaver == nil && viewer.state.screen == .home, "the video plays on in the corner")
        viewer.run(.seconds(300))
        #expect(viewer.state.screenSaver == nil && viewer.state.screen == .player, "and then on the whole screen")
        viewer.press(.home)
        viewer.command(.pause)
        viewer.run(.seconds(310))
        #expect(viewer.state.screenSaver != nil)
        viewer.command(.play)
        #expect(viewer.state.screenSaver == nil)
    }

    @Test func aPausedPlayerHasItsOwnRule() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.ok)
        viewer.run(.seconds(298))
        #expect(viewer.state.screenSaver == nil && viewer.state.paused == nil && viewer.state.bar != nil)
        viewer.run(.seconds(202))
        #expect(viewer.state.screenSaver == nil && viewer.state.paused != nil && viewer.state.bar == nil)
        viewer.run(.seconds(110))
        #expect(viewer.state.screenSaver == nil && viewer.state.paused != nil)
        viewer.run(.seconds(1300))
        #expect(viewer.state.screen == .standby && viewer.state.screenSaver == nil)
    }

    @Test func theSettingDecidesWhenAndWhether() {
        var soon = viewer([("interface.screen-saver", "1")])
        soon.run(.seconds(61))
        #expect(soon.state.screenSaver != nil)
        var never = viewer([("interface.screen-saver", "0")])
        never.run(.seconds(4000))
        #expect(never.state.screenSaver == nil)
        #expect(ViewerSettings(entries: [("interface.screen-saver", "7")]) == ViewerSettings())
        var set = viewer()
        set.press(.menu)
        set.choose("Picture")
        set.choose("Screen Saver")
        set.choose("10 minutes")
        #expect(set.machine.settings.screenSaverMinutes == 10)
        #expect(ViewerSettings(entries: set.machine.settings.entries).screenSaverMinutes == 10)
        set.run(.seconds(590))
        #expect(set.state.screenSaver == nil)
        set.run(.seconds(11))
        #expect(set.state.screenSaver != nil, "over a page too")
        set.press(.back)
        #expect(set.state.settings?.page == "picture")
    }

    @Test func anEndedProgrammeHasIt() {
        var viewer = Viewer(watching: Items.plain, at: 90)
        viewer.run(.seconds(60))
        #expect(viewer.state.card?.kind == .end)
        viewer.run(.seconds(301))
        #expect(viewer.state.screenSaver != nil)
        viewer.press(.back)
        #expect(viewer.state.card?.kind == .end)
    }
}
