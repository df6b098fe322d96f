import ChannelFeed
import Glibc
import LinuxSupport
import NetworkConditions
import Signatures
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Loading a feed in several pages")
@MainActor
struct FeedPagesTests {
    /// Page `number` of `count`, with the items of an edition.
    private static func page(_ number: Int, of count: Int, edition: Int = 1, revision: Int? = nil) -> String {
        let next = number < count ? "\"next\": \"page\(number + 1).json\", " : ""
        let refresh = number == 1 ? #""id": "f", "refresh": {"interval": 60, "jitterPercent": 0}, "# : ""
        let state = revision.map { "\"revision\": \($0), " } ?? ""
        return """
            {"feedVersion": 1, \(refresh)\(state)\(next)"items": [{"id": "p\(number)e\(edition)", "title": "T", "streams": [{"url": "v.mp4"}]}]}
            """
    }

    private static func path(_ number: Int) -> String { number == 1 ? "/feed.json" : "/page\(number).json" }

    @MainActor
    private final class Rig {
        let loop: MainLoop
        let script = OriginScript()
        let log: LogBook
        private(set) var news: [String] = []
        private(set) var keeper: FeedKeeper!

        init(folder: String? = nil, trust: FeedTrust? = nil, headers: [String] = []) throws {
            loop = try MainLoop(time: .simulated)
            log = LogBook(clock: loop.clock)
            keeper = FeedKeeper(
                FeedKeeper.Source(
                    address: "https://operator.example/feed.json", headers: headers, plainHTTPHosts: [], trust: trust, seed: 1),
                loader: SimulatedOrigin(clock: loop.clock, script: script), clock: loop.clock, log: log, folder: folder
            ) { [unowned self] news in
                switch news {
                case .feed(let feed): self.news.append(feed.items.map(\.id).joined(separator: " "))
                case .unchanged: self.news.append("unchanged")
                case .refused(let code): self.news.append(code)
                case .failed(let code): self.news.append(code.rawValue)
                }
            }
        }

        func put(_ count: Int, edition: Int = 1) {
            for number in 1...count {
                script.put(FeedPagesTests.page(number, of: count, edition: edition), at: FeedPagesTests.path(number))
            }
        }

        func run(for length: Duration) { loop.run(within: length, until: { false }) }

        /// The paths of the requests from one on, each with the condition it had.
        func requests(from first: Int = 0) -> [String] {
            script.requests.dropFirst(first).map { request in
                let condition = request.headers.first { $0.hasPrefix("If-None-Match") }
                return request.path + (condition == nil ? "" : "?")
            }
        }

        var logged: String { log.tail(1000).joined(separator: "\n") }
    }

    @Test("all pages are one feed; afterwards each is asked for with its own ETag, and only a changed one makes a new feed")
    func whole() throws {
        let rig = try Rig()
        rig.put(3)
        rig.keeper.start()
        rig.run(for: .seconds(70))
        #expect(rig.news == ["p1e1 p2e1 p3e1", "unchanged"])
        #expect(rig.requests() == ["/feed.json", "/page2.json", "/page3.json", "/feed.json?", "/page2.json?", "/page3.json?"])
        rig.script.put(Self.page(3, of: 3, edition: 2), at: "/page3.json")
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "p1e1 p2e1 p3e2")
        rig.script.put(Self.page(2, of: 4), at: "/page2.json")
        rig.script.put(Self.page(3, of: 4), at: "/page3.json")
        rig.script.put(Self.page(4, of: 4), at: "/page4.json")
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "p1e1 p2e1 p3e1 p4e1")
        rig.put(1, edition: 5)
        rig.run(for: .seconds(120))
        #expect(rig.news.suffix(2) == ["p1e5", "unchanged"])
        rig.keeper.close()
    }

    @Test("a page that fails or is broken keeps the last good feed with all its pages, and the log and the status say so")
    func failures() throws {
        let rig = try Rig()
        rig.put(3)
        rig.keeper.start()
        rig.run(for: .seconds(1))
        rig.put(3, edition: 2)
        rig.script.fail("/page2.json", with: .status(503), times: 1)
        rig.run(for: .seconds(61))
        #expect(rig.news.count == 2 && rig.news[1] != "unchanged" && !rig.news[1].contains("p"), "\(rig.news)")
        #expect(rig.logged.contains("its page https://operator.example/page2.json"), "\(rig.logged)")
        rig.run(for: .seconds(10))
        #expect(rig.news.last == "p1e2 p2e2 p3e2")
        rig.put(3, edition: 3)
        rig.script.put("{", at: "/page3.json")
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "FEED-102")
        #expect(rig.keeper.check?.verdict == .refused)
        #expect(rig.keeper.check?.findings.first?.pointer.hasPrefix("https://operator.example/page3.json#") == true)
        rig.script.put(Self.page(3, of: 4), at: "/page3.json")
        rig.script.put(#"{"feedVersion": 1, "next": "page2.json"}"#, at: "/page4.json")
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "FEED-107")
        rig.put(3, edition: 4)
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "p1e4 p2e4 p3e4")
        rig.keeper.close()
    }

    @Test("the first page alone names the settings; the operator's headers go to no other source")
    func headers() throws {
        let rig = try Rig(headers: ["Authorization: Bearer secret"])
        rig.put(2)
        rig.script.fail("https://operator.example/feed.json", with: .redirect(to: "https://cdn.example/feed.json"), times: 1)
        rig.keeper.start()
        rig.run(for: .seconds(1))
        #expect(rig.news == ["p1e1 p2e1"])
        let pages = rig.script.requests.filter { $0.url == "https://cdn.example/page2.json" }
        #expect(pages.count == 1 && pages.allSatisfy { !$0.headers.contains { $0.contains("secret") } })
        rig.keeper.close()
    }

    @Test("each page is signed; a page with the signature of another, or without one, refuses the feed")
    func signed() throws {
        let key = try SigningKey(name: "k")
        let trust = try #require(FeedTrust([key.pinned], allowsRollback: false))
        let rig = try Rig(trust: trust)
        func put(_ number: Int, revision: Int, signature: [UInt8]? = nil) {
            let text = Array(Self.page(number, of: 2, edition: revision, revision: revision).utf8)
            rig.script.put(text, at: Self.path(number))
            rig.script.put(signature ?? key.signature(of: text), at: Self.path(number) + ".sig")
        }
        put(1, revision: 1)
        put(2, revision: 1)
        rig.keeper.start()
        rig.run(for: .seconds(70))
        #expect(rig.news == ["p1e1 p2e1", "unchanged"])
        #expect(
            rig.requests() == [
                "/feed.json", "/feed.json.sig", "/page2.json", "/page2.json.sig", "/feed.json?", "/page2.json?",
            ])
        put(1, revision: 2)
        rig.run(for: .seconds(60))
        // The second page is still one of the older edition, though signed.
        #expect(rig.news.last == "FEED-107")
        put(2, revision: 2, signature: key.signature(of: [1]))
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "FEED-090" && rig.logged.contains("FEED-090: its page https://operator.example/page2.json"))
        rig.script.fail("/page2.json.sig", with: .status(404), times: 1)
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "FEED-090")
        put(2, revision: 2)
        rig.run(for: .seconds(60))
        #expect(rig.news.last == "p1e2 p2e2")
        rig.keeper.close()
    }

    @Test("all pages are stored: a start without a network has the whole feed, and a damaged page has none")
    func kept() throws {
        let folder = ScratchFolder("pages")
        let first = try Rig(folder: folder.path)
        first.put(3)
        first.keeper.start()
        first.run(for: .seconds(1))
        first.put(2, edition: 2)
        first.run(for: .seconds(60))
        first.keeper.close()
        #expect(Folder.names(folder.path + "/feed").filter { $0.hasPrefix("page-") }.count == 1, "an old page was left")
        let second = try Rig(folder: folder.path)
        second.put(2, edition: 2)
        second.keeper.start()
        #expect(second.news == ["p1e2 p2e2"])
        second.run(for: .seconds(70))
        #expect(second.news.count > 1 && second.news.dropFirst().allSatisfy { $0 == "unchanged" })
        second.keeper.close()
        let page = try #require(Folder.names(folder.path + "/feed").first { $0.hasPrefix("page-") })
        #expect(WholeFile.write(Array("{}".utf8), to: folder.path + "/feed/" + page))
        let third = try Rig(folder: folder.path)
        third.keeper.start()
        #expect(third.news.isEmpty)
        third.keeper.close()
    }

    @Test("a disk's feed has all its pages, each signed; a page that is taken away or exchanged ends its use")
    func disk() throws {
        let folder = ScratchFolder("disk")
        let key = try SigningKey(name: "k")
        let trust = try #require(FeedTrust([key.pinned], allowsRollback: false))
        func put(_ number: Int, edition: Int) {
            let text = Array(Self.page(number, of: 2, edition: edition, revision: 1).utf8)
            let name = "media/sda1/" + (number == 1 ? "feed.json" : "page2.json")
            folder.put(String(decoding: text, as: UTF8.self), name)
            folder.put(String(decoding: key.signature(of: text), as: UTF8.self), name + ".sig")
        }
        put(1, edition: 1)
        let loop = try MainLoop(time: .simulated)
        let log = LogBook(clock: loop.clock)
        var news: [String] = []
        let disks = USBFeeds(
            trust: trust, of: "/feed.json", clock: loop.clock, log: log, folder: nil, media: folder.path + "/media"
        ) {
            news.append($0.map { $0.items.map(\.id).joined(separator: " ") } ?? "none")
        }
        disks.start()
        loop.run(within: .seconds(6), until: { false })
        #expect(news.isEmpty && log.tail(1000).contains { $0.contains("FEED-107") }, "\(log.tail(1000))")
        put(2, edition: 1)
        loop.run(within: .seconds(12), until: { false })
        #expect(news == ["p1e1 p2e1"])
        put(2, edition: 2)
        loop.run(within: .seconds(6), until: { false })
        #expect(news == ["p1e1 p2e1", "p1e1 p2e2"])
        #expect(unlink(folder.path + "/media/sda1/page2.json") == 0)
        loop.run(within: .seconds(6), until: { false })
        #expect(news == ["p1e1 p2e1", "p1e1 p2e2", "none"])
        disks.close()
    }

    @Test(
        "a disk and the network share one mark of revisions, kept for each address: what one has replaced the other does not offer"
    )
    func marks() throws {
        let folder = ScratchFolder("marks")
        let file = folder.path + "/feed/revision"
        func mark(_ source: String) -> RevisionMark { RevisionMark(file: file, source: source) }
        #expect(mark("a").newest == 0 && mark("a").note(100) && mark("b").note(7) && mark("a").newest == 100)
        #expect(mark("b").note(8) && mark("b").newest == 8 && mark("a").newest == 100, "there and back")
        // Files of older versions: one pair, and a mark for disks of its own.
        folder.put("c\n41\n", "feed/revision")
        folder.put("disk\n50\n", "disk-revision")
        #expect(mark("c").newest == 41 && mark("a").newest == 0)
        #expect(RevisionMark(file: file, source: "c", earlier: folder.path + "/disk-revision").newest == 50)
        for number in Int64(0)..<100 { #expect(mark("s\(number)").note(number)) }
        #expect(mark("s99").newest == 99 && mark("s40").newest == 40 && mark("s10").newest == 0 && mark("c").newest == 0)
        folder.put("a\nmany\nb\n3\nc", "feed/revision")
        #expect(mark("a").newest == 0 && mark("b").newest == 3)

        let key = try SigningKey(name: "k")
        let trust = try #require(FeedTrust([key.pinned], allowsRollback: false, group: "rooms"))
        let loop = try MainLoop(time: .simulated)
        let log = LogBook(clock: loop.clock)
        #expect(mark("/feed.json").note(100))
        func put(_ revision: Int, _ more: String = "") {
            let text = Array(
                String(decoding: Self.page(1, of: 1, edition: revision, revision: revision).utf8, as: UTF8.self)
                    .replacing("{\"feedVersion\"", with: "{\(more)\"feedVersion\"").utf8)
            folder.put(String(decoding: text, as: UTF8.self), "media/sda1/feed.json")
            folder.put(String(decoding: key.signature(of: text), as: UTF8.self), "media/sda1/feed.json.sig")
        }
        var news = 0
        let disks = USBFeeds(
            trust: trust, of: "/feed.json", clock: loop.clock, log: log, folder: folder.path, media: folder.path + "/media"
        ) { if $0 != nil { news += 1 } }
        put(3)
        disks.start()
        loop.run(within: .seconds(6), until: { false })
        #expect(news == 0 && log.tail(1000).contains { $0.contains("FEED-091") }, "\(log.tail(1000))")
        put(101, "\"groups\": [\"lobby\"], ")
        loop.run(within: .seconds(6), until: { false })
        #expect(news == 0 && log.tail(1000).contains { $0.contains("FEED-092") }, "\(log.tail(1000))")
        put(101, "\"groups\": [\"rooms\"], ")
        loop.run(within: .seconds(6), until: { false })
        #expect(news == 1 && mark("/feed.json").newest == 101)
        disks.close()
    }
}
