import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("Key pictures only", .serialized)
@MainActor
struct KeyFrameTests {
    /// Ten seconds of pictures, and an I-frame playlist with one each second.
    private func makeRig(iFrames: Bool) throws -> SourceRig {
        let rig = try SourceRig()
        var master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS=\"avc1.64000d\"\nmain.m3u8\n"
        if iFrames {
            master += "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,RESOLUTION=1280x720,CODECS=\"avc1.64000d\",URI=\"big.m3u8\"\n"
            master += "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=30000,RESOLUTION=960x540,CODECS=\"avc1.64000d\",URI=\"keys.m3u8\"\n"
        }
        rig.put(master, at: "http://test/master.m3u8")
        var main = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
        var keys = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:1\n#EXT-X-I-FRAMES-ONLY\n"
        for number in 0..<10 {
            main += "#EXTINF:1,\n\(number).ts\n"
            keys += "#EXTINF:1,\nk\(number).ts\n"
            rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: "http://test/\(number).ts")
            rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000, count: 1), at: "http://test/k\(number).ts")
        }
        rig.put(main + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.put(keys + "#EXT-X-ENDLIST\n", at: "http://test/keys.m3u8")
        _ = try #require(rig.prepare("http://test/master.m3u8")).get()
        return rig
    }

    private static func seconds(_ numbers: [Int64]) -> [MediaTime] { numbers.map { .seconds($0) } }

    private func scan(_ rig: SourceRig, from start: MediaTime, _ direction: KeyFrameReading.Direction, step: MediaTime) throws
        -> [MediaTime]
    {
        let buffer = try #require(
            rig.source.startReadingKeyFrames(KeyFrameReading(start: start, direction: direction, step: step), track: TrackID(0)))
        let delivery = try #require(rig.read(buffer, [0])[0])
        #expect(delivery.error == nil)
        #expect(delivery.samples.allSatisfy { $0.isSync })
        return delivery.times
    }

    @Test("they come from the smallest sufficient I-frame playlist, in either direction", arguments: [true, false])
    func directions(_ iFrames: Bool) throws {
        let rig = try makeRig(iFrames: iFrames)
        defer { rig.close() }
        let forward = try scan(rig, from: .milliseconds(2500), .forward, step: .seconds(1))
        #expect(forward == Self.seconds([2, 3, 4, 5, 6, 7, 8, 9]))
        let backward = try scan(rig, from: .milliseconds(7500), .backward, step: .seconds(1))
        #expect(backward == Self.seconds([7, 6, 5, 4, 3, 2, 1, 0]))
        let media = rig.loader.requests.filter { $0.hasSuffix(".ts") }
        #expect(media.allSatisfy { $0.contains("/k") == iFrames })
        #expect(!rig.loader.requests.contains("http://test/big.m3u8"))
    }

    @Test("pictures that would not be visible at a high rate are not loaded")
    func steps() throws {
        let rig = try makeRig(iFrames: true)
        defer { rig.close() }
        let times = try scan(rig, from: .zero, .forward, step: .seconds(3))
        #expect(times == Self.seconds([0, 3, 6, 9]))
        #expect(rig.loader.requests.filter { $0.contains("/k") && $0.hasSuffix(".ts") }.count == 4)
    }

    @Test("a missing picture is skipped; an I-frame playlist that cannot be parsed fails the scan")
    func missing() throws {
        let rig = try makeRig(iFrames: true)
        defer { rig.close() }
        rig.put("#EXTM3U\n", at: "http://test/k4.ts")
        let times = try scan(rig, from: .zero, .forward, step: .seconds(1))
        #expect(times == Self.seconds([0, 1, 2, 3, 5, 6, 7, 8, 9]))
        let broken = try makeRig(iFrames: true)
        defer { broken.close() }
        broken.put("<html>", at: "http://test/keys.m3u8")
        let buffer = try #require(
            broken.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)))
        #expect(broken.read(buffer, [0])[0]?.error?.code == .sourceFormat)
    }

    @Test("a new scan cancels the previous one")
    func again() throws {
        let rig = try makeRig(iFrames: true)
        defer { rig.close() }
        let first = try #require(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(0)))
        let times = try scan(rig, from: .seconds(9), .backward, step: .seconds(4))
        #expect(first.isCancelled && times == Self.seconds([9, 5, 1]))
        #expect(
            rig.source.startReadingKeyFrames(
                KeyFrameReading(start: .zero, direction: .forward, step: .seconds(1)), track: TrackID(1)) == nil)
    }

    @Test("an I-frame playlist alone is played with one picture per segment")
    func alone() throws {
        let rig = try makeRig(iFrames: true)
        defer { rig.close() }
        _ = try #require(rig.prepare("http://test/keys.m3u8")).get()
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == Self.seconds([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]))
        #expect(delivery.samples.allSatisfy { $0.duration == .seconds(1) })
    }
}

@Suite("Captions in separate segments", .serialized)
@MainActor
struct TextRenditionTests {
    private func makeRig(splice: Bool, isSplicedInCaptions: Bool = true) throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",AUTOSELECT=YES,FORCED=NO,URI="en.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d",SUBTITLES="s"
            main.m3u8
            """, at: "http://test/master.m3u8")
        var lists = (main: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n", text: "#EXTM3U\n#EXT-X-TARGETDURATION:10\n")
        for number in 0..<12 {
            if splice, number == 6 {
                lists.main += "#EXT-X-DISCONTINUITY\n"
                if isSplicedInCaptions { lists.text += "#EXT-X-DISCONTINUITY\n" }
            }
            lists.main += "#EXTINF:10,\n\(number).ts\n"
            lists.text += "#EXTINF:10,\n\(number).vtt\n"
            let jump: Int64 = splice && number >= 6 ? 90_000_000 : 0
            rig.loader.put(
                FakeSegment.bytes(start: 900_000 + jump + Int64(number) * 900_000, count: 250), at: "http://test/\(number).ts")
            if number != 1 { rig.put("WEBVTT \(number)", at: "http://test/\(number).vtt") }
        }
        rig.put(lists.main + "#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.put(lists.text + "#EXT-X-ENDLIST\n", at: "http://test/en.m3u8")
        let description = try #require(rig.prepare("http://test/master.m3u8")).get()
        #expect(description.tracks.last?.type == .text && description.tracks.last?.languageTag == "en")
        return rig
    }

    @Test("segments around the playback position arrive in order, with the pictures' mapping; a missing one is skipped")
    func delivers() throws {
        let rig = try makeRig(splice: false)
        defer { rig.close() }
        var segments: [TextSegment] = []
        let reading = try #require(
            rig.source.startReadingText(of: TrackID(100), at: .seconds(2)) { segments.append($0) })
        var isLate = false
        rig.loop.clock.schedule(after: .seconds(3)) { isLate = true }
        rig.run { isLate }
        // Before a picture has fixed the mapping no caption is delivered.
        #expect(segments.isEmpty)
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { segments.count >= 3 }
        #expect(segments.map(\.mediaSequence) == [0, 2, 3])
        #expect(segments.allSatisfy { $0.mapping.own.stretches.map(\.offset) == [.seconds(-10)] })
        #expect(segments.first?.timeRange == TimeRange(start: .zero, duration: .seconds(10)))
        reading.advance(to: .seconds(60))
        rig.run { segments.count >= 8 }
        #expect(segments.map(\.mediaSequence) == [0, 2, 3, 4, 5, 6, 7, 8])
        reading.cancel()
    }

    @Test("a cancelled reader loads and delivers nothing more; a reader that is far behind jumps to the playback position")
    func cancelled() throws {
        let rig = try makeRig(splice: false)
        defer { rig.close() }
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(2)) { segments.append($0) })
        rig.run { segments.count >= 2 }
        reading.advance(to: .seconds(110))
        rig.run { segments.contains { $0.mediaSequence == 11 } }
        #expect(segments.map(\.mediaSequence) == [0, 2, 3, 11])
        reading.cancel()
        let requests = rig.loader.requests.count
        reading.advance(to: .zero)
        var isLate = false
        rig.loop.clock.schedule(after: .seconds(3)) { isLate = true }
        rig.run { isLate }
        #expect(rig.loader.requests.count == requests && segments.count == 4)
    }

    @Test("captions whose playlist has no discontinuity bring the mappings of all sequences of the pictures, the nearest first")
    func spliceInThePicturesAlone() throws {
        let rig = try makeRig(splice: true, isSplicedInCaptions: false)
        defer { rig.close() }
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(45)) { segments.append($0) })
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { segments.count >= 5 }
        #expect(
            segments.allSatisfy { $0.discontinuitySequence == 0 && $0.mapping.own.stretches.map(\.offset) == [.seconds(-10)] })
        let behind = segments.filter { $0.timeRange.start >= .seconds(60) }
        #expect(behind.count >= 2)
        #expect(behind.allSatisfy { $0.mapping.others.first?.stretches.map(\.offset) == [.seconds(-1010)] })
        reading.cancel()
    }

    @Test("captions that count discontinuities in another way than the pictures are placed by the pictures of their time")
    func anotherCount() throws {
        let rig = try makeRig(splice: false)
        defer { rig.close() }
        let text = (0..<12).map { "#EXTINF:10,\n\($0).vtt\n" }.joined()
        rig.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-DISCONTINUITY-SEQUENCE:7\n\(text)#EXT-X-ENDLIST\n",
            at: "http://test/en.m3u8")
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(2)) { segments.append($0) })
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { segments.count >= 2 }
        #expect(segments.allSatisfy { $0.mapping.own.stretches.map(\.offset) == [.seconds(-10)] })
        reading.cancel()
    }

    @Test("captions after a discontinuity wait for the mapping of their own sequence")
    func splice() throws {
        let rig = try makeRig(splice: true)
        defer { rig.close() }
        var segments: [TextSegment] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .seconds(65)) { segments.append($0) })
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { segments.count >= 3 }
        #expect(segments.first?.discontinuitySequence == 1)
        #expect(segments.first?.mapping.own.stretches.map(\.offset) == [.seconds(-1010)])
        reading.cancel()
    }
}

@Suite("Content steering", .serialized)
@MainActor
struct SteeringTests {
    @Test("a steering manifest is parsed with its pathways, its time and its clones; another version is ignored")
    func manifest() throws {
        let text = """
            {"VERSION":1,"TTL":60,"RELOAD-URI":"again.json","PATHWAY-PRIORITY":["B","A"],
             "PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c.example","PARAMS":{"z":"2","a":"1"}}}]}
            """
        let manifest = try #require(SteeringManifest(Array(text.utf8)))
        #expect(manifest.priority == ["B", "A"] && manifest.timeToLive == .seconds(60) && manifest.reloadAddress == "again.json")
        let clone = try #require(manifest.clones.first)
        #expect(
            clone.address(of: "v/low.m3u8?a=9&k=1", base: "https://a.example/m.m3u8", stableID: nil, in: [:])
                == "https://c.example/v/low.m3u8?k=1&a=1&z=2")
        #expect(clone.address(of: "v", base: "https://a/m", stableID: "x", in: ["x": "https://x/y"]) == "https://x/y")
        #expect(SteeringManifest(Array(#"{"VERSION":2,"PATHWAY-PRIORITY":["A"]}"#.utf8)) == nil)
        #expect(SteeringManifest(Array("no".utf8)) == nil)
    }

    @Test("the server is told the pathway, asked again after its time, and its order goes to the policy")
    func asks() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        final class Listening: StreamPolicy {
            var priorities: [[String]] = []
            func firstVariant() -> Int? { 0 }
            func variant(for question: VariantQuestion) -> Int { question.current }
            func action(after failure: StreamFailure) -> FailureAction { .skip }
            func setPathwayPriority(_ pathways: [String]) { priorities.append(pathways) }
        }
        let policy = Listening()
        let context = StreamContext(
            loader: rig.loader, codecs: FakeSegmentCodecs(), clock: rig.loop.clock, policy: policy)
        let address = "http://test/steer.json?_HLS_pathway=\"A\""
        rig.put(#"{"VERSION":1,"TTL":10,"PATHWAY-PRIORITY":["B"]}"#, at: address)
        let client = SteeringClient(
            address: "http://test/steer.json", context: context, pathway: { "A" },
            onManifest: { policy.setPathwayPriority($0.priority) })
        rig.run { policy.priorities.count == 3 }
        client.close()
        #expect(policy.priorities == [["B"], ["B"], ["B"]])
        #expect(rig.loader.requests == [address, address, address])
        #expect(rig.loop.clock.now >= .zero + .seconds(20))
    }
}
