import ChannelFeed
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
        let stream = try #require(verdict.feed?.items.first?.streams.first?.location.name)
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

    @Test("a composition in a feed is held to the rules of compositions and to what can be played")
    func compositions() throws {
        func verdict(_ tracks: String) -> FeedVerdict {
            let stream = #"{"composition": {"compositionVersion": 1, "tracks": [\#(tracks)]}}"#
            let text =
                #"{"feedVersion": 1, "items": [{"id": "a", "streams": [\#(stream)]}, {"id": "b", "streams": [{"url": "b.mp4"}]}]}"#
            return FeedFile.verdict(bytes: Array(text.utf8), url: "https://h/feed.json")
        }
        func track(_ id: Int, _ segments: String) -> String { #"{"id": \#(id), "type": "video", "segments": [\#(segments)]}"# }
        let piece = #"{"url": "a.mp4", "source": {"start": 0, "duration": 2}}"#
        #expect(verdict(track(1, piece)).findings.isEmpty)
        let early = #"{"url": "a.mp4", "source": {"start": 0, "duration": 2}, "target": {"start": 1}}"#
        let overlap = verdict(track(1, piece + ", " + early))
        #expect(overlap.findings.map(\.code) == [.composition])
        #expect(
            overlap.findings.first?.pointer.description.hasPrefix("/items/0/streams/0/composition/tracks/0/segments/1") == true)
        #expect(overlap.feed?.items.map(\.id) == ["b"])
        // Two video tracks need a video composition to be played.
        let two = verdict(track(1, piece) + ", " + track(2, piece))
        #expect(two.findings.map(\.code) == [.composition] && two.feed?.items.map(\.id) == ["b"])
    }

    @Test(
        "absolute paths and addresses are unchanged",
        arguments: ["/media/feed.json", "https://h/feed.json", "file:///media/feed.json"])
    func absolute(address: String) { #expect(FeedFile.place(of: address) == address) }
}
