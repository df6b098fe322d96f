import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import PlayerInterface

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
}
