import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// The operator's pictures over the video.
@Suite struct ProgrammeOverlayTests {
    private static func overlay(_ image: String, inInterstitials: Bool = false, presence: LayerPresence = LayerPresence())
        -> ScreenOverlay
    {
        ScreenOverlay(
            image: image, anchor: .topRight, box: PixelRect(x: 1500, y: 54, width: 300, height: 100), presence: presence,
            isShownInInterstitials: inInterstitials)
    }

    private let logo = overlay("logo")
    private let notice = overlay("notice", inInterstitials: true)

    private func item(_ overlays: [ScreenOverlay]) -> ItemPresentation {
        var item = Items.episode()
        item.overlays = overlays
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
        item.overlays = [logo, early, late]
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
}
