import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// A source that cannot read only key pictures is read again for each of them.
@Suite("Scans and previews without key-frame reading", .serialized)
@MainActor
struct PassTests {
    private static let long = FakeMedia(frameCount: 2500, soundDuration: .seconds(100))

    private func makeRig(_ film: FakeMedia = long) throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.present(film) { $0.readsKeyFrames = false }
        rig.run { !rig.frames.isEmpty }
        rig.run(for: .milliseconds(500))
        return rig
    }

    /// Whether each frame is a key picture.
    private func areKeyPictures(_ frames: [FrameRecord]) -> Bool {
        let group = FakeMedia().time(of: 12)
        return frames.allSatisfy { group * Int($0.time.wholeSteps(of: group)) == $0.time }
    }

    @Test("a scan forward shows key pictures up to the end, in time", arguments: [Ratio(4), Ratio(30)])
    func forward(_ rate: Ratio) throws {
        let rig = try makeRig()
        defer { rig.close() }
        let sounds = rig.codecs.counts.decodedSounds
        rig.forget()
        #expect(rig.player.setRate(rate))
        try #require(rig.run { rig.isPlaying })
        let began = rig.clock.now
        #expect(rig.run { rig.isAtEnd })
        let took = MediaTime.nanoseconds((rig.clock.now - began).wholeNanoseconds)
        #expect((took - seconds(100).scaled(by: Ratio(1, rate.numerator))).magnitude <= .milliseconds(120))
        #expect(rig.codecs.counts.decodedSounds == sounds)
        #expect(areKeyPictures(rig.frames))
        // The eighth part of a second is the shortest time that a picture stays.
        let step = MediaTime.milliseconds(125).scaled(by: rate)
        for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) { #expect(next.time - frame.time >= step) }
        #expect(try #require(rig.frames.last).time > seconds(90))
    }

    @Test("a scan back ends at the start, with its first picture", arguments: [Ratio(-4), Ratio(-30)])
    func backward(_ rate: Ratio) throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(50)) == true)
        rig.forget()
        #expect(rig.player.setRate(rate))
        #expect(rig.run { rig.player.state.rate == .zero })
        rig.run(for: .seconds(1))
        #expect(rig.frames.last?.time == .zero && rig.player.currentTime == .zero)
        #expect(areKeyPictures(rig.frames))
        let scanned = rig.frames.dropLast()
        for (frame, next) in zip(scanned, scanned.dropFirst()) { #expect(frame.time > next.time) }
        #expect(scanned.count >= 4)
    }

    @Test("a decoder that fails during a scan is replaced, and the scan goes on to the end")
    func rebuilt() throws {
        var film = Self.long
        film.fault = DecoderFault(.error, frame: 1200)
        let rig = try makeRig(film)
        defer { rig.close() }
        #expect(rig.player.setRate(Ratio(4)))
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.codecs.counts.videoDecoders == 2)
        #expect(rig.saw(40..<47) && rig.saw(50..<60) && rig.saw(90..<100))
    }

    @Test("while paused a preview shows a key picture near its position, also after the last one")
    func preview() throws {
        let rig = try makeRig(FakeMedia())
        defer { rig.close() }
        #expect(rig.seek(to: seconds(5), before: nil, after: nil) == true)
        #expect(rig.frames.last?.time == FakeMedia().time(of: 120))
        #expect(rig.seek(to: seconds(2), before: nil, after: nil) == true)
        #expect(rig.frames.last?.time == FakeMedia().time(of: 48))
        // The last key picture is at 9.6 s.
        #expect(rig.seek(to: seconds(9, 700), before: nil, after: nil) == true)
        #expect(rig.seek(to: seconds(9, 900), before: nil, after: nil) == true)
        #expect(rig.frames.last?.time == FakeMedia().time(of: 247))
    }
}
