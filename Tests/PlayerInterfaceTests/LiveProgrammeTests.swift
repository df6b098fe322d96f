import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// What a live channel says of the programme that is on, and of the one after it.
@Suite struct LiveProgrammeTests {
    /// Two programmes from eight in the evening, and one after a gap.
    private static let guide = GuideContent(channels: [
        .init(
            id: "c1", number: 1, title: "News",
            programmes: [
                .init(
                    title: "Evening News", subtitle: "Monday", summary: "What happened.", facts: ["S2 E3", "Current affairs"],
                    rating: "PG", artwork: "studio", start: 72_000, end: 73_800),
                .init(title: "Weather", start: 73_800, end: 75_600), .init(title: "Late Film", start: 79_200, end: 86_400),
            ])
    ])

    private static func item(hasClock: Bool = true) -> ItemPresentation {
        ItemPresentation(id: "c1") {
            $0.title = "News"
            $0.summary = "A channel."
            $0.genre = "News channel"
            $0.rating = "TV-G"
            $0.badges = ["HD"]
            $0.artwork = "logo"
            $0.isLive = true
            // Asset time zero is at eight in the evening.
            if hasClock { $0.clockOrigin = .seconds(72_000) }
        }
    }

    /// A channel that is watched at a place, with a window to a live edge.
    private func watching(
        _ item: ItemPresentation = Self.item(), at place: Int64, window: ClosedRange<Int64>?, guide: GuideContent = Self.guide,
        changes: ClockChanges = ClockChanges(), policy: InterfacePolicy = InterfacePolicy()
    ) -> Viewer {
        var viewer = Viewer(policy: policy)
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(guide))
        let edge = window?.upperBound ?? place
        viewer.send(.wallClock(secondsSinceMidnight: 72_000 + Int(edge), changes: changes))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        if let window { viewer.seekable = [TimeRange(start: .seconds(window.lowerBound), end: .seconds(window.upperBound))] }
        viewer.place(.seconds(place))
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    private func info(_ viewer: Viewer) -> InfoView? {
        guard case .info(let info) = viewer.state.panel?.content else { return nil }
        return info
    }

    private func actions(_ viewer: Viewer) -> [String] { info(viewer)?.actions.map(\.title) ?? [] }

    // MARK: What is on

    @Test func thePanelSaysWhatIsOnAndWhatIsNext() throws {
        var viewer = watching(at: 900, window: 0...910)
        viewer.press(.down)
        let info = try #require(self.info(viewer))
        #expect(info.title == "Evening News" && info.subtitle == "Monday" && info.artwork == "studio")
        #expect(info.facts == ["1 News", "20:00–20:30", "S2 E3", "Current affairs"])
        #expect(info.badges == ["PG", "HD"], "the programme's rating, not the channel's")
        #expect(info.summary == "What happened." && info.next == "Next: 20:30 Weather")
        #expect(info.actions.map(\.title) == ["Start Over", "Remind Me"])
        // OK on the description reads that of the programme.
        viewer.press(.down)
        viewer.press(.left)
        viewer.press(.ok)
        #expect(viewer.state.longText?.title == "Evening News")
    }

    @Test func whatTheGuideDoesNotSayIsThatOfTheChannel() throws {
        var viewer = watching(at: 1900, window: 0...1910)
        viewer.press(.down)
        let weather = try #require(info(viewer))
        #expect(weather.title == "Weather" && weather.subtitle == nil && weather.summary == nil)
        #expect(weather.artwork == "logo" && weather.badges == ["TV-G", "HD"] && weather.next == "Next: 22:00 Late Film")
        // In the gap.
        viewer = watching(at: 4000, window: 0...4010)
        viewer.press(.down)
        let gap = try #require(info(viewer))
        #expect(gap.title == "News" && gap.summary == "A channel." && gap.facts == ["News channel"])
        #expect(gap.next == "Next: 22:00 Late Film" && gap.actions.map(\.title) == ["Remind Me"])
        // A channel that is in no guide.
        viewer = watching(at: 4000, window: 0...4010, guide: GuideContent())
        viewer.press(.down)
        let unknown = try #require(info(viewer))
        #expect(unknown.title == "News" && unknown.next == nil && unknown.actions.isEmpty)
        #expect(viewer.state.panel?.tabs.map(\.tab).contains(.info) == true)
    }

    @Test func theTitleFollowsThePlaceOfTheViewerAndNotTheClock() {
        var viewer = watching(at: 900, window: 0...2400)
        viewer.press(.pause)
        #expect(viewer.state.title == TitleView(title: "Evening News", subtitle: "1 News"))
        viewer.press(.down)
        #expect(info(viewer)?.next == "Next: 20:30 Weather")
        #expect(actions(viewer) == ["Start Over", "Go Live"], "what has begun by now needs no reminder")
    }

    @Test func aStreamWithoutDatesIsNamedByTheClock() throws {
        var viewer = watching(Self.item(hasClock: false), at: 2390, window: 0...2400)
        viewer.press(.up)
        #expect(viewer.state.title == TitleView(title: "Weather", subtitle: "1 News · 20:30–21:00"), "the bar is the window")
        #expect(viewer.state.bar?.start == nil)
        // Twenty-five minutes behind the edge, which is now.
        viewer = watching(Self.item(hasClock: false), at: 900, window: 0...2400)
        viewer.press(.up)
        #expect(viewer.state.title?.title == "Evening News")
        // Nothing to go back in: the bar is the programme.
        viewer = watching(Self.item(hasClock: false), at: 900, window: nil)
        viewer.press(.info)
        #expect(info(viewer)?.title == "Evening News" && actions(viewer) == ["Remind Me"])
    }

    @Test func withoutAGuideOrAClockItIsTheChannel() {
        var viewer = watching(at: 900, window: 0...2400, guide: GuideContent())
        viewer.press(.up)
        #expect(viewer.state.title == TitleView(number: 1, title: "News"))
        var untimed = Viewer()
        untimed.send(.homeChanged(Items.channels))
        untimed.send(.guideChanged(Self.guide))
        untimed.open(Self.item(hasClock: false))
        untimed.run(.seconds(6))
        untimed.press(.info)
        #expect(info(untimed)?.title == "News" && info(untimed)?.next == nil)
    }

    @Test func musicOfAChannelIsNamedToo() {
        var viewer = watching(at: 900, window: 0...910)
        viewer.hasVideo = false
        viewer.run(.seconds(1))
        #expect(viewer.state.audioOnly?.title == "Evening News" && viewer.state.audioOnly?.subtitle == "1 News")
    }

    // MARK: It changes

    @Test func barAndPanelChangeWithTheProgramme() {
        var viewer = watching(at: 1785, window: 0...1790)
        viewer.press(.up)
        #expect(viewer.state.title?.title == "Evening News" && viewer.state.bar?.trailing == "20:30")
        viewer.press(.info)
        #expect(info(viewer)?.title == "Evening News")
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(1830))]
        viewer.run(.seconds(15))
        #expect(info(viewer)?.title == "Weather" && info(viewer)?.next == "Next: 22:00 Late Film")
        viewer.press(.back)
        viewer.run(.seconds(10))
        viewer.press(.up)
        #expect(
            viewer.state.title?.title == "Weather" && viewer.state.bar?.start == "20:30",
            "\(String(describing: viewer.state.title)) \(String(describing: viewer.state.bar))")
    }

    @Test func thePanelChangesInTheSecondOfTheGuide() throws {
        var viewer = watching(at: 1780, window: 0...1790)
        viewer.press(.info)
        var last: MediaTime?
        while info(viewer)?.title == "Evening News", viewer.lastShown < .seconds(1900) {
            last = viewer.lastShown
            viewer.run(.milliseconds(40))
        }
        let before = try #require(last)
        #expect(before < .seconds(1800) && viewer.lastShown >= .seconds(1800))
    }

    /// Clocks go forward at two in the night.
    @Test func aChangeOfClocksMovesTheTimesAndNotTheProgrammes() {
        let spring = ClockChanges(in: -86_400...(2 * 86_400)) { $0 >= 26 * 3600 ? 3600 : 0 }
        let night = GuideContent(channels: [
            .init(
                id: "c1", number: 1, title: "News",
                programmes: [
                    .init(title: "Night", start: 25 * 3600 + 1800, end: 26 * 3600),
                    .init(title: "Dawn", start: 26 * 3600, end: 27 * 3600),
                    .init(title: "Morning", start: 27 * 3600, end: 28 * 3600),
                ])
        ])
        // Asset time zero is at eight in the evening, and two at night is six hours later.
        var viewer = watching(at: 21_590, window: 0...21_600, guide: night, changes: spring)
        viewer.press(.info)
        #expect(info(viewer)?.facts.last == "01:30–03:00" && info(viewer)?.next == "Next: 03:00 Dawn")
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(21_620))]
        viewer.run(.seconds(10))
        #expect(info(viewer)?.title == "Dawn" && info(viewer)?.facts.last == "03:00–04:00")
        #expect(info(viewer)?.next == "Next: 04:00 Morning")
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(21_600)], "its start is a place in the stream, whatever clocks show")
    }

    /// At midnight the guide and the clock of the stream begin anew.
    @Test func theNextDayNamesTheSameProgramme() {
        var viewer = watching(at: 15_000, window: 0...15_010)
        let night = GuideContent(channels: [
            .init(id: "c1", number: 1, title: "News", programmes: [.init(title: "Late", start: -3600, end: 3600)])
        ])
        viewer.send(.wallClock(secondsSinceMidnight: 610))
        viewer.send(.guideChanged(night))
        var item = Self.item()
        item.clockOrigin = .seconds(72_000 - 86_400)
        viewer.send(.itemUpdated(item))
        viewer.press(.info)
        #expect(info(viewer)?.title == "Late" && info(viewer)?.facts.last == "23:00–01:00")
    }

    // MARK: Start Over

    @Test func startOverGoesToTheStartOfTheProgramme() {
        var viewer = watching(at: 2395, window: 0...2400)
        viewer.press(.info)
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(1800)], "not to the start of the window, in another programme")
        #expect(viewer.state.panel == nil)
        viewer.run(.milliseconds(400))
        #expect(viewer.state.title?.title == "Weather")
        // Back undoes it.
        viewer.press(.back)
        #expect(viewer.exactSeeks.count == 2 && viewer.exactSeeks.last.map { $0 > .seconds(2395) } == true)
    }

    @Test func aDescriptionDoesNotMakeItFurther() {
        var viewer = watching(at: 1700, window: 0...1710)
        #expect(viewer.state.panel == nil)
        viewer.press(.down)
        #expect(info(viewer)?.title == "Evening News" && info(viewer)?.summary != nil)
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.exactSeeks.count == 1 && viewer.exactSeeks.allSatisfy { $0 < .seconds(30) }, "three presses")
    }

    @Test func everyWayToStartOverIsTheSame() {
        // In the row above the bar.
        var viewer = watching(at: 2395, window: 0...2400)
        viewer.send(.homeChanged(HomeContent()))
        viewer.press(.pause)
        viewer.press(.up)
        #expect(viewer.state.bar?.actions == ["Start Over", "Info"])
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(1800)])
        // By a program.
        viewer = watching(at: 2395, window: 0...2400)
        #expect(viewer.command(.restart) == .success)
        #expect(viewer.exactSeeks == [.seconds(1800)])
    }

    /// The window; whether it reaches to the start of the programme at 900 s; whether at 2,395 s.
    private static let windows: [(window: ClosedRange<Int64>, place: Int64, isOffered: Bool)] = [
        (0...2400, 900, true), (1...2400, 900, false), (1800...2400, 2395, true), (1801...2400, 2395, false),
        // In the gap of the guide, and where there is nothing to go back in.
        (0...4010, 4000, false), (890...910, 900, false),
    ]

    @Test(arguments: windows) func itIsOfferedWhereTheWindowHasTheStart(
        _ row: (window: ClosedRange<Int64>, place: Int64, isOffered: Bool)
    ) {
        var viewer = watching(at: row.place, window: row.window)
        viewer.press(.info)
        #expect(actions(viewer).contains("Start Over") == row.isOffered)
        viewer.press(.back)
        #expect(viewer.command(.restart) == (row.isOffered ? .success : .failed(.notSupported)))
        #expect(viewer.exactSeeks.isEmpty != row.isOffered)
    }

    @Test func withoutAGuideItIsNotOffered() {
        var viewer = watching(at: 2300, window: 0...2400, guide: GuideContent())
        viewer.press(.info)
        #expect(actions(viewer) == ["Go Live"])
        viewer.press(.back)
        #expect(viewer.command(.restart) == .failed(.notSupported) && viewer.exactSeeks.isEmpty)
    }

    @Test func withoutDatesItGoesBackByTheClock() {
        var viewer = watching(Self.item(hasClock: false), at: 2000, window: 0...2400)
        #expect(viewer.command(.restart) == .success)
        // The edge stands still, and the clock has gone on for six seconds.
        #expect(viewer.exactSeeks.first.map { $0 > .seconds(1790) && $0 <= .seconds(1800) } == true)
    }

    // MARK: Remind Me

    @Test func theNextProgrammeCanBeRemembered() {
        var viewer = watching(at: 900, window: nil)
        viewer.press(.info)
        viewer.press(.down)
        #expect(info(viewer)?.actions.first?.isFocused == true, "with the description before it")
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setReminder(channel: "c1", start: 73_800, true)))
        #expect(viewer.state.panel != nil, "the panel stays")
        var reminded = Self.guide
        reminded.channels[0].programmes[1].hasReminder = true
        viewer.send(.guideChanged(reminded))
        #expect(actions(viewer) == ["Remove Reminder"])
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setReminder(channel: "c1", start: 73_800, false)))
    }

    @Test func aKioskHasNoReminders() {
        var policy = InterfacePolicy()
        policy.isKiosk = true
        var viewer = watching(at: 900, window: 0...910, policy: policy)
        viewer.press(.info)
        #expect(actions(viewer) == ["Start Over"])
    }
}
