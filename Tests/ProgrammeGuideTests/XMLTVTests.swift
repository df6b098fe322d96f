import ChannelFeed
import Testing

@testable import ProgrammeGuide

@Suite("XMLTV")
struct XMLTVTests {
    private static func date(_ text: String) -> FeedDate { FeedDate(text)! }
    private static let day = date("2026-11-20T00:00:00Z")..<date("2026-11-22T00:00:00Z")

    private func read(_ text: String) throws -> GuideListings {
        try XMLTVReader.read(Array(text.utf8), within: Self.day, name: "guide.xml")
    }

    private func programme(_ start: String, _ stop: String? = nil, channel: String = "c", title: String = "T") -> String {
        "<programme start=\"\(start)\"\(stop.map { " stop=\"\($0)\"" } ?? "") channel=\"\(channel)\"><title>\(title)</title></programme>"
    }

    @Test(
        "times are read with their zones, in all lengths that occur",
        arguments: [
            ("20261120193000 +0000", "2026-11-20T19:30:00Z"), ("20261120193000 +0130", "2026-11-20T18:00:00Z"),
            ("20261120193000 -0500", "2026-11-21T00:30:00Z"), ("20261120193000", "2026-11-20T19:30:00Z"),
            ("202611201930 BST", "2026-11-20T18:30:00Z"), ("2026112019 CET", "2026-11-20T18:00:00Z"),
            ("20261120", "2026-11-20T00:00:00Z"), ("20261120193000+0100", "2026-11-20T18:30:00Z"),
            ("20261120193000 +01:00", "2026-11-20T18:30:00Z"), ("20240229120000 Z", "2024-02-29T12:00:00Z"),
        ])
    func times(_ text: String, _ wanted: String) { #expect(XMLTVDate.read(text) == Self.date(wanted)) }

    @Test(
        "text that is not a time is refused",
        arguments: [
            "", "x", "2026", "20261320000000 +0000", "20260230000000", "20261120250000", "20261120193000 +9900",
            "20261120193000 XYZ",
            "20261120193000 +0000 x", "2026112", "20261120 193000",
        ])
    func noTimes(_ text: String) { #expect(XMLTVDate.read(text) == nil) }

    @Test("programmes come in order with their titles and descriptions in all languages")
    func whole() throws {
        let listings = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE tv SYSTEM "xmltv.dtd">
            <tv><channel id="one.test"><display-name lang="en">Channel One</display-name></channel>
            <programme start="20261120210000 +0000" channel="one.test"><title>Later</title></programme>
            <programme start="20261120200000 +0000" stop="20261120203000 +0000" channel="one.test">
              <title lang="en">News &amp; Weather</title><title lang="de">Nachrichten</title>
              <desc lang="en">What
                happened.</desc><credits><director>Nobody</director></credits><category>News</category></programme></tv>
            """)
        let programmes = try #require(listings.programmes["one.test"])
        #expect(programmes.map { $0.title.best(for: ["de"]) } == ["Nachrichten", "Later"])
        #expect(programmes[0].title.best(for: ["en"]) == "News & Weather")
        #expect(programmes[0].details.summary?.best(for: ["en"]) == "What happened.")
        #expect(programmes[0].end == Self.date("2026-11-20T20:30:00Z"))
        #expect(programmes[1].end == Self.date("2026-11-20T22:00:00Z"), "the last programme without an end is an hour long")
        #expect(listings.remarks.isEmpty)
    }

    @Test("a programme ends where the next begins, and of two that begin together the later in the file counts")
    func overlaps() throws {
        let listings = try read(
            "<tv>" + programme("20261120200000", "20261120220000", title: "Long") + programme("20261120210000", title: "Old")
                + programme("20261120210000", title: "New") + programme("20261120220000", "20261120213000", title: "Backward")
                + "</tv>")
        let programmes = try #require(listings.programmes["c"])
        #expect(programmes.map { $0.title.best(for: []) } == ["Long", "New", "Backward"])
        // An end before the start says nothing.
        #expect(
            programmes.map(\.end) == ["21", "22", "23"].map { Self.date("2026-11-20T\($0):00:00Z") })
    }

    @Test("programmes outside the wanted days are skipped")
    func outside() throws {
        let listings = try read(
            "<tv>" + programme("20261119200000", "20261119210000") + programme("20261119230000", "20261120010000")
                + programme("20261122000000", "20261122010000") + "</tv>")
        #expect(listings.programmes["c"]?.map(\.start) == [Self.date("2026-11-19T23:00:00Z")])
    }

    @Test(
        "invalid programmes are skipped and reported; the rest is kept",
        arguments: [
            ("<programme stop=\"20261120210000\" channel=\"c\"><title>T</title></programme>", "start time"),
            ("<programme start=\"yesterday\" channel=\"c\"><title>T</title></programme>", "yesterday"),
            ("<programme start=\"20261120200000\"><title>T</title></programme>", "names no channel"),
            ("<programme start=\"20261120200000\" channel=\"c\"><title> </title></programme>", "no title"),
            ("<programme start=\"20261120200000\" stop=\"later\" channel=\"c\"><title>T</title></programme>", "later"),
        ])
    func lenient(_ fault: String, _ word: String) throws {
        let listings = try read("<tv>" + fault + programme("20261120220000", title: "Good") + "</tv>")
        #expect(listings.programmes["c"]?.last?.title.best(for: []) == "Good")
        #expect(listings.remarks.contains { $0.contains(word) })
    }

    @Test("a truncated file is used up to the cut")
    func brokenOff() throws {
        let listings = try read("<tv>" + programme("20261120200000", title: "Good") + "<programme start=\"202611")
        #expect(listings.programmes["c"]?.count == 1)
        #expect(listings.remarks.first?.contains("ends early") == true)
    }

    @Test(
        "a file that is not a guide is refused in one sentence",
        arguments: ["", "{\"tv\": 1}", "<html><body>404</body></html>", "<tv", "\u{0}\u{1}", "<tv><programme></tv>"])
    func refused(_ text: String) {
        #expect {
            _ = try read(text)
        } throws: { error in
            let words = "\(error)"
            return words.hasPrefix("Reading the guide guide.xml failed: ") && words.hasSuffix(".")
        }
    }

    @Test("entity expansion is limited")
    func entities() throws {
        var text = "<!DOCTYPE tv [<!ENTITY a0 \"lol\">"
        for level in 1...12 {
            text += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        text += "]><tv>" + programme("20261120200000", title: "Good") + programme("20261120210000", title: "&a12;") + "</tv>"
        let listings = try read(text)
        #expect(listings.programmes["c"]?.first?.title.best(for: []) == "Good")
        #expect((listings.programmes["c"]?.last?.title.best(for: [])?.count ?? 0) < 100_000)
    }

    @Test("any bytes give a guide or an error")
    func noise() {
        var state: UInt64 = 7
        for _ in 0..<200 {
            var bytes = Array(
                "<tv><programme start=\"20261120200000\" channel=\"c\"><title lang=\"en\">T</title></programme></tv>".utf8)
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
            }
            let listings = try? XMLTVReader.read(bytes, within: Self.day, name: "noise")
            #expect((listings?.programmes.values.map(\.count).reduce(0, +) ?? 0) <= 1)
        }
    }

    @Test("channels are matched by the feed's id, by their own id, by their name")
    func joined() throws {
        let listings = try read(
            "<tv><channel id=\"x1\"><display-name>Harbour One</display-name></channel>"
                + programme("20261120200000", channel: "x1")
                + programme("20261120200000", channel: "News.UK", title: "N") + "</tv>")
        let feed = try #require(
            FeedReader.read(
                Array(
                    #"""
                    {"feedVersion": 1, "channels": [
                      {"id": "news", "title": "News", "streams": [{"url": "a"}], "guide": {"xmltv": "g.xml", "id": "news.uk"}},
                      {"id": "x1", "title": "Other", "streams": [{"url": "a"}], "guide": {"xmltv": "g.xml"}},
                      {"id": "h", "title": "harbour one", "streams": [{"url": "a"}], "guide": {"xmltv": "g.xml"}},
                      {"id": "n", "title": "Harbour One", "streams": [{"url": "a"}], "guide": {"xmltv": "g.xml", "id": "none"}}]}
                    """#.utf8), baseURL: "https://test/feed.json"
            ).feed)
        #expect(feed.channels.map { listings.programmes(of: $0).count } == [1, 1, 1, 0])
    }
}
