import BoxModel
import ChannelFeed
import Foundation
import MediaModel
import MediaSources
import MediaTime
import Metadata
import Playback
import ProgrammeGuide
import Screens
import Testing

@testable import Appliance

@Suite("What viewers are shown of a feed and its streams")
@MainActor
struct PresentationsTests {
    private static func item(_ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "type": "movie", "title": "Title \#(id)", "streams": [{"url": "\#(id).mp4"}]\#(more.isEmpty ? "" : ", " + more)}"#
    }

    private func presentations(_ members: String, places: any PlaceStore = MemoryPlaceStore()) throws -> Presentations {
        Presentations(feed: try feed(members), languages: ["en"], places: places)
    }

    private func source(height: Int? = nil, channels: [Int] = [], _ change: (inout SourceDescription) -> Void = { _ in })
        -> SourceDescription
    {
        var tracks: [TrackDescription] = []
        if let height {
            var track = TrackDescription(id: TrackID(0), type: .video, codec: "h264")
            track.height = height
            tracks.append(track)
        }
        for (number, count) in channels.enumerated() {
            var track = TrackDescription(id: TrackID(number + 1), type: .audio, codec: "aac")
            track.channels = count
            tracks.append(track)
        }
        var source = SourceDescription(kind: "file", tracks: tracks, duration: .finite(.seconds(60)), seekableTimeRanges: [])
        change(&source)
        return source
    }

    // MARK: The current item

    @Test(
        "the badges state the height of the picture and surround sound",
        arguments: [
            (576, [2], []), (719, [], []), (720, [2], ["HD"]), (1080, [2, 6], ["HD", "5.1"]), (2159, [3], ["HD", "5.1"]),
            (2160, [6, 2], ["4K", "5.1"]), (nil, [2], []), (nil, [6], ["5.1"]),
        ] as [(Int?, [Int], [String])])
    func badges(height: Int?, channels: [Int], badges: [String]) {
        let presentations = Presentations(feed: nil, languages: ["en"], places: MemoryPlaceStore())
        let programme = Programme(.url("https://test/a.mp4"))
        let source = source(height: height, channels: channels)
        #expect(presentations.presentation(of: programme, source: source).badges == badges)
    }

    @Test("the rating in a file is shown unless the feed has one; an empty one hides it")
    func rating() throws {
        let metadata = MediaMetadata(items: [MetadataItem(.iTunesMetadataContentRating, .text("mpaa|PG-13|300|"))])
        let presentations = try presentations(
            #""items": [\#(Self.item("a")), \#(Self.item("b", #""rating": {"system": "MPA", "value": "R"}"#)), \#(Self.item("c", #""rating": """#))]"#
        )
        func rating(_ id: String) throws -> String? {
            let programme = Programme(.item(try #require(presentations.feed?.item(id))))
            return presentations.presentation(of: programme, source: source(), metadata: metadata).rating
        }
        #expect(try rating("a") == "PG-13" && rating("b") == "R" && rating("c") == "")
        let address = Programme(.url("https://test/a.mp4"))
        #expect(presentations.presentation(of: address, source: source(), metadata: metadata).rating == "PG-13")
    }

    @Test("an address has the title of its file, otherwise the last part of the path")
    func address() {
        let presentations = Presentations(feed: nil, languages: ["en"], places: MemoryPlaceStore())
        let programme = Programme(.url("https://test/films/low.tide.mp4?token=a/b#t=1"))
        #expect(presentations.presentation(of: programme, source: nil).title == "low.tide.mp4")
        let source = source {
            $0.tags = [("Title", "Low Tide"), ("album", "Coast"), ("comment", "A film."), ("genre", "Drama")]
        }
        let shown = presentations.presentation(of: programme, source: source)
        #expect(shown.title == "Low Tide" && shown.subtitle == "Coast" && shown.summary == "A film." && shown.genre == "Drama")
    }

    @Test("the feed's texts take precedence over those of the file, which fill gaps")
    func precedence() throws {
        let presentations = try presentations(
            #""items": [\#(Self.item("a", #""genre": "Comedy""#)), {"id": "b", "type": "movie", "streams": [{"url": "b.mp4"}]}]"#)
        let source = source {
            $0.tags = [("title", "File"), ("description", "Long."), ("comment", "Short."), ("genre", "Drama")]
        }
        let feed = try #require(presentations.feed)
        func shown(_ id: String) throws -> ItemPresentation {
            presentations.presentation(of: Programme(.item(try #require(feed.item(id)))), source: source)
        }
        #expect(try shown("a").title == "Title a" && shown("a").genre == "Comedy" && shown("a").summary == "Long.")
        #expect(try shown("b").title == "File" && shown("b").genre == "Drama")
    }

    @Test("the chapters of the file are used if the feed has none, and its cover if the feed has no picture")
    func chapters() throws {
        let marker = #""markers": [{"kind": "chapter", "start": 5, "title": "Feed"}]"#
        let picture = #""artwork": "a.png""#
        let presentations = try presentations(#""items": [\#(Self.item("a", "\(marker), \(picture)")), \#(Self.item("b"))]"#)
        let source = source {
            $0.chapters = [
                ChapterDescription(range: TimeRange(start: .seconds(1), end: .seconds(9)), title: "File"),
                ChapterDescription(range: TimeRange(start: .seconds(9), end: .seconds(60)), title: nil),
            ]
            $0.artwork = [[1]]
        }
        let feed = try #require(presentations.feed)
        let own = presentations.presentation(of: Programme(.item(try #require(feed.item("a")))), source: source)
        #expect(own.markers.map(\.title) == ["Feed"] && own.artwork == "https://test/a.png")
        let other = presentations.presentation(of: Programme(.item(try #require(feed.item("b")))), source: source)
        #expect(other.markers.map(\.title) == ["File", nil] && other.markers.map(\.start) == [.seconds(1), .seconds(9)])
        #expect(other.artwork == Appliance.embeddedArtwork)
    }

    @Test(
        "the badges of an audio or caption option state what it is for",
        arguments: [
            ([], .track(TrackID(1)), nil, []),
            (["public.accessibility.describes-video"], .track(TrackID(1)), 2, [.audioDescription]),
            (["public.accessibility.enhances-speech-intelligibility"], .track(TrackID(1)), 6, [.enhancedDialogue, .surround]),
            (["public.auxiliary-content"], .track(TrackID(1)), 3, [.commentary, .surround]),
            (["public.easy-to-read"], .file("a.vtt"), nil, [.easyToRead]),
            (["public.accessibility.transcribes-spoken-dialog"], .file("a.vtt"), nil, [.sdh]),
            (["public.accessibility.transcribes-spoken-dialog"], .closedCaptions("CC1"), nil, [.closedCaptions]),
        ] as [([String], MediaSelectionOption.Source, Int?, [MediaOption.Badge])])
    func optionBadges(
        characteristics: [String], source: MediaSelectionOption.Source, channels: Int?, badges: [MediaOption.Badge]
    ) {
        var option = MediaSelectionOption(
            id: "x", source: source, extendedLanguageTag: "de", displayName: "X", mediaCharacteristics: characteristics,
            channels: channels)
        #expect(option.interfaceOption.badges == badges)
        #expect(option.interfaceOption.languageTag == "de" && option.interfaceOption.name == "X")
        option.isForced = true
        #expect(option.interfaceOption.badges.contains(.forced))
    }

    // MARK: Home

    @Test("Home has the channels by number, what was begun, and the rows of the feed that have entries")
    func home() throws {
        let places = MemoryPlaceStore()
        places.save(SavedPlace(time: .seconds(15), owedInterstitial: nil), of: "b")
        let presentations = try presentations(
            #"""
            "channels": [{"id": "two", "number": 2, "title": "Two", "streams": [{"url": "c.mp4"}]},
                         {"id": "one", "number": 1, "title": "One", "streams": [{"url": "c.mp4"}]}],
            "items": [\#(Self.item("a", #""tags": ["sea"]"#)), \#(Self.item("b", #""duration": 60"#))],
            "rows": [{"title": "Sea", "tag": "sea"}, {"title": "Land", "tag": "land"}]
            """#, places: places)
        let home = presentations.home()
        #expect(home.rows.map(\.id) == ["continue", "channels", "row-0"])
        #expect(home.rows[1].entries.map(\.id) == ["one", "two"] && home.rows[1].style == .channels)
        #expect(home.rows[0].entries.map(\.watchedPercent) == [25])
        #expect(home.rows[2].title == "Sea" && home.rows[2].entries.map(\.id) == ["a"])
        #expect(home.searchable.map(\.id) == ["two", "one", "a", "b"])
    }

    @Test("without channels and rows Home has one row with all items; without items it has none")
    func plainHome() throws {
        let rows = try presentations(#""items": [\#(Self.item("a")), \#(Self.item("b"))]"#).home().rows
        #expect(rows.map(\.id) == ["items"] && rows.first?.entries.map(\.id) == ["a", "b"])
        #expect(rows.first?.entries.map(\.watchedPercent) == [nil, nil])
        let channel = #"{"id": "one", "number": 1, "title": "One", "streams": [{"url": "c.mp4"}]}"#
        #expect(try presentations(#""channels": [\#(channel)]"#).home().rows.map(\.id) == ["channels"])
    }

    @Test("at most ten started items are on Home, the newest first, without withdrawn ones and those that do not resume")
    func begun() throws {
        let places = MemoryPlaceStore()
        let ids = (1...13).map { "i\($0)" }
        for id in ids { places.save(SavedPlace(time: .seconds(61), owedInterstitial: nil), of: id) }
        let items = ids.map { id in
            Self.item(id, id == "i13" ? #""withdrawn": true"# : id == "i12" ? #""resume": false"# : "")
        }
        let begun = try presentations(#""items": [\#(items.joined(separator: ", "))]"#, places: places).continueWatching()
        #expect(begun.map(\.id) == (2...11).reversed().map { "i\($0)" })
    }

    @Test(
        "an item is begun from a minute of its content on, or from two percent of it; its length is the feed's, or what the player learned"
    )
    func begunFrom() throws {
        let places = MemoryPlaceStore()
        let choices = MemoryChoiceStore()
        let lengths = LearnedLengths(choices)
        func begun(_ place: MediaTime, _ more: String, learned: MediaTime? = nil) throws -> [HomeContent.Entry] {
            places.save(SavedPlace(time: place), of: "a")
            lengths.set(learned, of: "a")
            var presentations = try presentations(#""items": [\#(Self.item("a", more))]"#, places: places)
            presentations.lengths = lengths
            return presentations.continueWatching()
        }
        let film = #""duration": 7200"#
        #expect(try begun(.milliseconds(59_900), film).isEmpty)
        #expect(try begun(.seconds(60), film).count == 1)
        #expect(try begun(.seconds(80), film + #", "interstitials": [{"start": 0, "duration": 30}]"#).isEmpty, "an advertisement")
        #expect(try begun(.seconds(1060), film + #", "trim": {"in": 1010}"#).isEmpty, "what was cut off")
        #expect(try begun(.seconds(4), #""duration": 1200"#).isEmpty && begun(.seconds(24), #""duration": 1200"#).count == 1)
        #expect(try begun(.seconds(4), "").isEmpty && begun(.seconds(4), "", learned: .seconds(300)).isEmpty)
        let short = try begun(.seconds(75), "", learned: .seconds(300))
        #expect(short.map(\.watchedPercent) == [25])
        #expect(try begun(.zero, film).count == 1, "the next episode, which the viewer has put off")
        for text in ["-1", "0", "nonsense", "9223372036854775807"] {
            choices.setChoice(text, "length.a")
            #expect(lengths["a"] == nil)
        }
    }

    @Test("the page of an item has its widest picture, its languages, and where it resumes without advertisements")
    func itemPage() throws {
        let places = MemoryPlaceStore()
        places.save(SavedPlace(time: .seconds(40), owedInterstitial: nil), of: "a")
        let more =
            #""duration": 60, "genre": "Crime", "description": "A night.", "#
            + #""artwork": {"poster": "p.jpg", "background": "b.jpg"}, "subtitles": [{"language": "de", "url": "de.vtt"}], "#
            + #""interstitials": [{"start": 10, "duration": 20}]"#
        let items = [Self.item("a", more), Self.item("b", #""artwork": "p.jpg""#)].joined(separator: ", ")
        let presentations = try presentations(#""items": [\#(items)]"#, places: places)
        func page(_ id: String) -> ProgrammeDetails? {
            if case .programme(let details)? = presentations.details(of: id) { details } else { nil }
        }
        let details = try #require(page("a"))
        #expect(details.entry.id == "a" && details.entry.summary == "A night." && details.entry.facts == ["Crime", "40\u{A0}s"])
        #expect(details.entry.backdrop?.hasSuffix("b.jpg") == true && details.resume == .seconds(20))
        #expect(details.subtitleLanguages == ["de"] && details.audioLanguages == [])
        #expect(page("b")?.entry.backdrop?.hasSuffix("p.jpg") == true)
        #expect(page("b")?.resume == nil)
        #expect(presentations.details(of: "none") == nil)
    }

    @Test("the page of a series has its seasons with what was watched, and the episode that is next")
    func seriesPage() throws {
        let places = MemoryPlaceStore()
        places.markWatched("a")
        places.markWatched("b")
        places.save(SavedPlace(time: .seconds(15)), of: "b")
        let series =
            #"{"id": "s", "title": "Sea", "genre": "Crime", "seasons": [{"number": 0, "episodes": ["c"]}, "#
            + #"{"number": 1, "episodes": ["a", "b"]}, {"number": 2, "title": "Far", "episodes": ["d"]}]}"#
        let items = ["a", "b", "c", "d"].map {
            Self.item($0, #""duration": 60"#).replacingOccurrences(of: "movie", with: "episode")
        }
        let presentations = try presentations(
            #""items": [\#(items.joined(separator: ", "))], "series": [\#(series)]"#, places: places)
        guard case .series(let page)? = presentations.details(of: "s") else {
            Issue.record("no page")
            return
        }
        #expect(page.entry.facts == ["Crime"] && page.next?.id == "b" && !page.isInList)
        #expect(page.seasons.map(\.title) == ["Specials", "Season 1", "Far"])
        #expect(page.seasons[1].episodes.map(\.entry.isWatched) == [true, false], "one that was begun again is not marked")
        #expect(page.seasons[1].episodes.map(\.entry.watchedPercent) == [nil, 25])
        guard case .programme(let episode)? = presentations.details(of: "d") else {
            Issue.record("no page of an episode")
            return
        }
        #expect(episode.series?.id == "s")
    }

    private func like(_ id: String, _ members: String, places: any PlaceStore = MemoryPlaceStore()) throws -> [String] {
        var presentations = try presentations(members, places: places)
        presentations.moreLikeThis = presentations.feed.map { MoreLikeThis($0) }
        guard case .programme(let page)? = presentations.details(of: id) else { return ["no page"] }
        return page.related.map(\.id)
    }

    @Test("a shared genre counts three and each shared tag two; then what was not watched, then the feed's order")
    func moreLikeThis() throws {
        let items = [
            Self.item("a", #""genre": {"en": "Crime", "de": "Krimi"}, "tags": ["Sea", "night", "1950s"]"#),
            Self.item("sea", #""tags": ["sea"]"#), Self.item("none", #""genre": "Comedy", "tags": ["land"]"#), Self.item("bare"),
            Self.item("seen", #""genre": {"de": "krimi"}"#), Self.item("crime", #""genre": {"fr": "Polar", "en": "CRIME"}"#),
            Self.item("both", #""genre": "Crime", "tags": ["night"]"#), Self.item("tags", #""tags": ["night", "1950s", "Sea"]"#),
            Self.item("trailer", #""genre": "Crime""#).replacingOccurrences(of: "movie", with: "trailer"),
        ]
        let places = MemoryPlaceStore()
        places.markWatched("seen")
        places.markWatched("crime")
        places.save(SavedPlace(time: .seconds(5)), of: "crime")
        let members = #""items": [\#(items.joined(separator: ", "))]"#
        #expect(try like("a", members, places: places) == ["tags", "both", "crime", "seen", "sea"])
        #expect(try like("none", members) == [] && like("bare", members) == [] && like("trailer", members) == [])
        let many = (0..<20).map { Self.item("i\($0)", #""genre": "Crime""#) }.joined(separator: ", ")
        #expect(try like("i3", #""items": [\#(many)]"#) == (0..<13).filter { $0 != 3 }.map { "i\($0)" })
    }

    @Test("an episode counts as its series, and no page offers its own series, a channel, or what is not available")
    func moreLikeThisInSeries() throws {
        func episode(_ id: String, _ more: String) -> String {
            Self.item(id, more).replacingOccurrences(of: "movie", with: "episode")
        }
        let items = [
            episode("a1", #""genre": "Crime""#), episode("a2", #""tags": ["sea"]"#), episode("b1", #""tags": ["sea"]"#),
            Self.item("film", #""genre": "Crime", "tags": ["sea"]"#), Self.item("gone", #""genre": "Crime", "withdrawn": true"#),
            Self.item("past", #""genre": "Crime", "window": {"to": "2026-01-01T00:00:00Z"}"#),
        ]
        let series =
            #"[{"id": "a", "title": "A", "seasons": [{"number": 1, "episodes": ["a1", "a2"]}]}, "#
            + #"{"id": "b", "title": "B", "genre": "Crime", "seasons": [{"number": 1, "episodes": ["b1"]}]}]"#
        let members =
            #""items": [\#(items.joined(separator: ", "))], "series": \#(series), "#
            + #""channels": [{"id": "c", "title": "C", "genre": "Crime", "streams": [{"url": "c.m3u8"}]}]"#
        let now = try #require(FeedDate("2026-11-20T00:00:00Z"))
        var presentations = try presentations(members)
        presentations.feed = presentations.feed?.available(clock: .trusted(now))
        presentations.moreLikeThis = presentations.feed.map { MoreLikeThis($0) }
        func related(_ id: String) -> [String] {
            switch presentations.details(of: id) {
            case .programme(let page)?: page.related.map(\.id)
            case .series(let page)?: page.related.map(\.id)
            case nil: []
            }
        }
        #expect(related("a1") == ["b", "film"] && related("a2") == ["b", "film"], "by all that its series has")
        #expect(related("film") == ["a", "b"] && related("b1") == ["a", "film"])
        #expect(related("a") == related("a1") && related("b") == related("b1"), "the page of the series has the same row")
    }

    @Test("a series needs the PIN by its rating, or where each of its episodes does; then it has no summary")
    func lockedSeries() throws {
        func rated(_ id: String, _ value: String) -> String {
            Self.item(id, #""rating": {"system": "MPA", "value": "\#(value)"}"#).replacingOccurrences(
                of: "movie", with: "episode")
        }
        func series(_ id: String, _ episodes: String, _ more: String = "") -> String {
            #"{"id": "\#(id)", "title": "S", "description": "D", "genre": "Crime", "seasons": [{"number": 1, "episodes": [\#(episodes)]}]\#(more)}"#
        }
        let all = [
            series("s-rated", #""mild""#, #", "rating": {"system": "MPA", "value": "R"}"#), series("s-strong", #""strong""#),
            series("s-mixed", #""mild2", "strong2""#),
        ].joined(separator: ", ")
        let items = [rated("mild", "G"), rated("strong", "R"), rated("mild2", "G"), rated("strong2", "R")]
        var presentations = try presentations(#""items": [\#(items.joined(separator: ", "))], "series": [\#(all)]"#)
        presentations.limit = ParentalLimit(value: "PG-13")
        for (id, isLocked) in [("s-rated", true), ("s-strong", true), ("s-mixed", false)] {
            #expect(presentations.entry(.series(id))?.isLocked == isLocked, "\(id)")
            guard case .series(let page)? = presentations.details(of: id) else {
                Issue.record("no page of \(id)")
                continue
            }
            #expect((page.entry.summary == nil) == isLocked && page.entry.isLocked == isLocked, "\(id)")
        }
    }

    @Test("the list keeps the newest first, each once, and no more than its limit")
    func list() {
        let store = MemoryChoiceStore()
        let list = MyList(store)
        for id in ["a", "b", "a"] { list.set(true, id) }
        #expect(list.ids == ["a", "b"])
        list.set(false, "a")
        #expect(MyList(store).ids == ["b"], "it is stored")
        for number in 0..<MyList.most { list.set(true, "i\(number)") }
        #expect(list.ids.count == MyList.most && !list.ids.contains("b") && list.ids.first == "i\(MyList.most - 1)")
        for id in list.ids { list.set(false, id) }
        #expect(store.choice("list") == nil)
    }

    // MARK: The guide

    @Test("a programme of a schedule ends with its item, at the latest with the next; the guide has three days of it")
    func schedule() throws {
        let entries = [
            ("2026-11-18T23:00:00Z", "a"), ("2026-11-20T20:00:00Z", "a"), ("2026-11-20T20:30:00Z", "b"),
            ("2026-11-20T21:00:00Z", "c"), ("2026-11-23T00:00:00Z", "a"),
        ].map { #"{"at": "\#($0.0)", "item": "\#($0.1)"}"# }.joined(separator: ", ")
        let presentations = try presentations(
            #"""
            "items": [\#(Self.item("a", #""duration": 600"#)), \#(Self.item("b", #""duration": 7200"#)), \#(Self.item("c"))],
            "channels": [{"id": "n", "number": 9, "title": "N", "streams": [{"url": "n.mp4"}]},
                         {"id": "s", "number": 3, "title": "S", "kind": "schedule", "entries": [\#(entries)]}]
            """#)
        let midnight = try #require(FeedDate("2026-11-20T00:00:00Z"))
        let programmes = try #require(presentations.guide(midnight: midnight).channels.first).programmes
        let evening = 20 * 3600
        #expect(programmes.map(\.start) == [evening, evening + 1800, evening + 3600])
        #expect(programmes.map(\.end) == [evening + 600, evening + 3600, 3 * 86_400])
        #expect(presentations.guide(midnight: midnight).channels.map(\.id) == ["s", "n"], "by their numbers")
        #expect(presentations.guide(midnight: nil).channels.isEmpty, "without the time of day there is no guide")
    }

    // MARK: Without a network

    @Test("what is saved or a file plays without a network; of channels and series only what is there as a whole")
    func withoutNetwork() throws {
        var presentations = try presentations(
            #"""
            "channels": [
                {"id": "live", "title": "L", "streams": [{"url": "live.m3u8"}]},
                {"id": "path", "title": "D", "streams": [{"url": "/media/disk.mp4"}]},
                {"id": "here", "title": "H", "streams": [{"url": "http://127.0.0.1:8000/a.m3u8"}]},
                {"id": "part", "title": "P", "kind": "playlist", "items": ["a", "b"]},
                {"id": "all", "title": "A", "kind": "playlist", "items": ["a", "c"]}],
            "series": [{"id": "s", "title": "S", "seasons": [{"number": 1, "episodes": ["a", "c"]}]}],
            "items": [\#(Self.item("a")), \#(Self.item("b")), \#(Self.item("c"))]
            """#)
        let states: [String: HomeContent.Saving] = ["a": .saved, "b": .saving(percent: 99), "c": .saved]
        presentations.saving = { states[$0] }
        let home = presentations.home()
        let playing = Set(home.searchable.filter(\.playsOffline).map(\.id))
        #expect(playing == ["a", "c", "here", "all", "s"])
        #expect(home.rows.first { $0.id == "saved" }?.entries.map(\.id) == ["a", "c"])
        #expect(home.searchable.first { $0.id == "b" }?.saving == .saving(percent: 99))
        presentations.saving = { _ in nil }
        #expect(!presentations.home().rows.contains { $0.id == "saved" })
    }
}
