import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

/// A source whose requests the test answers by hand.
@MainActor
private final class HandRig {
    let loop: MainLoop
    let loader = HandLoader()
    let source: HLSSource
    private(set) var description: SourceDescription?
    private(set) var metadata: [TimedMetadata] = []
    private var listening: Subscription?

    init(_ playlist: String) throws {
        loop = try MainLoop(time: .simulated)
        source = HLSSource(
            playlist: ByteResponse(
                bytes: Array(playlist.utf8), url: "http://h/main.m3u8", status: 200, contentType: nil, timeToFirstByte: .zero,
                transferDuration: .zero), screen: (1920, 1080), loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock)
        listening = source.events.listen { [weak self] in
            if case .timedMetadata(let found) = $0 { self?.metadata += found }
        }
        source.prepare { [weak self] in self?.description = try? $0.get() }
    }

    /// Answers a request for a text.
    func answer(_ name: String, _ text: String) throws {
        try #require(loader.transfer("http://h/\(name)")).complete(Array(text.utf8))
    }

    func pending(_ name: String) throws -> HandTransfer { try #require(loader.transfer("http://h/\(name)")) }

    /// Runs until everything that is due has happened.
    func settle() { loop.run(within: .milliseconds(10)) { false } }
}

@Suite("Loads that are not complete", .serialized)
@MainActor
struct PendingLoadTests {
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXTINF:2,\n1.ts\n#EXT-X-ENDLIST\n"
    private static let master = """
        #EXTM3U
        #EXT-X-SESSION-DATA:DATA-ID="a",URI="data.json"
        #EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="A"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="text.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a",SUBTITLES="s",PATHWAY-ID="A"
        low.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=30000,RESOLUTION=960x540,CODECS="avc1.64000d",URI="keys.m3u8"
        """

    private func list(_ name: String, tags: String = "") -> String {
        Self.list.replacing("0.ts", with: "\(name)0").replacing("1.ts", with: "\(name)1").replacing(
            "#EXTINF:2,\n\(name)0", with: "\(tags)#EXTINF:2,\n\(name)0")
    }

    @Test("closing a presentation ends every load, and nothing begins or is reported any more")
    func closed() throws {
        let rig = try HandRig(Self.master)
        try rig.answer("low.m3u8", list("low", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"))
        try rig.answer("en.m3u8", list("en"))
        #expect(rig.description != nil)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0), TrackID(1)])
        var texts = 0
        _ = try #require(rig.source.startReadingText(of: TrackID(100), at: .zero) { _ in texts += 1 })
        rig.loop.run(within: .seconds(2)) { false }
        try rig.answer("text.m3u8", list("text"))
        rig.settle()
        let open = ["data.json", "steer.json?_HLS_pathway=\"A\"", "low0", "key", "en0", "text0"]
        for name in open { #expect(try !rig.pending(name).isCancelled, "\(name)") }
        rig.source.close()
        for name in open { #expect(try rig.pending(name).isCancelled, "\(name)") }
        #expect(buffer.isCancelled)
        let count = rig.loader.transfers.count
        #expect(rig.source.startReadingText(of: TrackID(100), at: .zero) { _ in } == nil)
        #expect(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)) == nil)
        rig.source.close()
        rig.loop.run(within: .seconds(400)) { false }
        #expect(rig.loader.transfers.count == count && texts == 0)
    }

    @Test("a presentation that is closed while it is prepared is not described any more")
    func closedEarly() throws {
        let rig = try HandRig(Self.master)
        let low = try rig.pending("low.m3u8"), sound = try rig.pending("en.m3u8")
        rig.source.close()
        #expect(low.isCancelled && sound.isCancelled)
        rig.loop.run(within: .seconds(10)) { false }
        #expect(rig.description == nil && rig.loader.transfers.count == 3)
    }

    @Test("a body without end is held when the demuxer cannot follow, whatever its time stamps say")
    func endless() throws {
        let rig = try HandRig(Self.list)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let body = try rig.pending("0.ts")
        // Four seconds: more than is read before the first picture.
        body.send(FakeSegment.bytes(kinds: "v", start: 900_000, count: 100))
        rig.settle()
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        var sent = 0
        while !body.isHeld, sent < 100 {
            body.send(piece)
            rig.settle()
            sent += 1
        }
        #expect(body.isHeld && sent <= 50 && !body.isCancelled)
        #expect(rig.loader.transfer("http://h/1.ts") == nil)
        rig.source.close()
        #expect(buffer.isCancelled)
    }

    @Test("a scan and its load end when reading begins again, and reading ends when a scan begins")
    func scan() throws {
        let rig = try HandRig(Self.master)
        try rig.answer("low.m3u8", list("low"))
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let segment = try rig.pending("low0")
        let keys = try #require(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)))
        #expect(buffer.isCancelled && segment.isCancelled && !keys.isCancelled)
        try rig.answer(
            "keys.m3u8",
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:2,\nk0\n#EXT-X-ENDLIST\n")
        let picture = try rig.pending("k0")
        let again = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        #expect(keys.isCancelled && picture.isCancelled && !again.isCancelled)
        rig.source.close()
        #expect(again.isCancelled)
    }

    @Test("a seek ends the load of the old position")
    func seek() throws {
        let rig = try HandRig(Self.list)
        _ = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let old = try rig.pending("0.ts")
        _ = rig.source.startReading(at: .seconds(3), tracks: [TrackID(0)])
        #expect(old.isCancelled)
        #expect(try !rig.pending("1.ts").isCancelled && rig.loader.urls.count == 2)
        rig.source.close()
    }

    @Test("the rest of a segment in an unknown container is not loaded")
    func foreign() throws {
        let rig = try HandRig(Self.list)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let segment = try rig.pending("0.ts")
        segment.send([UInt8](repeating: 0x3c, count: 64 << 10))
        #expect(!segment.isCancelled)
        segment.send([0x3c])
        #expect(segment.isCancelled && rig.loader.urls.count == 1)
        // The demuxer's thread reports it.
        #expect(rig.loop.run(within: .seconds(1)) { buffer.isAllThere } && !buffer.isFinished)
        rig.source.close()
    }

    @Test("pictures are delivered as their bytes arrive, before their segment is complete")
    func streamed() throws {
        let rig = try HandRig(Self.list)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let bytes = FakeSegment.bytes(start: 900_000, count: 50)
        try rig.pending("0.ts").send(Array(bytes.prefix(FakeSegment.packetSize * 11)))
        #expect(rig.loop.run(within: .seconds(1)) { buffer.bufferedUntil == .milliseconds(400) })
        #expect(rig.loader.urls == ["http://h/0.ts"])
        try rig.pending("0.ts").send(Array(bytes.dropFirst(FakeSegment.packetSize * 11)))
        try rig.pending("0.ts").complete()
        // The start limit is two seconds.
        #expect(rig.loop.run(within: .seconds(1)) { buffer.bufferedUntil == .seconds(2) })
        rig.source.close()
    }

    @Test("a scan whose key is not valid fails")
    func scanFails() throws {
        let rig = try HandRig(list("low", tags: "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"))
        let buffer = try #require(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)))
        try rig.pending("key").complete([1, 2])
        #expect(rig.loop.run(within: .seconds(1)) { buffer.isAllThere } && !buffer.isFinished)
        #expect(!rig.loader.urls.contains("http://h/low1"))
        rig.source.close()
    }

    /// Messages come before the first sample, which tells where their time stamps are: this one is half a second into the segment.
    @Test("metadata in the first segment is reported with the asset time of its timestamp, once that is known")
    func metadata() throws {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] { word(UInt32(body.count + 8)) + Array(type.utf8) + body }
        let rig = try HandRig(list("low", tags: "#EXT-X-MAP:URI=\"init\"\n"))
        _ = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let names: [UInt8] = Array("urn:x".utf8) + [0, 0]
        let message = box("emsg", [1, 0, 0, 0] + word(90_000) + word(0) + word(945_000) + word(90_000) + word(1) + names + [5])
        try rig.pending("init").complete(FakeSegment.initialisation())
        try rig.pending("low0").send(Array(message.prefix(40)))
        #expect(rig.metadata.isEmpty)
        // Whole packets of the test's container.
        let rest = (2 * FakeSegment.packetSize - (message.count + 8) % FakeSegment.packetSize) % FakeSegment.packetSize
        try rig.pending("low0").send(Array(message.dropFirst(40)) + box("moof", [UInt8](repeating: 0, count: rest)))
        #expect(rig.metadata.isEmpty)
        try rig.pending("low0").send(FakeSegment.bytes(start: 900_000))
        #expect(rig.loop.run(within: .seconds(1)) { !rig.metadata.isEmpty })
        #expect(rig.metadata.map(\.time) == [.milliseconds(500)] && rig.metadata.map(\.scheme) == ["urn:x"])
        #expect(rig.metadata.first?.duration == .seconds(1) && rig.metadata.first?.data == [5])
        rig.source.close()
    }
}
