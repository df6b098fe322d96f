import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

extension Viewer {
    /// The focused menu, in the panel or in Settings.
    var menu: MenuView? {
        if case .menu(let menu) = state.panel?.content { return menu }
        return state.settings?.menu
    }

    /// Moves down to the row with this title and selects it.
    mutating func choose(_ title: String) {
        if let card = state.settings?.card {
            for _ in card.buttons where state.settings?.focusedChoice != title { press(.right) }
            #expect(state.settings?.focusedChoice == title)
            press(.ok)
            return
        }
        for _ in 0..<60 where menu?.focusedRow.map({ menu?.rows[$0].title }) != title {
            if press(.down) != .success { break }
        }
        #expect(menu?.focusedRow.flatMap { menu?.rows[$0].title } == title)
        press(.ok)
    }

    /// Opens a tab with arrows and enters it.
    mutating func openTab(_ tab: PanelView.Tab) {
        press(.down)
        for _ in 0..<5 where state.panel.map({ $0.tabs[$0.selected].tab }) != tab { press(.right) }
        press(.down)
    }
}

extension Items {
    static let options = MediaOptions(
        audio: [
            MediaOption(id: "a-en", languageTag: "en", badges: [.surround], channels: 6),
            MediaOption(id: "a-ad", languageTag: "en", badges: [.audioDescription]), MediaOption(id: "a-fr", languageTag: "fr"),
        ], selectedAudio: "a-en",
        subtitles: [
            MediaOption(id: "s-en", languageTag: "en"), MediaOption(id: "s-sdh", languageTag: "en", badges: [.sdh]),
            MediaOption(id: "s-fr", languageTag: "fr"),
        ])
}

@Suite struct MenuTests {
    private func viewer(at start: Int64 = 50) -> Viewer {
        var viewer = Viewer(watching: Items.plain)
        viewer.options = Items.options
        viewer.speeds = [Ratio(1, 2), .one, Ratio(3, 2), Ratio(2)]
        viewer.place(.seconds(start))
        viewer.run(.milliseconds(200))
        viewer.effects = []
        return viewer
    }

    @Test func aTabWithNothingToShowIsAbsent() {
        var bare = Viewer(watching: Items.plain, at: 30)
        bare.press(.down)
        #expect(bare.state.panel?.tabs.map(\.tab) == [.info, .chapters, .picture])
        var full = viewer()
        full.press(.down)
        #expect(full.state.panel?.tabs.map(\.tab) == [.info, .subtitles, .audio, .chapters, .picture])
    }

    @Test func subtitlesAreOffAutomaticOptionsThenTheRest() {
        var viewer = viewer()
        viewer.openTab(.subtitles)
        #expect(
            viewer.menu?.rows.map(\.title) == [
                "Off", "Automatic", "English", "English, SDH", "French", "Replay 15\u{A0}s with Subtitles", "Subtitle Delay",
                "Subtitle Style",
            ])
        #expect(viewer.menu?.rows[1].mark == .choice(isCurrent: true))
        #expect(viewer.menu?.focusedRow == 1, "focus starts on the current choice")
        viewer.choose("French")
        #expect(viewer.effects.contains(.selectSubtitles(.option("s-fr"))))
        viewer.run(.milliseconds(100))
        #expect(viewer.menu?.rows[4].mark == .choice(isCurrent: true), "the check mark moves at once")
        #expect(viewer.state.panel != nil && viewer.isPlaying, "without leaving the panel or stopping playback")
    }

    @Test(arguments: [
        ("en", "es", "Español", "Spanish"), ("en", "es", "español", "Spanish"), ("de", "en", "English", "Englisch"),
        ("de", "it", "Italian", "Italienisch"), ("en", "es-419", "Español (Perú)", "Spanish, Español (Perú)"),
        ("en", "en", "Commentary", "English, Commentary"), ("en", "und", "Español", "Español"),
    ])
    func aLanguageIsNamedOnce(_ language: String, tag: String, name: String, label: String) {
        let option = MediaOption(id: "a", languageTag: tag, name: name)
        #expect(StringCatalogue.best(for: [language]).label(of: option) == label)
    }

    /// The current audio, and what has focus after OK on the tab. Sound is never turned off by two presses of OK.
    @Test(arguments: [("a-en", "English, Audio Description"), ("a-fr", "English, Audio Description"), (nil, "English, 5.1")])
    func okOnATabGoesToWhatCouldBeChosenInstead(current: String?, title: String) {
        var viewer = viewer()
        viewer.options.selectedAudio = current
        viewer.tell()
        viewer.openTab(.audio)
        #expect(viewer.menu?.focusedRow.flatMap { viewer.menu?.rows[$0].mark } == .choice(isCurrent: true), "Down goes to it")
        viewer.press(.up)
        while viewer.state.panel?.focus != .tabs { viewer.press(.up) }
        viewer.press(.ok)
        #expect(viewer.menu?.focusedRow.flatMap { viewer.menu?.rows[$0].title } == title)
        viewer.options.audio.removeLast(2)
        viewer.options.selectedAudio = "a-en"
        viewer.tell()
        while viewer.state.panel?.focus != .tabs { viewer.press(.up) }
        viewer.press(.ok)
        #expect(viewer.menu?.focusedRow.flatMap { viewer.menu?.rows[$0].title } == "English, 5.1", "there is no other")
    }

    @Test func audioIsChosenAndSoundIsSet() {
        var viewer = viewer()
        viewer.openTab(.audio)
        #expect(viewer.menu?.rows.prefix(4).map(\.title) == ["Off", "English, 5.1", "English, Audio Description", "French"])
        #expect(viewer.menu?.focusedRow == 1, "focus starts on the current choice")
        viewer.choose("English, Audio Description")
        #expect(viewer.effects.contains(.selectAudio(id: "a-ad")))
        viewer.choose("Reduce Loud Sounds")
        #expect(viewer.machine.settings[.reducedLoudSounds])
        #expect(viewer.menu?.rows.first { $0.title == "Reduce Loud Sounds" }?.mark == .toggle(isOn: true))
        #expect(viewer.effects.contains(.saveSettings(viewer.machine.settings)))
    }

    /// A viewer who has chosen Off in the Audio tab.
    private func silent() -> Viewer {
        var viewer = viewer()
        viewer.openTab(.audio)
        viewer.press(.up)
        viewer.press(.ok)
        return viewer
    }

    /// The audio that was asked for, in order.
    private func sounds(_ viewer: Viewer) -> [String?] {
        viewer.effects.compactMap { if case .selectAudio(let id) = $0 { .some(id) } else { nil } }
    }

    @Test func soundIsTurnedOffAndBackTurnsItOnAgain() {
        var viewer = silent()
        #expect(sounds(viewer) == [nil])
        #expect(viewer.state.panel == nil && viewer.isPlaying, "the picture is seen at once")
        #expect(viewer.state.toast == "Audio off · Press Back to undo")
        viewer.run(.seconds(3))
        #expect(viewer.press(.back) == .success)
        #expect(sounds(viewer) == [nil, "a-en"] && viewer.state.screen == .player)
        viewer.press(.back)
        #expect(viewer.state.screen == .home && sounds(viewer).count == 2, "it is undone once")
    }

    @Test func afterFiveSecondsBackTurnsNothingOn() {
        var viewer = silent()
        viewer.run(Timing.undo + .milliseconds(40))
        var leaving = viewer
        leaving.press(.back)
        #expect(sounds(leaving) == [nil] && leaving.state.screen == .home)
        viewer.openTab(.audio)
        #expect(viewer.menu?.rows[0].mark == .choice(isCurrent: true) && viewer.menu?.focusedRow == 0)
        #expect(viewer.press(.ok) == .failed(.noChange), "it is off")
        viewer.choose("French")
        #expect(sounds(viewer) == [nil, "a-fr"] && viewer.state.panel != nil)
        viewer.press(.back)
        viewer.press(.back)
        #expect(sounds(viewer) == [nil, "a-fr"] && viewer.state.screen == .home, "a choice is not undone")
    }

    @Test func backUndoesTheLastOfSoundAndSeek() {
        var viewer = silent()
        viewer.run(.milliseconds(500))
        viewer.press(.right)
        viewer.run(.milliseconds(500))
        #expect(viewer.exactSeeks.count == 1)
        viewer.press(.back)
        #expect(viewer.exactSeeks.count == 2 && sounds(viewer) == [nil], "the seek was later")
        viewer.press(.back)
        #expect(sounds(viewer) == [nil, "a-en"] && viewer.exactSeeks.count == 2)
    }

    @Test func soundIsNotTurnedOffWhereNothingWouldBeLeft() {
        var viewer = viewer()
        viewer.hasVideo = false
        viewer.tell()
        viewer.openTab(.audio)
        #expect(viewer.menu?.rows.first?.title == "English, 5.1")
        var off = silent()
        off.run(.seconds(6))
        off.openTab(.picture)
        #expect(off.menu?.rows.contains { $0.title == "Listen with Screen Off" } == false)
    }

    @Test func anAdCanBeSilentToo() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.options = Items.options
        viewer.run(.seconds(6))
        #expect(viewer.presentations == ["will a1"])
        viewer.press(.audio)
        viewer.press(.up)
        viewer.press(.ok)
        viewer.run(.seconds(1))
        #expect(sounds(viewer) == [nil])
        viewer.press(.back)
        #expect(sounds(viewer) == [nil, "a-en"])
    }

    @Test func captionStyleIsThreePressesAway() {
        var viewer = viewer()
        viewer.press(.down)
        viewer.press(.left)
        viewer.press(.down)
        #expect(viewer.menu?.focusedRow.flatMap { viewer.menu?.rows[$0].title } == "Subtitle Style")
        viewer.press(.ok)
        #expect(viewer.menu?.title == "Subtitle Style")
        #expect(viewer.menu?.preview?.style == CaptionStyle())
        viewer.choose("Text Size")
        viewer.press(.down)
        #expect(viewer.menu?.preview?.style.sizePercent == 125, "the preview shows the focused row")
        viewer.press(.ok)
        #expect(viewer.machine.settings.captionStyle.sizePercent == 125)
        #expect(viewer.effects.contains(.setCaptionStyle(viewer.machine.settings.captionStyle)))
        #expect(viewer.menu?.title == "Subtitle Style", "a choice closes its submenu")
        #expect(viewer.state.captions.style.sizePercent == 125)
        viewer.press(.back)
        #expect(viewer.menu?.title == nil && viewer.state.panel != nil, "Back first closes the submenu")
        viewer.press(.back)
        #expect(viewer.state.panel == nil)
    }

    @Test func anAngleIsChosenWhereThereAreSeveral() {
        var viewer = viewer()
        viewer.openTab(.picture)
        #expect(viewer.menu?.rows.contains { $0.title == "Angle" } == false)
        viewer.press(.back)
        viewer.options.angles = ["Main", "Stadium"].map { MediaOption(id: $0, name: $0) }
        viewer.options.selectedAngle = "Main"
        viewer.tell()
        viewer.openTab(.picture)
        #expect(viewer.menu?.rows.first { $0.title == "Angle" }?.value == "Main")
        viewer.choose("Angle")
        #expect(viewer.menu?.rows.map(\.title) == ["Main", "Stadium"])
        viewer.choose("Stadium")
        #expect(viewer.effects.contains(.selectAngle(id: "Stadium")) && viewer.isPlaying)
        viewer.run(.milliseconds(100))
        #expect(viewer.menu?.rows.first { $0.title == "Angle" }?.value == "Stadium")
    }

    @Test func speedIsChosenForWhatPlays() {
        var viewer = viewer()
        viewer.openTab(.picture)
        viewer.choose("Speed")
        #expect(viewer.menu?.rows.map(\.title) == ["0.5×", "Normal", "1.5×", "2×"])
        viewer.choose("1.5×")
        #expect(viewer.effects.count { $0 == .setSpeed(Ratio(3, 2)) } == 1, "the player is told once")
        #expect(viewer.menu?.rows.first { $0.title == "Speed" }?.value == "1.5×")
        var next = Items.plain
        next.id = "e2"
        viewer.open(next)
        #expect(viewer.machine.chosenSpeed == .one, "an opened item plays at normal speed")
    }

    @Test func speedAppliesToAnAcceptedProposal() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], proposal: ProposalTests.offer(at: 90)), at: 20)
        viewer.speeds = [.one, Ratio(3, 2)]
        viewer.run(.milliseconds(100))
        viewer.openTab(.picture)
        viewer.choose("Speed")
        viewer.choose("1.5×")
        viewer.press(.back)
        viewer.place(.seconds(91))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: false)))
        viewer.effects = []
        var next = Items.plain
        next.id = "e2"
        viewer.open(next)
        #expect(viewer.machine.chosenSpeed == Ratio(3, 2))
        #expect(viewer.effects.contains(.setSpeed(Ratio(3, 2))))
    }

    @Test func anAdPlaysAtItsOwnSpeed() {
        var viewer = Viewer(watching: Items.episode(), at: 15)
        viewer.speeds = [.one, Ratio(2)]
        viewer.run(.milliseconds(100))
        viewer.openTab(.picture)
        viewer.choose("Speed")
        viewer.choose("2×")
        viewer.press(.back)
        viewer.effects = []
        viewer.run(.seconds(6))
        #expect(viewer.presentations == ["will a1"])
        #expect(viewer.effects.contains(.setSpeed(.one)))
        viewer.run(.seconds(11))
        #expect(viewer.effects.contains(.setSpeed(Ratio(2))))
    }

    @Test func aspectIsKeptForTheItem() {
        var viewer = viewer()
        viewer.openTab(.picture)
        viewer.choose("Picture Size")
        viewer.choose("Fill the Screen")
        #expect(viewer.effects.contains(.setVideoFit(.fill)))
        #expect(viewer.machine.settings.fit(of: "e1") == .fill)
        #expect(viewer.machine.settings.fit(of: "other") == .fit)
    }

    @Test func aSubmenuOpensAndClosesWithRightAndLeft() {
        var viewer = viewer()
        viewer.openTab(.picture)
        viewer.press(.right)
        #expect(viewer.menu?.title == "Subtitle Style")
        viewer.press(.left)
        #expect(viewer.menu?.title == nil)
        #expect(viewer.press(.up) == .success)
        #expect(viewer.state.panel?.focus == .tabs)
    }

    @Test func theRowWithFocusIsOnTheScreen() {
        var viewer = viewer()
        viewer.openTab(.subtitles)
        for _ in 0..<10 {
            viewer.press(.down)
            let menu = viewer.menu!
            #expect((menu.firstRow..<menu.firstRow + Metrics.Menu.panelRows).contains(menu.focusedRow!))
        }
    }

    @Test func inRightToLeftTabsAndSubmenusGoTheOtherWay() {
        var viewer = viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", "ar")])))
        viewer.press(.down)
        viewer.press(.left)
        #expect(viewer.state.panel?.selected == 1, "the second tab is to the left of the first")
        viewer.press(.back)
        viewer.press(.left)
        #expect(viewer.exactSeeks.last! < viewer.lastShown, "on the time bar left is back in every language")
    }

    // MARK: The Subtitle key

    @Test func theSubtitleKeyGoesThroughTheChoices() {
        var viewer = viewer()
        viewer.press(.subtitle)
        #expect(viewer.effects.contains(.selectSubtitles(.option("s-en"))))
        #expect(viewer.state.toast == "Subtitles: English")
    }

    @Test func heldItAsksWhatTheySaid() {
        var viewer = viewer()
        let asked = viewer.lastShown
        viewer.press(.subtitle, for: .seconds(1))
        #expect(viewer.exactSeeks.first.map { asked - $0 < .seconds(16) && asked - $0 >= .seconds(14) } == true)
        #expect(viewer.effects.contains(.showCaptionsForReplay(true)))
        #expect(!viewer.effects.contains { if case .selectSubtitles = $0 { true } else { false } })
        viewer.run(.seconds(13))
        #expect(!viewer.effects.contains(.showCaptionsForReplay(false)))
        viewer.run(.seconds(4))
        #expect(viewer.effects.contains(.showCaptionsForReplay(false)), "until the position of the question")
    }

    @Test(arguments: [true, false]) func captionsAfterSkippingBackIfThatIsSet(_ isSet: Bool) {
        var viewer = viewer()
        var settings = ViewerSettings()
        settings[.captionsOnReplay] = isSet
        viewer.send(.settingsRestored(settings))
        viewer.press(.left)
        viewer.run(.seconds(2))
        #expect(viewer.effects.contains(.showCaptionsForReplay(true)) == isSet)
        viewer.run(.seconds(10))
        #expect(viewer.effects.contains(.showCaptionsForReplay(false)) == isSet, "until the position before")
        #expect(viewer.effects.count { $0 == .showCaptionsForReplay(true) } == (isSet ? 1 : 0))
        viewer.effects = []
        viewer.press(.right)
        viewer.run(.seconds(2))
        #expect(!viewer.effects.contains(.showCaptionsForReplay(true)), "skipping forward is no replay")
    }

    @Test func whatDidTheySayEndsWithANavigation() {
        var viewer = viewer()
        viewer.openTab(.subtitles)
        viewer.choose("Replay 15\u{A0}s with Subtitles")
        #expect(viewer.state.panel == nil)
        viewer.run(.seconds(1))
        viewer.place(.seconds(90))
        viewer.run(.milliseconds(100))
        #expect(viewer.effects.contains(.showCaptionsForReplay(true)) || viewer.machine.stage.viewing.replay.isAtRest)
        #expect(viewer.machine.stage.viewing.replay.isAtRest)
    }
}
