import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

private let secret = [UInt8](repeating: 9, count: 16)

@Suite("What captions in segments meet", .serialized)
@MainActor
struct CaptionReadingTests {
    /// Twelve segments of pictures and captions, of ten seconds each.
    private func makeRig(text: (Int) -> (tags: String, body: [UInt8]?)) throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d",SUBTITLES="s"
            main.m3u8
            """, at: "http://test/master.m3u8")
        var main = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n", captions = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:10\n"
        for number in 0..<12 {
            let (tags, body) = text(number)
            main += "#EXTINF:10,\n\(number).ts\n"
            captions += "\(tags)#EXTINF:10,\n\(number).vtt\n"
            rig.loader.put(
                FakeSegment.bytes(start: 900_000 + Int64(number) * 900_000, count: 250), at: "http://test/\(number).ts")
            if let body { rig.loader.put(body, at: "http://test/\(number).vtt") }
        }
        rig.put(main + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.put(captions + "#EXT-X-ENDLIST\n", at: "http://test/en.m3u8")
        rig.loader.put(secret, at: "http://test/key")
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        return rig
    }

    private func pause(_ rig: SourceRig, _ length: Duration) { rig.loop.run(within: length) { false } }

    @Test("encrypted captions are delivered in clear, with their initialization section; other captions are as they were sent")
    func encrypted() throws {
        let rig = try makeRig { number in
            number == 0
                ? (
                    "#EXT-X-MAP:URI=\"init\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n",
                    Enciphered.bytes([1, 2, 3], key: secret, vector: Enciphered.vector(0))
                )
                : (number == 1 ? "#EXT-X-KEY:METHOD=NONE\n" : "", [4, UInt8(number)])
        }
        defer { rig.close() }
        rig.loader.put([7, 8], at: "http://test/init")
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .zero) { segments.append($0) })
        rig.run { segments.count >= 3 }
        #expect(segments.map(\.bytes) == [[1, 2, 3], [4, 1], [4, 2]])
        #expect(segments.map(\.initialization) == [[7, 8], [7, 8], [7, 8]])
        #expect(segments.map(\.track) == [TrackID(100), TrackID(100), TrackID(100)])
        reading.cancel()
    }

    @Test("captions with a key of another system, and gaps, are passed over without a request")
    func refused() throws {
        let rig = try makeRig { number in
            switch number {
            case 0: ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n", [0])
            case 1: ("#EXT-X-KEY:METHOD=NONE\n#EXT-X-GAP\n", [1])
            default: ("", [UInt8(number)])
            }
        }
        defer { rig.close() }
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .zero) { segments.append($0) })
        rig.run { segments.count >= 1 }
        #expect(segments.map(\.bytes) == [[2]])
        #expect(!rig.loader.requests.contains("http://test/0.vtt") && !rig.loader.requests.contains("http://test/1.vtt"))
        reading.cancel()
    }

    @Test("captions are loaded up to half a minute ahead, one segment at a time")
    func ahead() throws {
        let rig = try makeRig { ("", [UInt8($0)]) }
        defer { rig.close() }
        rig.loader.setLatency(.seconds(1))
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(15)) { segments.append($0) })
        func texts() -> [String] { rig.loader.requests.filter { $0.hasSuffix(".vtt") }.map { String($0.dropFirst(12)) } }
        pause(rig, .milliseconds(2500))
        #expect(texts() == ["1.vtt", "2.vtt"] && segments.map(\.mediaSequence) == [1])
        // A position does not begin a second load while the first runs.
        reading.advance(to: .milliseconds(15_100))
        pause(rig, .milliseconds(200))
        #expect(texts() == ["1.vtt", "2.vtt"])
        pause(rig, .seconds(10))
        #expect(texts() == ["1.vtt", "2.vtt", "3.vtt", "4.vtt"] && segments.map(\.mediaSequence) == [1, 2, 3, 4])
        reading.advance(to: .seconds(20))
        pause(rig, .seconds(5))
        #expect(texts().last == "4.vtt")
        reading.advance(to: .milliseconds(20_001))
        pause(rig, .seconds(5))
        #expect(texts().last == "5.vtt")
        // A jump back within what was read loads nothing again.
        reading.advance(to: .zero)
        pause(rig, .seconds(5))
        #expect(texts().last == "5.vtt" && segments.count == 5)
        // A cancelled reader forgets the segment that is on its way.
        reading.advance(to: .seconds(31))
        pause(rig, .milliseconds(500))
        #expect(texts().last == "6.vtt")
        reading.cancel()
        reading.cancel()
        pause(rig, .seconds(5))
        #expect(segments.count == 5)
    }

    @Test("a caption segment that starts half a minute before the position is still loaded, an older one is jumped over")
    func past() throws {
        for (position, expected) in [(Int64(50), ["0.vtt", "1.vtt"]), (51, ["0.vtt", "5.vtt"])] {
            let rig = try makeRig { ("", [UInt8($0)]) }
            rig.loader.setLatency(.seconds(1))
            let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .zero) { _ in })
            pause(rig, .milliseconds(1500))
            reading.advance(to: .seconds(position))
            pause(rig, .milliseconds(1500))
            #expect(
                Array(rig.loader.requests.filter { $0.hasSuffix(".vtt") }.map { String($0.dropFirst(12)) }.prefix(2)) == expected)
            reading.cancel()
            rig.close()
        }
    }

    @Test("captions of a presentation without pictures in their sequence are placed by their playlist")
    func barren() throws {
        let rig = try makeRig { ("", [UInt8($0)]) }
        defer { rig.close() }
        rig.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nnone.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:10,\n1.ts\n#EXT-X-ENDLIST\n",
            at: "http://test/main.m3u8")
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(10)) { segments.append($0) })
        pause(rig, .seconds(1))
        #expect(segments.isEmpty)
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { segments.count >= 2 }
        #expect(segments.prefix(2).map(\.mapping.own) == [.init(offset: .seconds(10)), .init(offset: .seconds(20))])
        reading.cancel()
    }

    @Test("live captions follow the window while they are read, and continue at its start when they have lost it")
    func live() throws {
        let rig = try LiveRig(.init(renditions: ["main": ("v", 0), "text": ("v", 0)]))
        defer { rig.close() }
        _ = rig.prepare(
            multivariant: """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="text.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d",SUBTITLES="s"
                main.m3u8
                """)
        rig.read([0])
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(4)) { segments.append($0) })
        for second in Int64(0)..<20 {
            reading.advance(to: .seconds(4 + second))
            rig.run(for: .seconds(1))
        }
        let first = segments.map(\.timeRange.start)
        #expect(first.first == .seconds(4) && first.count >= 12)
        #expect(zip(first, first.dropFirst()).allSatisfy { $1 - $0 == .seconds(2) })
        #expect(rig.origin.reloads(of: "text").count >= 9)
        reading.cancel()
        let count = rig.origin.reloads(of: "text").count
        rig.run(for: .seconds(20))
        #expect(rig.origin.reloads(of: "text").count <= count + 1)
        // Begun at a position that the window left long ago.
        segments = []
        let again = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(4)) { segments.append($0) })
        rig.run(for: .seconds(3))
        let window = try #require(rig.source.liveStatus).seekableTimeRange
        // They are loaded around the position, which the window has left.
        #expect(segments.isEmpty)
        again.advance(to: window.start)
        rig.run(for: .seconds(3))
        #expect(try #require(segments.first).timeRange.start >= window.start - .seconds(2))
        again.cancel()
    }
}

@Suite("What a scan meets", .serialized)
@MainActor
struct ScanTests {
    /// Segments of two seconds, each with a key picture every half second.
    private func makeRig(_ count: Int = 5, tags: (Int) -> String = { _ in "" }, body: (Int, [UInt8]) -> [UInt8] = { $1 }) throws
        -> SourceRig
    {
        let rig = try SourceRig()
        var list = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<count {
            list += "\(tags(number))#EXTINF:2,\n\(number).ts\n"
            // Groups of twelve or thirteen pictures.
            let groups = [(0, 12), (12, 13), (25, 12), (37, 13)].flatMap { first, length in
                FakeSegment.bytes(start: 900_000 + Int64(number) * 180_000 + Int64(first) * 3600, count: length)
            }
            rig.loader.put(body(number, groups), at: "http://test/\(number).ts")
        }
        rig.put(list + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.loader.put(secret, at: "http://test/key")
        _ = try #require(rig.prepare("http://test/main.m3u8")).get()
        return rig
    }

    private func scan(_ rig: SourceRig, from start: Int64, _ direction: KeyFrameReading.Direction, step: Int64) throws -> [Int64]
    {
        let buffer = try #require(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .milliseconds(start), direction: direction, step: .milliseconds(step)), track: TrackID(0)))
        let delivery = try #require(rig.read(buffer, [0])[0])
        #expect(delivery.error == nil && delivery.samples.allSatisfy { $0.isSync && $0.run == 0 && $0.track == TrackID(0) })
        return delivery.times.map(\.milliseconds)
    }

    @Test("a scan of ordinary segments begins with the key picture at its start, and keeps at least its step between two")
    func steps() throws {
        let rig = try makeRig(3)
        defer { rig.close() }
        // The first is the last one at or before the start.
        #expect(
            try scan(rig, from: 1100, .forward, step: 400) == [1000, 1480, 2000, 2480, 3000, 3480, 4000, 4480, 5000, 5480])
        #expect(try scan(rig, from: 1000, .forward, step: 500) == [1000, 2000, 3000, 4000, 5000])
        #expect(try scan(rig, from: 0, .forward, step: 1480) == [0, 1480, 3000, 4480])
        #expect(try scan(rig, from: 0, .forward, step: 1481) == [0, 2000, 4000])
        #expect(try scan(rig, from: 3100, .backward, step: 400) == [3000, 2480, 2000, 1480, 1000, 480, 0])
        #expect(try scan(rig, from: 3000, .backward, step: 1000) == [3000, 2000, 1000, 0])
        #expect(try scan(rig, from: 3000, .backward, step: 1001) == [3000, 1480, 0])
        #expect(try scan(rig, from: 0, .backward, step: 1000) == [0])
    }

    @Test("a fast scan loads only the segments with a picture that it shows")
    func fast() throws {
        let rig = try makeRig(9)
        defer { rig.close() }
        func loads(_ body: () throws -> [Int64]) rethrows -> ([Int64], [String]) {
            let before = rig.loader.requests.count
            let times = try body()
            return (times, rig.loader.requests.dropFirst(before).map { String($0.dropFirst(12)) })
        }
        let forward = try loads { try scan(rig, from: 1000, .forward, step: 6000) }
        #expect(forward.0 == [1000, 7000, 13_000] && forward.1.prefix(3) == ["0.ts", "3.ts", "6.ts"])
        let backward = try loads { try scan(rig, from: 17_000, .backward, step: 6000) }
        #expect(backward.0 == [17_000, 11_000, 5000] && backward.1 == ["8.ts", "5.ts", "2.ts"])
    }

    @Test("encrypted, declared missing, damaged and foreign segments: a scan shows every picture that it can")
    func faults() throws {
        let rig = try makeRig(6) { number in
            switch number {
            case 0: "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"
            case 1: "#EXT-X-KEY:METHOD=NONE\n"
            case 2: "#EXT-X-GAP\n"
            case 3: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n"
            case 4: "#EXT-X-KEY:METHOD=NONE\n"
            default: ""
            }
        } body: { number, bytes in
            switch number {
            case 0: Enciphered.bytes(bytes, key: secret, vector: Enciphered.vector(0))
            case 1: Array("<html>".utf8)
            // A transport stream by its first bytes, without any track.
            case 4: [UInt8](repeating: 0x47, count: 400)
            default: bytes
            }
        }
        defer { rig.close() }
        #expect(try scan(rig, from: 0, .forward, step: 1000) == [0, 1000, 10_000, 11_000])
        #expect(try scan(rig, from: 11_900, .backward, step: 1000) == [11_480, 10_480, 1480, 480])
        #expect(!rig.loader.requests.contains("http://test/2.ts") && !rig.loader.requests.contains("http://test/3.ts"))
    }

    @Test("pictures are where they are in normal playback, also when the timestamps wrap and when playback has set the offset")
    func places() throws {
        let rig = try makeRig(3)
        defer { rig.close() }
        // Normal playback from the third segment places everything by that segment's first timestamp.
        _ = rig.read(rig.source.startReading(at: .seconds(4), tracks: [TrackID(0)]), [0])
        #expect(try scan(rig, from: 0, .forward, step: 2000) == [0, 2000, 4000])
        let wrapping = try SourceRig()
        defer { wrapping.close() }
        var list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
        for number in 0..<3 {
            list += "#EXTINF:2,\n\(number).ts\n"
            let stamp = (Int64(1) << 33) - 180_000 + Int64(number) * 180_000
            wrapping.loader.put(FakeSegment.bytes(start: stamp & (1 << 33 - 1), count: 50), at: "http://test/\(number).ts")
        }
        wrapping.put(list + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        _ = wrapping.prepare("http://test/main.m3u8")
        _ = wrapping.read(wrapping.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        #expect(try scan(wrapping, from: 0, .forward, step: 1000) == [0, 2000, 4000])
        #expect(try scan(wrapping, from: 5000, .backward, step: 1000) == [4000, 2000, 0])
    }

    @Test(
        "the I-frame playlist is the smallest one that is large enough, among those that the box decodes",
        arguments: [
            (1080, "640.m3u8"), (300, "360.m3u8"),
        ])
    func choice(_ screen: Int, _ name: String) throws {
        let rig = try SourceRig()
        defer { rig.close() }
        func stream(_ bandwidth: Int, _ height: Int, codec: String = "avc1.64000d", uri: String? = nil) -> String {
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(bandwidth),RESOLUTION=\(height * 16 / 9)x\(height),CODECS=\"\(codec)\",URI=\"\(uri ?? "\(height).m3u8")\"\n"
        }
        rig.put(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS=\"avc1.64000d\"\nmain.m3u8\n"
                + stream(10, 900, codec: "hvc1.1.6.L93.B0") + stream(90, 1080) + stream(40, 640)
                + stream(40, 640, uri: "again.m3u8")
                + stream(20, 360) + stream(5, 180), at: "http://test/master.m3u8")
        rig.put("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        _ = try #require(rig.prepare("http://test/master.m3u8", screen: (screen * 16 / 9, screen))).get()
        let buffer = try #require(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)))
        #expect(rig.loader.requests.last == "http://test/\(name)")
        // It cannot be loaded: the next scan uses the ordinary segments.
        #expect(rig.read(buffer, [0])[0]?.error != nil)
        rig.loader.put(FakeSegment.bytes(start: 0, count: 50), at: "http://test/0.ts")
        #expect(try scan(rig, from: 0, .forward, step: 1000) == [0])
        #expect(rig.loader.requests.last == "http://test/0.ts")
    }

    @Test("when no I-frame playlist is as large as the screen needs, the largest is used")
    func largest() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        var master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS=\"avc1.64000d\"\nmain.m3u8\n"
        for (height, uri) in [(180, "a"), (360, "b"), (360, "c"), (270, "d")] {
            master +=
                "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,RESOLUTION=320x\(height),CODECS=\"avc1.64000d\",URI=\"\(uri).m3u8\"\n"
        }
        rig.put(master, at: "http://test/master.m3u8")
        rig.put("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        _ = rig.source.startReadingKeyFrames(
            KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0))
        #expect(rig.loader.requests.last == "http://test/b.m3u8")
    }
}
