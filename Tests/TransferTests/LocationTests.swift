import MediaSources
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
            ("mms://h/x", "MMS"), ("mmsh://h/x", "MMS"), ("srtp://239.1.1.1:5000", "SRTP"), ("udplite://h:1", "UDP-Lite"),
            ("srt://h:9000?passphrase=secret", "SRT"), ("whep://h/x", "WebRTC"), ("webrtc://h/x", "WebRTC"),
        ]
        for (url, name) in named {
            let sentence = words(url)
            #expect(sentence.contains("the box does not play \(name);") && !sentence.contains("secret"), "\(sentence)")
        }
        #expect(words("gopher://h/x").contains("gopher: is not an http, https, udp, rtp or file address"))
    }

    @Test("streams in datagrams: groups, senders, interfaces, this machine")
    func datagrams() throws {
        func address(_ url: String) -> DatagramAddress? {
            if case .datagrams(let address) = Location(url) { address } else { nil }
        }
        let group = try #require(address("udp://@239.1.1.1:5000"))
        #expect(group == address("UDP://239.1.1.1:5000/") && group.isMulticast && !group.isRTP && group.senders.isEmpty)
        #expect(group.port == 5000 && group.host == NumericAddress("239.1.1.1"))
        let chosen = try #require(address("rtp://10.0.0.9@232.1.1.1:5004?pkt_size=1316&localaddr=127.0.0.1"))
        #expect(
            chosen.isRTP && chosen.senders == [NumericAddress("10.0.0.9")] && chosen.localAddress == NumericAddress("127.0.0.1"))
        #expect(address("udp://@232.1.1.1:5004?sources=10.0.0.9,10.0.0.8")?.senders.count == 2)
        let wide = try #require(address("udp://[2001:db8::9]@[ff35::8000:1%25eth0]:5000"))
        #expect(wide.isMulticast && wide.zone == "eth0" && wide.senders == [NumericAddress("2001:db8::9")])
        #expect(address("udp://@:5000").map { $0.host == nil && !$0.isMulticast } == true)
        #expect(address("udp://10.0.0.9:5000")?.isMulticast == false)
        for wrong in ["udp://@239.1.1.1", "udp://@239.1.1.1:0", "udp://@239.1.1.1:99999", "rtp://headend.example:5000", "udp:x"] {
            #expect(address(wrong) == nil, "\(wrong)")
        }
        let error = Location.refusal("udp", "udp://me:secret@239.1.1.1:5000")
        #expect(error.sentence.contains("names a sender") && !error.sentence.contains("secret"), "\(error)")
        #expect(Location.refusal("udp", "udp://@239.1.1.1").sentence.contains("has no port"))
    }

    @Test("an address may contain its body, whose secrets no name has")
    func inline() throws {
        func body(_ url: String) -> [UInt8]? { InlineBody(url)?.bytes }
        let key = [UInt8](0..<16)
        for url in [
            "data:application/octet-stream;base64,AAECAwQFBgcICQoLDA0ODw==", "DATA:;base64,AAECAwQFBgcICQoLDA0ODw",
            "data:text/plain;charset=x;BASE64,AAECAwQFBgcI%0D%0ACQoLDA0ODw%3D%3D",
            "data:,%00%01%02%03%04%05%06%07%08%09%0A%0b%0c%0d%0e%0f",
        ] {
            #expect(body(url) == key, "\(url)")
        }
        #expect(body("data:;base64,-_8") == [0xFB, 0xFF] && body("data:,a%2,b%") == Array("a%2,b%".utf8) && body("data:,") == [])
        #expect(body("data:;base64,a*b=") == nil && body("data:text/plain") == nil && body("http://h/a,b") == nil)
        let inline = try #require(InlineBody("data:text/plain,0123456789"))
        let response = inline.response(to: ByteRequest(url: "data:text/plain,0123456789", range: 4..<99))
        #expect(response.bytes == Array("456789".utf8) && response.contentType == "text/plain" && response.isStored)
        #expect(Location.name("data:text/plain;base64,AAEC") == "data:text/plain;base64,…")
        #expect(Location.refusal("data", "data:;base64,s*cret").sentence.contains("no base64"))
        #expect(!Location.refusal("data", "data:;base64,s*cret").sentence.contains("s*cret"))
    }

    @Test("names for logs contain no user, password or query")
    func names() {
        #expect(Location.name("https://user:secret@host/a/b.ts?token=1#x") == "https://host/a/b.ts")
        #expect(Location.name("http://host/a@b.ts") == "http://host/a@b.ts")
        #expect(Location.name("/films/what?.mp4") == "/films/what?.mp4")
    }
}
