import MediaModel
import MediaTime
import Testing

@testable import ChannelFeed

@Suite("The resulting feed")
struct ModelTests {
    private func item(_ parts: String, top: String = "") throws -> Item {
        let verdict = read(itemFeed(parts, top: top))
        return try #require(verdict.feed?.item("m1"), "\(verdict.text())")
    }

    // MARK: Times

    @Test("content time is converted once, past the interstitials before it")
    func contentTimeline() throws {
        let item = try item(
            #"""
            "timeline": "content", "duration": 300,
            "interstitials": [{"id": "pre", "start": 0, "duration": 15, "kind": "ad"}, {"id": "mid", "start": 115, "duration": 30, "kind": "ad"},
                              {"id": "post", "start": 345, "duration": 10, "kind": "promo"}],
            "markers": [{"kind": "chapter", "start": 0}, {"kind": "intro", "start": 50, "end": 100}, {"kind": "chapter", "start": 100},
                        {"kind": "credits", "start": 290}],
            "proposal": {"next": "m2", "at": 290}
            """#)
        #expect(item.duration == .seconds(355))
        #expect(item.markers.map(\.start) == [.seconds(15), .seconds(65), .seconds(145), .seconds(335)])
        // The intro ends where the content stops for the interstitial, not after it.
        #expect(item.markers.map(\.end) == [.seconds(145), .seconds(115), .seconds(355), .seconds(355)])
        #expect(item.interstitials.map(\.range.start) == [.seconds(0), .seconds(115), .seconds(345)])
        guard case .given(let proposal) = item.proposal else { return #expect(Bool(false), "the feed gives a proposal") }
        #expect(proposal.at == .seconds(335))
    }

    @Test(
        "a picture is fetched again as often as stated, but not more often than every ten seconds",
        arguments: [("300", 300), (#""5:00""#, 300), ("10", 10), ("9.9", 10), ("0", 10), ("null", nil)] as [(String, Int64?)])
    func refresh(text: String, seconds: Int64?) throws {
        let feed = #"{"feedVersion": 1, "items": [{"id": "m1", "streams": [{"url": "menu?day=1"}], "refresh": \#(text)}]}"#
        #expect(try #require(read(feed).feed?.item("m1")).refresh == seconds.map { .seconds($0) })
    }

    @Test("a picture moves from one part to another and fades; without any of it, it stands")
    func motion() throws {
        func motion(_ parts: String) throws -> PictureMotion? {
            let feed = #"{"feedVersion": 1, "items": [{"id": "m1", "duration": 20, "streams": [{"url": "a.jpg"}]\#(parts)}]}"#
            #expect(read(feed).findings.map(\.description) == [])
            return try #require(read(feed).feed?.item("m1")).motion
        }
        #expect(try motion("") == nil && motion(#", "zoom": {}, "fadeIn": 0"#) == nil)
        #expect(
            try motion(#", "zoom": {"to": 1.25}, "pan": {"to": {"x": 70.5}}, "fadeIn": 1, "fadeOut": "0:02""#)
                == PictureMotion(
                    to: .init(zoom: 1250, x: 705, y: 500), fadeIn: .seconds(1), fadeOut: .seconds(2)))
        #expect(
            try motion(#", "zoom": {"from": 8}, "pan": {"from": {"y": 0}}"#)
                == PictureMotion(from: .init(zoom: 8000, x: 500, y: 0)))
    }

    @Test(
        "a duration of zero states nothing: a picture stands for the standard time, and markers of a film lie within it",
        arguments: ["a.jpg", "a.mp4"])
    func zeroDuration(name: String) throws {
        func end(_ duration: String) throws -> MediaTime? {
            let feed = """
                {"feedVersion": 1, "items": [{"id": "m1", "streams": [{"url": "\(name)"}], "markers": [{"kind": "chapter", "start": 5, "title": "Five"}]\(duration)}]}
                """
            #expect(read(feed).findings.map(\.description) == [])
            let item = try #require(read(feed).feed?.item("m1"))
            #expect(item.duration == nil)
            return try #require(item.markers.first).end
        }
        let standard: MediaTime? = name == "a.jpg" ? PictureMotion.standardDuration : nil
        #expect(try end(#", "duration": 0"#) == standard && end("") == standard)
    }

    @Test("an unknown duration drops the item, because every marker would be misplaced")
    func unknownTimeline() {
        #expect(read(itemFeed(#""timeline": "contents""#)).feed?.items.map(\.id) == ["m2"])
    }

    @Test("interstitials have the defaults of their kind")
    func interstitialDefaults() throws {
        let kinds = ["ad", "legal", "promo", "bumper", "other"]
        let list = kinds.enumerated().map { #"{"start": \#($0 * 10), "duration": 5, "kind": "\#($1)"}"# }.joined(separator: ", ")
        let item = try item("\"interstitials\": [\(list)]")
        #expect(item.interstitials.map(\.isLinear) == [true, true, false, false, false])
        #expect(item.interstitials.allSatisfy { $0.skip == nil && $0.repetition == .once && !$0.playsOnResume })
        let told = try self.item(
            #""interstitials": [{"start": 0, "duration": 5, "kind": "ad", "linear": false, "repeat": "always", "onResume": true, "skip": {}}]"#
        )
        let interstitial = try #require(told.interstitials.first)
        #expect(!interstitial.isLinear && interstitial.repetition == .always && interstitial.playsOnResume)
        #expect(interstitial.skip == Interstitial.SkipControl(offset: .zero, duration: nil))
    }

    @Test("unsorted interstitials are sorted, a chapter inside one is moved to its end")
    func repaired() throws {
        let item = try item(
            #"""
            "interstitials": [{"id": "b", "start": 50, "duration": 10}, {"id": "a", "start": 10, "duration": 10}],
            "markers": [{"kind": "chapter", "start": 0}, {"kind": "chapter", "start": 52}]
            """#)
        #expect(item.interstitials.map(\.id) == ["a", "b"])
        #expect(item.chapters.map(\.start) == [.zero, .seconds(60)] && item.chapters.map(\.end) == [.seconds(60), nil])
        #expect(item.timeline.contentTime(at: .seconds(55)) == .seconds(40))
    }

    @Test("a marker ends at the next, a chapter at the next chapter, the last at the end of playback")
    func markerEnds() throws {
        let item = try item(
            #""duration": 100, "trim": {"out": 90}, "markers": [{"kind": "chapter", "start": 0}, {"kind": "intro", "start": 5}, {"kind": "recap", "start": 9}, {"kind": "chapter", "start": 20}]"#
        )
        #expect(item.markers.map(\.end) == [.seconds(20), .seconds(9), .seconds(20), .seconds(90)])
        #expect(item.marker(.intro, at: .seconds(8)) != nil && item.marker(.intro, at: .seconds(9)) == nil)
        #expect(item.playEnd == .seconds(90))
    }

    @Test("a trim past the end is cut to it, an empty one drops the item")
    func trim() throws {
        let trimmed = try item(#""duration": 100, "trim": {"in": 5, "out": 120}"#)
        #expect(trimmed.trim?.start == .seconds(5) && trimmed.playEnd == .seconds(100))
        #expect(read(itemFeed(#""trim": {"in": 5, "out": 5}"#)).feed?.item("m1") == nil)
        #expect(read(itemFeed(#""duration": 100, "trim": {"in": 100}"#)).feed?.item("m1") == nil)
    }

    // MARK: The next item

    private let seriesFeed = #"""
        {"feedVersion": 1,
         "series": [{"id": "s", "title": "S", "seasons": [{"number": 1, "episodes": ["a", "b"]}, {"number": 2, "episodes": []}, {"number": 3, "episodes": ["c"]}]}],
         "channels": [{"id": "ch", "title": "Channel", "streams": [{"url": "ch.m3u8"}]}],
         "items": [
          {"id": "a", "streams": [{"url": "a"}], "duration": 100, "markers": [{"kind": "credits", "start": 90}]},
          {"id": "b", "streams": [{"url": "b1"}, {"url": "b2"}], "title": "Bee", "artwork": {"still": "b.jpg"}, "genre": "Drama", "postCredits": true,
           "markers": [{"kind": "credits", "start": 90}], "proposal": {"automaticAcceptanceInterval": 5}},
          {"id": "c", "streams": [{"url": "c"}]},
          {"id": "off", "streams": [{"url": "o"}], "proposal": null},
          {"id": "own", "streams": [{"url": "x"}], "proposal": {"next": "ch", "title": "Mine", "at": 7}},
          {"id": "url", "streams": [{"url": "x"}], "proposal": {"url": "more.m3u8", "title": "More"}}]}
        """#

    @Test("an episode that is listed again keeps its first place, and several series may have it")
    func repeatedEpisodes() throws {
        let feed = try #require(
            read(
                #"""
                {"feedVersion": 1, "series": [
                  {"id": "s", "title": "S", "seasons": [{"episodes": ["a", "a", "b"]}, {"number": 7, "episodes": ["a", "c", "b"]}]},
                  {"id": "t", "title": "T", "seasons": [{"episodes": ["d", "b", "a"]}]}],
                 "items": [{"id": "a", "streams": [{"url": "https://cdn.example/a"}]}, {"id": "b", "streams": [{"url": "https://cdn.example/b"}]},
                  {"id": "c", "streams": [{"url": "https://cdn.example/c"}]}, {"id": "d", "streams": [{"url": "https://cdn.example/d"}]}]}
                """#
            ).feed)
        #expect(feed.series[0].order == ["a", "b", "c"] && feed.series[1].order == ["d", "b", "a"])
        #expect(["a", "b", "c", "d"].map { feed.nextEpisode(after: $0)?.id } == ["b", "c", nil, "b"])
        #expect(feed.series(with: "a").map(\.id) == ["s", "t"] && feed.series(with: "c").map(\.id) == ["s"])
        #expect(feed.series(with: "none").isEmpty)
        #expect(feed.series[0].place(of: "c")?.season.number == 7 && feed.series[0].place(of: "c")?.number == 2)
        #expect(feed.series[1].place(of: "c") == nil)
        let item = try #require(feed.item("b"))
        #expect(feed.proposal(of: item)?.next == .item("c") && feed.proposal(of: item, nextEpisode: "a")?.next == .item("a"))
    }

    @Test("by default the next episode is proposed at the credits, across seasons, without automatic acceptance")
    func nextEpisode() throws {
        let verdict = read(seriesFeed)
        #expect(verdict.findings.isEmpty)
        let feed = try #require(verdict.feed)
        #expect(
            feed.nextEpisode(after: "a")?.id == "b" && feed.nextEpisode(after: "b")?.id == "c"
                && feed.nextEpisode(after: "c") == nil)
        #expect(feed.nextEpisode(after: "own") == nil)
        #expect(feed.episode("c")?.season.number == 3 && feed.episode("b")?.number == 2)
        let proposal = try #require(feed.proposal(after: "a"))
        #expect(
            proposal.next == .item("b") && proposal.title?.best(for: []) == "Bee" && proposal.image == "https://cdn.example/b.jpg"
        )
        #expect(
            proposal.streams == [.url("https://cdn.example/b1"), .url("https://cdn.example/b2")]
                && proposal.genre?.best(for: []) == "Drama")
        #expect(proposal.contentTimeForTransition == .seconds(90) && proposal.automaticAcceptanceInterval == nil)
        #expect(feed.proposal(after: "c") == nil)
    }

    @Test("a proposal's own values override its target's; null disables it; post-credits move it to the end")
    func givenProposals() throws {
        let feed = try #require(read(seriesFeed).feed)
        let afterCredits = try #require(feed.proposal(after: "b"))
        #expect(
            afterCredits.contentTimeForTransition == nil && afterCredits.next == .item("c")
                && afterCredits.automaticAcceptanceInterval == .seconds(5))
        #expect(feed.proposal(after: "off") == nil)
        let own = try #require(feed.proposal(after: "own"))
        #expect(own.next == .channel("ch") && own.title?.best(for: []) == "Mine" && own.contentTimeForTransition == .seconds(7))
        let url = try #require(feed.proposal(after: "url"))
        #expect(url.next == nil && url.streams == [.url("https://cdn.example/more.m3u8")])
    }

    @Test("an intended loop is no finding: by loop in a proposal, or in a playlist that loops")
    func meantCircles() {
        func feed(_ loop: String, channels: String) -> String {
            """
            {"feedVersion": 1, "channels": [\(channels)], "items": [{"id": "a", "streams": [{"url": "a"}], "proposal": {"next": "b"\(loop)}},
             {"id": "b", "streams": [{"url": "b"}], "proposal": {"next": "a"}}]}
            """
        }
        let playlist = #"{"id": "p", "title": "P", "kind": "playlist", "loop": true, "items": ["a", "b"]}"#
        #expect(read(feed("", channels: "")).findings.map(\.code) == [.proposalCycle])
        #expect(read(feed(#", "loop": true"#, channels: "")).findings.isEmpty)
        #expect(read(feed("", channels: playlist)).findings.isEmpty)
    }

    @Test("references to a dropped item are dropped; a channel with nothing left is dropped and reported")
    func cascade() throws {
        let verdict = read(
            #"""
            {"feedVersion": 1, "start": {"channel": "p"},
             "channels": [{"id": "p", "title": "P", "kind": "playlist", "items": ["bad"]}, {"id": "q", "title": "Q", "kind": "playlist", "items": ["bad", "ok"]}],
             "series": [{"id": "s", "title": "S", "seasons": [{"number": 1, "episodes": ["ok", "bad"]}]}],
             "rows": [{"title": "R", "items": ["bad", "ok", "p", "s"]}, {"title": "Empty", "items": ["bad"]}],
             "items": [{"id": "ok", "streams": [{"url": "a"}], "proposal": {"next": "bad"}}, {"id": "bad", "streams": [{"url": "a"}], "duration": "x"}]}
            """#)
        #expect(
            verdict.findings.map { "\($0.code.rawValue) \($0.pointer)" } == [
                "FEED-011 /channels/0", "FEED-001 /items/1/duration",
            ])
        let feed = try #require(verdict.feed)
        #expect(feed.channels.map(\.id) == ["q"] && feed.channels[0].items == ["ok"] && feed.start == nil)
        #expect(feed.series[0].seasons[0].episodes == ["ok"])
        #expect(feed.rows.map(\.entries) == [[.item("ok"), .series("s")]])
        #expect(feed.proposal(of: feed.items[0]) == nil)
    }

    // MARK: Channels

    @Test("a schedule shows the entry that has begun, ordered by time; a playlist repeats only if it loops")
    func channels() throws {
        let feed = try #require(
            read(
                #"""
                {"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "a"}]}, {"id": "b", "streams": [{"url": "b"}]}],
                 "channels": [{"id": "s", "title": "S", "kind": "schedule", "entries": [
                   {"at": "2026-11-20T22:00:00+01:00", "item": "b"}, {"at": "2026-11-20T20:00:00Z", "item": "a"}]},
                  {"id": "l", "title": "L", "kind": "playlist", "items": ["a", "b"], "loop": true}, {"id": "p", "title": "P", "kind": "playlist", "items": ["a", "b"]}]}
                """#
            ).feed)
        let scheduled = try #require(feed.channel("s"))
        #expect(scheduled.schedule.entries.map(\.item) == ["a", "b"])
        #expect(scheduled.entry(at: FeedDate("2026-11-20T19:59:59Z")!) == nil)
        #expect(scheduled.entry(at: FeedDate("2026-11-20T20:59:59Z")!)?.item == "a")
        #expect(scheduled.entry(at: FeedDate("2026-11-20T21:00:00Z")!)?.item == "b")
        #expect(
            feed.channel("l")?.index(after: 1) == 0 && feed.channel("p")?.index(after: 1) == nil
                && feed.channel("p")?.index(after: 0) == 1)
        #expect(feed.channel(number: 2)?.id == "l")
    }

    // MARK: Now

    @Test("windows apply with a trusted clock and not before; only strict ones hide")
    func availability() throws {
        let feed = try #require(
            read(
                itemFeed(
                    #""window": {"from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z"}"#,
                    top: #""validUntil": "2026-11-15T00:00:00Z""#)
            ).feed)
        let item = feed.items[0]
        func at(_ text: String) -> FeedClock { .trusted(FeedDate(text)!) }
        #expect(
            feed.availability(of: item, clock: at("2026-10-31T23:59:59Z")) == .notYet(from: FeedDate("2026-11-01T00:00:00Z")!))
        #expect(feed.availability(of: item, clock: at("2026-11-01T00:00:00Z")) == .playable)
        #expect(feed.availability(of: item, clock: at("2026-11-30T23:59:59Z")) == .playable)
        #expect(feed.availability(of: item, clock: at("2026-12-01T00:00:00Z")) == .expired(at: FeedDate("2026-12-01T00:00:00Z")!))
        #expect(feed.available(clock: at("2026-12-01T00:00:00Z")).items.map(\.id) == ["m2"])
        #expect(feed.available(clock: .untrusted).items.map(\.id) == ["m1", "m2"])
        let strict = try #require(read(itemFeed(#""strictWindow": true"#, top: #""validUntil": "2026-11-15T00:00:00Z""#)).feed)
        #expect(strict.availability(of: strict.items[0], clock: .untrusted) == .clockNotTrusted)
        #expect(
            strict.availability(of: strict.items[0], clock: at("2026-11-15T00:00:00Z"))
                == .feedExpired(at: FeedDate("2026-11-15T00:00:00Z")!))
        #expect(strict.availability(of: strict.items[1], clock: at("2026-11-15T00:00:00Z")) == .playable)
        #expect(strict.available(clock: .untrusted).items.map(\.id) == ["m2"])
        let withdrawn = try #require(read(itemFeed(#""withdrawn": true"#)).feed)
        #expect(withdrawn.availability(of: withdrawn.items[0], clock: .notAsked) == .withdrawn)
    }

    @Test("the available part of a feed refers to nothing that is not available, except in schedules")
    func availablePart() throws {
        let gone = #""window": {"to": "2026-11-01T00:00:00Z"}"#
        let feed = try #require(
            read(
                """
                {"feedVersion": 1, "start": {"item": "a"}, "channels": [
                  {"id": "p", "title": "P", "kind": "playlist", "items": ["a", "b"]}, {"id": "q", "title": "Q", "kind": "playlist", "items": ["a"]},
                  {"id": "s", "title": "S", "kind": "schedule", "entries": [{"at": "2026-11-20T20:00:00Z", "item": "a"}]},
                  {"id": "w", "title": "W", "streams": [{"url": "w"}], "withdrawn": true}],
                 "series": [{"id": "x", "title": "X", "seasons": [{"episodes": ["a"]}]}, {"id": "y", "title": "Y", "seasons": [{"episodes": ["a", "b"]}]}],
                 "items": [{"id": "a", "streams": [{"url": "a"}], \(gone)},
                  {"id": "b", "streams": [{"url": "b"}], "proposal": {"next": "a"}}, {"id": "c", "streams": [{"url": "c"}], "tags": ["t"]}],
                 "rows": [{"title": "1", "items": ["a", "w"]}, {"title": "2", "items": ["a", "b"]}, {"title": "3", "tag": "t"}]}
                """
            ).feed)
        let now = feed.available(clock: .trusted(FeedDate("2026-11-20T12:00:00Z")!))
        #expect(now.items.map(\.id) == ["b", "c"] && now.channels.map(\.id) == ["p", "s"] && now.series.map(\.id) == ["y"])
        #expect(now.channel("p")?.items == ["b"] && now.channel("s")?.schedule.entries.map(\.item) == ["a"])
        #expect(now.item("a") == nil && now.channel("w") == nil && now.start == nil)
        #expect(now.proposal(after: "b") == nil && now.nextEpisode(after: "a") == nil)
        #expect(now.rows.map { now.contents(of: $0).map(\.id) } == [["b"], ["c"]])
        #expect(feed.available(clock: .trusted(FeedDate("2026-10-20T12:00:00Z")!)).item("a") != nil)
    }

    @Test("a feed is accepted by boxes of its groups, and by all if it names none or keys are not pinned")
    func groups() {
        for (top, group) in [
            (#""groups": ["rooms", "default"]"#, "default"), (#""revision": 1"#, "lobby"), (#""groups": ["rooms"]"#, nil),
        ] as [(String, String?)] {
            #expect(read(itemFeed("", top: top), options: .of(group: group)).feed != nil, "\(top)")
        }
    }

    @Test("revisions equal to or above the applied one are accepted")
    func revisions() {
        let feed = itemFeed("", top: #""revision": 412"#)
        #expect(read(feed, options: FeedOptions(appliedRevision: 412)).exitCode == 0)
        #expect(read(feed, options: FeedOptions(appliedRevision: 413)).exitCode == 1)
        #expect(read(feed).feed?.revision == 412)
    }

    @Test("a box of version 1 reads 1.x and nothing else", arguments: ["1", "1.7", "\"1\"", "\"1.12\""])
    func versions(_ version: String) {
        #expect(read(itemFeed("").replacing("\"feedVersion\": 1", with: "\"feedVersion\": \(version)")).exitCode == 0)
    }

    @Test(
        "other versions are refused",
        arguments: ["0", "2", "10", "1e0", "-1", "true", "null", "\"\"", "\"1.\"", "\"one\"", "1.2e1"])
    func unknownVersions(_ version: String) {
        let verdict = read(itemFeed("").replacing("\"feedVersion\": 1", with: "\"feedVersion\": \(version)"))
        #expect(verdict.findings.map(\.code) == [.unknownVersion] && verdict.exitCode == 1)
    }
}

@Suite("Ratings")
struct RatingTests {
    @Test("every system orders its values by age, and G-like values are open to all")
    func tables() {
        for system in RatingSystem.allCases {
            let ages = system.table.map(\.minimumAge)
            #expect(ages == ages.sorted() && ages.first == 0)
            #expect(Set(system.table.map(\.value)).count == ages.count)
        }
        #expect(Rating(system: "mpa", value: "pg-13").minimumAge == 13)
        #expect(Rating(system: "FSK", value: "16").minimumAge == 16)
        #expect(Rating(system: "age", value: "22").minimumAge == nil)
        #expect(Rating(system: "Nobody", value: "12").minimumAge == nil)
    }

    @Test("a limit applies in its own system, and by age in the others")
    func limits() throws {
        let limit = try #require(
            ParentalLimit(maxima: [Rating(system: "MPA", value: "R"), Rating(system: "TVPG", value: "TV-14")]))
        #expect(limit.age == 14)
        #expect(limit.decision(for: Rating(system: "MPA", value: "R")) == .open)
        #expect(limit.decision(for: Rating(system: "MPA", value: "NC-17")) == .locked(.overLimit(minimumAge: 18, limit: 17)))
        #expect(limit.decision(for: Rating(system: "FSK", value: "12")) == .open)
        #expect(limit.decision(for: Rating(system: "FSK", value: "16")) == .locked(.overLimit(minimumAge: 16, limit: 14)))
    }

    @Test("under a limit, a missing or unknown rating is locked; without a limit nothing is")
    func unknown() throws {
        let limit = ParentalLimit(age: 18)
        #expect(limit.decision(for: nil) == .locked(.notRated))
        #expect(limit.decision(for: Rating(system: "", value: "")) == .locked(.notRated))
        #expect(limit.decision(for: Rating(system: "Nobody", value: "G")) == .locked(.ratingUnknown))
        let feed = try #require(read(itemFeed("")).feed)
        #expect(feed.parentalDecision(for: nil) == .open && feed.parentalDecision(for: nil, limit: limit).isLocked)
        #expect(
            ParentalLimit(maxima: []) == nil && ParentalLimit(value: "PG-13")?.age == 13 && ParentalLimit(value: "12")?.age == 12)
        #expect(ParentalLimit(value: "whatever") == nil)
    }

    @Test(
        "an invalid limit locks everything that is not rated for all ages",
        arguments: [#"{"MPA": "PG12"}"#, #"{"Nobody": "G"}"#, #"{"MPA": true}"#, #""PG""#])
    func unreadableLimit(_ limit: String) throws {
        let verdict = read(itemFeed("", top: "\"policy\": {\"parentalMax\": \(limit)}"))
        let feed = try #require(verdict.feed)
        #expect(!verdict.findings.isEmpty)
        #expect(feed.parentalDecision(for: Rating(system: "MPA", value: "PG")).isLocked)
        #expect(feed.parentalDecision(for: Rating(system: "MPA", value: "G")) == .open)
    }
}
