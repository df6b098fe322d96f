import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

extension Items {
    /// Three channels in a separate row, with films that can be found.
    static let channels = HomeContent(
        title: "Acme",
        rows: [
            .init(
                id: "live", title: "Channels",
                entries: [
                    .init(id: "c1", title: "News", number: 1), .init(id: "c2", title: "Loop", number: 2),
                    .init(id: "c7", title: "Tonight", number: 7),
                ], style: .channels)
        ],
        searchable: [
            .init(id: "c1", title: "News", number: 1), .init(id: "c2", title: "Loop", number: 2),
            .init(id: "c7", title: "Tonight", number: 7), .init(id: "m1", title: "The Éclair"), .init(id: "m2", title: "Newton"),
            .init(id: "m3", title: "東京物語"), .init(id: "m4", title: "Ёлки"),
        ])

    /// From eight in the evening: two channels with programmes, one without.
    static let guide = GuideContent(channels: [
        .init(
            id: "c1", number: 1, title: "News",
            programmes: [
                .init(title: "Evening News", start: 72000, end: 73800),
                .init(title: "Weather", summary: "Rain.", start: 73800, end: 75600),
            ]),
        .init(id: "c2", number: 2, title: "Loop"),
        .init(id: "c7", number: 7, title: "Tonight", programmes: [.init(title: "Film", start: 70200, end: 79200)]),
    ])

    static func live(_ id: String = "c1") -> ItemPresentation {
        ItemPresentation(id: id) {
            $0.title = "News"
            $0.isLive = true
        }
    }
}

@Suite struct SettingsTests {
    private func opened() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.press(.up)
        viewer.press(.right)
        viewer.press(.ok)
        return viewer
    }

    @Test func theyAreReachedFromHomeWithArrowsAndLeftWithBack() {
        var viewer = opened()
        #expect(viewer.state.settings?.page == "top")
        #expect(viewer.state.home == nil)
        #expect(
            viewer.menu?.rows.map(\.title) == [
                "Language", "Subtitles", "Audio", "Picture", "Accessibility", "Sleep Timer", "Channels", "Network", "Storage",
                "About",
            ])
        viewer.press(.back)
        #expect(viewer.state.settings == nil && viewer.state.home != nil)
    }

    @Test func theLanguageChangesAtOnceAndIsKept() {
        var viewer = opened()
        viewer.choose("Language")
        viewer.choose("Menu Language")
        viewer.choose("العربية")
        #expect(viewer.state.appearance.language == "ar" && viewer.state.appearance.isRightToLeft)
        #expect(viewer.state.settings?.title == "الإعدادات")
        #expect(viewer.effects.contains(.saveSettings(viewer.machine.settings)))
        var again = Viewer()
        again.send(.settingsRestored(ViewerSettings(entries: viewer.machine.settings.entries)))
        #expect(again.state.appearance.language == "ar")
    }

    @Test func everySettingIsRestoredFromItsEntries() {
        var settings = ViewerSettings()
        settings.language = "ja"
        settings.audioLanguages = ["ja", "en"]
        settings.subtitleLanguages = ["en"]
        for setting in ViewerSwitch.allCases { settings[setting] = true }
        settings.captionStyle = CaptionStyle {
            ($0.colour, $0.opacityPercent) = (.yellow, 75)
            ($0.sizePercent, $0.font, $0.edge) = (150, .casual, .raised)
            ($0.background, $0.backgroundOpacityPercent) = (.black, 50)
            ($0.window, $0.windowOpacityPercent) = (.blue, 0)
        }
        settings.videoFit = .fill
        settings.videoFits = ["c1": .stretch]
        settings.channelOrder.places = ["c1": .hidden, "c7": .favourite]
        settings.overscanPercent = 3
        settings.patience = .long
        settings.screenSaverMinutes = 0
        settings.parentalAge = 12
        settings.soundDelays = ["hdmi": -120]
        settings.soundOutput = SoundPort(id: "plughw:CARD=Headset,DEV=0", kind: .usb, name: "Acme Headset")
        settings.captionDelays = ["c2": 450]
        #expect(ViewerSettings(entries: settings.entries) == settings)
        // Boxes that viewers have at home have stored these words.
        #expect(
            settings.entries.map { "\($0.name)=\($0.value)" } == [
                "audio.description=true", "audio.enhance-dialogue=true", "audio.languages=ja,en",
                "audio.output=usb plughw:CARD=Headset,DEV=0 Acme Headset", "audio.reduce-loud-sounds=true",
                "captions.background=black", "captions.background-opacity=50", "captions.colour=yellow", "captions.edge=raised",
                "captions.font=casual", "captions.languages=en", "captions.on-replay=true", "captions.opacity=75",
                "captions.sdh=true", "captions.size=150", "captions.when-muted=true", "captions.window=blue",
                "captions.window-opacity=0", "interface.high-contrast=true", "interface.language=ja",
                "interface.larger-text=true", "interface.overscan=3", "interface.patience=long",
                "interface.reduced-motion=true", "interface.sounds=true", "interface.speech=true", "interface.screen-saver=0",
                "parental.age=12", "video.fit=fill", "channel.c1=hidden", "channel.c7=favourite", "video.fit.c1=stretch",
                "audio.delay.hdmi=-120", "captions.delay.c2=450",
            ])
        #expect(ViewerSettings().entries.isEmpty, "a default setting is not stored")
        #expect(
            ViewerSettings(entries: [("captions.size", "9000"), ("nonsense", "x"), ("parental.age", "-4")]) == ViewerSettings())
    }

    @Test func accessibilityIsPartOfTheState() {
        var viewer = opened()
        viewer.choose("Accessibility")
        for title in ["Larger Text", "High Contrast", "Reduce Motion"] { viewer.choose(title) }
        #expect(
            viewer.state.appearance.hasLargerText && viewer.state.appearance.hasHighContrast
                && viewer.state.appearance.reducesMotion)
        viewer.choose("Keep Controls on Screen")
        viewer.choose("No limit")
        #expect(viewer.machine.settings.patience == .endless)
        viewer.open(Items.plain)
        viewer.run(.seconds(1))
        viewer.press(.up)
        viewer.run(.seconds(60))
        #expect(viewer.state.bar != nil, "the bar no longer hides by itself")
    }

    @Test func factsAreReadAndAKioskHidesItsAddress() {
        var viewer = opened()
        viewer.send(.factsChanged(BoxFacts(name: "room-214", version: "1.2", isOnline: true, address: "10.0.0.7")))
        viewer.choose("Network")
        #expect(viewer.menu?.rows.map(\.value) == ["Connected", "10.0.0.7"])
        #expect(viewer.menu?.focusedRow == nil)
        viewer.press(.back)
        viewer.choose("About")
        #expect(viewer.menu?.rows.map(\.value) == ["room-214", "1.2"])
        viewer.changePolicy { $0.isKiosk = true }
        #expect(viewer.machine.context.settingsMenu.entries(of: .settings(.network)).map(\.value) == ["Connected"])
    }

    @Test func aReportIsSavedFromAboutWhereTheBoxCan() {
        var viewer = opened()
        viewer.send(.factsChanged(BoxFacts(version: "1.2")))
        viewer.choose("About")
        #expect(viewer.menu?.rows.map(\.title) == ["Version"] && viewer.menu?.focusedRow == nil)
        func tell(_ report: BoxFacts.Report) -> String? {
            var facts = BoxFacts(version: "1.2")
            facts.report = report
            viewer.send(.factsChanged(facts))
            return viewer.state.settings?.explanation
        }
        #expect(tell(.possible)?.hasPrefix("For support:") == true)
        viewer.choose("Save Report to USB Stick")
        #expect(viewer.effects.contains(.carryOut(.saveReport)))
        #expect(viewer.menu?.title == "About", "the page stays, and tells how it goes")
        for (state, words) in [
            (BoxFacts.Report.saving, "is being saved"), (.saved("report-1.tar.zst"), "report-1.tar.zst"),
            (.noStick, "no USB stick"), (.full, "is full"),
            (.readOnly, "write-protected"), (.failed, "couldn’t be saved"),
        ] {
            #expect(tell(state)?.contains(words) == true)
        }
    }

    /// The keys for a report on the screens without a menu are in the operator's documentation, not among a viewer's settings.
    @Test(
        arguments: [(nil, ["Version"]), (.possible, ["Version", "Save Report to USB Stick"])] as [(BoxFacts.Report?, [String])])
    func aboutSavesAReportWhereTheBoxCan(_ report: BoxFacts.Report?, _ rows: [String]) {
        var viewer = opened()
        var facts = BoxFacts(version: "1.2")
        facts.report = report
        viewer.send(.factsChanged(facts))
        viewer.choose("About")
        #expect(viewer.menu?.rows.map(\.title) == rows)
    }

    @Test func deletingAsksWithCancelFocused() {
        var viewer = opened()
        viewer.send(.factsChanged(BoxFacts(stores: [.init(id: "places", kind: .places, bytes: 2_000_000)])))
        viewer.choose("Storage")
        viewer.choose("Viewing History")
        #expect(viewer.state.settings?.choices == ["Keep", "Delete"] && viewer.state.settings?.focusedChoice == "Keep")
        viewer.choose("Delete")
        #expect(viewer.effects.contains(.deleteStore(id: "places")))
    }
}

@Suite struct LetterTests {
    private func opened(_ languages: [String] = ["en"]) -> Viewer {
        var viewer = Viewer()
        viewer.changePolicy { $0.languages = languages }
        viewer.send(.settingsRestored(ViewerSettings()))
        viewer.send(.homeChanged(Items.channels))
        viewer.press(.up)
        viewer.press(.ok)
        return viewer
    }

    @Test func lettersFindAtOnceAndResultsOpen() {
        var viewer = opened()
        #expect(viewer.state.search?.keys.first?.map(\.title) == ["A", "B", "C", "D", "E", "F"])
        viewer.press(.down)
        viewer.press(.down)
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.search?.query == "n")
        #expect(viewer.state.search?.results.map(\.id) == ["c1", "m2"])
        for _ in 0..<5 { viewer.press(.right) }
        #expect(viewer.state.search?.focus == .result(0))
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.state.programme?.title != nil && !viewer.effects.contains(.open(id: "m2")))
        viewer.press(.back)
        #expect(viewer.state.search?.query == "n" && viewer.state.search?.focus == .result(1), "as it was left")
        viewer.press(.play)
        #expect(viewer.effects.contains(.open(id: "m2")))
    }

    @Test func withoutResultsThereIsAMessageAndDeleteGoesBack() {
        var viewer = opened()
        viewer.press(.digit9)
        viewer.press(.digit9)
        #expect(viewer.state.search?.query == "99")
        #expect(viewer.state.search?.message == "Nothing found for “99”.")
        for _ in 0..<12 { viewer.press(.down) }
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.state.search?.query == "9")
        viewer.press(.back)
        #expect(viewer.state.search == nil && viewer.state.home != nil)
    }

    @Test(
        arguments: [
            ("eclair", ["m1"]), ("THE ec", ["m1"]), ("ec the", ["m1"]), ("елки", ["m4"]), ("京", ["m3"]), ("7", ["c7"]),
            ("clair", []), ("", []),
            ("new", ["c1", "m2"]),
        ] as [(String, [String])]) func marksCaseAndOrderDoNotMatter(_ query: String, _ found: [String])
    {
        #expect(LetterSearch.find(query, in: Items.channels.searchable).map(\.id) == found)
    }

    @Test(arguments: ["ar", "he"]) func digitsRunFromLeftToRightWhereLettersDoNot(_ language: String) {
        let rows = opened([language]).state.search?.keys.map { $0.map(\.title) } ?? []
        // The first key of a row is at the right.
        // Some Chinese characters are numbers, too.
        let digits = rows.filter { $0.contains { ("0"..."9").contains($0) } }
        #expect(digits.map { $0.reversed() }.flatMap { $0 } == (0...9).map { "\($0)" } && digits.count == 2)
    }

    @Test func aScriptWithManyLettersOffersThoseThatCanFollow() {
        var viewer = opened(["zh-Hans"])
        #expect(viewer.state.search?.keys.joined().map(\.title).contains("東") == true)
        viewer.press(.ok)
        #expect(viewer.state.search?.results.isEmpty == false)
    }

    @Test func focusIsAlwaysOnTheScreen() {
        func opened() -> Viewer {
            var viewer = self.opened()
            viewer.send(.searchesRestored((1...SearchHistory.most).map { "n \($0)" }))
            return viewer
        }
        var viewer = opened()
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            viewer.press([RemoteKey.up, .down, .left, .right, .ok][random.next(upTo: 5)], for: .milliseconds(1))
            guard let search = viewer.state.search else {
                viewer.press(.back)
                viewer = opened()
                continue
            }
            switch search.focus {
            case .key(let row, let column):
                #expect(search.keys.indices.contains(row) && search.keys[row].indices.contains(column))
                #expect((search.firstKeyRow..<search.firstKeyRow + Metrics.Search.keyRowsPerScreen).contains(row))
            case .result(let index):
                #expect(search.results.indices.contains(index))
                #expect((search.firstResult..<search.firstResult + Metrics.Search.resultsPerScreen).contains(index))
            case .recent(let row):
                guard let recents = search.recents else {
                    Issue.record("focus is on recent searches that are not there")
                    continue
                }
                #expect((0...recents.queries.count).contains(row))
                #expect((recents.firstRow..<recents.firstRow + Metrics.Search.recentsPerScreen).contains(row))
            }
        }
    }
}

@Suite struct ChannelTests {
    private func watching() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        viewer.open(Items.live())
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    @Test func upInLiveOpensTheChannelsAndSelectTunes() {
        var viewer = watching()
        viewer.press(.up)
        #expect(viewer.state.channelList?.rows.map(\.title) == ["News", "Loop", "Tonight"])
        #expect(viewer.state.channelList?.rows[0].isCurrent == true)
        #expect(viewer.state.channelList?.rows[0].now == "Evening News")
        #expect(viewer.state.channelList?.rows[0].progressPercent == 50)
        #expect(viewer.state.channelList?.rows.map(\.ends) == ["20:30", nil, "22:00"])
        #expect(viewer.state.channelList?.rows[1].isFocused == true, "OK leads to the next one")
        viewer.press(.up)
        #expect(viewer.state.channelList?.next == "Next: 20:30 Weather")
        viewer.press(.down)
        viewer.press(.down)
        #expect(viewer.state.channelList?.next == nil, "nothing is known after the film")
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "c7")))
        #expect(viewer.state.channelList == nil)
    }

    @Test func aChannelChangeShowsTheBannerAtOnce() {
        var viewer = watching()
        viewer.down(.channelUp)
        #expect(viewer.state.channelBanner == ChannelBannerView(number: 2, title: "Loop"))
        viewer.up(.channelUp)
        viewer.down(.channelUp)
        viewer.up(.channelUp)
        #expect(viewer.state.channelBanner?.now == "Film")
        #expect(viewer.state.channelBanner?.nowTimes == "19:30–22:00")
        viewer.open(Items.live("c7"))
        viewer.run(.seconds(5))
        #expect(viewer.state.channelBanner == nil)
    }

    @Test func digitsShowWhatTheyWouldCommit() {
        var viewer = watching()
        viewer.press(.digit7)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "7", title: "Tonight"))
        viewer.press(.digit7)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "77"))
        viewer.run(.milliseconds(1600))
        #expect(viewer.state.numberEntry == nil)
        #expect(viewer.state.toast == "No channel 77")
        #expect(!viewer.effects.contains { if case .open = $0 { true } else { false } })
    }

    @Test func aPlaylistChannelIsFoundByItsItemsToo() {
        var viewer = watching()
        var item = Items.plain
        item.channel = "c2"
        viewer.open(item)
        viewer.run(.seconds(1))
        viewer.effects = []
        viewer.press(.channelUp)
        #expect(viewer.effects.contains(.open(id: "c7")), "the item after the current one in the list")
    }

    @Test func theGuideIsReachedFromHomeAndTunes() {
        var viewer = watching()
        viewer.press(.back)
        for _ in 0..<3 { viewer.press(.up) }
        viewer.press(.left)
        viewer.press(.left)
        #expect(viewer.state.home?.buttons.first { $0.isFocused }?.title == "Guide")
        viewer.press(.ok)
        let guide = viewer.state.guide
        #expect(guide?.day == "Today" && guide?.ticks.first?.title == "20:00")
        #expect(guide?.clock == "20:15" && guide?.detailFacts.first == "1 News")
        #expect(guide?.rows.map(\.title) == ["News", "Loop", "Tonight"])
        #expect(guide?.rows[0].cells.first?.isFocused == true && guide?.detailTitle == "Evening News")
        #expect(guide?.rows[1].message == "No information")
        viewer.press(.right)
        #expect(viewer.state.guide?.detailTitle == "Weather")
        viewer.press(.ok)
        #expect(viewer.state.programme?.title == "Weather", "a later programme has a page")
        viewer.press(.back)
        viewer.press(.left)
        viewer.press(.down)
        #expect(viewer.state.guide?.rows[1].isFocused == true)
        viewer.press(.down)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.open(id: "c7")))
        #expect(viewer.state.guide == nil && viewer.state.screen == .player)
    }

    @Test func timeInTheGuideRunsInTheDirectionOfTheLanguage() {
        var policy = InterfacePolicy()
        policy.languages = ["ar"]
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings()))
        #expect(viewer.state.appearance.isRightToLeft)
        viewer.send(.wallClock(secondsSinceMidnight: 72_600))
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(Items.guide))
        viewer.press(.guide)
        #expect(viewer.state.guide?.detailTitle == "Evening News")
        viewer.press(.left)
        #expect(viewer.state.guide?.detailTitle == "Weather")
        viewer.press(.right)
        #expect(viewer.state.guide?.detailTitle == "Evening News")
    }

    @Test func withoutAClockThereIsNoGuide() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.guideChanged(Items.guide))
        #expect(viewer.state.home?.buttons.map(\.title) == ["Search", "Settings"])
    }

    @Test func volumeIsShownInEveryState() {
        var viewer = watching()
        viewer.send(.volumeChanged(percent: 35, isMuted: false))
        #expect(viewer.state.volume == VolumeView(percent: 35))
        viewer.press(.back)
        viewer.send(.volumeChanged(percent: 35, isMuted: true))
        #expect(viewer.state.volume == VolumeView(percent: 35, isMuted: true))
        viewer.run(.seconds(3))
        #expect(viewer.state.volume == nil)
    }

    @Test func clockTimesOfLiveComeFromItsOwnDates() {
        var item = Items.live()
        item.clockOrigin = .seconds(72000)
        var viewer = Viewer(watching: item, at: 60)
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(100))]
        viewer.run(.milliseconds(200))
        viewer.press(.pause)
        #expect(viewer.state.bar?.elapsed.hasPrefix("20:01:0") == true)
        #expect(viewer.state.bar?.live == "LIVE" && viewer.state.bar?.trailing == nil)
        #expect(viewer.state.bar?.behind?.hasSuffix("behind live") == true)
    }

}

@Suite struct LongTextTests {
    @Test func aTextIsCutAtSentencesIntoPagesThatFit() {
        let text = (1...80).map { "Sentence number \($0) of a long description." }.joined(separator: " ")
        let pages = LongText.pages(of: text, limit: 1000)
        #expect(pages.count > 2)
        #expect(pages.allSatisfy { $0.count <= 1000 && $0.hasSuffix(".") })
        #expect(pages.joined(separator: " ") == text, "nothing is lost")
        #expect(LongText.pages(of: String(repeating: "漢", count: 900), limit: 1000).map(\.count) == [500, 400])
        #expect(LongText.pages(of: "", limit: 10) == [""])
    }

    @Test func upAndDownTurnPagesAndBackCloses() {
        var item = Items.plain
        item.summary = (1...80).map { "Sentence number \($0) of a long description." }.joined(separator: " ")
        var viewer = Viewer(watching: item, at: 30)
        viewer.press(.down)
        viewer.press(.down)
        viewer.press(.left)
        viewer.press(.ok)
        #expect(viewer.state.longText?.page == 0 && viewer.state.longText?.artwork == item.artwork)
        #expect(viewer.state.longText?.hint == "Press Back to close")
        viewer.press(.down)
        #expect(viewer.state.longText?.page == 1)
        viewer.press(.up)
        #expect(viewer.press(.up) == .failed(.noChange))
        viewer.press(.ok)
        #expect(viewer.state.longText == nil && viewer.state.panel != nil)
    }
}

@Suite struct LiveWindowTests {
    @Test func aPositionThatLeftTheWindowContinuesAtItsStart() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(100))]
        viewer.run(.milliseconds(200))
        viewer.press(.pause)
        viewer.seekable = [TimeRange(start: .seconds(60), end: .seconds(160))]
        viewer.run(.seconds(2))
        viewer.press(.play)
        #expect(viewer.exactSeeks == [.seconds(60)])
        #expect(viewer.state.toast == "Jumped to the earliest point available")
    }
}
