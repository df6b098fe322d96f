@testable import ChannelFeed

/// Reads a feed written in a test.
func read(_ text: String, options: FeedOptions = FeedOptions(), from url: String = "https://cdn.example/feed.json") -> FeedVerdict
{
    FeedReader.read(Array(text.utf8), baseURL: url, options: options)
}

extension FeedOptions {
    /// For a box of this group, with pinned keys if it is not nil.
    static func of(group: String?) -> FeedOptions {
        var options = FeedOptions()
        options.group = group
        return options
    }
}

/// A feed around one item; `parts` are members of it besides id and stream.
func itemFeed(_ parts: String, top: String = "") -> String {
    """
    {"feedVersion": 1, \(top.isEmpty ? "" : top + ", ")"items": [
      {"id": "m1", "title": "Film", "streams": [{"url": "m1.mp4"}]\(parts.isEmpty ? "" : ", " + parts)},
      {"id": "m2", "title": "Other", "streams": [{"url": "m2.mp4"}]}]}
    """
}

/// The example of the feed's documentation, character for character.
let fullExample = #"""
    {"feedVersion": 1, "id": "hotel-7", "revision": 412, "lastUpdated": "2026-11-20T10:00:00Z", "validUntil": "2027-12-01T00:00:00Z",
     "defaultLanguage": "en", "languages": ["en", "ar", "zh-Hant"], "provider": {"name": "Acme", "logo": "img/l.png", "support": "+1 555 0100"},
     "refresh": {"interval": 900, "jitterPercent": 20}, "baseUrl": "https://cdn.example/v/", "start": {"channel": "news"},
     "channels": [
      {"id": "news", "number": 1, "title": {"en": "News", "ar": "أخبار"}, "kind": "live", "streams": [{"url": "news/live.m3u8"}, {"url": "https://backup.example/news.m3u8"}],
       "guide": {"xmltv": "epg.xml", "id": "news.uk"}, "rating": {"system": "TVPG", "value": "TV-G"}},
      {"id": "loop", "number": 2, "title": "Loop", "kind": "playlist", "loop": true, "items": ["m1", "e101"]},
      {"id": "tonight", "number": 3, "title": "Tonight", "kind": "schedule", "entries": [{"at": "2026-11-20T20:00:00Z", "item": "m1"}]}],
     "series": [{"id": "hh", "title": {"en": "Happy"}, "seasons": [{"number": 1, "episodes": ["e101", "e102"]}]}],
     "items": [
      {"id": "e101", "type": "episode", "title": {"en": "Pilot", "und": "Pilot"}, "subtitle": {"en": "S1 E1"}, "description": {"en": "It begins."},
       "artwork": {"poster": "p.jpg", "still": "s.jpg"}, "genre": {"en": "Comedy"}, "tags": ["comedy"], "rating": {"system": "MPA", "value": "PG-13"},
       "duration": "22:00", "streams": [{"url": "e101/master.m3u8"}],
       "subtitles": [{"language": "ar", "url": "ar.vtt", "kind": "sdh", "charset": "windows-1256"}], "thumbnails": {"bif": "e101.bif"}, "trim": {"in": 0, "out": 1300},
       "markers": [{"kind": "chapter", "start": 0, "title": {"en": "Opening"}, "image": "c1.jpg"}, {"kind": "intro", "start": 12, "end": 72}, {"kind": "credits", "start": "21:10"}],
       "interstitials": [{"id": "a1", "start": 600, "duration": 60, "kind": "ad", "repeat": "once", "skip": {"offset": 5, "duration": 20}}],
       "proposal": {"next": "e102", "at": 1270, "automaticAcceptanceInterval": -1},
       "window": {"from": "2026-11-01T00:00:00Z", "to": "2027-01-01T00:00:00Z"}, "offline": "opportunistic"},
      {"id": "e102", "type": "episode", "title": "Second", "streams": [{"url": "e102/master.m3u8"}]},
      {"id": "m1", "type": "movie", "title": "Film", "streams": [{"url": "m1.mp4"}]}],
     "rows": [{"title": {"en": "Featured"}, "items": ["e101", "m1"]}, {"title": {"en": "Comedy"}, "tag": "comedy"}],
     "policy": {"parentalMax": {"MPA": "PG-13"}, "skippableAds": false, "snapBack": "first", "metered": "low", "idle": {"askAfterHours": null}}}
    """#
