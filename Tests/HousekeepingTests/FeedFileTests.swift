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

    @Test(
        "absolute paths and addresses are unchanged",
        arguments: ["/media/feed.json", "https://h/feed.json", "file:///media/feed.json"])
    func absolute(address: String) { #expect(FeedFile.place(of: address) == address) }
}
