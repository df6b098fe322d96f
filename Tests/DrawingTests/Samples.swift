import MediaModel
import MediaTime
import PlayerInterface

/// The sample screens, written by hand, so that they change only deliberately.
enum Samples {
    static var title: TitleView {
        TitleView(title: s("The Lighthouse Keeper’s Daughter"), subtitle: s("Season 1, Episode 4 · A Storm Comes In"))
    }

    static func position(_ percent: Double) -> BarPosition { BarPosition(pixels: Int(17.28 * percent)) }

    static func bar(
        _ percent: Double = 34, elapsed: String = "14:26", trailing: String? = "-28:04", focus: TransportBarView.Focus = .none,
        glyph: TransportBarView.Glyph? = nil, scrub: TransportBarView.Scrub? = nil, hint: String? = nil, actions: [String] = []
    ) -> TransportBarView {
        TransportBarView {
            $0.focus = focus
            $0.playhead = position(percent)
            $0.contentTime = .seconds(866)
            $0.totalTime = .seconds(2550)
            $0.elapsed = elapsed
            $0.trailing = trailing
            $0.buffered = [.init(start: position(max(percent - 10, 0)), end: position(percent + 18))]
            $0.dots = [
                .init(position: .start, isWatched: true), .init(position: position(25), isWatched: true),
                .init(position: position(66), isWatched: false),
            ]
            $0.chapterTicks = [12, 30, 48, 70, 90].map(position)
            $0.glyph = glyph
            $0.scrub = scrub
            $0.hint = hint
            $0.actions = actions
        }
    }

    static var playing: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar()
            $0.title = title
        }
    }

    static var paused: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(focus: .bar, glyph: .pause)
            $0.title = title
        }
    }

    static var scrubbing: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(
                58, elapsed: "24:40", trailing: "-17:50", focus: .bar, glyph: .pause,
                scrub: .init(time: "24:40", origin: position(34), contentTime: .seconds(1480)), hint: s("Back to undo"))
            $0.title = title
        }
    }

    static var scanning: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(
                12, elapsed: "5:06", trailing: "-37:24", focus: .bar, glyph: .scanForward(level: 3),
                scrub: .init(time: "5:06", origin: position(4), contentTime: .seconds(306)))
            $0.title = title
        }
    }

    static var actions: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(focus: .action(0), glyph: .pause, actions: [s("From Beginning"), s("Info")])
            $0.title = title
        }
    }

    static var ad: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.interstitialLabel = s("Ad 1 of 2 · 0:12")
            $0.skipCountdown = s("Skip in 5")
        }
    }

    static var adWithBar: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = bar(25, elapsed: "10:37", trailing: "-31:53", glyph: .pause)
            $0.title = title
            $0.interstitialLabel = s("Ad 1 of 2 · 0:12")
            $0.skipCountdown = s("Skip in 5")
            $0.refusal = RefusalView(words: s("Available in 0:12"), count: 1)
        }
    }

    static var skipIntro: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.action = ContextualActionView(kind: .skipIntro, title: s("Skip Intro"), isFocused: true)

        }
    }

    static var live: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = TransportBarView {
                $0.playhead = .end
                $0.contentTime = .zero
                $0.elapsed = "20:14"
                $0.trailing = s("LIVE")
                $0.isAtLiveEdge = true
                $0.buffered = [.init(start: position(60), end: .end)]
            }
            $0.title = TitleView(title: s("Harbour News"), subtitle: s("The evening edition"))
            $0.toast = s("Live can't be paused")
        }
    }

    static var tabs: [PanelView.TabTitle] {
        [
            .init(tab: .info, title: s("Info")), .init(tab: .chapters, title: s("Chapters")),
            .init(tab: .subtitles, title: s("Subtitles")),
            .init(tab: .audio, title: s("Audio")),
        ]
    }

    static let summaryEnglish = """
        Ada keeps the light burning while her father is at sea. When the glass falls and the harbour master's boat does not come \
        home, she has to choose between the lamp and the lifeboat. Old Tobias knows more about the night of the wreck than he has \
        ever told, and the stranger at the inn has begun to ask the right questions. A film about weather, and about those who \
        stay awake in it.
        """

    static var summary: String { s(summaryEnglish) }

    static func info(whole: Bool = false, summaryFocused: Bool = false, actionFocused: Bool = false) -> InfoView {
        InfoView(
            artwork: "cover", title: s("The Lighthouse Keeper’s Daughter"), subtitle: s("Season 1, Episode 4 · A Storm Comes In"),
            facts: [s("Drama"), s("PG"), s("42 min"), s("HD"), s("CC")], summary: summary, showsWholeSummary: whole,
            isSummaryFocused: summaryFocused,
            actions: [
                ButtonView(title: s("From Beginning"), isFocused: actionFocused),
                ButtonView(title: s("Next Episode"), isFocused: false),
            ])
    }

    static func panel(_ content: PanelView.Content, selected: Int = 0, focus: PanelView.Focus = .tabs) -> PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.panel = PanelView(tabs: tabs, selected: selected, focus: focus, content: content)
        }
    }

    static var infoPanel: PresentationState {
        panel(.info(info()))
    }

    static var infoSummary: PresentationState {
        panel(.info(info(summaryFocused: true)), focus: .content(0))
    }

    static var infoAction: PresentationState {
        panel(.info(info(actionFocused: true)), focus: .content(1))
    }

    static var wholeSummary: PresentationState {
        var state = panel(.info(info(whole: true, summaryFocused: true)), focus: .content(0))
        state.longText = LongTextView(title: s("The Lighthouse Keeper’s Daughter"), text: summary)
        return state
    }

    static var chapters: PresentationState {
        panel(
            .chapters(
                [
                    s("The Lamp"), s("Low Water"), s("What Tobias Saw on the Night of the Wreck"), s("Chapter 4"),
                    s("The Lifeboat"), s("Morning"),
                ]
                .enumerated()
                .map { index, title in
                    ChapterView(
                        title: title, time: "\(index * 7):0\(index)", image: index == 3 ? nil : "chapter\(index)",
                        isCurrent: index == 1,
                        isFocused: index == 2)
                }), selected: 1, focus: .content(2))
    }

    static func proposal(
        _ place: ProposalPresentation.VideoPlace = .preferred, seconds: Int = 12, ring: Int = 80
    ) -> PresentationState {
        PresentationState(
            screen: .player,
            video: place == .preferred
                ? VideoPlacement(frame: Metrics.Video.proposalFrame) : place == .full ? .full : .hidden
        ) {
            $0.proposal = ProposalView(
                heading: s("Up Next"), title: s("The Wreck"), subtitle: s("Season 1, Episode 5"),
                facts: [s("Drama"), s("PG"), s("44 min")],
                summary: summary,
                image: "preview",
                buttons: [
                    ButtonView(title: "\(s("Play Now")) (\(seconds))", isFocused: true),
                    ButtonView(title: s("Back to Credits"), isFocused: false),
                    ButtonView(title: s("Home"), isFocused: false),
                ], countdown: seconds, ringPercent: ring, videoPlace: place)
        }
    }

    static var endCard: PresentationState {
        PresentationState(screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60)) {
            $0.card = CardView(
                kind: .end, title: s("The Lighthouse Keeper’s Daughter"),
                buttons: [ButtonView(title: s("Replay"), isFocused: true), ButtonView(title: s("Home"), isFocused: false)])
        }
    }

    static var errorCard: PresentationState {
        PresentationState(screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60)) {
            $0.card = CardView(
                kind: .error, title: s("Can't play this"),
                message: s("This programme isn't available right now. Going on to the next programme."),
                code: "SRC-404 · 7F3A",
                buttons: [ButtonView(title: s("Try Again (9)"), isFocused: true), ButtonView(title: s("Home"), isFocused: false)])

        }
    }

    static var slowCard: PresentationState {
        PresentationState(screen: .player, video: .hidden) {
            $0.poster = PosterView(artwork: "preview", title: s("The Wreck"))
            $0.card = CardView(
                kind: .slow, title: s("The network is slow. Still trying."), message: s("The Wreck"),
                buttons: [ButtonView(title: s("Try Again (7)"), isFocused: true), ButtonView(title: s("Home"), isFocused: false)])

        }
    }

    /// As on a box, where every such card names its playback.
    static var slowCardWithSession: PresentationState {
        var state = slowCard
        state.card?.code = "NET-SLOW · 5E21C0DE"
        return state
    }

    static var loading: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.poster = PosterView(artwork: "preview", title: nil)
            $0.title = title
            $0.spinner = SpinnerView(words: s("Loading…"))
        }
    }

    static var buffering: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.spinner = SpinnerView(words: s("The network is slow. Still trying."))
        }
    }

    static var musicAlone: PresentationState {
        PresentationState(screen: .player, video: .full) { $0.poster = PosterView(artwork: "cover", title: s("Fog Signals")) }
    }

    static var untitledPoster: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.poster = PosterView(title: s("Harbour One"))
            $0.spinner = SpinnerView()
        }
    }

    static var music: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.poster = PosterView(artwork: "cover", title: s("Fog Signals"))
            $0.bar = bar()
            $0.title = TitleView(title: s("Fog Signals"), subtitle: s("The Harbour Band"))
        }
    }

    static func home(row: Int = 0, column: Int = 1, firstColumn: Int = 0, corner: Bool = true) -> PresentationState {
        let content = HomeContent(
            title: s("Harbour Television"),
            rows: [
                .init(
                    id: "continue", title: s("Continue Watching"),
                    entries: [
                        (s("The Lighthouse Keeper’s Daughter"), s("Episode 4 · 28 min left"), 34),
                        (s("Low Water"), s("12 min left"), 80),
                        (s("Salt"), nil, 5), (s("The Long Pier"), "2021", nil), (s("Fog Signals"), s("Music"), nil),
                        (s("Ropework"), s("Documentary"), nil),
                        (s("North by East"), nil, nil),
                    ].enumerated().map { index, entry in
                        .init(
                            id: "item\(index)", title: entry.0, subtitle: entry.1, artwork: index == 2 ? nil : "chapter\(index)",
                            watchedPercent: entry.2)
                    }),
                .init(
                    id: "channels", title: s("Channels"),
                    entries: [
                        .init(id: "c1", title: s("Harbour One"), subtitle: s("The evening edition"), number: 1),
                        .init(
                            id: "c2", title: s("Sea and Shore"), subtitle: s("Tides of the North"), number: 2, artwork: "chapter4"
                        ),
                        .init(id: "c3", title: s("Cinema"), subtitle: s("Salt"), number: 12),
                        .init(id: "c4", title: s("Music"), subtitle: s("Fog Signals"), number: 104),
                    ], style: .channels),
            ])
        return PresentationState(
            screen: .home,
            video: corner ? VideoPlacement(frame: Metrics.Video.cornerFrame(isRightToLeft: language == "ar")) : .hidden
        ) {
            $0.home = HomeView(
                content: content, focus: .entry(row: row, column: column), firstRow: 0, firstColumns: [firstColumn, 0])
        }
    }

    /// Without a network: what does not play is dimmed, the badges say what is saved.
    static var offlineHome: PresentationState {
        var state = home(row: 0, column: 1, corner: false)
        state.home?.notice = s("No network. Showing saved programmes.")
        state.home?.isOffline = true
        let savings: [HomeContent.Saving?] = [.saving(percent: 64), .saved, nil, .waiting, .saved]
        for (index, saving) in savings.enumerated() {
            state.home?.content.rows[0].entries[index].saving = saving
            state.home?.content.rows[0].entries[index].playsOffline = saving == .saved
        }
        return state
    }

    static var fullHome: PresentationState {
        var state = offlineHome
        state.home?.notice = s("No room for downloads.")
        state.home?.isOffline = false
        return state
    }

    static var emptyHome: PresentationState {
        PresentationState(screen: .home) {
            $0.home = HomeView(content: HomeContent(title: s("Marquee")), emptyMessage: s("This box has no channels yet."))
        }
    }

    /// Every screen by its name, in a stable order.
    static var all: [(name: String, state: PresentationState)] {
        base + pages + more + [
            ("home-offline", offlineHome), ("slow-session", slowCardWithSession), ("settings-storage", storage),
            ("settings-deletion", deletionQuestion), ("home-storage", fullHome), ("settings-about", about),
        ]
    }

    private static var base: [(name: String, state: PresentationState)] {
        [
            ("playing", playing), ("paused", paused), ("scrubbing", scrubbing), ("scanning", scanning), ("actions", actions),
            ("ad", ad),
            ("ad-with-bar", adWithBar), ("skip-intro", skipIntro), ("live", live), ("info", infoPanel),
            ("info-summary", infoSummary),
            ("info-action", infoAction), ("info-whole", wholeSummary), ("chapters", chapters), ("proposal", proposal()),
            ("proposal-full", proposal(.full)), ("proposal-hidden", proposal(.hidden)), ("end", endCard), ("error", errorCard),
            ("slow", slowCard), ("loading", loading), ("buffering", buffering), ("music", music), ("music-alone", musicAlone),
            ("poster-title", untitledPoster), ("home", home()),
            ("home-scrolled", home(column: 2, firstColumn: 1, corner: false)),
            ("home-empty", emptyHome),
        ]
    }
}
