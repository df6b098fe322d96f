import Glibc
import Testing

@testable import Housekeeping

@Suite("Feeds from files")
@MainActor
struct FeedFileTests {
    private static let feed = Array(#"{"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "film/a.mp4"}]}]}"#.utf8)

    @Test(
        "addresses in a feed are relative to the feed, whatever the form of its own path",
        arguments: ["feeds/feed.json", "feed.json"])
    func relativePath(path: String) throws {
        let verdict = FeedFile.verdict(bytes: Self.feed, url: path)
        let stream = try #require(verdict.feed?.items.first?.streams.first?.url)
        #expect(stream.hasPrefix("file:///"))
        #expect(stream.hasSuffix(path == "feed.json" ? "/film/a.mp4" : "/feeds/film/a.mp4"))
    }

    @Test("plain http of its own host is let in by a feed that came over plain http, and not by one over https")
    func plainHTTP() {
        let feed = Array(#"{"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "http://h/a.mp4"}]}]}"#.utf8)
        #expect(FeedFile.verdict(bytes: feed, url: "http://H:8080/feed.json").feed != nil)
        let secure = FeedFile.verdict(bytes: feed, url: "https://h/feed.json")
        #expect(secure.feed == nil && secure.findings.contains { $0.code == .plainHTTP })
    }

    @Test(
        "absolute paths and addresses are unchanged",
        arguments: ["/media/feed.json", "https://h/feed.json", "file:///media/feed.json"])
    func absolute(address: String) { #expect(FeedFile.place(of: address) == address) }
}
