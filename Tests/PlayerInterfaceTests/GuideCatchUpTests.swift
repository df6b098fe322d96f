import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// What the guide has of earlier programmes of the channel that plays.
@Suite struct GuideCatchUpTests {
    /// A channel whose window begins at half past seven, and another one; it is ten to nine.
    private static let guide = GuideContent(channels: [
        .init(
            id: "c1", number: 1, title: "News",
            programmes: [
                .init(title: "Lost", start: 68_400, end: 70_200), .init(title: "Quiz", start: 70_200, end: 72_000),
                .init(title: "Evening News", start: 72_000, end: 73_800), .init(title: "Weather", start: 73_800, end: 75_600),
                .init(title: "Film", start: 75_600, end: 80_000),
            ]),
        .init(
            id: "c2", number: 2, title: "Loop",
            programmes: [.init(title: "Early", start: 70_200, end: 72_000), .init(title: "Long", start: 72_000, end: 80_000)]),
    ])

    private func opened(window: ClosedRange<Int64> = 70_200...75_000, isLive: Bool = true) -> Viewer {
        var item = ItemPresentation(id: "c1") { $0.title = "News" }
        item.isLive = isLive
        // Asset time is the time of day.
        item.clockOrigin = isLive ? .zero : nil
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(Self.guide))
        viewer.send(.wallClock(secondsSinceMidnight: 75_000))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        viewer.seekable = [TimeRange(start: .seconds(window.lowerBound), end: .seconds(window.upperBound))]
        viewer.place(.seconds(window.upperBound - 5))
        viewer.run(.seconds(6))
        viewer.press(.guide)
        viewer.effects = []
        return viewer
    }

    private func focused(_ viewer: Viewer) -> String? { viewer.state.guide?.detailTitle }

    @Test func earlierProgrammesOfTheWindowHaveFocusAndAreWatchedFromTheirStart() {
        var viewer = opened()
        #expect(focused(viewer) == "Weather")
        viewer.press(.left)
        #expect(focused(viewer) == "Evening News")
        viewer.press(.left)
        #expect(focused(viewer) == "Quiz" && viewer.state.guide?.day == "Today")
        #expect(viewer.state.guide?.rows[0].cells.filter(\.canBeWatched).map(\.title) == ["Quiz", "Evening News"])
        #expect(
            viewer.state.guide?.rows[1].cells.contains(where: \.canBeWatched) == false, "another channel's window is not known")
        #expect(viewer.press(.left) == .failed(.noChange), "what the window has lost")
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.exactSeeks == [.seconds(70_200)])
        #expect(viewer.state.page == nil && viewer.state.screen == .player)
        viewer.run(.milliseconds(400))
        #expect(viewer.state.title?.title == "Quiz")
        // Back undoes the seek.
        viewer.press(.back)
        #expect(viewer.exactSeeks.count == 2)
    }

    @Test func theWayForwardLeadsBackToNow() {
        var viewer = opened()
        for _ in 0..<2 { viewer.press(.left) }
        for title in ["Evening News", "Weather", "Film"] {
            viewer.press(.right)
            #expect(focused(viewer) == title)
        }
        viewer.press(.left)
        #expect(focused(viewer) == "Weather")
        viewer.press(.ok)
        #expect(viewer.state.page == nil && viewer.exactSeeks.isEmpty, "what is on is tuned to")
    }

    @Test func anotherChannelIsEnteredWhereItHasSomething() {
        var viewer = opened()
        for _ in 0..<2 { viewer.press(.left) }
        viewer.press(.down)
        #expect(focused(viewer) == "Long", "not what was on at that time")
        viewer.press(.left)
        #expect(focused(viewer) == "Long")
        viewer.press(.up)
        #expect(focused(viewer) == "Weather")
    }

    @Test func aWindowThatBeginsWithinAProgrammeDoesNotHaveIt() {
        var viewer = opened(window: 70_201...75_000)
        viewer.press(.left)
        #expect(focused(viewer) == "Evening News")
        #expect(viewer.press(.left) == .failed(.noChange))
    }

    @Test func withoutAWindowOrOnDemandThereIsNone() {
        for viewer in [opened(window: 74_990...75_000), opened(isLive: false)] {
            var viewer = viewer
            #expect(viewer.state.guide?.rows[0].cells.contains(where: \.canBeWatched) == false)
            #expect(viewer.press(.left) == .failed(.noChange))
        }
    }
}
