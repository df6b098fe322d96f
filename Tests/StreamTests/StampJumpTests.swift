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
