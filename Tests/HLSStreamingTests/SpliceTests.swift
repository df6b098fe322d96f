import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

@Suite("Discontinuities and renditions share one timeline", .serialized)
@MainActor
struct SpliceTests {
    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Spanish",LANGUAGE="es",AUTOSELECT=YES,URI="es.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
        high.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=9000000,RESOLUTION=1920x1080,CODECS="hvc1.1.6.L120.90,mp4a.40.2",AUDIO="a"
        hevc.m3u8
        """

    /// Two seconds of content, one of an advertisement, one of content again, each with its own timestamps.
    private static func list(_ name: String) -> String {
        """
        #EXTM3U
        #EXT-X-TARGETDURATION:1
        #EXTINF:1,
        \(name)0
        #EXTINF:1,
        \(name)1
        #EXT-X-DISCONTINUITY
        #EXTINF:1,
        \(name)2
        #EXT-X-DISCONTINUITY
        #EXTINF:1,
        \(name)3
        #EXT-X-ENDLIST
        """
    }

    /// The sound of each piece starts 20 ms before the pictures.
    private func makeRig() throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(Self.master, at: "http://test/master.m3u8")
        let stamps: [Int64] = [900_000, 990_000, 90_000_000, 990_000 + 90_000]
        for name in ["low", "high", "hevc", "en", "es"] {
            rig.put(Self.list(name), at: "http://test/\(name).m3u8")
            let isSound = name.count == 2
            for (number, stamp) in stamps.enumerated() {
                rig.loader.put(
                    FakeSegment.bytes(kinds: isSound ? "a" : "v", start: stamp - (isSound ? 1800 : 0)),
                    at: "http://test/\(name)\(number)")
            }
        }
        return rig
    }

    @Test(
        "the best variant that the screen can show and the box can decode is played",
        arguments: [
            (1920, 1080, "high"), (1280, 720, "high"), (640, 360, "low"), (160, 90, "low"),
        ])
    func variant(_ width: Int, _ height: Int, _ name: String) throws {
        let rig = try makeRig()
        defer { rig.close() }
        let description = try #require(rig.prepare("http://test/master.m3u8", screen: (width, height))).get()
        #expect(rig.loader.requests == ["http://test/master.m3u8", "http://test/\(name).m3u8", "http://test/en.m3u8"])
        #expect(description.tracks.map(\.type) == [.video, .audio, .audio])
        #expect(description.tracks.map(\.languageTag) == [nil, "en", "es"])
        #expect(description.tracks.filter(\.isDefault).map(\.id) == [TrackID(0), TrackID(1)])
        #expect(description.discontinuities == [.seconds(2), .seconds(3)])
    }

    @Test("without a decodable variant, that is the error")
    func undecodable() throws {
        let rig = try SourceRig()
        rig.put("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"hvc1.1.6.L120.90\"\na.m3u8\n", at: "http://test/m.m3u8")
        guard case .failure(let error) = rig.prepare("http://test/m.m3u8") else { return #expect(Bool(false)) }
        #expect(error.code == .decoderUnsupported)
    }

    @Test("pictures continue without a gap over discontinuities with new timestamps, and each piece is a run")
    func pictures() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.prepare("http://test/master.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!
        #expect(delivery.times == frames(0..<100))
        let runs: [Int] = (0..<100).map { $0 < 50 ? 0 : $0 < 75 ? 1 : 2 }
        #expect(delivery.samples.map(\.run) == runs)
    }

    @Test("a discontinuity behind which the time stamps go on is no new run of a decoder, and one behind which they jump is")
    func needless() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(Self.list("a"), at: "http://test/a.m3u8")
        // The fourth begins 100 ms late.
        for (number, stamp) in [900_000, 990_000, 1_080_000, 1_179_000].enumerated() {
            rig.loader.put(FakeSegment.bytes(kinds: "va", start: Int64(stamp)), at: "http://test/a\(number)")
        }
        _ = rig.prepare("http://test/a.m3u8")
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), TrackID(1)]), [0, 1])
        for number in 0..<2 {
            #expect(tracks[number]!.times == frames(0..<100))
            #expect(tracks[number]!.samples.map(\.run) == (0..<100).map { $0 < 75 ? 0 : 1 })
        }
    }

    @Test("all renditions share the pictures' mapping: sound that starts 20 ms earlier stays 20 ms earlier")
    func shared() throws {
        for order in [[0, 1], [1, 0]] {
            let rig = try makeRig()
            defer { rig.close() }
            _ = rig.prepare("http://test/master.m3u8")
            let tracks = rig.read(rig.source.startReading(at: .zero, tracks: order.map { TrackID($0) }), order)
            #expect(tracks[0]!.times == frames(0..<100))
            #expect(tracks[1]!.times == frames(0..<100).map { $0 - .milliseconds(20) })
        }
    }

    @Test(
        "a seek into a piece after a discontinuity gives the right position, in pictures and in each language", arguments: [1, 2])
    func seekBehind(_ language: Int) throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.prepare("http://test/master.m3u8")
        let tracks = rig.read(
            rig.source.startReading(at: .milliseconds(2500), tracks: [TrackID(0), TrackID(language)]), [0, language])
        #expect(tracks[0]!.times == frames(50..<100))
        #expect(tracks[language]!.times == frames(50..<100).map { $0 - .milliseconds(20) })
        let other = language == 1 ? "es" : "en"
        #expect(!rig.loader.requests.contains { $0.contains("/\(other)") && !$0.hasSuffix(".m3u8") })
    }

    @Test("audio alone uses its own timestamps, and does not wait for pictures that are not read")
    func soundAlone() throws {
        let rig = try makeRig()
        defer { rig.close() }
        _ = rig.prepare("http://test/master.m3u8")
        let delivery = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(1)]), [1])
        #expect(delivery[1]?.samples.count == 100)
    }

    @Test("a piece without any of its pictures lets the audio use its own timestamps")
    func barren() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.put(Self.list("low").replacing("low2", with: "absent"), at: "http://test/low.m3u8")
        _ = rig.prepare("http://test/master.m3u8", screen: (320, 180))
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), TrackID(1)]), [0, 1])
        #expect(tracks[0]!.times == frames(0..<50) + frames(75..<100))
        #expect(tracks[1]?.samples.count == 100)
    }

    @Test("fragments follow their initialisation section, once per run")
    func initialisation() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:1
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:1,
            0.m4s
            #EXTINF:1,
            1.m4s
            #EXT-X-ENDLIST
            """, at: "http://test/main.m3u8")
        rig.loader.put(FakeSegment.initialisation(), at: "http://test/init.mp4")
        for number in 0..<2 { rig.loader.put(FakeSegment.bytes(start: Int64(number) * 90_000), at: "http://test/\(number).m4s") }
        _ = rig.prepare("http://test/main.m3u8")
        #expect(rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])[0]!.times == frames(0..<50))
        #expect(rig.loader.requests.filter { $0.hasSuffix("init.mp4") }.count == 1)
    }
}
