import Testing

import URLReferences

@testable import Transfer

@Suite("Locations")
struct LocationTests {
    @Test(
        "paths and file URLs are files, http and https are network addresses, and everything else is unsupported",
        arguments: [
            ("/films/a.mp4", Location.file("/films/a.mp4")), ("a b.mp4", .file("a b.mp4")),
            ("file:///films/a%20b.mp4", .file("/films/a b.mp4")),
            ("file:/x.mp4", .file("/x.mp4")), ("file://localhost/x.mp4?y#z", .file("/x.mp4")), ("http://host/x", .http),
            ("HTTPS://host/x", .http),
            ("ftp://host/x", .unknown("ftp")), ("data:text/plain,x", .unknown("data")), ("2001:x", .file("2001:x")),
        ])
    func kinds(url: String, expected: Location) {
        #expect(Location(url) == expected)
    }

    @Test("what is not played is refused by its name, and without the secrets of its address")
    func unplayed() {
        func words(_ url: String) -> String {
            guard case .unknown(let scheme) = Location(url) else { return "" }
            let error = Location.refusal(scheme, url)
            #expect(error.code == .sourceFormat)
            return error.sentence
        }
        let named = [
            ("rtsp://me:secret@10.0.0.9/live", "RTSP"), ("RTSPS://h/live", "RTSP"), ("rtmp://h/app/x", "RTMP"),
            ("mms://h/x", "MMS"), ("mmsh://h/x", "MMS"), ("udp://@239.1.1.1:5000", "UDP"), ("rtp://239.1.1.1:5000", "RTP"),
            ("srt://h:9000?passphrase=secret", "SRT"), ("whep://h/x", "WebRTC"), ("webrtc://h/x", "WebRTC"),
        ]
        for (url, name) in named {
            let sentence = words(url)
            #expect(sentence.contains("the box does not play \(name);") && !sentence.contains("secret"), "\(sentence)")
        }
        #expect(words("gopher://h/x").contains("gopher: is not an http, https or file address"))
    }

    @Test("names for logs contain no user, password or query")
    func names() {
        #expect(Location.name("https://user:secret@host/a/b.ts?token=1#x") == "https://host/a/b.ts")
        #expect(Location.name("http://host/a@b.ts") == "http://host/a@b.ts")
        #expect(Location.name("/films/what?.mp4") == "/films/what?.mp4")
    }
}
