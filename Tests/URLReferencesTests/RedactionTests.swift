import Testing
import URLReferences

@Suite("Secrets are removed from addresses and sentences")
struct RedactionTests {
    @Test(
        "scheme, host, path and the names in the query of an address are kept",
        arguments: [
            (
                "https://u:p@h.example/a/b.m3u8?k=v&t=%20&flag#f",
                "https://h.example/a/b.m3u8?k=REDACTED&t=REDACTED&REDACTED#REDACTED"
            ),
            ("http://h/a@b", "http://h/a@b"), ("/var/film.mp4", "/var/film.mp4"), ("http://h", "http://h"),
            ("http://u@h?", "http://h?"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
            ("http://u:p/w@h/a", "http://REDACTED"), ("http://u:p?w@h/a", "http://REDACTED"), ("http://u:p#w", "http://REDACTED"),
            ("http://h/a;session=1/b=2/c", "http://h/a;session=REDACTED/b=REDACTED/c"),
            ("http://h/via/https://u:p@i/c", "http://h/via/https://i/c"), ("//u:p@h/a?b=c", "//h/a?b=REDACTED"),
            ("http://h//via/%2F%2Fu:p@i", "http://h//via/REDACTED"), ("a/b.ts?sig=1", "a/b.ts?sig=REDACTED"),
            ("h?dG9rZW4==", "h?REDACTED"), ("b.ts#t=1", "b.ts#REDACTED"),
            ("/films/Who? Me #1.mp4", "/films/Who? Me #1.mp4"), ("file:///films/a.mp4", "file:///films/a.mp4"),
            ("data:text/plain,x", "data:text/plain,x"), ("", ""),
        ])
    func address(_ url: String, _ expected: String) {
        #expect(Redaction.withoutSecrets(url) == expected)
        #expect(Redaction.withoutSecrets(expected) == expected)
    }

    @Test(
        "addresses and credentials are removed from a sentence, and every other word is kept",
        arguments: [
            (
                "Loading \"http://u:p@h/x?t=1\", failed: 404; check it.",
                "Loading \"http://h/x?t=REDACTED\", failed: 404; check it."
            ),
            ("What now? Try again, at 10:30.", "What now? Try again, at 10:30."),
            ("a\n\nhttp://u:p@h/\thttp://u:p@i/\r\nb", "a\n\nhttp://h/\thttp://i/\r\nb"),
            ("Authorization: Bearer abc def\nnext", "Authorization: REDACTED\nnext"),
            ("sent x-box-token: abc", "sent x-box-token: REDACTED"), ("with Bearer abc now", "with Bearer REDACTED now"),
            ("feed: its signature: wrong", "feed: its signature: wrong"),
            ("password=abc and psk=def token", "password=REDACTED and psk=REDACTED token"),
            ("line 4: #EXT-X-KEY:METHOD=AES-128 needs URI", "line 4: #EXT-X-KEY:METHOD=AES-128 needs URI"),
            (
                "broker = \"mqtt://b.example:1883\", then (https://[::1]:8443), http://[fe80::a], and http://h:80.",
                "broker = \"mqtt://b.example:1883\", then (https://[::1]:8443), http://[fe80::a], and http://h:80."
            ),
            ("\"http://u:1a\" and \"http://u:12@h:80\".", "\"http://REDACTED\" and \"http://h:80\"."),
            ("segment a.ts?sig=9 of list.m3u8", "segment a.ts?sig=REDACTED of list.m3u8"), ("", ""), ("\n", "\n"),
        ])
    func sentence(_ text: String, _ expected: String) {
        #expect(Redaction.inText(text) == expected)
        #expect(Redaction.inText(expected) == expected)
    }

    /// Random addresses, each with a marked secret in every place that can hold one.
    private struct Maker {
        static let secret = "sEcReT"
        var state: UInt64

        mutating func number(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        mutating func one(_ list: [String]) -> String { list[number(list.count)] }
        /// A secret in one of its spellings.
        mutating func value() -> String {
            one(["", "0", "%20", "a.", "-", "~", "(", "'", "!"]) + Self.secret
                + one(["", "9", "%3D", "=", "==", ".", "'", ")", ",x", "@", ":1"])
        }
        mutating func user() -> String {
            one(["", "viewer", Self.secret]) + ":" + Self.secret + one(["", "/", "?", "#", "@", ":", "%40"]) + "@"
        }
        mutating func query() -> String {
            (0...number(3)).map { _ in one(["token=", "a=", "", "x[]=", "a;b="]) + value() }.joined(separator: "&")
        }
        mutating func address() -> String {
            var url = one(["http://", "https://", "HTTP://", "rtmp://", "//"])
            if number(3) > 0 { url += user() }
            url += one(["h.example", "10.0.0.1", "[::1]", "xn--a"]) + one(["", ":80", ":8443"])
            for _ in 0..<number(3) {
                url +=
                    "/"
                    + one([
                        "a", "b.m3u8", "c;session=" + Self.secret, "hdnts=exp=1~hmac=" + Self.secret, "%41",
                        "https://u:\(Self.secret)@i.example",
                    ])
            }
            if number(2) > 0 { url += "/" }
            if number(3) > 0 { url += "?" + query() }
            if number(3) == 0 { url += "#" + value() }
            return url
        }
        mutating func words() -> String {
            var parts: [String] = []
            for _ in 0...number(4) {
                switch number(8) {
                case 0:
                    parts.append(
                        one(["Authorization: Basic ", "cookie: a=1; b=", "Set-Cookie: ", "X-Api-Key: "]) + value() + "\n")
                case 1: parts.append(one(["Bearer ", "(Bearer "]) + value())
                case 2: parts.append(one(["token=", "psk=", "\"password=", "Passphrase="]) + value())
                case 3: parts.append(one(["seg", "../seg.ts", "a/b"]) + "?" + one(["t=", "sig="]) + value())
                case 4: parts.append(one(["failed", "because of", "404;", "(see"]))
                default:
                    parts.append(
                        one(["", "\"", "(", "<", "URI=\"", "of:"]) + address() + one(["", "\"", ")", ",", ".", "\",", ">", ":"]))
                }
            }
            return parts.joined(separator: one([" ", " ", "\n", "\t", "\r\n", "  "]))
        }
    }

    @Test("ten thousand addresses and as many sentences show no secret, but show their hosts")
    func property() {
        var maker = Maker(state: 5)
        for _ in 0..<10_000 {
            let url = maker.address()
            let shown = Redaction.withoutSecrets(url)
            #expect(!shown.contains(Maker.secret), "\(url) became \(shown)")
            #expect(
                ["h.example", "10.0.0.1", "[::1]", "xn--a", "//REDACTED"].contains { shown.contains($0) },
                "\(url) became \(shown)")
            #expect(Redaction.withoutSecrets(shown) == shown)
            let text = maker.words()
            let told = Redaction.inText(text)
            #expect(!told.contains(Maker.secret), "\(text) became \(told)")
        }
    }
}
