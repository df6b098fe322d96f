import MediaModel
import MediaTime
import Playback
import TestSupport
import Testing

/// Encoders that were restarted, and recordings that were joined, without EXT-X-DISCONTINUITY.
@Suite("Time stamps that jump in a player", .serialized)
@MainActor
struct StampJumpTests {
    private func isGapless(_ times: some Collection<MediaTime>) -> Bool {
        zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) }
    }

    @Test("a live stream loses no frame, wherever they jump to", arguments: [-20, -2, 12, 5000], [false, true])
    func live(seconds: Int64, hasSeparateSound: Bool) throws {
        var plan = LiveOrigin.Plan(splices: [14, 18, 19])
        plan.jump = seconds * 90_000
        plan.marksDiscontinuities = false
        if hasSeparateSound {
            plan.renditions = ["main": ("v", 0), "sound": ("a", 0)]
            plan.documents["all.m3u8"] = """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="sound.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
                main.m3u8
                """
        }
        let rig = try StreamRig(live: plan)
        defer { rig.close() }
        rig.play(hasSeparateSound ? "http://live/all.m3u8" : "http://live/main.m3u8")
        rig.run(for: .seconds(35))
        #expect(rig.error == nil && rig.player.state.stallCount == 0)
        #expect(rig.times.count > 30 * 25 && isGapless(rig.times))
    }

    @Test(
        "a slide that stands while the sound goes on is no jump, in segments that are longer and shorter than it stands",
        arguments: [4, 30], [false, true])
    func slides(segment: Int, hasSeparateSound: Bool) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        let slides = Set([0, 12, 27, 30, 44].map { $0 * 25 })
        for (name, kinds) in hasSeparateSound ? [("main", "v"), ("sound", "a")] : [("main", "va")] {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:\(segment)\n"
            for (number, first) in stride(from: 0, to: 60 * 25, by: segment * 25).enumerated() {
                text += "#EXTINF:\(segment),\n\(name)-\(number).ts\n"
                rig.script.put(
                    FakeSegment.bytes(
                        kinds: kinds, start: 900_000 + Int64(first) * 3600, count: segment * 25, keyEvery: 1, first: first
                    ) { kind, frame in kind != "v" || slides.contains(frame) }, at: "http://test/\(name)-\(number).ts")
            }
            rig.script.put(text + "#EXT-X-ENDLIST\n", at: "http://test/\(name).m3u8")
        }
        rig.script.put(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="sound.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"
            main.m3u8
            """, at: "http://test/all.m3u8")
        rig.play(hasSeparateSound ? "http://test/all.m3u8" : "http://test/main.m3u8")
        #expect(rig.run { rig.hasEnded })
        #expect(rig.times == [0, 12, 27, 30, 44].map { .seconds($0) })
        #expect(rig.frames.allSatisfy { ($0.soundDelay ?? .zero).magnitude <= .milliseconds(50) })
        #expect(rig.player.state.stallCount == 0 && rig.error == nil)
    }

    @Test("a stream without a sample fails with a sentence")
    func empty() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: 4)
        for number in 0..<2 {
            rig.script.put(FakeSegment.bytes(kinds: "va", start: 0, count: 0), at: "http://test/main-\(number).ts")
        }
        rig.play()
        #expect(rig.run(within: .seconds(20)) { rig.error != nil || rig.hasEnded })
        #expect(rig.error?.code == .sourceFormat && !rig.hasEnded)
    }

    @Test("a film plays whole, and is sought on both sides of the jump", arguments: [-10, 3000])
    func film(seconds: Int64) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: 40)
        for number in 10..<20 {
            rig.script.put(
                FakeSegment.bytes(kinds: "va", start: 900_000 + Int64(number) * 180_000 + seconds * 90_000, count: 50),
                at: "http://test/main-\(number).ts")
        }
        rig.play()
        #expect(rig.run { rig.hasEnded })
        #expect(rig.times.count == 40 * 25 && isGapless(rig.times) && rig.times.first == .zero)
        #expect(rig.player.state.stallCount == 0 && rig.error == nil)
        for second in [35, 10, 21, 19] as [Int64] {
            rig.forgetFrames()
            #expect(rig.seek(to: .seconds(second)))
            #expect(rig.times.first == .seconds(second))
        }
    }
}
