import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// The operator's pictures over the video.
@Suite struct ProgrammeOverlayTests {
    private static func overlay(_ image: String, inInterstitials: Bool = false, presence: LayerPresence = LayerPresence())
        -> ScreenOverlay
    {
        ScreenOverlay(
            .picture(image), anchor: .topRight, box: PixelRect(x: 1500, y: 54, width: 300, height: 100), presence: presence,
            isShownInInterstitials: inInterstitials)
    }

    private let logo = overlay("logo")
    private let notice = overlay("notice", inInterstitials: true)

    private func item(_ overlays: [ScreenOverlay], in programme: ItemPresentation = Items.episode()) -> ItemPresentation {
        var item = programme
        item.screen.overlays = overlays
        return item
    }

    @Test func theyBeginWithTheFirstPictureAndStayThroughKeysAndPauses() {
        var viewer = Viewer()
        viewer.open(item([logo]))
        #expect(viewer.state.overlays == [])
        viewer.run(.seconds(1))
        #expect(viewer.state.overlays == [logo])
        viewer.press(.ok)
        viewer.press(.down)
        #expect(viewer.state.panel != nil && viewer.state.overlays == [logo])
    }

    @Test func inAnAdvertisementOnlyThoseRemainThatMay() {
        var viewer = Viewer(watching: item([logo, notice]), at: 15)
        var seen: [(MediaTime, [ScreenOverlay])] = []
        for _ in 0..<500 {
            viewer.run(Viewer.step)
            seen.append((viewer.position!, viewer.state.overlays))
        }
        #expect(seen.contains { $0.0 >= .seconds(30) })
        for (position, overlays) in seen {
            // They are gone before the first picture of the advertisement, and its last one is on the screen until the next.
            if position > .seconds(20), position < .seconds(30) { #expect(overlays == [notice], "\(position)") }
            if position < .seconds(19) || position > .milliseconds(30_040) { #expect(overlays == [logo, notice], "\(position)") }
        }
    }

    @Test func besideTheStreamTheyStandAtTheItemsTime() {
        let early = Self.overlay("early", inInterstitials: true, presence: LayerPresence(end: .seconds(10)))
        let late = Self.overlay("late", inInterstitials: true, presence: LayerPresence(start: .seconds(10), end: .seconds(90)))
        var item = Items.plain
        item.screen.overlays = [logo, early, late]
        var viewer = Viewer(watching: item, at: 15)
        let ad = InterstitialStatus(
            interstitial: Items.beside("b1", 20), duration: .seconds(10), assetDuration: .seconds(10), target: nil)
        viewer.besideAds = [ad]
        viewer.beside = [ad.interstitial]
        viewer.tell()
        viewer.run(.seconds(8))
        #expect(viewer.presentations == ["will b1"])
        // The interstitial's own pictures begin at zero: without a time it is shown whatever their times are.
        #expect(viewer.state.overlays == [Self.overlay("late", inInterstitials: true)])
        viewer.run(.seconds(10))
        #expect(viewer.state.overlays == [logo, early, late])
    }

    @Test func onHomeAndWithoutAPictureThereAreNone() {
        var viewer = Viewer(watching: item([logo, notice]), at: 40)
        #expect(viewer.state.overlays == [logo, notice])
        viewer.press(.back)
        #expect(viewer.state.screen == .home && viewer.state.overlays == [])
        var sound = Viewer()
        sound.hasVideo = false
        sound.open(item([logo]))
        sound.run(.seconds(2))
        #expect(sound.state.overlays == [])
    }

    // MARK: Words

    private static func words(_ source: OverlayWords.Source, _ lines: [String] = [], height: Int = 162, isTicker: Bool = false)
        -> ScreenOverlay
    {
        ScreenOverlay(
            .words(OverlayWords(source, isTicker: isTicker, lines: lines)), anchor: .topRight,
            box: PixelRect(x: 1536, y: 54, width: 288, height: height))
    }

    private func lines(_ viewer: Viewer) -> [[String]?] { viewer.state.overlays.map { $0.words?.lines } }

    @Test func aClockAndADateFollowTheClocksOfTheBoxAndChangeWithThem() {
        var viewer = Viewer(watching: item([Self.words(.clock), logo, Self.words(.date)]), at: 40)
        // What is not known is not shown.
        #expect(viewer.state.overlays == [logo])
        // 50 s before the 30th of November.
        viewer.send(.wallClock(secondsSinceMidnight: 86_350, day: 20_786))
        #expect(lines(viewer) == [["23:59"], nil, ["Sun 29 Nov"]])
        viewer.press(.ok)
        viewer.run(.seconds(45))
        #expect(lines(viewer) == [["23:59"], nil, ["Sun 29 Nov"]])
        viewer.run(.seconds(6))
        #expect(lines(viewer) == [["00:00"], nil, ["Mon 30 Nov"]])
        viewer.send(.wallClock(secondsSinceMidnight: 60))
        #expect(lines(viewer) == [["00:01"], nil])
    }

    @Test func withinAMinuteAClockChangesNothing() {
        var item = item([Self.words(.clock)], in: Items.plain)
        item.isLive = true
        var viewer = Viewer(watching: item, at: 40)
        viewer.send(.wallClock(secondsSinceMidnight: 3600))
        viewer.run(.seconds(10))
        let before = viewer.state
        var changes = 0
        for _ in 0..<400 {
            viewer.run(.milliseconds(100))
            if viewer.state.overlays != before.overlays { changes += 1 }
        }
        #expect(changes == 0 && lines(viewer) == [["01:00"]])
    }

    @Test func linesWithoutRoomForAllOfThemFollowEachOther() {
        let all = (1...5).map { "Line \($0)" }
        // Room for two.
        var viewer = Viewer(watching: item([Self.words(.feed("item 0"), all, height: 120)], in: Items.plain), at: 40)
        var seen: [[String]] = []
        var since: HostTime?
        for _ in 0..<400 {
            viewer.run(.milliseconds(100))
            let now = viewer.state.overlays.first?.words?.lines ?? []
            guard now != seen.last else { continue }
            if seen.count > 1, let since {
                #expect((viewer.now - since) / .seconds(8) > 0.98 && (viewer.now - since) / .seconds(8) < 1.02)
            }
            (since, seen) = (viewer.now, seen + [now])
        }
        #expect(seen.count >= 5)
        let pages = [["Line 1", "Line 2"], ["Line 3", "Line 4"], ["Line 5"]]
        let first = pages.firstIndex(of: seen[0])
        for (index, page) in seen.enumerated() { #expect(first.map { pages[($0 + index) % 3] } == page) }
        // Those with room for all stand, and need no timer; a ticker has all of them, or one at a time where nothing is to move.
        let whole = Viewer(watching: item([Self.words(.feed("item 0"), all, height: 500)]), at: 40)
        #expect(lines(whole) == [all] && whole.timers[.minute] == nil)
        var ticker = Viewer(watching: item([Self.words(.feed("item 0"), all, height: 500, isTicker: true)]), at: 40)
        #expect(lines(ticker) == [all] && ticker.timers[.minute] == nil)
        var settings = ViewerSettings()
        settings[.reducedMotion] = true
        ticker.send(.settingsRestored(settings))
        #expect(ticker.state.overlays.first?.words?.lines.count == 1 && ticker.timers[.minute] != nil)
        let none = Viewer(watching: item([Self.words(.feed("item 0"))]), at: 40)
        #expect(none.state.overlays == [])
    }
}
