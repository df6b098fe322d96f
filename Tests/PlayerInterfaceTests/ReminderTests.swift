import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Reminders of programmes of the guide: how they are set, and what happens when the programme begins.
@Suite struct ReminderTests {
    /// At 20:15, with the guide open; the weather begins at 20:30 on channel 1.
    private func browsing(_ change: (inout InterfacePolicy) -> Void = { _ in }) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasVoice = true
        change(&policy)
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.speech", "true")])))
        viewer.send(.wallClock(secondsSinceMidnight: 72_900))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.homeChanged(Items.channels))
        return viewer
    }

    private static func guide(reminding isOn: Bool) -> GuideContent {
        var guide = Items.guide
        guide.channels[0].programmes[1].hasReminder = isOn
        return guide
    }

    /// With a reminder of the weather, and whatever the viewer does meanwhile.
    private func reminded(
        _ item: ItemPresentation = Items.episode(interstitials: [], duration: 6000),
        _ change: (inout InterfacePolicy) -> Void = { _ in }
    ) -> Viewer {
        var viewer = browsing(change)
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.open(item)
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    /// Lets time pass without frames until the clock shows this time of day.
    private func wait(until time: Int, _ viewer: inout Viewer) {
        let now = viewer.machine.context.parts.schedule.timeOfDay(at: viewer.now) ?? 0
        viewer.pass(.seconds(Int64(time - now)))
    }

    private var isRemoved: InterfaceEffect { .setReminder(channel: "c1", start: 73_800, false) }

    // MARK: The guide

    @Test func aLaterProgrammeHasAPageWithAButton() {
        var viewer = browsing()
        viewer.press(.guide)
        viewer.press(.right)
        viewer.press(.ok)
        let page = viewer.state.programme
        #expect(page?.title == "Weather" && page?.summary == "Rain." && page?.facts == ["1 News", "Today", "20:30–21:00"])
        #expect(page?.buttons.map(\.title) == ["Remind Me"] && page?.buttons.first?.isFocused == true)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.setReminder(channel: "c1", start: 73_800, true)))
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        #expect(viewer.state.programme?.buttons.map(\.title) == ["Remove Reminder"])
        viewer.press(.up)
        #expect(viewer.state.programme?.isSummaryFocused == true)
        viewer.press(.ok)
        #expect(viewer.state.longText?.text == "Rain.")
        viewer.press(.back)
        viewer.press(.back)
        #expect(viewer.state.guide?.detailTitle == "Weather", "back in the guide, where it was")
        #expect(viewer.state.guide?.rows[0].cells.map(\.hasReminder) == [false, true])
        #expect(viewer.effects.contains { if case .speak(let words) = $0 { words.contains("Reminder set") } else { false } })
        viewer.press(.ok)
        viewer.press(.ok)
        #expect(viewer.effects.contains(isRemoved))
        viewer.press(.back)
        viewer.press(.back)
        #expect(viewer.state.screen == .home && viewer.state.page == nil)
    }

    @Test func aProgrammeThatBeginsOrDisappearsMeanwhileHasNoButton() {
        var viewer = browsing()
        viewer.press(.guide)
        viewer.press(.right)
        viewer.press(.ok)
        wait(until: 73_801, &viewer)
        viewer.press(.up)  // ends the screen saver
        #expect(viewer.state.programme?.buttons.isEmpty == true && viewer.state.programme?.isSummaryFocused == true)
        var other = browsing()
        other.press(.guide)
        other.press(.right)
        other.press(.ok)
        var guide = Items.guide
        guide.channels[0].programmes.removeLast()
        guide.channels[0].programmes.append(.init(title: "Sport", start: 73_800, end: 75_600))
        other.send(.guideChanged(guide))
        #expect(other.state.programme?.title == "Weather" && other.state.programme?.buttons.isEmpty == true)
        other.press(.down)
        other.press(.ok)
        #expect(!other.effects.contains { if case .setReminder = $0 { true } else { false } })
        #expect(other.press(.back) == .success)
    }

    // MARK: The card

    @Test func aMinuteBeforeTheStartACardAsks() {
        var viewer = reminded()
        wait(until: 73_739, &viewer)
        #expect(viewer.state.card == nil)
        viewer.run(.seconds(1))
        #expect(viewer.state.card?.kind == .reminder && viewer.state.card?.title == "Weather")
        #expect(viewer.state.card?.message?.contains("20:30") == true && viewer.state.card?.message?.contains("News") == true)
        #expect(viewer.effects.contains(isRemoved), "a viewer is reminded once")
        #expect(viewer.isPlaying, "the film goes on under it")
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "c1")) && viewer.state.card == nil)
    }

    @Test(arguments: [[RemoteKey.back], [.right, .ok]]) func notNowCloses(_ keys: [RemoteKey]) {
        var viewer = reminded()
        wait(until: 73_741, &viewer)
        for key in keys { viewer.press(key) }
        viewer.run(.seconds(30))
        #expect(viewer.state.card == nil && !viewer.effects.contains(.open(id: "c1")) && viewer.state.screen == .player)
    }

    @Test func withoutAnAnswerItClosesAndIsNotRepeated() {
        var viewer = reminded()
        wait(until: 73_741, &viewer)
        #expect(viewer.state.card?.kind == .reminder)
        viewer.run(.seconds(61))
        #expect(viewer.state.card == nil)
        viewer.run(.seconds(61))
        #expect(viewer.state.card == nil)
    }

    @Test func theKeysForPlaybackAreForTheFilm() {
        var viewer = reminded()
        wait(until: 73_741, &viewer)
        #expect(viewer.press(.playpause) == .success && !viewer.isPlaying && viewer.state.card?.kind == .reminder)
        #expect(viewer.press(.play) == .success && viewer.isPlaying && viewer.state.card?.kind == .reminder)
        #expect(!viewer.effects.contains(.open(id: "c1")))
    }

    @Test func homeGoesHomeWithTheFilmInTheCorner() {
        var viewer = reminded()
        wait(until: 73_741, &viewer)
        viewer.press(.home)
        #expect(viewer.state.screen == .home && viewer.state.card == nil && !viewer.effects.contains(.leavePlayer))
    }

    @Test func onTheSameChannelNothingIsAsked() {
        var viewer = reminded(Items.live())
        wait(until: 73_745, &viewer)
        #expect(viewer.state.card == nil && viewer.effects.contains(isRemoved))
        #expect(viewer.effects.filter { $0 == isRemoved }.count == 1)
    }

    @Test func theChannelInTheCornerOfHomeIsOpened() {
        var viewer = reminded(Items.live())
        viewer.press(.home)
        wait(until: 73_741, &viewer)
        #expect(viewer.state.card?.kind == .reminder && viewer.state.screen == .home)
        viewer.press(.ok)
        #expect(viewer.state.card == nil && viewer.state.screen == .player)
    }

    @Test func itWaitsForAnAdvertisementAndForOtherCards() {
        let item = Items.episode(interstitials: [Items.ad("a", 20, 30)], duration: 6000)
        var viewer = Viewer(watching: item, at: 19)
        viewer.send(.homeChanged(Items.channels))
        viewer.run(.seconds(2))
        #expect(viewer.state.interstitialLabel != nil)
        viewer.send(.wallClock(secondsSinceMidnight: 73_790))
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.run(.seconds(1))
        #expect(viewer.state.card == nil && viewer.state.interstitialLabel != nil)
        viewer.run(.seconds(40))
        #expect(viewer.state.card?.kind == .reminder)
    }

    @Test func afterTenMinutesThereIsNoPointInIt() {
        var viewer = browsing()
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.press(.power)
        wait(until: 73_800 + 601, &viewer)
        viewer.press(.ok)
        viewer.run(.seconds(2))
        #expect(viewer.state.screen == .home && viewer.state.card == nil)
    }

    @Test func standbyIsNotEndedByIt() {
        var viewer = browsing()
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.press(.power)
        wait(until: 73_800, &viewer)
        #expect(viewer.state.screen == .standby && viewer.state.card == nil)
        viewer.press(.ok)
        #expect(viewer.state.card?.kind == .reminder, "who wakes the box just then is reminded")
    }

    @Test func aKioskHasNone() {
        var viewer = reminded(Items.plain) { $0.isKiosk = true }
        wait(until: 73_745, &viewer)
        #expect(viewer.state.card == nil)
        #expect(!viewer.effects.contains { if case .setReminder = $0 { true } else { false } })
        var browsing = browsing { $0.isKiosk = true }
        for key in [RemoteKey.guide, .right, .ok] { browsing.press(key) }
        #expect(browsing.state.programme?.title == "Weather" && browsing.state.programme?.buttons.isEmpty == true)
    }

    @Test func aFilmThatEndsUnderTheCardEndsWhenItCloses() {
        var viewer = Viewer(watching: Items.plain, at: 100)
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 73_790))
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.run(.seconds(20))
        #expect(viewer.hasEnded && viewer.state.card?.kind == .reminder)
        viewer.press(.back)
        #expect(viewer.state.card?.kind == .end, "no frozen picture without words")
    }

    @Test func aFilmThatEndsUnderTheCardOfTheSleepTimerEndsWhenThatCloses() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 880), at: 10)
        viewer.openTab(.picture)
        viewer.choose("Sleep Timer")
        viewer.choose("15 minutes")
        viewer.press(.back)
        viewer.run(.seconds(880))
        #expect(viewer.hasEnded && viewer.state.card?.kind == .sleepTimer)
        viewer.press(.ok)
        #expect(viewer.state.card?.kind == .end, "\(String(describing: viewer.state.card))")
    }

    @Test func itComesOverTheCardAtTheEndWhichIsThereAgainAfterwards() {
        var viewer = Viewer(watching: Items.plain, at: 108)
        viewer.send(.homeChanged(Items.channels))
        viewer.run(.seconds(4))
        #expect(viewer.state.card?.kind == .end)
        viewer.send(.wallClock(secondsSinceMidnight: 73_790))
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        #expect(viewer.state.card?.kind == .reminder)
        viewer.press(.back)
        #expect(viewer.state.card?.kind == .end)
    }

    @Test func itEndsTheScreenSaver() {
        var viewer = browsing()
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        wait(until: 73_700, &viewer)
        #expect(viewer.state.screenSaver != nil)
        wait(until: 73_741, &viewer)
        #expect(viewer.state.screenSaver == nil && viewer.state.card?.kind == .reminder)
    }

    @Test func aQueueGoesOnUnderIt() {
        var item = Items.plain
        item.isInQueue = true
        var viewer = Viewer(watching: item, at: 100)
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 73_790))
        viewer.send(.guideChanged(Self.guide(reminding: true)))
        viewer.run(.seconds(20))
        #expect(viewer.effects.contains(.playNextInQueue) && viewer.state.card?.kind == .reminder)
        viewer.open(Items.episode())
        #expect(viewer.state.card?.kind == .reminder, "the next item does not answer for the viewer")
        viewer.send(.queueIsOver)
        viewer.press(.back)
        #expect(viewer.state.card == nil)
    }

    @Test func aClockThatIsSetBackReschedules() {
        var viewer = reminded()
        wait(until: 73_700, &viewer)
        viewer.send(.wallClock(secondsSinceMidnight: 72_000))
        viewer.run(.seconds(60))
        #expect(viewer.state.card == nil)
        wait(until: 73_741, &viewer)
        #expect(viewer.state.card?.kind == .reminder)
    }
}
