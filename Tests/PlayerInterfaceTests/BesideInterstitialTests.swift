import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// Interstitials that are fetched separately look and behave like those that are spliced in.
@Suite struct BesideInterstitialTests {
    private func ad(
        _ id: String = "b1", at place: Int64 = 20, length: Int64? = 10, linear: Bool = true, occupied: Int64 = 0,
        skip: Interstitial.SkipControl? = nil, savedTarget: MediaTime? = nil
    ) -> InterstitialStatus {
        let length = length.map { MediaTime.seconds($0) }
        return InterstitialStatus(
            interstitial: Items.beside(id, place, occupied: occupied, linear: linear, skip: skip), duration: length,
            assetDuration: length, target: savedTarget)
    }

    private func viewer(_ ads: [InterstitialStatus], at start: Int64 = 15) -> Viewer {
        var viewer = Viewer(watching: Items.plain, at: start)
        viewer.besideAds = ads
        viewer.beside = ads.map(\.interstitial)
        viewer.tell()
        return viewer
    }

    @Test func eachIsPresentedOnceWithItsLabelAndItsDotTurnsWatched() {
        var viewer = viewer([ad()])
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.map(\.isWatched) == [false])
        viewer.run(.seconds(7))
        #expect(viewer.state.interstitialLabel == "Ad · 0:08")
        #expect(viewer.presentations == ["will b1"])
        viewer.run(.seconds(20))
        #expect(viewer.presentations == ["will b1", "did b1 completed"])
        #expect(viewer.state.interstitialLabel == nil)
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.map(\.isWatched) == [true])
        #expect(viewer.effects.contains(.watched(interstitial: "b1")))
        #expect(viewer.quarters == ["b1 25", "b1 50", "b1 75"])
    }

    @Test func theLabelCountsTheAssetsOfOneBreak() {
        var viewer = viewer([ad()])
        viewer.run(.seconds(6))
        viewer.presented?.asset = 1
        viewer.presented?.assetCount = 3
        viewer.run(.seconds(1))
        #expect(viewer.state.interstitialLabel == "Ad 2 of 3 · 0:08")
    }

    @Test func thoseOfOnePlaceAreOneBreakWithOneDot() {
        var viewer = viewer([ad("b1"), ad("b2"), ad("b3"), ad("b4", at: 80)])
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.count == 2)
        viewer.run(.seconds(6))
        #expect(viewer.state.interstitialLabel?.hasPrefix("Ad 1 of 3 · ") == true)
        viewer.presented = ad("b3")
        viewer.run(.seconds(1))
        #expect(viewer.state.interstitialLabel?.hasPrefix("Ad 3 of 3 · ") == true)
        viewer.presented?.assetCount = 2
        viewer.run(.seconds(1))
        #expect(viewer.state.interstitialLabel?.hasPrefix("Ad 3 of 4 · ") == true)
    }

    @Test func dotsOfABreakThatReplacesContentAreOne() {
        func replacing(_ id: String, _ time: Int64) -> InterstitialStatus {
            let event = Interstitial.Event(time: .seconds(time), assets: .asset(url: id), resumptionOffset: .seconds(15))
            return InterstitialStatus(interstitial: Interstitial(id: id, event: event))
        }
        var viewer = viewer([replacing("b1", 20), replacing("b2", 35), replacing("b3", 60)])
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.count == 2)
    }

    @Test func whileItIsLinearNoKeyMovesAndTheViewerIsToldWhen() {
        var viewer = viewer([ad()])
        viewer.run(.seconds(8))
        viewer.effects = []
        #expect(viewer.press(.right) == .failed(.linear))
        #expect(viewer.command(.changePlaybackPosition(.seconds(60))) == .failed(.linear))
        #expect(viewer.exactSeeks.isEmpty)
        #expect(viewer.state.refusal?.words == "You can skip ahead in 0:07")
        #expect(viewer.command(.pause) == .success)
        viewer.run(.seconds(30))
        #expect(viewer.presented != nil, "the label does not count while paused")
        #expect(viewer.command(.play) == .success)
        viewer.run(.seconds(9))
        #expect(viewer.presented == nil)
        #expect(viewer.press(.right) == .success)
    }

    @Test func aPodThatDoesNotStartHasWordsUntilItIsGivenUp() {
        var viewer = viewer([ad()])
        while viewer.presented == nil { viewer.run(Viewer.step) }
        viewer.isStalled = true
        viewer.presented?.assetCount = 3
        viewer.run(.milliseconds(2500))
        #expect(viewer.state.spinner?.words != nil)
        // The words stay from one asset that does not start to the next.
        for asset in 1..<3 {
            viewer.presented?.asset = asset
            for _ in 0..<100 {
                viewer.run(Viewer.step)
                #expect(viewer.state.spinner?.words != nil)
            }
        }
        viewer.endPresented(.failed)
        viewer.isStalled = false
        viewer.run(.seconds(1))
        #expect(viewer.state.spinner == nil && viewer.presentations == ["will b1", "did b1 failed"])
    }

    @Test func aNonlinearOneCanBeLeft() {
        var viewer = viewer([ad(linear: false)])
        viewer.run(.seconds(8))
        #expect(viewer.press(.right) == .success)
        #expect(!viewer.exactSeeks.isEmpty)
    }

    @Test func skipIsCountedDownThenOffered() {
        var viewer = viewer([ad(skip: .init(offset: .seconds(5)))])
        viewer.run(.seconds(7))
        #expect(viewer.state.skipCountdown == "Skip in 3")
        #expect(viewer.state.action == nil)
        viewer.run(.seconds(5))
        #expect(viewer.state.action?.kind == .skipInterstitial && viewer.state.action?.title == "Skip Ad")
        viewer.presented?.interstitial.skip?.labelID = "SKIP_INTRO"
        viewer.tell()
        #expect(viewer.state.action?.title == "Skip Intro")
        viewer.press(.ok)
        #expect(viewer.effects.contains(.skipInterstitial))
        #expect(viewer.presentations == ["will b1", "did b1 skipped"])
        #expect(viewer.exactSeeks.isEmpty, "the player resumes by itself")
    }

    @Test func failuresAndLeavingAreReported() {
        var viewer = viewer([ad()])
        viewer.run(.seconds(6))
        viewer.endPresented(.failed)
        #expect(viewer.presentations == ["will b1", "did b1 failed"])
        viewer.besideAds = [ad("b2", at: 25)]
        viewer.run(.seconds(8))
        viewer.send(.itemChanged(nil))
        #expect(viewer.presentations == ["will b1", "did b1 failed", "will b2", "did b2 abandoned"])
    }

    @Test func leavingALinearOneKeepsTheTargetAndTheOwedInterstitial() {
        var viewer = viewer([ad(savedTarget: .seconds(70))])
        viewer.run(.seconds(8))
        viewer.press(.home)
        #expect(viewer.savedPlace == .some(SavedPlace(time: .seconds(70), owedInterstitial: "b1")))
    }

    @Test func beforeTheFirstFrameItIsThePictureAndNotThePoster() {
        var viewer = Viewer()
        viewer.open(Items.plain)
        #expect(viewer.state.poster != nil)
        viewer.presented = ad(at: 0)
        viewer.isPlaying = true
        viewer.run(.seconds(2))
        #expect(viewer.state.poster == nil && viewer.state.spinner == nil)
        #expect(viewer.state.interstitialLabel == "Ad · 0:08")
        #expect(viewer.press(.right) == .failed(.linear))
    }

    @Test func occupyingInterstitialsTakeDisplayedTimeAndNoStreamTime() {
        let beside = [
            Items.beside("a", 20, occupied: 10), Items.beside("b", 40), Items.beside("c", 60, occupied: 5),
        ]
        let clock = ContentClock(Items.plain, duration: .seconds(100), beside: beside)
        #expect(clock.total == .seconds(115))
        #expect(clock.content(at: .seconds(20)) == .seconds(20))
        #expect(clock.content(at: .seconds(21)) == .seconds(31))
        #expect(clock.content(at: .seconds(61)) == .seconds(76))
        #expect(clock.asset(of: .seconds(25)) == .seconds(20), "inside it the position does not change")
        #expect(clock.asset(of: .seconds(31)) == .seconds(21))
        var last = MediaTime.zero
        for tenth in 0...1150 {
            let content = MediaTime.milliseconds(Int64(tenth) * 100)
            let asset = clock.asset(of: content)
            #expect(asset >= last, "the mapping back is monotone")
            #expect(clock.content(at: asset) <= content)
            last = asset
        }
    }

    @Test func timeAdvancesOnlyInsideOccupyingInterstitials() {
        var occupying = viewer([ad(occupied: 10)])
        var point = viewer([ad()])
        occupying.press(.up)
        point.press(.up)
        occupying.run(.seconds(3))
        point.run(.seconds(3))
        #expect(point.state.bar?.contentTime == .seconds(18) || point.state.bar?.contentTime == .seconds(17))
        occupying.run(.seconds(6))
        point.run(.seconds(6))
        occupying.press(.up)
        point.press(.up)
        #expect(point.state.bar?.contentTime == .seconds(19) || point.state.bar?.contentTime == .seconds(20))
        #expect((occupying.state.bar?.contentTime ?? .zero) >= .seconds(23))
        #expect(occupying.state.bar?.totalTime == .seconds(120) && point.state.bar?.totalTime == .seconds(110))
    }

    @Test func aStyleLikeTheContentHasNoDot() {
        var viewer = viewer([])
        viewer.beside = [Items.beside("p", 30, occupied: 10, highlighted: false)]
        viewer.tell()
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.isEmpty == true)
    }
}
