import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

/// The second variant from a position on. Failures are final.
@MainActor
private final class Rising: StreamPolicy {
    private let from: MediaTime
    init(from: MediaTime) { self.from = from }
    func firstVariant() -> Int? { 0 }
    func variant(for question: VariantQuestion) -> Int { question.startTime < from ? 0 : 1 }
    func action(after failure: StreamFailure) -> FailureAction { .fail }
}

@Suite("Renditions that are read together, and switches between them", .serialized)
@MainActor
struct RenditionSwitchTests {
    /// Ten seconds of pictures in two variants; English sound in the variants' segments or separately, Spanish and French separately.
    private func makeRig(isMuxed: Bool = false) throws -> SourceRig {
        let rig = try SourceRig()
        rig.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES\(isMuxed ? "" : ",URI=\"en.m3u8\"")
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Spanish",LANGUAGE="es",AUTOSELECT=YES,URI="es.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="French",LANGUAGE="fr",AUTOSELECT=YES,URI="fr.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=640x360,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a"
            high.m3u8
            """, at: "http://test/master.m3u8")
        for name in ["low", "high", "en", "es", "fr"] {
            var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
            let kinds = name.count == 2 ? "a" : isMuxed ? "va" : "v"
            for number in 0..<10 {
                list += "#EXTINF:1,\n\(name)\(number).ts\n"
                // Separate sound starts 20 ms before the pictures.
                let start = 900_000 + Int64(number) * 90_000 - (name.count == 2 ? 1800 : 0)
                rig.loader.put(FakeSegment.bytes(kinds: kinds, start: start), at: "http://test/\(name)\(number).ts")
            }
            rig.put(list + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
        }
        return rig
    }

    private func prepare(_ rig: SourceRig, policy: any StreamPolicy = Rising(from: .seconds(99))) throws {
        _ = try #require(rig.prepare("http://test/master.m3u8", policy: policy)).get()
        // The playlist of the sound comes after that of the pictures.
        rig.loop.run(within: .milliseconds(1)) { false }
    }

    private func segments(_ rig: SourceRig, _ name: String) -> [String] {
        rig.loader.requests.filter { $0.hasPrefix("http://test/\(name)") && $0.hasSuffix(".ts") }.map { String($0.dropFirst(12)) }
    }

    private static let english = TrackID(1), spanish = TrackID(2), french = TrackID(3)

    @Test("the sound waits for the timestamps of the pictures, however late they are")
    func latePictures() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.loader.setLatency(.seconds(5), at: "http://test/low0.ts")
        try prepare(rig)
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english]), [0, 1])
        #expect(tracks[0]!.times == frames(0..<250))
        #expect(tracks[1]!.times == frames(0..<250).map { $0 - .milliseconds(20) })
    }

    @Test("another language starts at the wanted position while the pictures go on; the old one is not loaded further")
    func language() throws {
        let rig = try makeRig()
        defer { rig.close() }
        try prepare(rig)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english])
        let other = try #require(
            rig.source.startReading(alternate: Self.spanish, insteadOf: Self.english, at: .milliseconds(3500)))
        #expect(other !== buffer && !buffer.isCancelled)
        #expect(rig.read(buffer, [0])[0]!.times == frames(0..<250))
        #expect(rig.read(other, [2])[2]!.times == frames(75..<250).map { $0 - .milliseconds(20) })
        #expect(segments(rig, "en") == ["en0.ts"] && segments(rig, "es").first == "es3.ts")
        #expect(segments(rig, "low").count == 10)
        // From there to a third, without an old one.
        other.cancel()
        let third = try #require(rig.source.startReading(alternate: Self.french, insteadOf: nil, at: .zero))
        #expect(rig.read(third, [3])[3]!.times == frames(0..<250).map { $0 - .milliseconds(20) })
        #expect(rig.source.startReading(alternate: TrackID(9), insteadOf: nil, at: .zero) == nil)
        rig.close()
        #expect(rig.source.startReading(alternate: Self.spanish, insteadOf: nil, at: .zero) == nil)
    }

    @Test("sound in the pictures' segments is kept while another language plays, and taken up again without a new request")
    func muxed() throws {
        let rig = try makeRig(isMuxed: true)
        defer { rig.close() }
        try prepare(rig)
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english])
        rig.run { buffer.isAllThere }
        let loaded = segments(rig, "low").count
        // The sound that is being read already needs no new buffer.
        #expect(rig.source.startReading(alternate: Self.english, insteadOf: nil, at: .zero) === buffer)
        let other = try #require(rig.source.startReading(alternate: Self.spanish, insteadOf: Self.english, at: .zero))
        buffer.leave(Self.english)
        #expect(!buffer.isRead(Self.english) && !buffer.isCancelled)
        rig.run { other.isAllThere }
        let spanish = segments(rig, "es").count
        let back = rig.source.startReading(alternate: Self.english, insteadOf: Self.spanish, at: .zero)
        #expect(back === buffer && buffer.isRead(Self.english))
        buffer.readAhead()
        other.readAhead()
        let tracks = rig.read(buffer, [0, 1])
        #expect(tracks[0]!.times == frames(0..<250) && tracks[1]!.times == frames(0..<250))
        #expect(segments(rig, "es").count == spanish && segments(rig, "low").prefix(loaded).last == "low\(loaded - 1).ts")
        // A position before everything that is there cannot be taken up.
        buffer.leave(Self.english)
        #expect(rig.source.startReading(alternate: Self.english, insteadOf: nil, at: .seconds(-10)) == nil)
    }

    @Test("sound in the pictures' segments is not kept when there is no other")
    func onlySound() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n", at: "http://test/main.m3u8")
        rig.loader.put(FakeSegment.bytes(kinds: "va", start: 0), at: "http://test/0.ts")
        _ = rig.prepare("http://test/main.m3u8")
        let buffer = rig.source.startReading(at: .zero, tracks: [TrackID(0)])
        #expect(rig.read(buffer, [0])[0]!.times == frames(0..<25))
        #expect(rig.source.startReading(alternate: TrackID(1), insteadOf: nil, at: .zero) == nil)
    }

    @Test("while the playlist of the wanted variant is being loaded, the old one is read on")
    func slowSwitch() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.loader.setLatency(.seconds(1))
        rig.loader.setLatency(.milliseconds(2500), at: "http://test/high.m3u8")
        try prepare(rig, policy: Rising(from: .seconds(2)))
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english]), [0, 1])
        #expect(tracks[0]!.times == frames(0..<250) && tracks[0]!.samples.allSatisfy { !$0.doesNotDisplay })
        #expect(tracks[1]!.samples.count == 250)
        let low = segments(rig, "low"), high = segments(rig, "high")
        #expect(low == (0..<low.count).map { "low\($0).ts" } && (4...6).contains(low.count))
        #expect(high == (low.count..<10).map { "high\($0).ts" })
    }

    @Test("a wanted variant whose playlist cannot be loaded changes nothing")
    func missingVariant() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.put("<html>", at: "http://test/high.m3u8")
        try prepare(rig, policy: Rising(from: .seconds(2)))
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english]), [0, 1])
        #expect(tracks[0]!.times == frames(0..<250) && tracks[1]!.samples.count == 250)
        #expect(segments(rig, "high").isEmpty && rig.loader.requests.filter { $0.hasSuffix("high.m3u8") }.count == 1)
    }

    @Test("sound whose playlist cannot be loaded is reported, and ends; the pictures are read whole")
    func missingSound() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.put("<html>", at: "http://test/es.m3u8")
        try prepare(rig)
        var missing: [TrackID: MediaError] = [:]
        let listening = rig.source.events.listen {
            if case .soundUnavailable(let track, let error) = $0 { missing[track] = error }
        }
        defer { listening.cancel() }
        let tracks = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.spanish]), [0, 2])
        #expect(missing[Self.spanish]?.code == .sourceFormat && missing.count == 1)
        #expect(tracks[0]!.times == frames(0..<250) && tracks[2]?.error == nil && tracks[2]?.samples.isEmpty != false)
        // A later attempt loads it again.
        rig.put(
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nes0.ts\n#EXT-X-ENDLIST\n", at: "http://test/es.m3u8")
        let again = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.spanish]), [0, 2])
        #expect(again[2]?.error == nil && again[2]?.samples.count == 25)
    }

    @Test("captions go on without a gap in the group of the new variant, however its playlist is numbered")
    func captions() throws {
        let rig = try SourceRig()
        defer { rig.close() }
        rig.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s1",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="t1.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s2",NAME="English",LANGUAGE="en",AUTOSELECT=YES,URI="t2.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d",SUBTITLES="s1"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=640x360,CODECS="avc1.64000d",SUBTITLES="s2"
            high.m3u8
            """, at: "http://test/master.m3u8")
        for name in ["low", "high", "t1", "t2"] {
            var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(name == "t2" ? 100 : 0)\n"
            list += "#EXT-X-PROGRAM-DATE-TIME:\(LiveOrigin.date(100))\n"
            for number in 0..<10 {
                list += "#EXTINF:1,\n\(name)\(number).ts\n"
                let url = "http://test/\(name)\(number).ts"
                rig.loader.put(FakeSegment.bytes(start: 900_000 + Int64(number) * 90_000), at: url)
                rig.loader.setLatency(.seconds(1), at: url)
            }
            rig.put(list + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
        }
        try prepare(rig, policy: Rising(from: .seconds(3)))
        var places: [MediaTime] = []
        let reading = try #require(rig.source.startReadingText(of: TrackID(100), at: .zero) { places.append($0.timeRange.start) })
        _ = rig.read(rig.source.startReading(at: .zero, tracks: [TrackID(0)]), [0])
        rig.run { places.count == 10 }
        #expect(places == (0..<10).map { .seconds($0) })
        #expect(segments(rig, "t1").first == "t10.ts" && segments(rig, "t2").last == "t29.ts")
        #expect(segments(rig, "t1").count + segments(rig, "t2").count == 10)
        reading.cancel()
    }

    @Test("a seek begins anew in every rendition that is read, and ends the reading of the others")
    func seek() throws {
        let rig = try makeRig()
        defer { rig.close() }
        try prepare(rig)
        let first = rig.source.startReading(at: .zero, tracks: [TrackID(0), Self.english])
        let second = rig.source.startReading(at: .seconds(5), tracks: [TrackID(0), Self.spanish])
        #expect(first.isCancelled)
        let tracks = rig.read(second, [0, 2])
        #expect(tracks[0]!.times == frames(125..<250))
        #expect(tracks[2]!.times == frames(125..<250).map { $0 - .milliseconds(20) })
        #expect(segments(rig, "en") == ["en0.ts"] && segments(rig, "low").count == 6)
    }
}

@Suite("Live renditions", .serialized)
@MainActor
struct LiveSwitchTests {
    private static let master = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Spanish",LANGUAGE="es",AUTOSELECT=YES,URI="es.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a"
        main.m3u8
        """

    private func makeRig() throws -> LiveRig {
        let rig = try LiveRig(.init(renditions: ["main": ("v", 0), "en": ("a", 0), "es": ("a", 0)]))
        _ = try #require(rig.prepare(multivariant: Self.master)).get()
        return rig
    }

    @Test("only the playlists that are read are reloaded; the pictures' also while nothing is read")
    func reloads() throws {
        let rig = try makeRig()
        defer { rig.close() }
        let buffer = rig.read([0, 1])
        rig.run(for: .seconds(10))
        func reloads() -> [Int] { ["main", "en", "es"].map { rig.origin.reloads(of: $0).count } }
        let first = reloads()
        #expect(first[0] >= 5 && first[1] >= 5 && first[2] == 0)
        let other = try #require(rig.source.startReading(alternate: TrackID(2), insteadOf: TrackID(1), at: .seconds(12)))
        rig.take([2], from: other)
        rig.run(for: .seconds(10))
        let second = reloads()
        #expect(second[0] >= first[0] + 4 && second[1] == first[1] && second[2] >= 4)
        #expect(rig.delivery(2).times.first == .seconds(12) && rig.delivery(2).times.count > 100)
        // The player has dropped the Spanish sound, and continues with the English.
        other.cancel()
        _ = rig.source.startReading(alternate: TrackID(1), insteadOf: nil, at: .seconds(24))
        rig.run(for: .seconds(10))
        let third = reloads()
        #expect(third[1] >= second[1] + 4 && third[2] <= second[2] + 1)
        buffer.cancel()
        _ = rig.source.startReading(at: .seconds(34), tracks: [TrackID(0)])
        rig.run(for: .seconds(10))
        let fourth = reloads()
        #expect(fourth[0] >= third[0] + 4 && fourth[1] <= third[1] + 1 && fourth[2] <= third[2] + 1)
        rig.close()
        rig.run(for: .seconds(10))
        #expect(reloads() == fourth)
    }

    @Test("a reader that had fallen behind the window is not behind any more after a seek")
    func behind() throws {
        let rig = try LiveRig(.init())
        defer { rig.close() }
        _ = rig.prepare()
        _ = rig.fallBehind()
        #expect(rig.source.liveStatus?.isBehindWindow == true)
        #expect(rig.statuses.filter(\.isBehindWindow).count >= 1)
        rig.read([0], at: rig.source.liveStatus?.seekableTimeRange.end)
        #expect(rig.source.liveStatus?.isBehindWindow == false)
    }

    @Test("a part that was announced and never comes costs nothing: the listed part is loaded in its place")
    func misleadingHint() throws {
        var plan = LiveOrigin.Plan(frames: 48, parts: 4, canBlock: true)
        plan.misleads = true
        let rig = try LiveRig(plan)
        defer { rig.close() }
        _ = rig.prepare()
        rig.read([0])
        rig.run(for: .seconds(20))
        let times = rig.delivery(0).times
        #expect(times.count > 400 && zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) })
        #expect(rig.delivery(0).error == nil)
        #expect(rig.origin.requests.contains { $0.url.hasSuffix("-never.ts") })
    }
}
