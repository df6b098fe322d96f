import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import TestSupport
import Testing

/// Streams with segments that cannot be loaded or are declared as missing.
@Suite("Gaps in streams", .serialized)
@MainActor
struct GapTests {
    /// The longest time between two frames on the screen, while it does not say that it waits.
    private func longestStill(_ rig: StreamRig) -> Duration {
        zip(rig.frames, rig.frames.dropFirst()).map { $1.flip - $0.flip }.max() ?? .zero
    }

    @Test("a gap of several seconds is passed over, with sound and without", arguments: ["va", "v"])
    func missing(_ kinds: String) throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.put("main", seconds: 60, kinds: kinds)
        for number in 10..<14 { rig.script.fail("http://test/main-\(number).ts", with: .status(404)) }
        rig.play()
        #expect(rig.run { rig.hasEnded } && rig.error == nil)
        #expect(!rig.saw(20, 28) && rig.saw(19, 20) && rig.saw(28, 29) && rig.saw(59, 60))
        // Every frame before the gap is shown, and every one after it.
        #expect(rig.frames.filter { $0.time < .seconds(20) }.count == 20 * 25)
        #expect(rig.frames.filter { $0.time >= .seconds(28) }.count == 32 * 25)
        let last = try #require(rig.frames.last { $0.time < .seconds(20) })
        let next = try #require(rig.frames.first { $0.time >= .seconds(28) })
        #expect(next.flip - last.flip < .seconds(2) || rig.player.state.stallCount > 0)
        // What follows the gap was loaded and decoded before it was reached.
        #expect((14..<30).allSatisfy { number in rig.requestCount(of: "http://test/main-\(number).ts") == 1 })
    }

    @Test("a packager that restarts its numbering twice, and gives two segments the same number, costs one of them and no more")
    func reusedNumbers() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        for number in 0..<60 {
            rig.script.put(
                FakeSegment.bytes(kinds: "v", start: 900_000 + Int64(number) * 360_000, count: 100),
                at: "http://test/live-\(number).ts")
        }
        rig.script.put(at: "http://test/live.m3u8") { elapsed in
            let newest = 10 + Int(elapsed / .seconds(4))
            let restart = newest < 15 ? 0 : newest < 16 ? 15 : 16
            let first = max(newest - 4, restart)
            let lines = (first...newest).map { "#EXTINF:4,\nlive-\($0).ts\n" }.joined()
            return Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first - restart)\n\(lines)".utf8)
        }
        rig.play("http://test/live.m3u8")
        rig.run(for: .seconds(60))
        #expect(rig.error == nil)
        #expect(zip(rig.times, rig.times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(rig.times.count > 36 * 25)
        #expect(longestStill(rig) < .seconds(5))
        #expect((17..<22).allSatisfy { number in rig.requestCount(of: "http://test/live-\(number).ts") == 1 })
    }

    @Test("a short gap keeps its time, and so does one of the pictures alone")
    func kept() throws {
        let rig = try StreamRig()
        defer { rig.close() }
        rig.putSeparateSound(seconds: 40)
        for number in 5..<8 { rig.script.fail("http://test/main-\(number).ts", with: .status(404)) }
        rig.play("http://test/all.m3u8")
        #expect(rig.run { rig.hasEnded } && rig.error == nil)
        let sound = rig.sink.enqueued.prefix(48_000 * 39)
        let first = try #require(sound.first)
        // No sound is lost.
        #expect(sound.indices.first { sound[$0] != first + Float($0) } == nil)
    }
}
