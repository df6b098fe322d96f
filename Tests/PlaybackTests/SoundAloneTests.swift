import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Sound without video, and volume")
@MainActor
struct SoundAloneTests {
    @Test("without video the decoder stops and no sample is lost; when video returns, both are in sync")
    func pictures() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(3) }))
        let flushes = rig.sink.flushes
        rig.player.presentsVideo = false
        #expect(item.videoTrack == nil && item.tracks.map(\.isEnabled) == [false, true])
        rig.run(for: .milliseconds(100))
        let decoded = rig.codecs.counts.decodedPictures
        let seen = rig.frames.count
        #expect(rig.run(until: { rig.player.currentTime >= seconds(10) }))
        #expect(rig.codecs.counts.decodedPictures == decoded && rig.frames.count == seen)
        #expect(rig.sink.flushes == flushes)
        #expect(firstDifference(rig.sink.enqueued, ramp(0..<rig.sink.enqueued.count)) == nil)
        rig.player.presentsVideo = true
        #expect(rig.run(until: { rig.frames.count > seen + 10 }))
        #expect(rig.frames.last!.time >= seconds(10))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.frames.suffix(20).compactMap { $0.soundDelay?.magnitude }.max()! <= .milliseconds(40))
        #expect(rig.endCount == 1)
    }

    @Test(
        "a disabled audio track is not decoded and at once not heard; no picture is lost or repeated, and none is decoded again")
    func sound() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 250))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(2) }))
        let (flushes, pictures) = (rig.sink.flushes, rig.codecs.counts.decodedPictures)
        try #require(item.tracks.first { $0.assetTrack.type == .audio }).isEnabled = false
        #expect(item.audioTrack == nil && rig.sink.flushes == flushes + 1 && rig.sink.enqueued.isEmpty)
        rig.run(for: .milliseconds(500))
        let decoded = rig.codecs.counts.decodedSounds
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.codecs.counts.decodedSounds == decoded && rig.sink.enqueued.isEmpty)
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { MediaTime(Int64($0), 25) }) == nil)
        let stays = zip(rig.frames.dropFirst(), rig.frames.dropFirst(2)).map { $1.flip - $0.flip }
        #expect(stays.allSatisfy { $0 <= .milliseconds(51) }, "the longest is \(stays.max()!)")
        #expect(rig.codecs.counts.decodedPictures - pictures <= 200 && rig.player.state.stallCount == 0)
    }

    @Test(
        "sound that is turned on again is heard from the place of the picture on, with the samples of that place",
        arguments: [false, true])
    func soundAgain(isPaused: Bool) throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20)))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(2) }))
        let track = try #require(item.tracks.first { $0.assetTrack.type == .audio })
        if isPaused { rig.player.pause() }
        track.isEnabled = false
        if isPaused { rig.player.play() }
        #expect(rig.run(until: { rig.player.currentTime >= seconds(5) }))
        #expect(rig.sink.enqueued.isEmpty)
        if isPaused { rig.player.pause() }
        track.isEnabled = true
        if isPaused {
            rig.run(for: .milliseconds(300))
            rig.player.play()
        }
        let frames = rig.frames.count
        #expect(rig.run(until: { rig.player.currentTime >= seconds(7) }))
        let first = try #require(rig.sink.enqueued.first.map { Int($0) })
        #expect((235_000...250_000).contains(first), "\(first)")
        #expect(firstDifference(rig.sink.enqueued, ramp(first..<first + rig.sink.enqueued.count)) == nil)
        #expect(rig.frames.dropFirst(frames + 5).compactMap { $0.soundDelay?.magnitude }.max()! <= .milliseconds(40))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.endCount == 1)
    }

    @Test("sound that is off stays off after seeks, at other rates and backward; the next item is heard")
    func soundOffElsewhere() throws {
        let rig = try PlayerRig(isQueue: true)
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 250, soundDuration: .seconds(10)))
        rig.loader.put(FakeMedia(frameCount: 50, soundDuration: .seconds(2)), at: "next")
        rig.player.insert(PlayerItem(asset: Asset(url: "next", services: rig.player.services)), after: nil)
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(2) }))
        try #require(item.tracks.first { $0.assetTrack.type == .audio }).isEnabled = false
        #expect(rig.seek(to: seconds(6)) == true)
        #expect(rig.player.setRate(Ratio(-1)))
        #expect(rig.run(until: { rig.player.currentTime <= seconds(5) }))
        #expect(rig.player.setRate(.one))
        #expect(rig.run(until: { rig.player.currentTime >= seconds(7) }))
        #expect(rig.sink.enqueued.isEmpty)
        #expect(rig.run(until: { rig.endCount == 2 }))
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(90_000)), ramp(0..<90_000)) == nil)
    }

    @Test("no picture is decoded of an item that starts, or follows, with video disabled")
    func fromTheStart() throws {
        let rig = try PlayerRig(isQueue: true)
        defer { rig.close() }
        rig.player.presentsVideo = false
        rig.open(FakeMedia(frameCount: 50, soundDuration: .seconds(2)))
        rig.loader.put(FakeMedia(frameCount: 50, soundDuration: .seconds(2)), at: "next")
        let next = PlayerItem(asset: Asset(url: "next", services: rig.player.services))
        rig.player.insert(next, after: nil)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd && rig.endCount == 2 }))
        #expect(rig.codecs.counts.decodedPictures == 0)
        #expect(firstDifference(Array(rig.sink.enqueued.prefix(192_000)), ramp(0..<96_000) + ramp(0..<96_000)) == nil)
    }

    @Test("the setting for loud sounds is heard within 300 ms, without a stop, and no picture is lost")
    func shaping() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(FakeMedia(frameCount: 250))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(3) }))
        let asked = rig.clock.now
        try rig.player.setSoundShaping(SoundShaping(reducesLoudSounds: true))
        #expect(rig.run(within: .seconds(2), until: { (rig.sink.enqueued.first ?? 0) < 0 }))
        #expect(rig.clock.now - asked <= .milliseconds(300))
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { MediaTime(Int64($0), 25) }) == nil)
        #expect(rig.player.state.stallCount == 0)
    }

    @Test("a ramp of 300 ms falls and rises by a third of a percent per millisecond, and includes the volume")
    func ramps() throws {
        let path = "/tmp/marquee-ramp-\(UInt32.random(in: 0 ... .max)).wav"
        let rig = try PlayerRig(recording: path, level: 0.5)
        rig.open(FakeMedia(frameCount: 0, soundDuration: .seconds(3)))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(1) }))
        let began = rig.clock.now
        rig.player.rampVolume(to: 0, over: .milliseconds(300))
        rig.run(for: .milliseconds(500))
        rig.player.rampVolume(to: 1, over: .milliseconds(300))
        rig.run(for: .milliseconds(500))
        rig.player.volume = 0.5
        rig.run(for: .milliseconds(300))
        rig.close()
        let bytes = try #require(fileBytes(path))
        unlink(path)
        func level(_ milliseconds: Int) -> Float {
            let frame = Int(MediaTime.nanoseconds(began.nanoseconds).units(of: 48_000)) + milliseconds * 48
            let offset = 44 + frame * 4
            return Float(Int16(bitPattern: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)) / 32768 / 0.5
        }
        for (at, wanted) in [
            (-5, 1), (75, 0.75), (150, 0.5), (225, 0.25), (320, 0), (490, 0), (575, 0.25), (650, 0.5), (725, 0.75), (820, 1),
            (1100, 0.5),
        ] as [(Int, Float)] {
            #expect(abs(level(at) - wanted) < 0.05, "at \(at) ms it is \(level(at)), not \(wanted)")
        }
        // There are no jumps: 10 ms are at least 480 samples long.
        for at in -20..<1200 { #expect(abs(level(at + 1) - level(at)) < 0.11) }
    }
}
