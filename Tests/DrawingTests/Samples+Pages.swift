import MediaModel
import MediaTime
import PlayerInterface

/// Pages, menus, and transient messages.
extension Samples {
    private static func menuTab(_ menu: MenuView, _ tab: PanelView.Tab, focus: PanelView.Focus) -> PresentationState {
        let tabs: [PanelView.TabTitle] = [
            .init(tab: .info, title: s("Info")), .init(tab: .chapters, title: s("Chapters")),
            .init(tab: .subtitles, title: s("Subtitles")), .init(tab: .audio, title: s("Audio")),
            .init(tab: .picture, title: s("Picture")),
        ]
        let selected = tabs.firstIndex { $0.tab == tab } ?? 0
        return PresentationState(screen: .player, video: .full) {
            $0.panel = PanelView(tabs: tabs, selected: selected, focus: focus, content: .menu(menu))
        }
    }

    static var subtitles: PresentationState {
        menuTab(
            MenuView(rows: [
                .init(title: s("What did they say?")), .init(title: s("Off"), mark: .choice(isCurrent: false)),
                .init(title: s("Automatic"), note: s("English, when the sound is not"), mark: .choice(isCurrent: false)),
                .init(
                    title: s("English"), note: s("For the deaf and hard of hearing"), mark: .choice(isCurrent: true),
                    isFocused: true),
                .init(title: s("French"), mark: .choice(isCurrent: false)),
                .init(title: s("Caption style"), value: s("Standard"), mark: .submenu),
            ]), .subtitles, focus: .content(3))
    }

    static var audio: PresentationState {
        menuTab(
            MenuView(rows: [
                .init(title: s("English"), value: "5.1", mark: .choice(isCurrent: true)),
                .init(title: s("English"), value: s("Stereo"), note: s("Audio description"), mark: .choice(isCurrent: false)),
                .init(title: s("French"), value: s("Stereo"), mark: .choice(isCurrent: false)),
                .init(title: s("Reduce loud sounds"), mark: .toggle(isOn: true), isFocused: true),
                .init(title: s("Enhance dialogue"), mark: .toggle(isOn: false)),
            ]), .audio, focus: .content(3))
    }

    static var picture: PresentationState {
        menuTab(
            MenuView(rows: [
                .init(title: s("Aspect"), value: s("Fit"), mark: .submenu, isFocused: true),
                .init(title: s("Speed"), value: "1×", mark: .submenu),
            ]), .picture, focus: .content(0))
    }

    static var captionStyle: PresentationState {
        menuTab(
            MenuView(
                title: s("Colour"),
                rows: [
                    .init(title: s("White"), mark: .choice(isCurrent: true)),
                    .init(title: s("Yellow"), mark: .choice(isCurrent: false), isFocused: true),
                    .init(title: s("Cyan"), mark: .choice(isCurrent: false)),
                    .init(title: s("Green"), mark: .choice(isCurrent: false)),
                    .init(title: s("Red"), mark: .choice(isCurrent: false)),
                    .init(title: s("Black"), mark: .choice(isCurrent: false)),
                ], preview: preview), .subtitles, focus: .content(1))
    }

    private static var preview: CaptionPreviewView {
        CaptionPreviewView(
            words: s("Captions look like this."),
            style: CaptionStyle {
                ($0.colour, $0.sizePercent, $0.edge) = (.yellow, 125, .dropShadow)
                ($0.background, $0.backgroundOpacityPercent) = (.black, 75)
            })
    }

    // MARK: Settings

    static var settings: PresentationState {
        PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .settings(
                SettingsView(
                    page: .top, title: s("Settings"), explanation: s("Larger text, high contrast, less motion, spoken focus."),
                    menu: MenuView(rows: [
                        .init(title: s("Language"), value: s("English"), mark: .submenu),
                        .init(title: s("Captions"), mark: .submenu),
                        .init(title: s("Sound"), mark: .submenu), .init(title: s("Picture"), mark: .submenu),
                        .init(title: s("Accessibility"), mark: .submenu, isFocused: true),
                        .init(title: s("Network"), value: s("Connected"), mark: .submenu),
                        .init(title: s("Storage"), value: "3.1 GB", mark: .submenu),
                        .init(title: s("Parental control"), mark: .submenu),
                        .init(title: s("Sleep timer"), value: s("Off"), mark: .submenu), .init(title: s("About"), mark: .submenu),
                    ])))
        }
    }

    static var accessibility: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.page = .settings(
                SettingsView(
                    page: .accessibility, title: s("Accessibility"), explanation: s("Type is a quarter larger everywhere."),
                    menu: MenuView(rows: [
                        .init(title: s("Larger text"), mark: .toggle(isOn: true), isFocused: true),
                        .init(title: s("High contrast"), mark: .toggle(isOn: false)),
                        .init(
                            title: s("Reduce motion"), note: s("Cross-fades in the place of movement"), mark: .toggle(isOn: false)
                        ),
                        .init(
                            title: s("Spoken focus"), note: s("No voice is installed"), mark: .toggle(isOn: false),
                            isEnabled: false),
                        .init(title: s("Time before the bar hides"), value: s("4 seconds"), mark: .submenu),
                    ])))
        }
    }

    static var settingsCaptions: PresentationState {
        PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .settings(
                SettingsView(
                    page: .captions, title: s("Captions"), explanation: s("Also for captions that bring a colour of their own."),
                    menu: MenuView(
                        rows: [
                            .init(title: s("Colour"), value: s("Yellow"), mark: .submenu, isFocused: true),
                            .init(title: s("Opacity"), value: "100 %", mark: .submenu),
                            .init(title: s("Size"), value: "125 %", mark: .submenu),
                            .init(title: s("Font"), value: s("Automatic"), mark: .submenu),
                            .init(title: s("Edge"), value: s("Shadow"), mark: .submenu),
                            .init(title: s("Background"), value: s("Black"), mark: .submenu),
                            .init(title: s("Window"), value: s("None"), mark: .submenu),
                        ], preview: preview)))
        }
    }

    // MARK: Search, guide, PIN

    static func search(query: String = "lig", empty: Bool = false) -> PresentationState {
        let letters = s("abcdefghijklmnopqrstuvwxyz'-").map { SearchView.Key(title: String($0)) }
        var keys = stride(from: 0, to: letters.count, by: 7).map { Array(letters[$0..<min($0 + 7, letters.count)]) }
        keys.append([.init(title: s("Space"), width: 3), .init(title: s("Delete"), width: 2), .init(title: s("Clear"), width: 2)])
        let results: [HomeContent.Entry] = [
            .init(
                id: "a", title: s("The Lighthouse Keeper’s Daughter"), subtitle: s("Season 1, Episode 4 · A Storm Comes In"),
                artwork: "chapter0"),
            .init(id: "b", title: s("Low Water"), subtitle: s("Documentary"), artwork: "chapter1"),
            .init(id: "c", title: s("Salt"), subtitle: s("Drama"), isLocked: true),
            .init(id: "d", title: s("Cinema"), subtitle: s("Channels"), number: 12),
        ]
        return PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .search(
                SearchView(
                    query: query, placeholder: s("Title, person or channel"), keys: keys, results: empty ? [] : results,
                    message: empty ? s("Nothing was found.") : nil, focus: empty ? .key(row: 1, column: 4) : .result(0)))
        }
    }

    static var guide: PresentationState {
        func row(
            _ id: Int, _ number: Int, _ title: String, _ cells: [(String, String, Int, Int)], focused: Int? = nil,
            artwork: String? = nil
        )
            -> GuideView.Row
        {
            GuideView.Row(
                id: "g\(id)", number: number, title: s(title), artwork: artwork,
                cells: cells.enumerated().map { index, cell in
                    .init(
                        title: s(cell.0), times: cell.1, x: cell.2, width: cell.3,
                        isOnNow: cell.2 <= 400 && cell.2 + cell.3 > 400,
                        isFocused: focused == index)
                })
        }
        let rows = [
            row(0, 1, "Harbour One", [("Harbour News", "20:00 – 20:30", 0, 352), ("The Long Pier", "20:30 – 22:10", 352, 1056)]),
            row(
                1, 2, "Sea and Shore",
                [
                    ("Tides of the North", "19:40 – 20:50", 0, 586), ("Ropework", "20:50 – 21:20", 586, 352),
                    ("Salt", "21:20 – 23:00", 938, 470),
                ],
                focused: 0, artwork: "cover"),
            row(2, 12, "Cinema", [("The Lighthouse Keeper’s Daughter", "20:00 – 22:00", 0, 1408)]),
            row(
                3, 104, "Music",
                [
                    ("Fog Signals", "20:00 – 20:10", 0, 117), ("Low Water", "20:10 – 21:00", 117, 587),
                    ("Morning", "21:00 – 22:00", 704, 704),
                ]),
            GuideView.Row(
                id: "g4", number: 105, title: s("North by East"), message: s("Nothing is known of this channel's programmes.")),
            row(
                5, 106, "Harbour News", [("Harbour News", "20:00 – 21:00", 0, 704), ("Harbour News", "21:00 – 22:00", 704, 704)]),
            row(6, 107, "Children", [("The Lamp", "20:00 – 21:00", 0, 704), ("The Lifeboat", "21:00 – 22:00", 704, 704)]),
        ]
        return PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .guide(
                GuideView(
                    day: s("Today"),
                    ticks: [("20:00", 0), ("20:30", 352), ("21:00", 704), ("21:30", 1056)].map { .init(title: $0.0, x: $0.1) },
                    nowX: 400, rows: rows, hasMoreBelow: true, detailTitle: s("Tides of the North"), detail: summary))
        }
    }

    static func pin(entered: Int = 2, warning: String? = nil, isLocked: Bool = false) -> PresentationState {
        PresentationState(screen: .player, video: .hidden) {
            $0.pin = PINView(
                title: s("Enter PIN"), message: "\(s("Salt")) · 16", enteredCount: entered, warning: warning, isLocked: isLocked,
                keys: [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], [s("Delete"), "0", s("Cancel")]],
                focus: isLocked ? .key(row: 3, column: 2) : .key(row: 1, column: 1))
        }
    }

    static var longText: PresentationState {
        var state = panel(.info(info()))
        state.longText = LongTextView(
            title: s("The Lighthouse Keeper’s Daughter"), text: (0..<3).map { _ in summary }.joined(separator: "\n\n"), page: 1,
            pageCount: 3)
        return state
    }

    // MARK: Transient

    static var zapped: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.poster = PosterView(artwork: "preview")
            $0.channelBanner = ChannelBannerView(
                number: 12, title: s("Cinema"), artwork: "cover", now: s("The Lighthouse Keeper’s Daughter"),
                nowTimes: "20:00 – 22:00",
                progressPercent: 38, next: "22:00 \(s("Harbour News"))")
        }
    }

    static var typing: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.numberEntry = NumberEntryView(digits: "12", title: s("Cinema"))
            $0.volume = VolumeView(percent: 40)
        }
    }

    static var volume: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.toast = s("Added to your list")
            $0.volume = VolumeView(percent: 65, isMuted: true)
        }
    }

    static var announced: PresentationState {
        PresentationState(screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60)) {
            $0.notice = NoticeView(words: s("Paused by the announcement."))
        }
    }

    static var audioOnly: PresentationState {
        PresentationState(screen: .player, video: .hidden) {
            $0.audioOnly = AudioOnlyView(
                artwork: "cover", title: s("Fog Signals"), subtitle: s("The Harbour Band"), progressPercent: 34, elapsed: "14:26",
                frame: PixelRect(x: 380, y: 420, width: 1000, height: 360))
        }
    }

    static var stillWatching: PresentationState {
        PresentationState(screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60)) {
            $0.card = CardView(
                kind: .stillWatching, title: s("Still watching?"), message: s("The Lighthouse Keeper’s Daughter"),
                buttons: [ButtonView(title: s("Continue"), isFocused: true), ButtonView(title: s("Home"), isFocused: false)])
        }
    }

    static var sleepTimer: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.card = CardView(
                kind: .sleepTimer, title: s("Good night"), message: s("The box goes to sleep in 0:45."),
                buttons: [
                    ButtonView(title: s("Stay awake"), isFocused: true), ButtonView(title: s("Sleep now"), isFocused: false),
                ])
        }
    }

    static var thumbnail: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(
                82, elapsed: "34:50", trailing: "-7:40", focus: .bar, glyph: .pause,
                scrub: .init(time: "34:50", origin: position(34), contentTime: .seconds(2090), thumbnail: "chapter2"),
                hint: s("Back to undo"))
            $0.title = title
        }
    }

    static var behindLive: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = TransportBarView {
                $0.playhead = position(70)
                $0.elapsed = "-4:05"
                $0.trailing = s("LIVE")
                $0.buffered = [.init(start: .start, end: position(90))]

            }
            $0.title = TitleView(title: s("Harbour News"), subtitle: s("The evening edition"))
            $0.action = ContextualActionView(kind: .goLive, title: s("Go Live"), isFocused: false)
        }
    }

    static var homeButtons: PresentationState {
        var state = home(corner: false)
        state.home?.buttons = ["Search", "Guide", "Settings"].enumerated().map { ButtonView(title: s($1), isFocused: $0 == 1) }
        state.home?.focus = .button(1)
        state.home?.content.rows[0].entries[2].isLocked = true
        return state
    }

    static var channels: PresentationState {
        let rows: [(Int, String, String, Int?)] = [
            (1, "Harbour One", "Harbour News", 40), (2, "Sea and Shore", "Tides of the North", 71),
            (12, "Cinema", "The Lighthouse Keeper’s Daughter", 22),
            (104, "Music", "Fog Signals", 55), (105, "North by East", "Ropework", nil),
            (106, "Harbour News", "The evening edition", 12),
            (107, "Children", "The Lamp", 90), (108, "The Long Pier", "Documentary", 3),
        ]
        return PresentationState(screen: .player, video: .full) {
            $0.page = .channels(
                ChannelListView(
                    title: s("Channels"),
                    rows: rows.enumerated().map { index, row in
                        .init(
                            number: row.0, title: s(row.1), artwork: index == 1 ? "cover" : nil, now: s(row.2),
                            progressPercent: row.3,
                            isCurrent: index == 0, isLocked: index == 4, isFocused: index == 2)
                    }, hasMoreBelow: true))
        }
    }

    /// By name, in a stable order.
    static var pages: [(name: String, state: PresentationState)] {
        [
            ("subtitles", subtitles), ("audio", audio), ("picture", picture), ("caption-style", captionStyle),
            ("settings", settings),
            ("accessibility", accessibility), ("settings-captions", settingsCaptions), ("search", search()),
            ("search-nothing", search(query: "xq", empty: true)), ("search-empty", search(query: "", empty: true)),
            ("guide", guide),
            ("pin", pin()), ("pin-wrong", pin(entered: 0, warning: s("Wrong PIN. 3 tries left."))),
            ("pin-locked", pin(entered: 0, warning: s("Try again in 4:32."), isLocked: true)), ("long-text", longText),
            ("zapped", zapped),
            ("typing", typing), ("volume", volume), ("announced", announced), ("audio-only", audioOnly),
            ("still-watching", stillWatching),
            ("sleep-timer", sleepTimer), ("thumbnail", thumbnail), ("behind-live", behindLive), ("home-buttons", homeButtons),
            ("channels", channels),
        ]
    }
}
