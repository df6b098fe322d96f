import BoxModel
import ChannelFeed
import LinuxSupport
import MediaTime
import Screens
import Testing

@testable import Appliance

@Suite("What a viewer watches next")
@MainActor
struct UpNextTests {
    /// What a viewer has done with the programmes of a feed.
    @MainActor
    private final class Evening {
        /// A new feed replaces it.
        var whole: Feed
        var date: FeedDate?
        private(set) var places = MemoryPlaceStore()
        let choices = MemoryChoiceStore()

        convenience init(_ members: String) throws { self.init(try feed(members)) }

        init(_ whole: Feed) { self.whole = whole }

        var presentations: Presentations {
            var new = Presentations(
                feed: whole.available(clock: date.map { .trusted($0) } ?? .untrusted), whole: whole, languages: ["en"],
                places: places)
            new.remembered = RememberedChoices(choices)
            return new
        }

        var upNext: UpNext? { presentations.upNext }

        /// Words such as "b a1": `w` watched to its end, `b` begun, `s` looked into for four seconds, `f` taken out of Continue Watching.
        func act(_ words: String) {
            for word in words.split(separator: ",").map({ $0.split(separator: " ").map(String.init) }) {
                let id = word[1]
                switch word[0] {
                case "f": upNext?.forget(id)
                case "w":
                    places.save(nil, of: id)
                    places.markWatched(id)
                    upNext?.note(id, isWatched: true)
                default:
                    places.save(SavedPlace(time: word[0] == "b" ? .seconds(90) : .seconds(4)), of: id)
                    upNext?.note(id, isWatched: false)
                }
            }
        }

        /// The viewing history is deleted; choices stay.
        func forgetHistory() { places = MemoryPlaceStore() }

        var row: [String] { presentations.continueWatching().map(\.id) }

        /// The button of a series.
        func button(_ id: String) -> String? {
            if case .series(let details)? = presentations.details(of: id) { details.next?.title } else { nil }
        }

        func next(_ id: String) -> String? { upNext?.episode(after: id)?.id }
    }

    private static func item(_ id: String, _ more: String = "") -> String {
        #"{"id": "\#(id)", "type": "episode", "title": "\#(id)", "duration": 3000, "streams": [{"url": "\#(id).mp4"}]\#(more)}"#
    }

    private static func members(_ ids: [String], series: String, more: [String: String] = [:]) -> String {
        #""items": [\#(ids.map { item($0, more[$0] ?? "") }.joined(separator: ", "))], "series": \#(series)"#
    }

    private static let series =
        #"[{"id": "s", "title": "Sea", "seasons": [{"number": 0, "episodes": ["x"]}, {"number": 1, "episodes": ["a1", "a2", "a3"]}, "#
        + #"{"number": 4, "episodes": []}, {"number": 5, "episodes": ["b1"]}]}]"#
    private static let ids = ["x", "a1", "a2", "a3", "b1", "film"]

    @Test(
        "the button of a series and Continue Watching follow what was watched",
        arguments: [
            ("", "Play S1 E1", []),
            ("s a1", "Play S1 E1", []),
            ("b a1", "Continue S1 E1", ["a1"]),
            ("w a1", "Continue S1 E2", ["a2"]),
            ("w a1,s a2", "Continue S1 E2", ["a2"]),
            ("w a1,b a2", "Continue S1 E2", ["a2"]),
            ("w a1,s a3", "Continue S1 E2", ["a2"]),
            ("w a1,b a3", "Continue S1 E3", ["a3"]),
            ("b a1,b a2", "Continue S1 E2", ["a2"]),
            ("w a3", "Continue S5 E1", ["b1"]),
            ("w a1,w b1", "Play S1 E1", []),
            ("w b1,w a1", "Continue S1 E2", ["a2"]),
            ("w x", "Continue S1 E1", ["a1"]),
            ("b x", "Continue Special 1", ["x"]),
            ("b a1,f a1", "Play S1 E1", []),
            ("b a1,b a2,f a2", "Play S1 E1", []),
            ("w a1,f a2", "Continue S1 E2", []),
            ("w a1,b a2,f a2", "Continue S1 E2", []),
            ("w a1,f a2,w a2", "Continue S1 E3", ["a3"]),
            ("b film,w a1", "Continue S1 E2", ["a2", "film"]),
            ("w a1,b film", "Continue S1 E2", ["film", "a2"]),
            ("w a1,b film,w a2", "Continue S1 E3", ["a3", "film"]),
            ("w film", "Play S1 E1", []),
        ] as [(String, String, [String])])
    func progress(words: String, button: String, row: [String]) throws {
        let evening = try Evening(Self.members(Self.ids, series: Self.series))
        evening.act(words)
        #expect(evening.button("s") == button && evening.row == row)
    }

    @Test("the next episode is that of the next season with one; after the last and outside series there is none")
    func order() throws {
        let evening = try Evening(Self.members(Self.ids, series: Self.series))
        #expect(["x", "a1", "a3", "b1", "film", "none"].map { evening.next($0) } == ["a1", "a2", "b1", nil, nil, nil])
    }

    @Test("an episode that is listed again keeps its first place, and leads on")
    func duplicates() throws {
        let series = #"[{"id": "s", "title": "Sea", "seasons": [{"episodes": ["a", "a", "b"]}, {"episodes": ["a", "c", "b"]}]}]"#
        let evening = try Evening(Self.members(["a", "b", "c"], series: series))
        #expect(["a", "b", "c"].map { evening.next($0) } == ["b", "c", nil])
        evening.act("w a,w b,w c")
        #expect(evening.row == [] && evening.button("s") == "Play S1 E1")
    }

    @Test(
        "what is not available now is passed over and keeps its place and number; an episode that opens later brings its series back"
    )
    func windows() throws {
        let windows = [
            "a1": #", "window": {"to": "2026-06-01T00:00:00Z"}"#, "a3": #", "window": {"from": "2026-12-01T00:00:00Z"}"#,
            "b1": #", "withdrawn": true"#,
        ]
        let evening = try Evening(Self.members(Self.ids, series: Self.series, more: windows))
        evening.date = FeedDate("2026-05-01T00:00:00Z")
        evening.act("w a1")
        evening.date = FeedDate("2026-11-01T00:00:00Z")
        #expect(evening.button("s") == "Continue S1 E2" && evening.row == ["a2"], "after one whose window has closed")
        evening.act("w a2")
        #expect(evening.row == [] && evening.next("a2") == nil)
        evening.date = FeedDate("2026-12-02T00:00:00Z")
        #expect(evening.row == ["a3"] && evening.next("a2") == "a3" && evening.button("s") == "Continue S1 E3")
        evening.date = nil
        #expect(evening.row == ["a3"], "without a date windows have no effect")
    }

    @Test("where the feed no longer has the last episode, the first that was not watched is next")
    func removed() throws {
        let evening = try Evening(
            Self.members(["a", "b"], series: #"[{"id": "s", "title": "Sea", "seasons": [{"episodes": ["a", "b"]}]}]"#))
        evening.choices.setChoice("watched gone", "episode.s")
        evening.act("w a")
        evening.choices.setChoice("watched gone", "episode.s")
        #expect(evening.button("s") == "Continue S1 E2", "nothing is known of what is gone")
        evening.presentations.places.markWatched("gone")
        #expect(evening.button("s") == "Continue S1 E2" && evening.row == ["b"])
        evening.act("w b")
        evening.choices.setChoice("watched gone", "episode.s")
        #expect(evening.button("s") == "Play S1 E1" && evening.row == [])
    }

    @Test(
        "a new feed without the begun episode goes on with the first that was not watched; with a special where there is no other",
        arguments: [
            ("w a1,b a2", ["x", "a1", "a3", "b1"], "Continue S1 E2", ["a3"]),
            ("w a1,b a2", ["x", "a1"], "Continue Special 1", ["x"]),
            ("w a1,b a2", ["a1"], "Play S1 E1", []), ("w a1,w a2", ["x", "a1", "a3"], "Continue S1 E2", ["a3"]),
            ("b a2", ["x", "a1", "a3"], "Continue S1 E1", []), ("w a1,b a2", ["x", "a1", "a2", "a3"], "Continue S1 E2", ["a2"]),
        ] as [(String, [String], String, [String])])
    func replaced(words: String, left: [String], button: String, row: [String]) throws {
        let evening = try Evening(Self.members(Self.ids, series: Self.series))
        evening.act(words)
        let seasons = [("0", ["x"]), ("1", ["a1", "a2", "a3"]), ("5", ["b1"])].map { number, ids in
            #"{"number": \#(number), "episodes": [\#(ids.filter(left.contains).map { "\"\($0)\"" }.joined(separator: ", "))]}"#
        }
        let series = #"[{"id": "s", "title": "Sea", "seasons": [\#(seasons.joined(separator: ", "))]}]"#
        evening.whole = try feed(Self.members(left, series: series))
        #expect(evening.button("s") == button && evening.row == row, "\(words): \(left)")
    }

    @Test("two series of the same name, with episodes of the same names, are two")
    func sameName() throws {
        let series = ["s", "t"].map { #"{"id": "\#($0)", "title": "Sea", "seasons": [{"episodes": ["\#($0)1", "\#($0)2"]}]}"# }
        let items = ["s1", "s2", "t1", "t2"].map {
            #"{"id": "\#($0)", "type": "episode", "title": "Part \#($0.suffix(1))", "duration": 3000, "streams": [{"url": "\#($0).mp4"}]}"#
        }
        let evening = try Evening(
            #""items": [\#(items.joined(separator: ", "))], "series": [\#(series.joined(separator: ", "))]"#)
        evening.act("w s1")
        #expect(evening.row == ["s2"] && evening.button("s") == "Continue S1 E2" && evening.button("t") == "Play S1 E1")
        evening.act("b t1")
        #expect(evening.row == ["t1", "s2"] && evening.button("t") == "Continue S1 E1" && evening.next("t1") == "t2")
        evening.act("w s2,f t1")
        #expect(evening.row == [] && evening.button("s") == "Play S1 E1" && evening.next("s2") == nil)
    }

    @Test("an episode of several series counts for the one that the viewer is in, otherwise for the first")
    func shared() throws {
        let series =
            #"[{"id": "s", "title": "Sea", "seasons": [{"episodes": ["p", "a"]}]}, "#
            + #"{"id": "t", "title": "Tide", "seasons": [{"episodes": ["o", "p", "b"]}]}]"#
        let evening = try Evening(Self.members(["p", "a", "o", "b"], series: series))
        #expect(evening.next("p") == "a")
        evening.act("w o")
        #expect(evening.next("p") == "b" && evening.row == ["p"])
        #expect(evening.presentations.entry(.item("p"))?.subtitle == "Tide · S1 E2")
        evening.act("w p")
        #expect(evening.row == ["b"] && evening.button("s") == "Continue S1 E2", "it was watched all the same")
        let plain = try Evening(Self.members(["p", "a", "o", "b"], series: series))
        plain.act("w p")
        #expect(plain.row == ["a"])
    }

    @Test("after the viewing history was deleted nothing goes on")
    func history() throws {
        let evening = try Evening(Self.members(Self.ids, series: Self.series))
        evening.act("w a1,b a2,b film")
        evening.forgetHistory()
        #expect(evening.button("s") == "Play S1 E1" && evening.row == [])
    }

    @Test(
        "a proposal of the feed's default leads where Next Episode does; one that the feed makes stays, and null proposes nothing"
    )
    func proposals() throws {
        let proposals = ["a1": #", "proposal": null"#, "a2": #", "proposal": {"next": "film"}"#]
        let evening = try Evening(Self.members(Self.ids, series: Self.series, more: proposals))
        func presented(_ id: String) throws -> ItemPresentation {
            let item = try #require(evening.whole.item(id))
            return evening.presentations.presentation(of: Programme(.item(item)), source: nil)
        }
        #expect(try presented("x").proposal?.next == "a1" && presented("x").nextEpisode?.id == "a1")
        #expect(try presented("a1").proposal == nil && presented("a1").nextEpisode?.id == "a2")
        #expect(try presented("a2").proposal?.next == "film" && presented("a2").nextEpisode?.id == "a3")
        #expect(try presented("b1").nextEpisode == nil && presented("film").nextEpisode == nil)
        let item = try #require(evening.whole.item("a1"))
        let channel = try feed(
            #""channels": [{"id": "c", "title": "C", "kind": "playlist", "items": ["m"]}], "items": [\#(Self.item("m"))]"#)
        let queued = Programme(.item(item), queue: (channel.channels[0], 0))
        #expect(evening.presentations.presentation(of: queued, source: nil).nextEpisode == nil, "the queue says what follows")
    }

    @Test("a next episode that needs the PIN is offered with its padlock, and without its summary")
    func locked() throws {
        let rating = #", "rating": {"system": "MPA", "value": "R"}, "description": "Secret.""#
        let evening = try Evening(Self.members(Self.ids, series: Self.series, more: ["a2": rating]))
        evening.act("w a1")
        var presentations = evening.presentations
        presentations.limit = ParentalLimit(value: "PG-13")
        let entry = try #require(presentations.continueWatching().first)
        #expect(entry.id == "a2" && entry.isLocked && entry.summary == nil && entry.title == "Sea")
        let item = try #require(evening.whole.item("a1"))
        #expect(presentations.presentation(of: Programme(.item(item)), source: nil).nextEpisode?.isLocked == true)
    }

    @Test("posters say how much is left, of content and by the length that was learned; an episode its series and number")
    func left() throws {
        let more = [
            "a1": #", "trim": {"in": 30}, "interstitials": [{"start": 100, "duration": 600}, {"start": 1000, "duration": 90}]"#,
            "film": #", "subtitle": "A film""#,
        ]
        let evening = try Evening(Self.members(Self.ids, series: Self.series, more: more))
        evening.act("b film,b a1")
        let row = evening.presentations.continueWatching()
        #expect(row.map(\.title) == ["Sea", "film"])
        // 3000 s without 30 of trim and 690 of advertisements, less a minute: 2220 s.
        #expect(row.map(\.subtitle) == ["S1 E1 · 37\u{A0}min left", "49\u{A0}min left"])
        #expect(row[0].facts == ["a1", "38\u{A0}min"] && row[0].watchedPercent == 2)
        #expect(evening.presentations.entry(.item("a1"))?.facts == ["38\u{A0}min"], "as the panel says it")
        #expect(evening.presentations.entry(.item("a1"))?.subtitle == "Sea · S1 E1")
    }

    @Test("where the feed states no length the learned one counts")
    func learned() throws {
        let film = #"{"id": "m", "title": "Film", "streams": [{"url": "m.mp4"}]}"#
        let evening = try Evening(#""items": [\#(film)]"#)
        let lengths = LearnedLengths(evening.choices)
        lengths.set(.seconds(1770), of: "m")
        evening.act("b m")
        var presentations = evening.presentations
        presentations.lengths = lengths
        let entry = try #require(presentations.continueWatching().first)
        #expect(entry.subtitle == "28\u{A0}min left" && entry.watchedPercent == 5)
    }

    @Test("where nobody knows the length, a minute counts and nothing is said of what is left")
    func unknownLength() throws {
        let items = ["a", "b"].map { #"{"id": "\#($0)", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}]}"# }
        let evening = try Evening(
            #""items": [\#(items.joined(separator: ", "))], "series": [{"id": "s", "title": "Sea", "seasons": [{"episodes": ["a", "b"]}]}]"#
        )
        evening.act("s a")
        #expect(evening.row == [] && evening.button("s") == "Play S1 E1")
        evening.act("b a")
        let entry = try #require(evening.presentations.continueWatching().first)
        #expect(entry.id == "a" && entry.subtitle == "S1 E1" && entry.watchedPercent == nil)
        evening.act("w a")
        #expect(evening.row == ["b"])
    }

    @Test(
        "episodes name their series once",
        arguments: [
            (nil, "Sea · S1 E1"), ("", "Sea · S1 E1"), ("Pilot", "Sea · Pilot"), ("Sea, part one", "Sea, part one"),
        ] as [(String?, String)])
    func names(own: String?, line: String) throws {
        let more = own.map { ["a1": #", "subtitle": "\#($0)""#] } ?? [:]
        let evening = try Evening(Self.members(Self.ids, series: Self.series, more: more))
        #expect(evening.presentations.entry(.item("a1"))?.subtitle == line)
        let item = try #require(evening.whole.item("a1"))
        #expect(evening.presentations.presentation(of: Programme(.item(item)), source: nil).subtitle == line)
    }

    // MARK: Properties

    /// The last thing that was done to an episode decides: begun, it is next; watched, the one after it.
    @Test("three episodes begun and watched in every order, up to four times")
    func everyOrder() throws {
        let order = ["a1", "a2", "a3"]
        let whole = try feed(
            Self.members(order, series: #"[{"id": "s", "title": "Sea", "seasons": [{"episodes": ["a1", "a2", "a3"]}]}]"#))
        let words = order.flatMap { ["w \($0)", "b \($0)"] }
        var histories: [[String]] = [[]]
        for _ in 0..<4 { histories += histories.flatMap { history in words.map { history + [$0] } } }
        for history in Set(histories) where !history.isEmpty {
            let evening = Evening(whole)
            evening.act(history.joined(separator: ","))
            let (verb, id) = (history[history.count - 1].prefix(1), String(history[history.count - 1].suffix(2)))
            let next = verb == "b" ? id : order.firstIndex(of: id).flatMap { $0 + 1 < order.count ? order[$0 + 1] : nil }
            let entries = evening.presentations.continueWatching()
            #expect(entries.map(\.id) == [next].compactMap { $0 }, "\(history)")
            let number = next.map { "Continue S1 E\($0.suffix(1))" } ?? "Play S1 E1"
            #expect(evening.button("s") == number, "\(history)")
            // Its bar is there where it was begun after it was watched last.
            let own = next.map { next in history.last { $0.hasSuffix(next) } } ?? nil
            #expect((entries.first?.watchedPercent != nil) == (own?.hasPrefix("b") == true), "\(history)")
        }
    }

    private static func randomFeed(_ random: inout SeededGenerator) -> (ids: [String], members: String) {
        let ids = (0..<12).map { "e\($0)" }
        var more: [String: String] = [:]
        for id in ids where Int.random(in: 0..<5, using: &random) == 0 {
            more[id] =
                [
                    #", "window": {"to": "2026-06-01T00:00:00Z"}"#, #", "window": {"from": "2026-12-01T00:00:00Z"}"#,
                    #", "withdrawn": true"#,
                    #", "resume": false"#,
                ][Int.random(in: 0..<4, using: &random)]
        }
        let series = (0..<3).map { number in
            let seasons = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                let episodes = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    "\"e\(Int.random(in: 0..<12, using: &random))\""
                }.joined(separator: ", ")
                return #"{"number": \#(Int.random(in: 0..<4, using: &random)), "episodes": [\#(episodes)]}"#
            }
            return #"{"id": "s\#(number)", "title": "S\#(number)", "seasons": [\#(seasons.joined(separator: ", "))]}"#
        }
        return (ids, members(ids, series: "[\(series.joined(separator: ", "))]", more: more))
    }

    @Test("whatever is in the feed and was watched: what is offered can be played, once, and each series at most once")
    func properties() throws {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<150 {
            let (ids, members) = Self.randomFeed(&random)
            let evening = try Evening(members)
            for _ in 0..<20 {
                evening.date = [nil, "2026-05-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-12-24T00:00:00Z"][
                    Int.random(in: 0..<4, using: &random)
                ]
                .flatMap { FeedDate($0) }
                evening.act(
                    ["w", "b", "s", "f"][Int.random(in: 0..<4, using: &random)] + " "
                        + ids[Int.random(in: 0..<12, using: &random)])
                let upNext = try #require(evening.upNext)
                let row = evening.row
                #expect(
                    row.count <= 10 && Set(row).count == row.count && row.allSatisfy { upNext.feed.item($0) != nil }, "\(members)"
                )
                for series in upNext.feed.series {
                    let step = upNext.step(in: series)
                    let available = series.order.contains { upNext.feed.item($0) != nil }
                    #expect((step == nil) == !available, "\(members)")
                    if let step { #expect(series.order.contains(step.episode.id) && upNext.feed.item(step.episode.id) != nil) }
                }
                // Whoever goes on and on comes to an end.
                for id in ids {
                    var (current, steps) = (Optional(id), 0)
                    while let step = current, steps < 100 { (current, steps) = (evening.next(step), steps + 1) }
                    #expect(steps <= 100)
                    #expect(evening.next(id) != id)
                }
            }
        }
    }

    @Test("whoever watches a series from its button on sees each available episode after it once, and then the row is without it")
    func wholeSeries() throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<60 {
            let order = (0..<8).map { _ in "\"e\(Int.random(in: 0..<6, using: &random))\"" }.joined(separator: ", ")
            let evening = try Evening(
                Self.members(
                    (0..<6).map { "e\($0)" },
                    series: #"[{"id": "s", "title": "S", "seasons": [{"number": 1, "episodes": [\#(order)]}]}]"#))
            let upNext = try #require(evening.upNext), series = try #require(upNext.feed.series.first)
            var seen: [String] = []
            while let step = evening.upNext?.step(in: series), seen.count < 20 {
                if case .begin = step, !seen.isEmpty { break }
                if !seen.isEmpty {
                    #expect(evening.row == [step.episode.id] && evening.next(seen[seen.count - 1]) == step.episode.id)
                }
                seen.append(step.episode.id)
                evening.act("w \(step.episode.id)")
            }
            #expect(seen == series.order && evening.row == [])
        }
    }
}
