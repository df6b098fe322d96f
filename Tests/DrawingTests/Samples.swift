import MediaModel
import MediaTime
import PlayerInterface

/// The screens that are looked at: made by hand, so that they change only when somebody wants them to.
enum Samples {
    static let title = TitleView(title: "The Lighthouse Keeper’s Daughter", subtitle: "Season 1, Episode 4 · A Storm Comes In")

    static func position(_ percent: Double) -> BarPosition { BarPosition(pixels: Int(17.28 * percent)) }

    static func bar(
        _ percent: Double = 34, elapsed: String = "14:26", trailing: String? = "-28:04", focus: TransportBarView.Focus = .none,
        glyph: TransportBarView.Glyph? = nil, scrub: TransportBarView.Scrub? = nil, hint: String? = nil, actions: [String] = []
    ) -> TransportBarView {
        TransportBarView(
            focus: focus, playhead: position(percent), contentTime: .seconds(866), totalTime: .seconds(2550), elapsed: elapsed,
            trailing: trailing, buffered: [.init(start: position(max(percent - 10, 0)), end: position(percent + 18))],
            dots: [
                .init(position: .start, isWatched: true), .init(position: position(25), isWatched: true),
                .init(position: position(66), isWatched: false),
            ], chapterTicks: [12, 30, 48, 70, 90].map(position), glyph: glyph, scrub: scrub, hint: hint, actions: actions)
    }

    static let playing = PresentationState(screen: .player, video: .full, bar: bar(), title: title)

    static let paused = PresentationState(
        screen: .player, video: .full, bar: bar(focus: .bar, glyph: .pause), title: title)

    static let scrubbing = PresentationState(
        screen: .player, video: .full,
        bar: bar(
            58, elapsed: "24:40", trailing: "-17:50", focus: .bar, glyph: .pause,
            scrub: .init(time: "24:40", origin: position(34), contentTime: .seconds(1480)), hint: "Back to undo"), title: title)

    static let scanning = PresentationState(
        screen: .player, video: .full,
        bar: bar(
            12, elapsed: "5:06", trailing: "-37:24", focus: .bar, glyph: .scanForward(level: 3),
            scrub: .init(time: "5:06", origin: position(4), contentTime: .seconds(306))), title: title)

    static let actions = PresentationState(
        screen: .player, video: .full, bar: bar(focus: .action(0), glyph: .pause, actions: ["From Beginning", "Info"]),
        title: title)

    static let ad = PresentationState(
        screen: .player, video: .full, interstitialLabel: "Ad 1 of 2 · 0:12", skipCountdown: "Skip in 5")

    static let adWithBar = PresentationState(
        screen: .player, video: .full, bar: bar(25, elapsed: "10:37", trailing: "-31:53", glyph: .pause), title: title,
        interstitialLabel: "Ad 1 of 2 · 0:12", skipCountdown: "Skip in 5",
        refusal: RefusalView(words: "Available in 0:12", count: 1))

    static let skipIntro = PresentationState(
        screen: .player, video: .full, action: ContextualActionView(kind: .skipIntro, title: "Skip Intro", isFocused: true))

    static let live = PresentationState(
        screen: .player, video: .full,
        bar: TransportBarView(
            playhead: .end, contentTime: .zero, elapsed: "20:14", trailing: "LIVE", isAtLiveEdge: true,
            buffered: [.init(start: position(60), end: .end)]),
        title: TitleView(title: "Harbour News", subtitle: "The evening edition"),
        toast: "Live can't be paused")

    static let tabs: [PanelView.TabTitle] = [
        .init(tab: .info, title: "Info"), .init(tab: .chapters, title: "Chapters"), .init(tab: .subtitles, title: "Subtitles"),
        .init(tab: .audio, title: "Audio"),
    ]

    static let summary = """
        Ada keeps the light burning while her father is at sea. When the glass falls and the harbour master's boat does not come \
        home, she has to choose between the lamp and the lifeboat. Old Tobias knows more about the night of the wreck than he has \
        ever told, and the stranger at the inn has begun to ask the right questions. A film about weather, and about those who \
        stay awake in it.
        """

    static func info(whole: Bool = false, summaryFocused: Bool = false, actionFocused: Bool = false) -> InfoView {
        InfoView(
            artwork: "cover", title: "The Lighthouse Keeper’s Daughter", subtitle: "Season 1, Episode 4 · A Storm Comes In",
            facts: ["Drama", "PG", "42 min", "HD", "CC"], summary: summary, showsWholeSummary: whole,
            isSummaryFocused: summaryFocused,
            actions: [
                ButtonView(title: "From Beginning", isFocused: actionFocused),
                ButtonView(title: "Next Episode", isFocused: false),
            ])
    }

    static func panel(_ content: PanelView.Content, selected: Int = 0, focus: PanelView.Focus = .tabs) -> PresentationState {
        PresentationState(
            screen: .player, video: .full, panel: PanelView(tabs: tabs, selected: selected, focus: focus, content: content))
    }

    static let infoPanel = panel(.info(info()))
    static let infoSummary = panel(.info(info(summaryFocused: true)), focus: .content(0))
    static let infoAction = panel(.info(info(actionFocused: true)), focus: .content(1))
    static let wholeSummary = panel(.info(info(whole: true, summaryFocused: true)), focus: .content(0))

    static let chapters = panel(
        .chapters(
            ["The Lamp", "Low Water", "What Tobias Saw on the Night of the Wreck", "Chapter 4", "The Lifeboat", "Morning"]
                .enumerated()
                .map { index, title in
                    ChapterView(
                        title: title, time: "\(index * 7):0\(index)", image: index == 3 ? nil : "chapter\(index)",
                        isCurrent: index == 1,
                        isFocused: index == 2)
                }), selected: 1, focus: .content(2))

    static func proposal(
        _ place: ProposalPresentation.VideoPlace = .preferred, seconds: Int = 12, ring: Int = 80
    ) -> PresentationState {
        PresentationState(
            screen: .player,
            video: place == .preferred
                ? VideoPlacement(frame: Metrics.Video.proposalFrame) : place == .full ? .full : .hidden,
            proposal: ProposalView(
                title: "The Wreck", subtitle: "Season 1, Episode 5", facts: ["Drama", "PG", "44 min"], summary: summary,
                image: "preview",
                buttons: [
                    ButtonView(title: "Play Now (\(seconds))", isFocused: true),
                    ButtonView(title: "Back to Credits", isFocused: false),
                    ButtonView(title: "Home", isFocused: false),
                ], countdown: seconds, ringPercent: ring, videoPlace: place))
    }

    static let endCard = PresentationState(
        screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60),
        card: CardView(
            kind: .end, title: "The Lighthouse Keeper’s Daughter",
            buttons: [ButtonView(title: "Replay", isFocused: true), ButtonView(title: "Home", isFocused: false)]))

    static let errorCard = PresentationState(
        screen: .player, video: VideoPlacement(frame: Metrics.screen, dimPercent: 60),
        card: CardView(
            kind: .error, title: "Can't play this",
            message: "This programme isn't available right now. Going on to the next programme.",
            code: "SRC-404 · 7F3A",
            buttons: [ButtonView(title: "Try Again (9)", isFocused: true), ButtonView(title: "Home", isFocused: false)]))

    static let slowCard = PresentationState(
        screen: .player, video: .hidden, poster: PosterView(artwork: "preview", title: "The Wreck"),
        card: CardView(
            kind: .slow, title: "The network is slow. Still trying.", message: "The Wreck",
            buttons: [ButtonView(title: "Try Again (7)", isFocused: true), ButtonView(title: "Home", isFocused: false)]))

    static let loading = PresentationState(
        screen: .player, video: .full, poster: PosterView(artwork: "preview", title: nil), title: title,
        spinner: SpinnerView(words: "Loading…"))

    static let buffering = PresentationState(
        screen: .player, video: .full, spinner: SpinnerView(words: "The network is slow. Still trying."))

    static let musicAlone = PresentationState(
        screen: .player, video: .full, poster: PosterView(artwork: "cover", title: "Fog Signals"))

    static let untitledPoster = PresentationState(
        screen: .player, video: .full, poster: PosterView(title: "Harbour One"), spinner: SpinnerView())

    static let music = PresentationState(
        screen: .player, video: .full, poster: PosterView(artwork: "cover", title: "Fog Signals"), bar: bar(),
        title: TitleView(title: "Fog Signals", subtitle: "The Harbour Band"))

    static func home(row: Int = 0, column: Int = 1, firstColumn: Int = 0, corner: Bool = true) -> PresentationState {
        let content = HomeContent(
            title: "Harbour Television",
            rows: [
                .init(
                    id: "continue", title: "Continue Watching",
                    entries: [
                        ("The Lighthouse Keeper’s Daughter", "Episode 4 · 28 min left", 34), ("Low Water", "12 min left", 80),
                        ("Salt", nil, 5), ("The Long Pier", "2021", nil), ("Fog Signals", "Music", nil),
                        ("Ropework", "Documentary", nil),
                        ("North by East", nil, nil),
                    ].enumerated().map { index, entry in
                        .init(
                            id: "item\(index)", title: entry.0, subtitle: entry.1, artwork: index == 2 ? nil : "chapter\(index)",
                            watchedPercent: entry.2)
                    }),
                .init(
                    id: "channels", title: "Channels",
                    entries: [
                        .init(id: "c1", title: "Harbour One", subtitle: "The evening edition", number: 1),
                        .init(id: "c2", title: "Sea and Shore", subtitle: "Tides of the North", number: 2, artwork: "chapter4"),
                        .init(id: "c3", title: "Cinema", subtitle: "Salt", number: 12),
                        .init(id: "c4", title: "Music", subtitle: "Fog Signals", number: 104),
                    ]),
            ])
        return PresentationState(
            screen: .home,
            video: corner ? VideoPlacement(frame: Metrics.Video.cornerFrame) : .hidden,
            home: HomeView(
                content: content, focus: .entry(row: row, column: column), firstRow: 0, firstColumns: [firstColumn, 0]))
    }

    static let emptyHome = PresentationState(
        screen: .home, home: HomeView(content: HomeContent(title: "Marquee"), emptyMessage: "This box has no channels yet."))

    /// Every screen by its name, in a stable order.
    static let all: [(name: String, state: PresentationState)] = [
        ("playing", playing), ("paused", paused), ("scrubbing", scrubbing), ("scanning", scanning), ("actions", actions),
        ("ad", ad),
        ("ad-with-bar", adWithBar), ("skip-intro", skipIntro), ("live", live), ("info", infoPanel), ("info-summary", infoSummary),
        ("info-action", infoAction), ("info-whole", wholeSummary), ("chapters", chapters), ("proposal", proposal()),
        ("proposal-full", proposal(.full)), ("proposal-hidden", proposal(.hidden)), ("end", endCard), ("error", errorCard),
        ("slow", slowCard), ("loading", loading), ("buffering", buffering), ("music", music), ("music-alone", musicAlone),
        ("poster-title", untitledPoster), ("home", home()),
        ("home-scrolled", home(column: 2, firstColumn: 1, corner: false)),
        ("home-empty", emptyHome),
    ]
}
