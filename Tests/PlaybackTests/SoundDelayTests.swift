import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Sound delay", .serialized)
@MainActor
struct SoundDelayTests {
    /// How much later than the pictures the sound is heard, in asset time.
    private func lag(_ rig: PlayerRig) throws -> MediaTime {
        let heard = try #require(rig.player.pipeline.audio.heard())
        return rig.player.transport.timebase.media.time(at: heard.at) - heard.time
    }

    private func check(_ rig: PlayerRig, _ milliseconds: Int64, _ when: String) throws {
        let lag = try lag(rig)
        #expect((lag - .milliseconds(milliseconds)).magnitude <= .milliseconds(6), "\(when): the sound is \(lag) s behind")
    }

    @Test(
        "the delay is exact from the start, after a pause, a seek and a speed change, and nothing stalls",
        arguments: [Int64(200), -200, 40, 1000])
    func delays(_ milliseconds: Int64) throws {
        let rig = try PlayerRig(soundDelay: .milliseconds(milliseconds))
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(3) }))
        try check(rig, milliseconds, "at the start")
        rig.player.pause()
        rig.run(for: .seconds(2))
        let count = rig.frames.count
        rig.player.play()
        rig.run(for: .seconds(2))
        try check(rig, milliseconds, "after a pause")
        for (before, after) in zip(rig.frames.dropFirst(count), rig.frames.dropFirst(count + 1)) {
            #expect(after.time - before.time == .milliseconds(40), "the pictures continue without a jump")
        }
        #expect(rig.seek(to: .seconds(12)) == true)
        rig.run(for: .seconds(3))
        try check(rig, milliseconds, "after a seek")
        #expect(rig.player.setRate(Ratio(3, 2)))
        rig.run(for: .seconds(3))
        try check(rig, milliseconds * 3 / 2, "at another speed")
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
        #expect(rig.frames.last?.time == .milliseconds(749 * 40))
    }

    @Test("a delay that is changed in play is heard at once, and while pictures go on without a jump", arguments: [true, false])
    func changes(isPlaying: Bool) throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 1500, soundDuration: .seconds(60)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .seconds(3) }))
        for milliseconds in [Int64(10), 120, -80, 1000, 0, -1000, 0] {
            if !isPlaying { rig.player.pause() }
            let count = rig.frames.count
            rig.player.soundDelay = .milliseconds(milliseconds)
            if !isPlaying {
                rig.run(for: .seconds(1))
                rig.player.play()
            }
            rig.run(for: .seconds(3))
            try check(rig, milliseconds, "after \(milliseconds) ms were set")
            for (before, after) in zip(rig.frames.dropFirst(count), rig.frames.dropFirst(count + 1)) {
                #expect(after.time - before.time == .milliseconds(40), "\(milliseconds) ms")
            }
        }
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("a delay that is set at the beginning moves the sound, and not the pictures back")
    func atTheBeginning() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 750, soundDuration: .seconds(30)))
        rig.player.play()
        #expect(rig.run(until: { (rig.frames.last?.time ?? .zero) >= .milliseconds(200) }))
        rig.player.soundDelay = .milliseconds(900)
        rig.run(for: .seconds(3))
        try check(rig, 900, "set after 0.2 s")
        for (before, after) in zip(rig.frames, rig.frames.dropFirst()) { #expect(after.time > before.time) }
    }
}
