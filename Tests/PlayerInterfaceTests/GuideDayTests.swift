import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct GuideDayTests {
    /// A guide of three days, with a programme each half hour, at half past eight in the evening.
    private func viewer(days: Int = 3) -> Viewer {
        let programmes = (0..<days * 48).map { GuideContent.Programme(title: "\($0)", start: $0 * 1800, end: ($0 + 1) * 1800) }
        var viewer = Viewer()
        viewer.send(.wallClock(secondsSinceMidnight: 73_800))
        viewer.send(.guideChanged(GuideContent(channels: [.init(id: "c1", number: 1, title: "News", programmes: programmes)])))
        viewer.send(.homeChanged(Items.channels))
        viewer.press(.guide)
        return viewer
    }

    private func focused(_ viewer: Viewer) -> String? { viewer.state.guide?.detailTitle }

    @Test func fastForwardAndRewindJumpADay() {
        var viewer = viewer()
        #expect(focused(viewer) == "41" && viewer.state.guide?.day == "Today")
        #expect(viewer.press(.ff) == .success)
        #expect(focused(viewer) == "89" && viewer.state.guide?.day == "Tomorrow")
        viewer.press(.ff)
        #expect(focused(viewer) == "137")
        viewer.press(.rw)
        #expect(focused(viewer) == "89")
    }

    @Test func theyStopAtNowAndAtTheEndOfTheGuide() {
        var viewer = viewer()
        #expect(viewer.press(.rw) == .failed(.noChange), "nothing before now has focus")
        viewer.press(.right)
        #expect(viewer.press(.rw) == .success)
        #expect(focused(viewer) == "41")
        for _ in 0..<3 { viewer.press(.ff) }
        #expect(focused(viewer) == "143", "the last programme")
        #expect(viewer.press(.ff) == .failed(.noChange))
    }

    /// Clocks go back by an hour at three in the night after this evening (Central Europe, autumn).
    private static let autumn = ClockChanges(in: -86_400...(15 * 86_400)) { $0 >= 27 * 3600 ? -3600 : 0 }

    @Test func timesBehindAChangeOfClocksAreThoseOfTheClocksThen() {
        var viewer = viewer()
        viewer.send(.wallClock(secondsSinceMidnight: 73_800, changes: Self.autumn))
        #expect(viewer.press(.ff) == .success)
        // Half past eight tomorrow is 25 hours later.
        #expect(focused(viewer) == "91" && viewer.state.guide?.day == "Tomorrow")
        #expect(viewer.state.guide?.detailFacts.last == "20:30–21:00")
        #expect(viewer.state.guide?.ticks.first?.title == "20:30")
        #expect(viewer.state.guide?.rows.first?.cells.first?.times == "20:30–21:00")
        viewer.press(.rw)
        #expect(focused(viewer) == "41" && viewer.state.guide?.detailFacts.last == "20:30–21:00")
    }

    @Test func anHourThatIsThereTwiceIsShownTwice() {
        let strings = StringCatalogue.english.with(Self.autumn)
        let times: [Int64] = [26 * 3600, 27 * 3600, 28 * 3600]
        #expect(times.map { strings.timeOfDay($0) } == ["02:00", "02:00", "03:00"])
        #expect(strings.timeRange(26 * 3600, 27 * 3600 + 1800) == "02:00–02:30")
        #expect(strings.day(of: 48 * 3600) == "Tomorrow", "it is eleven in the evening")
    }

    @Test func anHourThatIsLeftOutIsNotShown() {
        let spring = ClockChanges(in: -86_400...86_400) { $0 >= 2 * 3600 ? 0 : -3600 }
        let strings = StringCatalogue.english.with(spring)
        // At four in the morning of the day: an hour ago it was two, before the change.
        let times: [Int64] = [10_800, 7200, 7140]
        #expect(times.map { strings.timeOfDay($0) } == ["03:00", "02:00", "00:59"])
    }

    @Test func theLanguageMayChangeAfterTheClocksAreKnown() {
        var viewer = Viewer()
        viewer.send(.wallClock(secondsSinceMidnight: 73_800, changes: Self.autumn))
        var settings = ViewerSettings()
        settings.language = "de"
        viewer.send(.settingsRestored(settings))
        #expect(viewer.machine.strings.language == "de" && viewer.machine.strings.changes == Self.autumn)
    }
}
