import ChannelFeed
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing
import WireFormats

@testable import FeedProbing

@Suite("The course of a probe")
struct FeedProbeTests {
    private func question(_ job: ProbeJob, _ index: Int = 0) -> ProbeQuestion {
        ProbeQuestion(job, at: JSONPointer(["items", String(index)]), .present)
    }

    private func jobs(_ effects: [FeedProbe.Effect]) -> [ProbeJob] {
        effects.compactMap { if case .ask(let job) = $0 { job } else { nil } }
    }

    @Test("at most eight jobs run at once, each address once, and the probe ends when all are answered")
    func bounded() {
        var probe = FeedProbe((0..<40).map { question(.resource("u\($0 % 20)"), $0) })
        var running = Set(jobs(probe.handle(.start)))
        #expect(running.count == 8)
        var asked = running.count
        var ends = 0
        while let job = running.first {
            running.remove(job)
            let effects = probe.handle(.answered(job, .missing))
            let new = jobs(effects)
            asked += new.count
            running.formUnion(new)
            #expect(running.count <= 8)
            ends += effects.count { $0 == .finish }
        }
        #expect(asked == 20)
        #expect(ends == 1)
        #expect(probe.findings.count == 40, "every question has its finding")
    }

    @Test("the findings are in the order of the feed, however the answers come")
    func order() {
        let questions = (0..<8).map { question(.resource("u\($0)"), $0) }
        func findings(_ order: [Int]) -> [FeedFinding] {
            var probe = FeedProbe(questions)
            _ = probe.handle(.start)
            for index in order { _ = probe.handle(.answered(.resource("u\(index)"), .missing)) }
            return probe.findings
        }
        #expect(findings(Array(0..<8)) == findings((0..<8).reversed()))
    }

    @Test("one digest is taken at a time, and other jobs go on meanwhile")
    func digests() {
        var probe = FeedProbe([question(.digest("a")), question(.digest("b")), question(.resource("c"))])
        #expect(Set(jobs(probe.handle(.start))) == [.digest("a"), .resource("c")])
        #expect(jobs(probe.handle(.answered(.resource("c"), .present))).isEmpty)
        #expect(jobs(probe.handle(.answered(.digest("a"), .digest("")))) == [.digest("b")])
    }

    @Test("a second answer to a job and one to a job that was not asked change nothing")
    func late() {
        var probe = FeedProbe([question(.resource("a"))])
        _ = probe.handle(.start)
        #expect(probe.handle(.answered(.resource("b"), .missing)).isEmpty)
        #expect(probe.handle(.answered(.resource("a"), .present)).last == .finish)
        #expect(probe.handle(.answered(.resource("a"), .missing)).isEmpty)
        #expect(probe.findings.isEmpty)
    }

    @Test("a feed without addresses ends at once")
    func empty() {
        var probe = FeedProbe([])
        #expect(probe.handle(.start) == [.progressed(done: 0, total: 0), .finish])
    }
}

@MainActor
@Suite("Probing a feed")
struct ProbeRunnerTests {
    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=1280x720,AUDIO="a"
        v/720.m3u8
        """
    private static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:600
        #EXTINF:600.48,
        a.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:60,
        b.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:100,
        c.ts
        #EXT-X-ENDLIST
        """

    private struct World {
        let loop: MainLoop
        let loader: FakeLoader
    }

    private func world() throws -> World {
        let loop = try MainLoop(time: .simulated)
        let loader = FakeLoader(clock: loop.clock)
        loader.put(Array(Self.multivariant.utf8), at: "https://h.example/a.m3u8")
        for name in ["v/720.m3u8", "en.m3u8"] { loader.put(Array(Self.media.utf8), at: "https://h.example/\(name)") }
        return World(loop: loop, loader: loader)
    }

    /// Probes a feed with these items, and returns its findings as `CODE POINTER`.
    private func probe(_ items: String, _ world: World, openFile: @escaping ProbeRunner.OpenFile = { _, _ in }) throws -> [String]
    {
        let text = "{\"feedVersion\": 1, \"items\": [\(items)]}"
        return try probe([(text, "https://h.example/")], world, openFile: openFile)
    }

    /// Probes a feed of these pages.
    private func probe(
        _ texts: [(text: String, url: String)], _ world: World, loader: (any ByteLoading)? = nil,
        openFile: @escaping ProbeRunner.OpenFile = { _, _ in }
    ) throws -> [String] {
        var pages = FeedPages(options: FeedOptions())
        for (text, url) in texts { pages.append(Array(text.utf8), url: url) }
        let feed = try #require(FeedReader.read(pages).feed)
        let questions = ProbePlan.questions(feed, pages)
        let runner = ProbeRunner(
            FeedProbe(questions), loader: loader ?? world.loader, clock: world.loop.clock,
            selection: VariantSelection(width: 1920, height: 1080) {
                $0.hasPrefix("ac-4") || $0.hasPrefix("dvh1.05") ? false : true
            },
            openFile: openFile, progress: { _, _ in })
        var result: FeedProbe?
        runner.run { result = $0 }
        world.loop.run(until: { result != nil })
        return try #require(result).findings.map { "\($0.code.rawValue) \($0.pointer)" }
    }

    @Test("durations within a second, edges within a tenth of a second of a splice and true hints give no finding")
    func good() throws {
        let item = """
            {"id": "a", "duration": 761.2, "streams": [{"url": "a.m3u8", "maxHeight": 720, "codecs": "avc1.640028,mp4a.40.2", "audio": ["en-GB"]}],
             "interstitials": [{"start": 600.4, "duration": 60.1}]}
            """
        #expect(try probe(item, world()) == [])
    }

    @Test("each false statement has its finding at its place, also after an item that the check dropped")
    func wrong() throws {
        let items = """
            {"id": "dropped", "streams": []},
            {"id": "a", "duration": 759, "streams": [{"url": "a.m3u8", "maxHeight": 1080, "codecs": "hvc1.1.6.L93.B0", "audio": ["de", {"language": "en", "kind": "description"}]}],
             "interstitials": [{"id": "late", "start": 660.48, "duration": 1}, {"id": "a1", "start": 600, "duration": 60.48}]}
            """
        #expect(
            try probe(items, world()) == [
                "FEED-066 /items/1/duration", "FEED-025 /items/1/interstitials/1", "FEED-025 /items/1/interstitials/0",
                "FEED-066 /items/1/streams/0/maxHeight", "FEED-066 /items/1/streams/0/audio", "FEED-066 /items/1/streams/0/audio",
                "FEED-066 /items/1/streams/0/codecs",
            ])
    }

    @Test("what is wrong in a further page has its address before the pointer")
    func pages() throws {
        let found = try probe(
            [
                (
                    #"{"feedVersion": 1, "next": "2.json", "items": [{"id": "a", "streams": [{"url": "a.m3u8"}]}]}"#,
                    "https://h.example/"
                ),
                (
                    #"{"feedVersion": 1, "items": [{"id": "b", "duration": 1, "streams": [{"url": "a.m3u8", "audio": ["de"]}, {"url": "none.m3u8"}]}]}"#,
                    "https://h.example/2.json"
                ),
            ], world())
        #expect(
            Set(found) == [
                "FEED-066 https://h.example/2.json#/items/0/duration",
                "FEED-066 https://h.example/2.json#/items/0/streams/0/audio",
                "FEED-064 https://h.example/2.json#/items/0/streams/1/url",
            ], "\(found)")
    }

    @Test("what is missing, hangs or is no playlist has its own finding, and the probe goes on")
    func broken() throws {
        let world = try world()
        world.loader.put(Array("<html>".utf8), at: "https://h.example/page.m3u8")
        world.loader.setLatency(.seconds(100_000), at: "https://h.example/hangs.m3u8")
        let items = """
            {"id": "a", "streams": [{"url": "none.m3u8"}]}, {"id": "b", "streams": [{"url": "hangs.m3u8"}]},
            {"id": "c", "streams": [{"url": "page.m3u8"}]}, {"id": "d", "streams": [{"url": "a.m3u8"}], "artwork": "none.jpg",
             "subtitles": [{"language": "en", "url": "none.vtt"}]}
            """
        #expect(
            try probe(items, world) == [
                "FEED-064 /items/0/streams/0/url", "FEED-065 /items/1/streams/0/url", "FEED-065 /items/2/streams/0/url",
                "FEED-064 /items/3/subtitles/0/url", "FEED-064 /items/3/artwork",
            ])
    }

    @Test(
        "what a server answers is the finding of a stream and of a picture: it is missing, or it cannot be had",
        arguments: [
            (404, "FEED-064"), (410, "FEED-064"), (401, "FEED-065"), (403, "FEED-065"), (429, "FEED-065"), (503, "FEED-065"),
        ])
    func answers(_ status: Int, _ code: String) throws {
        let world = try world()
        let text =
            #"{"feedVersion": 1, "items": [{"id": "a", "streams": [{"url": "f.mp4"}, {"url": "a.m3u8"}], "artwork": "a.jpg"}]}"#
        var opened = 0
        let found = try probe(
            [(text, "https://h.example/")], world, loader: AnsweringLoader(status, world.loader),
            openFile: { _, _ in opened += 1 })
        #expect(Set(found) == Set(["streams/0/url", "streams/1/url", "artwork"].map { "\(code) /items/0/\($0)" }))
        #expect(opened == 0, "the demuxer would ask the server again")
    }

    @Test("what only has the name of a playlist is opened as what it holds, so that the finding names it")
    func otherContent() throws {
        let world = try world()
        world.loader.put(Array("<MPD>".utf8), at: "https://h.example/film.m3u8")
        var opened: [StreamLocation] = []
        let found = try probe(#"{"id": "a", "streams": [{"url": "film.m3u8"}]}"#, world) { location, completion in
            opened.append(location)
            completion(.failure(MediaError(.sourceFormat, "It holds a DASH manifest.")))
        }
        #expect(opened == [.url("https://h.example/film.m3u8")] && found == ["FEED-065 /items/0/streams/0/url"])
    }

    @Test("thumbnails are read to the end of their index, and digests are compared")
    func files() throws {
        let world = try world()
        func bif(_ magic: UInt8, end: UInt32) -> [UInt8] {
            func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
            let header = [magic, 0x42, 0x49, 0x46, 0x0d, 0x0a, 0x1a, 0x0a] + word(0) + word(1) + word(1000)
            return header + [UInt8](repeating: 0, count: 64 - header.count) + word(0) + word(80) + word(end) + word(90) + [
                0xFF, 0xD8,
            ]
        }
        world.loader.put(bif(0x89, end: .max), at: "https://h.example/good.bif")
        world.loader.put(bif(0x88, end: .max), at: "https://h.example/magic.bif")
        world.loader.put(bif(0x89, end: 7), at: "https://h.example/index.bif")
        let items = ["good", "magic", "index"].enumerated().map { index, name in
            "{\"id\": \"\(name)\", \"streams\": [{\"url\": \"a.m3u8\"}], \"thumbnails\": {\"bif\": \"\(name).bif\"}}"
        }
        #expect(
            try probe(items.joined(separator: ","), world) == [
                "FEED-066 /items/1/thumbnails/bif", "FEED-066 /items/2/thumbnails/bif",
            ])
        // SHA-256 of "abc" (FIPS 180-4).
        world.loader.put(Array("abc".utf8), at: "https://h.example/abc.mp4")
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let file = { (digest: String) in "{\"id\": \"f\", \"streams\": [{\"url\": \"abc.mp4\", \"sha256\": \"\(digest)\"}]}" }
        let open: ProbeRunner.OpenFile = { _, completion in
            completion(
                .success(SourceDescription(kind: "file", tracks: [], duration: .finite(.seconds(5)), seekableTimeRanges: [])))
        }
        #expect(try probe(file(digest), world, openFile: open) == [])
        #expect(try probe(file(String(digest.reversed())), world, openFile: open) == ["FEED-067 /items/0/streams/0/sha256"])
    }

    @Test(
        "protection that the box has no keys for is found in the variant that it plays, in its sound and in a media playlist",
        arguments: [
            "METHOD=SAMPLE-AES,URI=\"skd://x\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1\"",
            "METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"",
            "METHOD=SAMPLE-AES,URI=\"key.bin\"", "METHOD=AES-128,URI=\"key.bin\",KEYFORMAT=\"com.microsoft.playready\"",
            "METHOD=AES-256,URI=\"key.bin\"",
        ])
    func protected(_ attributes: String) throws {
        for place in ["v/720.m3u8", "en.m3u8", "a.m3u8"] {
            let world = try world()
            world.loader.put([UInt8](repeating: 1, count: 16), at: "https://h.example/key.bin")
            world.loader.put(
                Array(Self.media.replacing("#EXTINF:60,", with: "#EXT-X-KEY:\(attributes)\n#EXTINF:60,").utf8),
                at: "https://h.example/\(place)")
            #expect(
                try probe(#"{"id": "a", "streams": [{"url": "a.m3u8"}]}"#, world) == ["FEED-065 /items/0/streams/0/url"],
                "\(place)")
        }
    }

    @Test("the key of the first segment must be there, and 16 bytes long")
    func keys() throws {
        for (bytes, count) in [(16, 0), (15, 1), (0, 1), (17, 1), (-1, 1)] {
            let world = try world()
            if bytes >= 0 { world.loader.put([UInt8](repeating: 1, count: bytes), at: "https://h.example/keys/k1") }
            world.loader.put(
                Array(
                    Self.media.replacing("#EXTINF:600.48,", with: "#EXT-X-KEY:METHOD=AES-128,URI=\"../keys/k1\"\n#EXTINF:600.48,")
                        .utf8),
                at: "https://h.example/v/720.m3u8")
            let found = try probe(#"{"id": "a", "streams": [{"url": "a.m3u8"}]}"#, world)
            #expect(found == Array(repeating: "FEED-065 /items/0/streams/0/url", count: count), "\(bytes)")
        }
    }

    @Test("a programme without a variant that this model plays is found, and one with one is good")
    func codecs() throws {
        func found(_ variants: [String]) throws -> [String] {
            let world = try world()
            let lines = variants.map { "#EXT-X-STREAM-INF:BANDWIDTH=1000000,\($0)\nv/720.m3u8\n" }
            world.loader.put(Array(("#EXTM3U\n" + lines.joined()).utf8), at: "https://h.example/a.m3u8")
            return try probe(#"{"id": "a", "streams": [{"url": "a.m3u8"}]}"#, world)
        }
        #expect(try found(["CODECS=\"dvh1.05.06,mp4a.40.2\""]) == ["FEED-062 /items/0/streams/0/url"])
        #expect(try found(["CODECS=\"avc1.4d401f,ac-4.02\"", "CODECS=\"dvh1.05.06\""]) == ["FEED-062 /items/0/streams/0/url"])
        #expect(try found(["CODECS=\"avc1.4d401f\",HDCP-LEVEL=TYPE-1"]) == ["FEED-062 /items/0/streams/0/url"])
        #expect(try found(["CODECS=\"dvh1.05.06\"", "CODECS=\"avc1.4d401f\""]) == [])
    }

    @Test("a file that is opened has its duration compared, and one that never opens costs its deadline")
    func opened() throws {
        let world = try world()
        world.loader.put(Array("ftyp".utf8), at: "https://h.example/f.mp4")
        let item = "{\"id\": \"f\", \"duration\": 10, \"streams\": [{\"url\": \"f.mp4\"}]}"
        let open: ProbeRunner.OpenFile = { _, completion in
            completion(
                .success(SourceDescription(kind: "file", tracks: [], duration: .finite(.seconds(5)), seekableTimeRanges: [])))
        }
        #expect(try probe(item, world, openFile: open) == ["FEED-066 /items/0/duration"])
        #expect(try probe(item, world) == ["FEED-065 /items/0/streams/0/url"])
        #expect(world.loop.clock.now >= .zero + ProbeRunner.longestJob)
    }
}

/// A server that answers everything with one status.
private final class AnsweringLoader: ByteLoading {
    private let status: Int
    private let loader: FakeLoader

    init(_ status: Int, _ loader: FakeLoader) {
        self.status = status
        self.loader = loader
    }

    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        loader.load(request) { [status] _ in completion(.failure(.loading(request.url, failed: .status(status)))) }
    }

    func stream(_ url: String) -> any ByteStream { loader.stream(url) }
}
