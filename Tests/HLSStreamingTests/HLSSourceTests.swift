import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import HLSStreaming

@Suite("HLS on demand as a source", .serialized)
@MainActor
struct HLSSourceTests {
    private static let plain = """
        #EXTM3U
        #EXT-X-TARGETDURATION:1
        #EXTINF:1,
        0.ts
        #EXTINF:1,
        1.ts
        #EXTINF:1,
        2.ts
        #EXTINF:1,
        3.ts
        #EXTINF:1,
        4.ts
        #EXT-X-ENDLIST
        """

    /// Five seconds of pictures whose timestamps start at ten seconds.
    private func makePlain(without missing: Set<Int> = []) throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(Self.plain, at: "http://test/main.m3u8")
        for number in 0..<5 where !missing.contains(number) {
            rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: "http://test/\(number).ts")
        }
        return rig
    }

    @Test("a single media playlist is described with its duration, and delivers every sample in asset time")
    func plain() throws {
        let rig = try makePlain()
        defer { rig.close() }
        let description = try #require(rig.prepare("http://test/main.m3u8")).get()
        #expect(description.kind == "hls" && description.duration == .finite(.seconds(5)))
        #expect(description.seekableTimeRanges == [TimeRange(start: .zero, duration: .seconds(5))])
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<125))
        #expect(delivery.error == nil)
        #expect(Set(delivery.samples.map(\.run)) == [0])
    }

    @Test(
        "reading begins with the segment that holds the time",
        arguments: [(0, 0), (999, 0), (1000, 1), (2500, 2), (4999, 4), (9000, 4)])
    func seeks(_ milliseconds: Int64, _ segment: Int) throws {
        let rig = try makePlain()
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .milliseconds(milliseconds), tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(segment * 25..<125))
        #expect(rig.loader.requests.dropFirst().first == "http://test/\(segment).ts")
    }

    @Test(
        "a playlist from another machine names neither files nor servers of this one",
        arguments: [
            "file:///etc/passwd", "http://127.0.0.1:8080/v1/now", "http://localhost/0.ts", "http://[::1]/0.ts",
            "http://2130706433/0.ts",
        ])
    func foreignNames(uri: String) throws {
        let rig = try SourceRig()
        defer { rig.close() }
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0.ts\n#EXTINF:1,\n\(uri)\n#EXTINF:1,\n2.ts\n#EXT-X-ENDLIST\n"
        rig.put(text, at: "http://test/main.m3u8")
        for (number, url) in ["http://test/0.ts", uri, "http://test/2.ts"].enumerated() {
            rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: url)
        }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(!rig.loader.requests.contains(uri))
        // It is a gap like any other segment that cannot be loaded.
        #expect(delivery.times == frames(0..<25) + frames(50..<75))
    }

    @Test("advertisements at addresses of this machine are left out, whether a date range or a list names them; the others play")
    func foreignAssets() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        let names = ["file:///etc/passwd", "http://127.0.0.1:8080/v1/now", "http://localhost/ad.m3u8", "http://test/ad.m3u8"]
        rig.put(
            "{\"ASSETS\":[\(names.map { "{\"URI\":\"\($0)\",\"DURATION\":5}" }.joined(separator: ","))]}",
            at: "http://test/ads.json")
        let attributes = names.map { "X-ASSET-URI=\"\($0)\"" } + ["X-ASSET-LIST=\"ads.json\""]
        let ranges = attributes.enumerated().map {
            "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-03-01T12:00:0\($0)Z\",\($1)\n"
        }
        rig.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T12:00:00Z\n\(ranges.joined())#EXTINF:10,\n0.ts\n#EXT-X-ENDLIST\n",
            at: "http://test/main.m3u8")
        rig.loader.put(FakeSegment.bytes(start: 900_000), at: "http://test/0.ts")
        _ = rig.prepare("http://test/main.m3u8")
        let events = rig.source.interstitials.compactMap(\.event)
        let found = try events.map { event in
            var assets: [String]??
            _ = rig.source.resolveAssets(of: event, from: .zero) { found, _ in assets = .some(found.map { $0.map(\.url) }) }
            rig.run(until: { assets != nil })
            return try #require(assets ?? nil)
        }
        #expect(found == [[], [], [], ["http://test/ad.m3u8"], ["http://test/ad.m3u8"]])
    }

    @Test("tags between the samples of a transport stream are reported at their times, also those before the first picture")
    func tags() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(Self.plain, at: "http://test/main.m3u8")
        for number in 0..<5 {
            rig.loader.put(
                FakeSegment.bytes(kinds: "mv", start: 900_000 + Int64(number) * 90_000, count: 25), at: "http://test/\(number).ts"
            )
        }
        _ = rig.prepare("http://test/main.m3u8")
        var found: [TimedMetadata] = []
        let listening = rig.source.events.listen { if case .timedMetadata(let tags) = $0 { found += tags } }
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        rig.run(until: { found.count == 125 })
        #expect(delivery.times == frames(0..<125), "the pictures are not disturbed")
        #expect(found.map(\.time) == frames(0..<125) && Set(found.map(\.scheme)) == ["org.id3"])
        #expect(found.first?.data == Array("900000".utf8) && found.last?.data == Array("1346400".utf8))
        withExtendedLifetime(listening) {}
    }

    @Test("a playlist on this machine may name its files")
    func ownNames() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///media/0.ts\n#EXT-X-ENDLIST\n", at: "/media/main.m3u8")
        rig.loader.put(FakeSegment.bytes(start: 900_000), at: "file:///media/0.ts")
        _ = rig.prepare("/media/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<25))
    }

    @Test("positions do not depend on where reading started: the first mapping stays")
    func stable() throws {
        let rig = try makePlain()
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let late = rig.read(rig.source.startReading(at: .seconds(3), tracks: [TrackID(0)]), [0])[0]!
        let early = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(late.times == frames(75..<125))
        #expect(early.times == frames(0..<125))
    }

    @Test(
        "a segment that cannot be loaded is a gap; later segments keep their position",
        arguments: [[2], [1, 3], [1, 2], [0], [4]])
    func gaps(_ missing: [Int]) throws {
        let rig = try makePlain(without: Set(missing))
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        let wanted = (0..<5).filter { !missing.contains($0) }.flatMap { frames($0 * 25..<($0 + 1) * 25) }
        #expect(delivery.times == wanted)
        #expect(delivery.error == nil)
    }

    @Test(
        "a segment without bytes is a gap at once, and without any sample nothing is delivered",
        arguments: [[0], [2], [0, 1, 2, 3, 4]])
    func emptySegments(_ empty: [Int]) throws {
        let rig = try makePlain()
        defer { rig.close() }
        for number in empty { rig.put("", at: "http://test/\(number).ts") }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == (0..<5).filter { !empty.contains($0) }.flatMap { frames($0 * 25..<($0 + 1) * 25) })
        #expect(delivery.error == nil && rig.loader.requests.count == 6)
    }

    @Test("after any number of missing segments the rest is played")
    func manyGaps() throws {
        let rig = try makePlain(without: [1, 2, 3])
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<25) + frames(100..<125))
        #expect(delivery.error == nil)
    }

    @Test("when no segment can be loaded, that is an error")
    func nothing() throws {
        let rig = try makePlain(without: [0, 1, 2, 3, 4])
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times.isEmpty && delivery.error?.code == .sourceMissing)
    }

    @Test("segments with EXT-X-GAP are not requested")
    func declaredGap() throws {
        let rig = try makePlain()
        defer { rig.close() }
        let lines = Self.plain.split(separator: "\n").flatMap { $0 == "2.ts" ? ["#EXT-X-GAP", "2.ts"] : [String($0)] }
        rig.put(lines.joined(separator: "\n"), at: "http://test/main.m3u8")
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<50) + frames(75..<125))
        #expect(!rig.loader.requests.contains("http://test/2.ts"))
    }

    @Test("a segment in an unknown container is refused by name, after the good ones")
    func foreignSegment() throws {
        let rig = try makePlain()
        defer { rig.close() }
        let noise = [UInt8](repeating: 0x3c, count: 400)
        for number in 0..<5 { rig.loader.put(noise, at: "http://test/\(number).ts") }
        _ = rig.prepare("http://test/main.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.error?.code == .sourceFormat)
        #expect(delivery.error?.sentence.contains("0.ts") == true)
    }

    @Test("a playlist that has ended without segments, and a protected one, are refused in words")
    func refusals() throws {
        let empty = try SourceRig()
        empty.put("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST\n", at: "http://test/empty.m3u8")
        guard case .failure(let emptyError) = empty.prepare("http://test/empty.m3u8") else { return #expect(Bool(false)) }
        #expect(emptyError.code == .sourceFormat)

        let locked = try makePlain()
        defer { locked.close() }
        locked.put(
            Self.plain.replacing("#EXTINF:1,\n0.ts", with: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:1,\n0.ts"),
            at: "http://test/locked.m3u8")
        _ = try #require(locked.prepare("http://test/locked.m3u8")).get()
        let delivery = locked.read(locked.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.error?.code == .protected)
    }

    @Test("a new reading run cancels the previous one, and closing ends both reading and waiting")
    func cancels() throws {
        let rig = try makePlain()
        _ = rig.prepare("http://test/main.m3u8")
        let first = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        let second = rig.source.startReading(at: .seconds(4), tracks: [TrackID(0)])
        #expect(first.isCancelled && !second.isCancelled)
        #expect(rig.read(first, [0])[0]!.isCancelled)
        #expect(rig.read(second, [0])[0]!.times == frames(100..<125))
        let third = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        rig.close()
        #expect(third.isCancelled)
    }

    @Test("EXT-X-START gives the start of playback, relative to the end if it is negative")
    func start() throws {
        for (offset, place) in [("1.5", MediaTime.milliseconds(1500)), ("-2", .seconds(3)), ("99", .seconds(5))] {
            let rig = try makePlain()
            defer { rig.close() }
            rig.put(
                Self.plain.replacing("#EXTM3U", with: "#EXTM3U\n#EXT-X-START:TIME-OFFSET=\(offset)"), at: "http://test/s.m3u8")
            #expect(try #require(rig.prepare("http://test/s.m3u8")).get().preferredStart == place)
        }
    }

    @Test("a track that is absent from the segments ends at once")
    func absentTrack() throws {
        let rig = try makePlain()
        defer { rig.close() }
        _ = rig.prepare("http://test/main.m3u8")
        let both = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), TrackID(1)]), [0, 1])
        #expect(both[0]!.times == frames(0..<125))
        #expect(both[1]!.samples.isEmpty && both[1]!.error == nil)
    }
}
