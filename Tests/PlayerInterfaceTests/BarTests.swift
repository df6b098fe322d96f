import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

@Suite struct BarTests {
    @Test func timesAreContentTimeAndHiddenInAnAd() {
        var viewer = Viewer(watching: Items.episode(), at: 18)
        viewer.press(.up)
        #expect(viewer.state.bar?.elapsed == "0:18")
        #expect(viewer.state.bar?.trailing == "\u{2212}1:12")
        #expect(viewer.state.bar?.totalTime == .seconds(90))
        #expect(viewer.state.title?.title == "Pilot")
        viewer.run(.seconds(3))
        #expect(viewer.state.interstitialLabel?.hasPrefix("Ad · 0:0") == true)
        // The label has the time that is left; the programme's stands still, as its playhead shows.
        #expect(viewer.state.bar?.elapsed == "" && viewer.state.bar?.trailing == nil && viewer.state.title == nil)
        #expect(viewer.state.bar?.playhead == BarPosition(of: .seconds(20), in: .seconds(90)))
        viewer.run(.seconds(9))
        #expect(viewer.state.interstitialLabel == nil && viewer.state.bar == nil)
        viewer.press(.up)
        #expect(viewer.state.title?.title == "Pilot" && viewer.state.bar?.elapsed == "0:20")
    }

    @Test func elapsedAndRemainingAddUp() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        for tenths in 0..<25 {
            viewer.place(.milliseconds(30_000 + Int64(tenths) * 100))
            #expect(viewer.state.bar.map { $0.contentTime.wholeSeconds } == 30 + Int64(tenths) / 10)
            #expect(viewer.state.bar?.trailing == TimeText.minus + TimeText.clock(110 - 30 - Int64(tenths) / 10))
        }
    }

    @Test func itChangesAtMostOnceASecondAndOnceAPixel() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 6000), at: 30)
        viewer.press(.up)
        var changes = 0
        var last = viewer.state
        for _ in 0..<75 {
            viewer.run(Viewer.step)
            if viewer.state != last { changes += 1 }
            last = viewer.state
        }
        #expect(changes > 0 && changes <= 3 + 2, "three seconds: a pixel is more than three")
    }

    @Test func nothingChangesWhileTheBarIsHidden() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let before = viewer.state
        for _ in 0..<100 {
            viewer.run(Viewer.step)
            #expect(viewer.state == before)
        }
    }

    @Test func dotsAreAtContentTimeWatchedOnesAreMarkedAndNearOnesMerge() {
        let near = [Items.ad("a1", 20), Items.ad("a2", 60), Items.ad("a3", 71, 5)]
        var viewer = Viewer(watching: Items.episode(interstitials: near, watched: ["a3"], duration: 1825), at: 35)
        viewer.press(.up)
        let dots = viewer.state.bar?.dots
        // 1800 s of content on 1728 pixels: the first at 20 s, the other two at 50 s and 51 s.
        #expect(
            dots == [
                .init(position: BarPosition(pixels: 19), isWatched: false),
                .init(position: BarPosition(pixels: 48), isWatched: false),
            ])
        viewer = Viewer(watching: Items.episode(interstitials: [Items.ad("a1", 20)], watched: ["a1"]), at: 35)
        viewer.press(.up)
        #expect(viewer.state.bar?.dots.map(\.isWatched) == [true])
    }

    @Test func whatIsBufferedShowsInContentTime() {
        var viewer = Viewer(watching: Items.episode(), at: 10)
        viewer.press(.pause)
        viewer.place(.seconds(10))
        viewer.run(.milliseconds(100))
        // 10 s to 30 s of the asset are 10 s to 20 s of 90 s.
        #expect(viewer.state.bar?.buffered == [.init(start: BarPosition(pixels: 192), end: BarPosition(pixels: 384))])
    }

    @Test func chaptersAreNotchesExceptTheFirst() {
        var viewer = Viewer(watching: Items.plain, at: 10)
        viewer.press(.up)
        #expect(viewer.state.bar?.chapterTicks == [BarPosition(pixels: 628), BarPosition(pixels: 1256)])
    }

    @Test func hoursShowWhenTheyAreNeeded() {
        #expect(TimeText.clock(7) == "0:07")
        #expect(TimeText.clock(754) == "12:34")
        #expect(TimeText.clock(3723) == "1:02:03")
        #expect(StringCatalogue.english.timeOfDay(86400 + 3600) == "01:00")
    }

    @Test func theBubbleSaysTheChapterAndHowFarItIsFromTheOrigin() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        #expect(viewer.state.bar?.hint == nil)
        for _ in 0..<2 { viewer.press(.right) }
        #expect(viewer.state.bar?.scrub?.time == "0:50" && viewer.state.bar?.scrub?.offset == "+0:20")
        #expect(viewer.state.bar?.scrub?.chapter == "Chapter 2" && viewer.state.bar?.hint == "Press Back to cancel")
        viewer.run(.seconds(3))
        for _ in 0..<30 { viewer.press(.left) }
        #expect(viewer.state.bar?.scrub?.offset?.hasPrefix("\u{2212}0:") == true)
        viewer.press(.back)
        #expect(viewer.state.bar?.scrub == nil && viewer.state.bar?.hint == nil)
        // Without chapters, and back at the origin.
        var bare = Viewer(watching: Items.episode(interstitials: [], markers: []), at: 30)
        bare.press(.pause)
        bare.press(.right)
        #expect(bare.state.bar?.scrub?.chapter == nil && bare.state.bar?.scrub?.offset == "+0:10")
        bare.run(.seconds(3))
        for _ in 0..<10 { bare.press(.left) }
        #expect(bare.state.bar?.scrub?.time == "0:30" && bare.state.bar?.scrub?.offset == nil)
    }

    @Test func theBarSaysWhatUpAndDownLeadTo() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.up)
        #expect(viewer.state.bar?.above == nil && viewer.state.bar?.below == "Info", "Up changes the time only")
        viewer.press(.pause)
        #expect(viewer.state.bar?.above == "From Beginning" && viewer.state.bar?.below == "Info")
        viewer.press(.up)
        #expect(viewer.state.bar?.actions == ["From Beginning", "Info"])
        #expect(viewer.state.bar?.above == nil && viewer.state.bar?.below == nil)
        viewer.press(.down)
        viewer.press(.right)
        #expect(viewer.state.bar?.scrub != nil && viewer.state.bar?.above == nil && viewer.state.bar?.below == nil)
        viewer.press(.back)
        viewer.press(.down)
        #expect(viewer.state.panel?.tabs.first?.title == "Info", "and Down does what it says")
    }

    @Test func anAdvertisementHasNoNamesOfKeys() {
        var viewer = Viewer(watching: Items.episode(), at: 24)
        viewer.press(.up)
        #expect(viewer.state.interstitialLabel != nil && viewer.state.bar?.below == nil)
    }

    @Test func trimmedItemsShowTimesWithoutTheTrimmedParts() {
        var item = Items.episode(interstitials: [Items.ad("a1", 20)])
        item.trimStart = .seconds(10)
        item.trimEnd = .seconds(100)
        var viewer = Viewer(watching: item, at: 40)
        viewer.press(.up)
        #expect(viewer.state.bar?.elapsed == "0:20")
        #expect(viewer.state.bar?.totalTime == .seconds(80))
    }

    @Test func musicKeepsItsPicture() {
        var viewer = Viewer(watching: Items.plain, at: 10)
        viewer.send(.playback(PlaybackSnapshot(state: .playing, position: .seconds(11), rate: .one, hasVideo: false)))
        #expect(viewer.state.audioOnly?.title == "Pilot")
        #expect(viewer.state.video == .hidden, "the picture of the previous item is removed")
        #expect(viewer.state.poster == nil, "an item without a picture gets a placeholder")
    }

    @Test func everyPhraseHasAnEnglishText() {
        let empty = StringCatalogue(language: "xx", texts: [:])
        #expect(empty.text(.skipIn, "5") == "Skip in 5", "missing texts are taken from English")
    }
}
