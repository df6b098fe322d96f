import Testing
import URLReferences

@testable import ChannelFeed

@Suite("URLs of a feed")
struct URLTests {
    @Test("what may not stand in a URL is percent-encoded; blanks around it are not part of it")
    func characters() {
        #expect(URLReference(checking: "é.m3u8")?.description == "%C3%A9.m3u8")
        let written = ["a b", "a\nb", "a\"b", "<a>", "a\\b", "a|b", "{a}", " a ", "100%", "a%20b"]
        let read = ["a%20b", "ab", "a%22b", "%3Ca%3E", "a%5Cb", "a%7Cb", "%7Ba%7D", "a", "100%25", "a%20b"]
        #expect(written.map { URLReference(checking: $0)?.description } == read)
        #expect(URLReference(checking: "  ") == nil)
        #expect(URLReference(checking: "HTTPS://h/A")?.scheme == "https")
        #expect(URLReference.file(path: "/media/ü b/f.json") == "file:///media/%C3%BC%20b/f.json")
    }

    private func streamURL(_ url: String, from feed: String, base: String? = nil, options: FeedOptions = FeedOptions()) -> String?
    {
        let top = base.map { "\"baseUrl\": \"\($0)\", " } ?? ""
        let text = "{\"feedVersion\": 1, \(top)\"items\": [{\"id\": \"a\", \"streams\": [{\"url\": \"\(url)\"}]}]}"
        return read(text, options: options, from: feed).feed?.items.first?.streams.first?.location.name
    }

    @Test("relative URLs resolve against baseUrl, which resolves against the feed's own URL, otherwise against that URL")
    func bases() {
        #expect(streamURL("a.mp4", from: "https://h/x/feed.json") == "https://h/x/a.mp4")
        #expect(streamURL("a.mp4", from: "https://h/x/feed.json", base: "../v/") == "https://h/v/a.mp4")
        #expect(streamURL("/a.mp4", from: "https://h/x/feed.json", base: "https://c/v/w/") == "https://c/a.mp4")
        #expect(streamURL("//c/a.mp4", from: "https://h/x/feed.json") == "https://c/a.mp4")
        #expect(streamURL("a.mp4", from: "/media/stick/feed.json") == "file:///media/stick/a.mp4")
        #expect(streamURL("a.mp4", from: "feed.json") == nil)
    }

    @Test("the short way for plain paths gives what RFC 3986 gives, for every base and path, and keeps the rules of hosts")
    func shortWay() throws {
        let bases = [
            "https://h/x/feed.json", "https://H:8443/a/./b/../feed.json?token=1#f", "https://h", "https://h?q", "https://h//a//b",
            "http://localhost/f/feed.json", "/media/stick ü/feed.json",
        ]
        let paths = [
            "a.mp4", "a/b-1/c.m3u8", "a/", "a//b", "./a", "a/../b", "../a", ".a", "a/.b", "a..b", "a.", "?a", "#a", "a?b", "a_b",
            "/a", "a:b",
        ]
        for base in bases {
            let origin = try #require(URLReference(checking: base.hasPrefix("/") ? URLReference.file(path: base) : base))
            for path in paths {
                let resolved = try #require(URLReference(checking: path)).resolved(on: origin)
                let isAllowed = resolved.scheme == "https" || resolved.scheme == "http" || resolved.scheme == "file"
                #expect(streamURL(path, from: base) == (isAllowed ? resolved.description : nil), "\(path) on \(base)")
            }
        }
        #expect(streamURL("a.mp4", from: "http://other/feed.json") == nil)
        #expect(streamURL("a.mp4", from: "https://user@other/feed.json") == nil)
    }

    @Test(
        "a stream that the box does not play is refused by its name: by the scheme of its address, or by the name of its manifest"
    )
    func unplayed() {
        let named = [
            ("rtsp://h/live", "RTSP"), ("rtsp://me:secret@h/live", "RTSP"), ("rtmps://h/app", "RTMP"), ("mms://h/x", "MMS"),
            ("srt://h:9000", "SRT"), ("udp://@239.1.1.1:5000", "live channel"), ("rtp://[ff02::1]:5000", "live channel"),
            ("srtp://192.168.1.2:5000", "SRTP"), ("whep://h/x", "WebRTC"),
            ("https://h/film.mpd?token=secret", "DASH"), ("FILM.MPD", "DASH"), ("live.isml/Manifest", "Smooth Streaming"),
            ("film.ism/manifest(format=mpd-time-csf)", "DASH"), ("film.f4m", "Dynamic Streaming"),
        ]
        for (url, name) in named {
            let text = "{\"feedVersion\": 1, \"items\": [{\"id\": \"a\", \"streams\": [{\"url\": \"\(url)\"}]}]}"
            let found = read(text, from: "https://h/feed.json").findings.map { "\($0)" }.filter { $0.contains("FEED-061") }
            #expect(found.count == 1 && found[0].contains(name), "\(url): \(found)")
            #expect(!found.joined().contains("me:secret"))
        }
        for played in ["film.ism/manifest(format=m3u8-aapl)", "a.m3u8?alternative=a.mpd", "film.mpd.mp4"] {
            #expect(streamURL(played, from: "https://h/feed.json") == "https://h/\(played)")
        }
    }

    @Test("a channel may be received as it is sent, by its numeric address and port, and nothing else may")
    func datagrams() {
        func channel(_ url: String) -> (String?, String) {
            let text =
                "{\"feedVersion\": 1, \"channels\": [{\"id\": \"a\", \"title\": \"A\", \"streams\": [{\"url\": \"\(url)\"}]}]}"
            let verdict = read(text, from: "https://h/feed.json")
            return (verdict.feed?.channels.first?.streams.first?.location.name, verdict.findings.map { "\($0)" }.joined())
        }
        let good = [
            "udp://@239.1.1.1:5000", "udp://239.1.1.1:5000", "udp://10.0.0.9@232.1.1.1:5000", "udp://@:5000",
            "rtp://@[ff15::1]:5004",
            "rtp://192.168.1.2:5004", "udp://@239.1.1.1:5000?localaddr=192.168.1.2",
        ]
        for url in good {
            let (name, findings) = channel(url)
            #expect(name == url && findings.isEmpty, "\(url): \(findings)")
        }
        let bad = [
            ("udp://@239.1.1.1", "port"), ("udp://@239.1.1.1:0", "port"), ("rtp://headend.example:5004", "numbers"),
            ("udp://me:secret@239.1.1.1:5000", "sender"), ("udp://239.1.1.2@239.1.1.1:5000", "sender"), ("srt://h:9000", "SRT"),
            ("rtsp://h/live", "RTSP"), ("https://h/film.mpd", "DASH"),
        ]
        for (url, words) in bad {
            let (name, findings) = channel(url)
            #expect(name == nil && findings.contains("FEED-061") && findings.contains(words), "\(url): \(findings)")
            #expect(!findings.contains("secret"))
        }
        let poster =
            #"{"feedVersion": 1, "channels": [{"id": "a", "title": "A", "artwork": {"poster": "udp://@239.1.1.1:5000"}, "#
            + #""streams": [{"url": "https://h/a.m3u8"}]}]}"#
        #expect(read(poster, from: "https://h/feed.json").findings.map { "\($0)" }.joined().contains("FEED-061"))
    }

    @Test("only a feed that is a file may refer to files")
    func files() {
        #expect(streamURL("file:///a.mp4", from: "https://h/feed.json") == nil)
        #expect(streamURL("file:///a.mp4", from: "file:///media/feed.json") == "file:///a.mp4")
    }

    @Test("plain http needs the host's permission, except to the box itself")
    func plainHTTP() {
        #expect(streamURL("http://10.0.0.5/a", from: "https://h/f.json") == nil)
        #expect(
            streamURL("http://10.0.0.5:8080/a", from: "https://h/f.json", options: FeedOptions(plainHTTPHosts: ["10.0.0.5"]))
                != nil)
        #expect(
            streamURL("http://CDN.Example/a", from: "https://h/f.json", options: FeedOptions(plainHTTPHosts: ["cdn.example"]))
                != nil)
        #expect(streamURL("a", from: "http://127.0.0.1:8000/f.json") == "http://127.0.0.1:8000/a")
        #expect(streamURL("http://[::1]:80/a", from: "https://h/f.json") != nil)
        #expect(streamURL("http://127.0.0.1.evil.example/a", from: "https://h/f.json") == nil)
        #expect(streamURL("http://localhost@evil.example/a", from: "https://h/f.json") == nil)
    }

    @Test(
        "a URL without a host that can be asked is refused",
        arguments: ["https:///a", "https://:80/a", "https://h:99999/a", "https://h:8x/a", "https:a", ""])
    func hosts(_ url: String) {
        #expect(streamURL(url, from: "https://h/f.json") == nil)
    }

    @Test("credentials are refused and never repeated")
    func credentials() {
        let verdict = read(#"{"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "https://u:hunter2@h/a"}]}]}"#)
        #expect(verdict.findings.contains { $0.code == .badURL })
        #expect(!verdict.text().contains("hunter2") && !verdict.json().contains("hunter2"))
    }
}
