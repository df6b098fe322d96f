import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Rates are played or refused", .serialized)
@MainActor
struct RateTests {
    private func makeRig(_ film: FakeMedia = FakeMedia()) throws -> PlayerRig {
        let rig = try PlayerRig()
        rig.open(film)
        rig.run(until: { !rig.frames.isEmpty || rig.item?.audioTrack != nil && rig.player.state.itemStatus == .readyToPlay })
        // Frames decoded at the start are done before a test starts to count.
        rig.run(for: .milliseconds(500))
        return rig
    }

    @Test(
        "at half and double speed pictures and sound stay in sync, and the end comes on time",
        arguments: [Ratio(1, 2), Ratio(3, 2), Ratio(2)])
    func speed(_ rate: Ratio) throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.player.setRate(rate))
        try #require(rig.run(until: { rig.isPlaying }))
        let began = rig.clock.now
        #expect(rig.run(until: { rig.isAtEnd }))
        let took = MediaTime.nanoseconds((rig.clock.now - began).wholeNanoseconds)
        let wanted = FakeMedia().duration.scaled(by: Ratio(rate.denominator, rate.numerator))
        #expect((took - wanted).magnitude <= .milliseconds(100), "it took \(took) s, not \(wanted)")
        #expect(rig.player.state.stallCount == 0)
        // A frame waits for the next vertical blank, which is more asset time at a higher rate.
        let bound = MediaTime.milliseconds(20).scaled(by: max(rate, .one))
        for record in rig.frames.dropFirst() { #expect(try #require(record.soundDelay).magnitude <= bound) }
    }

    @Test("the speed changes during playback without a stall, and the position is kept")
    func change() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        #expect(rig.player.setRate(Ratio(2)))
        #expect((rig.player.currentTime - seconds(2)).magnitude <= .milliseconds(60))
        let (began, place) = (rig.clock.now, rig.player.currentTime)
        rig.run(for: .seconds(2))
        let walked = rig.player.currentTime - place
        #expect((walked - seconds(4)).magnitude <= .milliseconds(80), "\(walked) s in \(rig.clock.now - began)")
        #expect(rig.player.setRate(.one))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
    }

    @Test(
        "scanning shows key pictures at its rate, and decodes no other pictures and no sound",
        arguments: [Ratio(4), Ratio(12), Ratio(30), Ratio(60)])
    func scan(_ rate: Ratio) throws {
        let rig = try makeRig(FakeMedia(frameCount: 2500, soundDuration: .seconds(100)))
        defer { rig.close() }
        let before = rig.codecs.counts
        rig.forget()
        #expect(rig.player.setRate(rate))
        try #require(rig.run(until: { rig.isPlaying }))
        let began = rig.clock.now
        #expect(rig.run(until: { rig.isAtEnd }))
        let took = MediaTime.nanoseconds((rig.clock.now - began).wholeNanoseconds)
        let wanted = seconds(100).scaled(by: Ratio(1, rate.numerator))
        #expect((took - wanted).magnitude <= .milliseconds(120), "it took \(took) s, not \(wanted)")
        let after = rig.codecs.counts
        #expect(after.decodedSounds == before.decodedSounds)
        #expect(rig.frames.count >= 10)
        for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) {
            #expect(frame.time < next.time)
            #expect(FakeMedia().time(of: 12) * Int(frame.time.wholeSteps(of: FakeMedia().time(of: 12))) == frame.time)
        }
        #expect(after.decodedPictures - before.decodedPictures <= 2500 / 12 + 2)
    }

    @Test("scanning back ends at the start, with its first picture", arguments: [Ratio(-4), Ratio(-60)])
    func scanBack(_ rate: Ratio) throws {
        let rig = try makeRig(FakeMedia(frameCount: 2500, soundDuration: .seconds(100)))
        defer { rig.close() }
        #expect(rig.seek(to: seconds(50)) == true)
        rig.forget()
        #expect(rig.player.setRate(rate))
        #expect(rig.run(until: { rig.player.state.rate == .zero }))
        rig.run(for: .seconds(1))
        #expect(rig.frames.last?.time == .zero)
        #expect(rig.player.currentTime == .zero)
        #expect(rig.endCount == 0)
        for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) { #expect(frame.time >= next.time) }
        #expect(rig.frames.count >= 4)
    }

    @Test("playback after a scan continues at exactly the position that it reached")
    func leavesScan() throws {
        let rig = try makeRig(FakeMedia(frameCount: 2500, soundDuration: .seconds(100)))
        defer { rig.close() }
        rig.player.setRate(Ratio(12))
        rig.run(until: { rig.player.currentTime >= seconds(30) })
        let place = rig.player.currentTime
        rig.forget()
        rig.player.play()
        try #require(rig.run(until: { rig.isPlaying }))
        #expect(rig.frames.first.map { $0.time <= place && place < $0.time + $0.duration } == true)
        rig.run(for: .seconds(2))
        #expect(rig.player.state.stallCount == 0)
        #expect((rig.player.currentTime - place - seconds(2)).magnitude <= .milliseconds(100))
    }

    @Test("backward playback shows every frame once, in order, down to the first", arguments: [Ratio(-1), Ratio(-1, 2)])
    func reverse(_ rate: Ratio) throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.seek(to: seconds(4)) == true)
        // Frames decoded for the landing are done when counting starts.
        rig.run(for: .milliseconds(500))
        let sounds = rig.codecs.counts.decodedSounds
        rig.forget()
        #expect(rig.player.setRate(rate))
        try #require(rig.run(until: { rig.isPlaying }))
        let began = rig.clock.now
        #expect(rig.run(until: { rig.player.state.rate == .zero }))
        let took = MediaTime.nanoseconds((rig.clock.now - began).wholeNanoseconds)
        #expect((took - seconds(4).scaled(by: Ratio(rate.denominator, -rate.numerator))).magnitude <= .milliseconds(100))
        let times = rig.frames.map(\.time).filter { $0 < seconds(4) }
        #expect(firstDifference(times, (0..<100).reversed().map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.codecs.counts.decodedSounds == sounds)
        #expect(rig.player.currentTime == .zero)
    }

    @Test("backward playback from the end works, although forward playback there does nothing")
    func reverseFromEnd() throws {
        let rig = try makeRig(FakeMedia(frameCount: 50, soundDuration: .seconds(2)))
        defer { rig.close() }
        rig.player.play()
        rig.run(until: { rig.isAtEnd })
        rig.forget()
        #expect(rig.player.setRate(Ratio(-1)))
        #expect(!rig.isAtEnd)
        #expect(rig.run(until: { rig.player.state.rate == .zero && rig.player.currentTime == .zero }))
        #expect(rig.frames.contains { $0.time == FakeMedia().time(of: 48) })
    }

    @Test("a group longer than the frame limit is decoded in parts, which is reported")
    func longGroups() throws {
        let rig = try makeRig(FakeMedia(frameCount: 250, syncInterval: 250))
        defer { rig.close() }
        #expect(rig.seek(to: seconds(8)) == true)
        rig.player.pipeline.pictures.passLimit =
            80 * (try #require(rig.player.pipeline.pictures.cache.frame(at: seconds(8))).byteCount)
        rig.forget()
        rig.player.setRate(Ratio(-1))
        #expect(rig.run(until: { rig.player.state.rate == .zero }))
        let times = rig.frames.map(\.time).filter { $0 < seconds(8) }
        #expect(firstDifference(times, (0..<200).reversed().map { FakeMedia().time(of: $0) }) == nil)
        #expect(rig.item?.reversePlayback == .repeated)
        #expect(rig.item?.canPlayReverse == true)
    }

    @Test("unplayable rates are refused with their reason and change nothing")
    func refusals() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        #expect(throws: PlaybackError.noItem) { try rig.player.playImmediately(atRate: Ratio(2)) }
        rig.open(FakeMedia())
        rig.run(until: { !rig.frames.isEmpty })
        for rate in [Ratio(1, 4), Ratio(3), Ratio(5), Ratio(100), Ratio(-2), Ratio(-1, 4), Ratio(-100)] {
            #expect(throws: PlaybackError.self) { try rig.player.playImmediately(atRate: rate) }
            #expect(rig.player.state.rate == .zero)
        }
        let sound = try makeRig(FakeMedia(frameCount: 0, soundDuration: .seconds(5)))
        defer { sound.close() }
        sound.run(until: { sound.item?.status == .readyToPlay })
        #expect(sound.item?.canPlayReverse == false && sound.item?.canPlayFastReverse == false)
        #expect(sound.item?.canPlaySlowForward == true)
        #expect(!sound.player.setRate(Ratio(-1)) && !sound.player.setRate(Ratio(4)))
    }

    @Test("observers are called during backward playback: boundaries once in each direction")
    func observers() throws {
        let rig = try makeRig()
        defer { rig.close() }
        var count = 0
        let observer = rig.player.addBoundaryTimeObserver(forTimes: [seconds(1)]) { count += 1 }
        rig.player.play()
        rig.run(until: { rig.player.currentTime >= seconds(2) })
        #expect(count == 1)
        rig.player.setRate(Ratio(-1))
        rig.run(until: { rig.player.state.rate == .zero })
        #expect(count == 2)
        withExtendedLifetime(observer) {}
    }
}
