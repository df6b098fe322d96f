import ChannelFeed
import Testing

@testable import FeedConversion

@Suite("Conversion from Roku Direct Publisher")
struct RokuTests {
    private static let source = """
        {"providerName": "Harbour TV", "lastUpdated": "2026-11-20T10:00:00+01:00", "language": "en-US",
         "movies": [
          {"id": "film one", "title": "The Pier", "releaseDate": "1971-05-01", "genres": ["drama"], "tags": ["classic", "sea"],
           "thumbnail": "https://cdn.example/pier.jpg", "shortDescription": "A pier.", "longDescription": "A pier, at length.",
           "rating": {"rating": "PG13", "ratingSource": "MPAA"}, "credits": [{"name": "A. Person", "role": "actor"}],
           "content": {"dateAdded": "2026-01-02T00:00:00Z", "duration": 5400, "language": "en",
             "videos": [{"url": "https://cdn.example/pier-hd.mp4", "quality": "HD", "videoType": "MP4"},
                        {"url": "https://cdn.example/pier.m3u8", "quality": "HD", "videoType": "HLS"},
                        {"url": "https://cdn.example/pier.mpd", "quality": "HD", "videoType": "DASH"}],
             "captions": [{"url": "https://cdn.example/pier.vtt", "language": "en", "captionType": "CLOSED_CAPTION"}],
             "trickPlayFiles": [{"url": "https://cdn.example/sd.bif", "quality": "SD"}, {"url": "https://cdn.example/fhd.bif", "quality": "FHD"}],
             "adBreaks": ["00:10:00", "00:40:00"], "validityPeriodStart": "2026-01-01T00:00:00Z", "validityPeriodEnd": "2027-01-01T00:00:00Z"}}],
         "series": [{"id": "s1", "title": "Boats", "rating": {"rating": "TV-PG", "ratingSource": "USA_PR"}, "tags": ["sea"],
           "seasons": [{"seasonNumber": "2", "episodes": [
             {"id": "b21", "title": "Oars", "episodeNumber": 1, "content": {"duration": "PT22M", "videos": [{"url": "https://cdn.example/b21.m3u8", "videoType": "HLS"}]}},
             {"id": "b22", "title": "Nothing", "content": {"videos": []}}]}]}],
         "liveFeeds": [{"id": "live", "title": "Harbour Live", "content": {"videos": [{"url": "https://cdn.example/live.m3u8", "videoType": "HLS"}]}}],
         "playlists": [{"name": "top", "itemIds": ["s1", "film one", "nobody"]}, {"name": "unused", "itemIds": ["s1"]}],
         "categories": [{"name": "Top", "playlistName": "top"}, {"name": "Sea", "query": "sea AND classic OR nothing", "order": "most_recent"}]}
        """

    @Test("films, series, live feeds and categories become items, series, channels and rows")
    func whole() throws {
        let result = convert(Self.source)
        let feed = try feed(result)
        #expect(result.kind == .roku)
        let film = try #require(feed.items.first)
        #expect(film.title?.best(for: ["en"]) == "The Pier")
        #expect(film.description?.best(for: ["en"]) == "A pier, at length.")
        #expect(film.rating == Rating(system: "MPA", value: "PG-13"))
        #expect(film.duration == .seconds(5400))
        #expect(film.streams.map(\.location.name) == ["https://cdn.example/pier.m3u8", "https://cdn.example/pier-hd.mp4"])
        #expect(film.subtitles.map(\.kind) == [.captions])
        #expect(film.thumbnails == "https://cdn.example/fhd.bif")
        #expect(film.window?.to == FeedDate("2027-01-01T00:00:00Z"))
        #expect(film.interstitials.isEmpty)
        #expect(film.tags == ["classic", "sea", "drama"])
        let series = try #require(feed.series.first)
        #expect(series.seasons.map(\.number) == [2])
        #expect(series.seasons.first?.episodes == ["b21"])
        let episode = try #require(feed.items.last)
        #expect(episode.type == .episode)
        #expect(episode.duration == .seconds(1320))
        #expect(episode.rating == Rating(system: "TVPG", value: "TV-PG"), "an episode has the rating of its series")
        #expect(episode.subtitle?.best(for: []) == "S2 E1")
        #expect(feed.channels.map(\.id) == ["live"])
        #expect(feed.rows.map { $0.title.best(for: []) } == ["Top", "Sea"])
        #expect(feed.rows[0].entries == [.series("s1"), .item(film.id)])
        #expect(feed.rows[1].entries == [.item(film.id)])
    }

    @Test("each loss is reported at its place")
    func losses() {
        let result = convert(Self.source)
        for place in [
            "warning /movies/0/credits", "warning /movies/0/releaseDate", "warning /movies/0/content/adBreaks",
            "error /movies/0/content/videos/2",
            "warning /movies/0/content/trickPlayFiles/0", "warning /movies/0/id", "error /series/0/seasons/0/episodes/1/content",
            "warning /playlists/0/itemIds/2", "warning /playlists/1",
        ] { #expect(result.places.contains(place), "\(place)") }
        #expect(result.exitCode == 3)
        #expect(result.feed?.contains("\"x-adBreaks\"") == true)
    }

    @Test("the same source gives the same bytes")
    func stable() { #expect(convert(Self.source).feed == convert(Self.source).feed) }

    @Test("an item whose period of availability is wrong is never available at all times")
    func window() throws {
        func source(_ end: String) -> String {
            """
            {"movies": [{"id": "a", "title": "A", "content": {"validityPeriodStart": "2026-01-02T00:00:00Z", "validityPeriodEnd": "\(end)",
              "videos": [{"url": "https://h.example/a.m3u8"}]}}, {"id": "b", "title": "B", "content": {"videos": [{"url": "https://h.example/b.m3u8"}]}}]}
            """
        }
        let reversed = convert(source("2026-01-01T00:00:00Z"))
        #expect(try feed(reversed).items.map(\.id) == ["b"])
        #expect(reversed.places == ["error /movies/0/content/validityPeriodEnd"])
        let unreadable = convert(source("soon"))
        #expect(try feed(unreadable).items.first?.withdrawn == true)
        #expect(unreadable.exitCode == 3)
    }
}
