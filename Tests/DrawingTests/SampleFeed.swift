import MediaModel
import MediaTime
import Screens

/// What a feed in the samples' language brings: programmes, Home, a guide; and the facts of a box.
enum SampleFeed {
    private static func s(_ words: String) -> String { Samples.s(words) }

    // MARK: Programmes

    /// Where a content time of the episode is in asset time: after its advertisements.
    static func asset(ofContent seconds: Int64) -> MediaTime {
        .seconds(seconds + (seconds < 632 ? 15 : seconds < 1670 ? 55 : 75))
    }

    /// An episode of 42 minutes with three breaks, of which two were watched.
    static func episode(_ adjust: (inout ItemPresentation) -> Void = { _ in }) -> ItemPresentation {
        ItemPresentation(id: "item0") {
            $0.title = s("The Lighthouse Keeper’s Daughter")
            $0.subtitle = s("Season 1, Episode 4 · A Storm Comes In")
            $0.summary = s(Samples.summaryEnglish)
            $0.genre = s("Drama")
            $0.rating = "PG"
            $0.badges = ["HD", "CC"]
            $0.artwork = "cover"
            $0.poster = "preview"
            $0.duration = .seconds(2605)
            $0.interstitials = [
                ad("pre", 0, 15), ad("one", 647, 20), ad("two", 667, 20), ad("three", 1725, 20),
            ]
            $0.watchedInterstitials = ["pre", "one", "two"]
            $0.markers = chapters
            adjust(&$0)
        }
    }

    private static func ad(_ id: String, _ start: Int64, _ length: Int64) -> Interstitial {
        Interstitial(
            id: id, range: TimeRange(start: .seconds(start), duration: .seconds(length)), skip: .init(offset: .seconds(13)))
    }

    static var chapters: [NavigationMarker] {
        let titles: [String?] = [
            "The Lamp", "Low Water", "What Tobias Saw on the Night of the Wreck", nil, "The Lifeboat", "Morning",
        ]
        let starts: [Int64] = [0, 304, 902, 1360, 1860, 2295]
        return zip(titles, starts).enumerated().map { index, chapter in
            NavigationMarker(
                kind: .chapter, start: chapter.1 == 0 ? .zero : asset(ofContent: chapter.1), title: chapter.0.map(s),
                image: index == 3 ? nil : "chapter\(index)")
        }
    }

    /// The intro is at its beginning, after the first break.
    static var intro: NavigationMarker { NavigationMarker(kind: .intro, start: .seconds(40), end: .seconds(95)) }

    static func proposal(_ place: ProposalPresentation.VideoPlace = .preferred, isPlain: Bool = false) -> ProposalPresentation {
        var next = ProposalPresentation(
            next: "item9", title: s("The Wreck"), transitionTime: .seconds(2545), automaticAcceptanceInterval: .seconds(-45),
            videoPlace: place)
        guard !isPlain else { return next }
        next.subtitle = s("Season 1, Episode 5")
        next.genre = s("Drama")
        next.rating = "PG"
        next.duration = .seconds(2640)
        next.summary = s(Samples.summaryEnglish)
        next.image = "preview"
        return next
    }

    static var music: ItemPresentation {
        ItemPresentation(id: "music") {
            $0.title = s("Fog Signals")
            $0.subtitle = s("The Harbour Band")
            $0.artwork = "cover"
            $0.duration = .seconds(2530)
        }
    }

    /// The first channel, whose clock is known.
    static var channel: ItemPresentation {
        ItemPresentation(id: "c1") {
            $0.title = s("Harbour One")
            $0.isLive = true
            $0.channel = "c1"
            $0.clockOrigin = .seconds(Int64(SampleBox.timeOfDay) - 7200)
        }
    }

    static var options: MediaOptions {
        MediaOptions(
            audio: [
                MediaOption(id: "a1", languageTag: "en", badges: [.surround], channels: 6),
                MediaOption(id: "a2", languageTag: "en", badges: [.audioDescription], channels: 2),
                MediaOption(id: "a3", languageTag: "fr", channels: 2),
            ], selectedAudio: "a1",
            subtitles: [
                MediaOption(id: "s1", languageTag: "en", badges: [.sdh]), MediaOption(id: "s2", languageTag: "fr"),
            ], subtitleChoice: .option("s1"), shownSubtitles: "s1")
    }

    /// As many as are kept.
    static var searches: [String] {
        [
            "The Long Pier", "Salt", "Documentary", "Harbour News", "North by East", "Ropework", "Fog Signals", "Low Water",
            "Cinema", "Children",
        ].map { s($0).lowercased() }
    }

    // MARK: Home

    static func entry(_ id: String, _ title: String, number: Int? = nil, artwork: String? = nil) -> HomeContent.Entry {
        HomeContent.Entry(id: id, title: s(title), number: number, artwork: artwork)
    }

    static var home: HomeContent {
        let begun: [(title: String, subtitle: String?, percent: Int?)] = [
            ("The Lighthouse Keeper’s Daughter", s("Season 1, Episode 4 · A Storm Comes In"), 34),
            ("Low Water", s("Documentary"), 80), ("Salt", nil, 5), ("The Long Pier", "2021", nil),
            ("Fog Signals", s("Music"), nil), ("Ropework", s("Documentary"), nil), ("North by East", nil, nil),
        ]
        let entries = begun.enumerated().map { index, programme in
            HomeContent.Entry(
                id: "item\(index)", title: s(programme.title), subtitle: programme.subtitle,
                facts: [s("Drama"), "PG", StringCatalogue.best(for: [Samples.language]).duration(.seconds(2605))],
                summary: index == 2 ? nil : s(Samples.summaryEnglish), artwork: index == 2 ? nil : "chapter\(index)",
                backdrop: index == 2 ? nil : "chapter\(index)", watchedPercent: programme.percent, isWatched: index == 4,
                isLocked: index == 2)
        }
        return HomeContent(
            title: s("Harbour Television"),
            rows: [
                .init(
                    id: "continue", title: StringCatalogue.best(for: [Samples.language]).text(.continueWatching), entries: entries
                ),
                .init(
                    id: "channels", title: StringCatalogue.best(for: [Samples.language]).text(.channels),
                    entries: channels, style: .channels),
                .init(id: "films", title: s("Documentary"), entries: Array(entries.suffix(4))),
            ])
    }

    /// The page of a programme of Home.
    static func details(of id: String) -> Details? {
        if id == series.id { return .series(seriesDetails) }
        guard let entry = home.rows.flatMap(\.entries).first(where: { $0.id == id }) else { return nil }
        let details = ProgrammeDetails(
            entry: entry,
            resume: entry.watchedPercent.map { .seconds(2605 * Int64($0) / 100) },
            audioLanguages: entry.isLocked ? [] : ["en", "fr"], subtitleLanguages: entry.isLocked ? ["en"] : ["en", "fr", "de"],
            series: id == "item0" ? series : nil, isInList: id == "item3", related: related(to: id))
        return .programme(details)
    }

    /// All other programmes of Home, and the series of the first.
    private static func related(to id: String) -> [HomeContent.Entry] {
        home.rows[0].entries.filter { $0.id != id } + (id == "item0" ? [] : [series])
    }

    static var series: HomeContent.Entry {
        HomeContent.Entry(
            id: "lighthouse", kind: .series, title: s("The Lighthouse Keeper’s Daughter"), artwork: "chapter0",
            backdrop: "chapter0")
    }

    /// A season of six episodes, of which three were watched.
    private static var seriesDetails: SeriesDetails {
        let strings = StringCatalogue.best(for: [Samples.language])
        let titles = ["The Lamp", "Low Water", "Salt", "The Lifeboat", "The Wreck", "Morning"]
        let episodes = titles.enumerated().map { index, title in
            SeriesDetails.Episode(
                entry: HomeContent.Entry(
                    id: "episode\(index)", title: s(title), facts: ["PG", strings.duration(.seconds(2605))],
                    summary: index == 4 ? nil : s(Samples.summaryEnglish), artwork: index == 4 ? nil : "chapter\(index)",
                    watchedPercent: index == 3 ? 34 : nil, isWatched: index < 3, isLocked: index == 4),
                number: index + 1)
        }
        var entry = series
        entry.facts = [s("Drama"), "PG"]
        entry.summary = s(Samples.summaryEnglish)
        return SeriesDetails(
            entry: entry,
            seasons: (1...3).map { SeriesDetails.Season(title: strings.text(.seasonNumber, "\($0)"), episodes: episodes) },
            next: SeriesDetails.Next(
                id: "episode3", title: strings.text(.continueEpisode, strings.text(.episodeNumber, "1", "4"))), isInList: true,
            related: related(to: "item0"))
    }

    static var channels: [HomeContent.Entry] {
        [
            entry("c1", "Harbour One", number: 1), entry("c2", "Sea and Shore", number: 2, artwork: "chapter4"),
            entry("c3", "Cinema", number: 12), entry("c4", "Music", number: 104), entry("c5", "North by East", number: 105),
            entry("c6", "Harbour News", number: 106), entry("c7", "Children", number: 107),
            entry("c8", "The Long Pier", number: 108), entry("c9", "Documentary", number: 109),
        ].map {
            var channel = $0
            channel.isLocked = channel.id == "c9"
            return channel
        }
    }

    // MARK: Guide

    /// Programmes from 19:40 to 23:00; one channel has none.
    static var guide: GuideContent {
        typealias Programme = (title: String, start: (Int, Int), end: (Int, Int))
        let programmes: [String: [Programme]] = [
            "c1": [("Harbour News", (20, 0), (20, 40)), ("The Long Pier", (20, 40), (22, 20))],
            "c2": [("Tides of the North", (19, 40), (20, 50)), ("Ropework", (20, 50), (21, 20)), ("Salt", (21, 20), (23, 0))],
            "c3": [("The Lighthouse Keeper’s Daughter", (20, 0), (22, 0)), ("Harbour News", (22, 0), (22, 30))],
            "c4": [("Fog Signals", (20, 0), (20, 40)), ("Low Water", (20, 40), (21, 30)), ("Morning", (21, 30), (22, 30))],
            "c6": [("Harbour News", (20, 0), (21, 0)), ("Harbour News", (21, 0), (22, 0))],
            "c7": [("The Lamp", (20, 0), (21, 0)), ("The Lifeboat", (21, 0), (22, 0))],
            "c8": [("Documentary", (20, 20), (22, 0))],
        ]
        return GuideContent(
            channels: channels.map { channel in
                GuideContent.Channel(
                    id: channel.id, number: channel.number, title: channel.title, artwork: channel.id == "c2" ? "cover" : nil,
                    programmes: (programmes[channel.id] ?? []).map {
                        .init(
                            title: s($0.title), summary: s(Samples.summaryEnglish), start: ($0.start.0 * 60 + $0.start.1) * 60,
                            end: ($0.end.0 * 60 + $0.end.1) * 60, hasReminder: $0.title == "Salt")
                    })
            })
    }

    /// The same, with all that a guide can say of what is on the first channel.
    static var wholeGuide: GuideContent {
        var whole = guide
        whole.channels[0].programmes[0].subtitle = s("The evening edition")
        whole.channels[0].programmes[0].facts = ["S2 E3", s("Documentary")]
        whole.channels[0].programmes[0].rating = "PG"
        whole.channels[0].programmes[0].artwork = "chapter1"
        return whole
    }

    // MARK: The box

    static var facts: BoxFacts {
        var facts = BoxFacts(
            name: "room-214", version: "1.4.0", update: .upToDate, provider: s("Harbour Television"), session: "5E21C0DE",
            isOnline: true, link: "eth0", address: "192.0.2.14", freeBytes: 11_400_000_000,
            stores: [
                .init(id: "d1", kind: .downloads, title: s("The Lighthouse Keeper’s Daughter"), bytes: 2_100_000_000),
                .init(id: "d2", kind: .downloads, title: s("North by East"), bytes: 3_800_000_000),
                .init(id: "d3", kind: .downloads, title: s("The Long Pier"), bytes: 640_000_000),
                .init(id: "places", kind: .places, bytes: 1_000_000),
            ])
        facts.report = .noStick
        return facts
    }
}
