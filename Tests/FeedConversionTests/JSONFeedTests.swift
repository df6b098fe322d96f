import ChannelFeed
import Testing

@testable import FeedConversion

@Suite("Conversion from JSON Feed")
struct JSONFeedTests {
    @Test("attachments become items; forms of one content are alternatives")
    func whole() throws {
        let result = convert(
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "Talks", "language": "de", "next_url": "https://h.example/2.json",
             "items": [
              {"id": "t1", "title": "First", "content_html": "<p>Hello &amp; good evening</p>", "image": "https://h.example/1.jpg", "tags": ["talk"],
               "date_published": "2026-01-01T00:00:00Z",
               "attachments": [{"url": "https://h.example/1.mp4", "mime_type": "video/mp4", "title": "Film", "duration_in_seconds": 90.5},
                               {"url": "https://h.example/1.webm", "mime_type": "video/webm", "title": "Film"},
                               {"url": "https://h.example/1.mp3", "mime_type": "audio/mpeg", "title": "Sound"},
                               {"url": "https://h.example/1.pdf", "mime_type": "application/pdf"}]},
              {"id": "t2", "content_text": "no attachment"}]}
            """)
        #expect(result.kind == .jsonfeed)
        let feed = try feed(result)
        #expect(feed.items.map { $0.title?.best(for: []) } == ["First: Film", "First: Sound"])
        #expect(feed.items.map(\.type) == [.clip, .music])
        #expect(feed.items[0].streams.map(\.location.name) == ["https://h.example/1.mp4", "https://h.example/1.webm"])
        #expect(feed.items[0].streams[0].audio.map(\.language) == ["de"])
        #expect(feed.items[0].duration.map { "\($0)" } == "90.500")
        #expect(feed.items[0].description?.best(for: []) == "Hello & good evening")
        #expect(feed.provider?.name?.best(for: []) == "Talks")
        for place in [
            "warning /next_url", "warning /items/0/date_published", "warning /items/0/attachments/3", "warning /items/1",
        ] {
            #expect(result.places.contains(place), "\(place)")
        }
        #expect(result.exitCode == 0)
    }
}
