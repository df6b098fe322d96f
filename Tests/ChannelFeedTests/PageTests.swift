import Testing

@testable import ChannelFeed

@Suite("A feed in several pages")
struct PageTests {
    private static let origin = "https://cdn.example/feed.json"

    /// Reads the pages of a feed from what a source has at each address.
    private func read(_ source: [String: String], options: FeedOptions = FeedOptions(), from first: String = origin) throws
        -> (verdict: FeedVerdict, loaded: [String])
    {
        var pages = FeedPages(options: options)
        var loaded = [first]
        pages.append(Array(try #require(source[first]).utf8), url: first)
        while case .load(let address) = pages.step {
            loaded.append(address)
            if let text = source[address] {
                pages.append(Array(text.utf8), url: address)
            } else {
                pages.refuse(missing: "There is none.")
            }
        }
        return (FeedReader.read(pages), loaded)
    }

    private static func page(_ number: Int, next: String? = nil, more: String = "") -> String {
        let next = next.map { "\"next\": \"\($0)\", " } ?? ""
        return """
            {"feedVersion": 1, \(more)\(next)"items": [{"id": "i\(number)", "title": "I", "streams": [{"url": "i\(number).mp4"}]}]}
            """
    }

    @Test("the lists of all pages are one feed; what one page names may be in another; relative addresses are those of the page")
    func whole() throws {
        let (verdict, loaded) = try read([
            Self.origin: """
            {"feedVersion": 1, "id": "f", "next": "more/2.json", "start": {"channel": "c2"},
             "series": [{"id": "s", "title": "S", "seasons": [{"episodes": ["a", "b"]}]}],
             "rows": [{"title": "First", "items": ["b", "c2"]}], "channels": [{"id": "c1", "title": "1", "streams": [{"url": "1.m3u8"}]}],
             "items": [{"id": "a", "title": "A", "streams": [{"url": "a.mp4"}], "proposal": {"next": "x"}}]}
            """,
            "https://cdn.example/more/2.json": """
            {"feedVersion": 1, "id": "f", "next": "/3.json", "rows": [{"title": "Second", "items": ["a"]}],
             "items": [{"id": "b", "title": "B", "streams": [{"url": "b.mp4"}]}]}
            """,
            "https://cdn.example/3.json": """
            {"feedVersion": 1, "baseUrl": "https://other.example/v/", "channels": [{"id": "c2", "title": "2", "streams": [{"url": "2.m3u8"}]}],
             "items": [{"id": "x", "title": "X", "streams": [{"url": "x.mp4"}]}]}
            """,
        ])
        #expect(loaded == [Self.origin, "https://cdn.example/more/2.json", "https://cdn.example/3.json"])
        #expect(verdict.findings.isEmpty, "\(verdict.text())")
        #expect(verdict.summary == "Good: 2 channels, 3 items on 3 pages; no warnings.")
        let feed = try #require(verdict.feed)
        #expect(feed.items.map(\.id) == ["a", "b", "x"])
        #expect(feed.channels.map(\.number) == [1, 2])
        #expect(
            feed.items.flatMap { $0.streams.map(\.location.name) } == [
                "https://cdn.example/a.mp4", "https://cdn.example/more/b.mp4", "https://other.example/v/x.mp4",
            ])
        #expect(feed.series.first?.seasons.first?.episodes == ["a", "b"])
        #expect(feed.rows.map(\.entries) == [[.item("b"), .channel("c2")], [.item("a")]])
        #expect(feed.start == .channel("c2"))
    }

    @Test(
        "a finding in a further page has the address of the page before its pointer, without secrets, and the place in its text")
    func pointers() throws {
        let second = "https://cdn.example/2.json?token=abc"
        let (verdict, _) = try read([
            Self.origin: Self.page(1, next: "2.json?token=abc"),
            second:
                "{\"feedVersion\": 1, \"policy\": {},\n \"items\": [{\"id\": \"i1\", \"title\": \"I\", \"streams\": [{\"url\": \"ftp://x/\"}]}]}",
        ])
        let shown = verdict.findings.map { "\($0.severity) \($0.code.rawValue) \($0.pointer) \($0.location?.line ?? 0)" }
        let address = "https://cdn.example/2.json?token=REDACTED#"
        #expect(
            shown == [
                "warning FEED-002 \(address)/policy 1", "error FEED-010 \(address)/items/0/id 2",
                "error FEED-061 \(address)/items/0/streams/0/url 2",
            ], "\(verdict.text())")
        #expect(verdict.findings.contains { $0.message == "the id \"i1\" belongs to /items/0" })
        // The first item of the first page has the same index, and is kept.
        #expect(verdict.feed?.items.map(\.id) == ["i1"])
        #expect(!verdict.json().contains("abc") && verdict.exitCode == 3)
    }

    @Test(
        "a page that cannot be used refuses the whole feed",
        arguments: [
            ("feed.json", "", "the pages form a loop"), ("#x", "", "the pages form a loop"),
            ("HTTPS://CDN.example/feed.json", "", "the pages form a loop"),
            ("https://other.example/2.json", "", "the next page is not at the source of this one"),
            ("https://cdn.example:8443/2.json", "", "the next page is not at the source of this one"),
            ("http://cdn.example/2.json", "", "is not an address that may be loaded"),
            ("file:///etc/passwd", "", "is not an address that may be loaded"),
            ("https://user:word@cdn.example/2.json", "", "is not an address that may be loaded"),
            ("none.json", "", "the next page is missing"),
            ("2.json", "\"id\": \"g\", ", "of another feed"), ("2.json", "\"revision\": 4, ", "of another revision"),
        ])
    func refused(next: String, more: String, reason: String) throws {
        let (verdict, _) = try read([
            Self.origin: Self.page(1, next: next, more: "\"id\": \"f\", \"revision\": 5, "),
            "https://cdn.example/2.json": Self.page(2, more: more),
        ])
        #expect(verdict.feed == nil && verdict.exitCode == 1)
        #expect(verdict.findings.contains { $0.code == .badPage && $0.message.contains(reason) }, "\(verdict.text())")
    }

    @Test("a later page that names an earlier one, and one whose text is broken")
    func later() throws {
        let loop = try read([
            Self.origin: Self.page(1, next: "2.json"), "https://cdn.example/2.json": Self.page(2, next: "3.json"),
            "https://cdn.example/3.json": Self.page(3, next: "2.json#again"),
        ])
        #expect(loop.loaded.count == 3 && loop.verdict.feed == nil)
        #expect(loop.verdict.text().contains("refusal FEED-107 https://cdn.example/3.json#/next: the pages form a loop"))
        for (text, code) in [
            ("{", FeedCode.notJSON), ("[]", .notJSON), ("{}", .unknownVersion), ("{\"a\": 1, \"a\": 2}", .duplicateKey),
        ] {
            let broken = try read([Self.origin: Self.page(1, next: "2.json"), "https://cdn.example/2.json": text])
            #expect(broken.verdict.findings.map(\.code) == [code], "\(text): \(broken.verdict.text())")
            #expect(broken.verdict.feed == nil)
            #expect(broken.verdict.text().contains(" https://cdn.example/2.json#"), "\(broken.verdict.text())")
        }
    }

    @Test("a redirection to a page that was loaded is refused")
    func redirected() {
        var pages = FeedPages(options: FeedOptions())
        pages.append(Array(Self.page(1, next: "?page=2").utf8), url: Self.origin)
        #expect(pages.step == .load(Self.origin + "?page=2"))
        pages.append(Array(Self.page(1, next: "?page=3").utf8), url: Self.origin)
        #expect(pages.step == .refused && FeedReader.read(pages).feed == nil)
    }

    @Test("with pinned keys each page has the revision of the first, so that signed pages of two editions are not mixed")
    func revisions() throws {
        for (more, isTaken) in [("\"revision\": 5, ", true), ("", false), ("\"revision\": 4, ", false)] {
            let (verdict, _) = try read(
                [
                    Self.origin: Self.page(1, next: "2.json", more: "\"revision\": 5, "),
                    "https://cdn.example/2.json": Self.page(2, more: more),
                ], options: FeedOptions(appliedRevision: 5))
            #expect((verdict.feed != nil) == isTaken, "\(more): \(verdict.text())")
        }
    }

    @Test("the number of pages, their bytes together and the number of entries are bounded")
    func bounds() throws {
        func source(_ count: Int) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: (1...count).map { number in
                    (
                        number == 1 ? Self.origin : "https://cdn.example/\(number)",
                        Self.page(number, next: number < count ? "\(number + 1)" : nil)
                    )
                })
        }
        #expect(try read(source(100)).verdict.feed?.items.count == 100)
        let (verdict, loaded) = try read(source(101))
        #expect(loaded.count == 100 && verdict.feed == nil && verdict.text().contains("the feed has over 100 pages"))

        let total = source(4).values.reduce(0) { $0 + $1.utf8.count }
        var options = FeedOptions()
        options.maximumTotalBytes = total
        #expect(try read(source(4), options: options).verdict.feed != nil)
        options.maximumTotalBytes = total - 1
        #expect(try read(source(4), options: options).verdict.text().contains("the pages have over \(total - 1) bytes together"))

        options = FeedOptions()
        options.maximumEntries = 4
        #expect(try read(source(4), options: options).verdict.feed != nil)
        let many = try read(source(5), options: options)
        #expect(many.verdict.text().contains("the feed has 5 channels, series, items and rows"), "\(many.verdict.text())")
    }

    @Test("pages that are files are in the folder of the first")
    func files() throws {
        for (next, isTaken) in [
            ("2.json", true), ("more/2.json", true), ("../2.json", false), ("file:///media/a/../2.json", false),
            ("https://cdn.example/2.json", false),
        ] {
            var pages = FeedPages(options: FeedOptions())
            pages.append(Array(Self.page(1, next: next).utf8), url: "/media/a/feed.json")
            if case .load(let address) = pages.step {
                #expect(isTaken && address.hasPrefix("file:///media/a/"), "\(next)")
            } else {
                #expect(!isTaken, "\(next)")
            }
        }
    }
}
