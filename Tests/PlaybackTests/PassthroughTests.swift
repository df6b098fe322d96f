import Display
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Sound
import TestSupport
import Testing

@testable import Playback

/// An output to a receiver that is absent or records.
@MainActor
private final class FakeDoor: PassthroughDoor {
    let recorder: WAVSink
    var isLocked = false
    init(_ recorder: WAVSink) { self.recorder = recorder }

    func passage(codec: String, sampleRate: Int) -> SoundPassage? { recorder.passage(codec: codec, sampleRate: sampleRate) }

    func open(_ passage: SoundPassage) throws(MediaError) -> any AudioSink {
        if isLocked { throw MediaError(.soundLost, "No sound could be opened on hdmi:CARD=0: busy; close other programs.") }
        recorder.pass(passage)
        return recorder
    }
}

/// A player of films with AC-3, whose sound is recorded word by word.
@MainActor
private final class Receiver {
    static let film: [UInt8]? = try? FFmpegProgram.make(
        [
            "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=4", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=4", "-c:v", "libx264",
            "-preset", "ultrafast", "-g", "25", "-ac", "2", "-c:a", "ac3", "-b:a", "192k",
        ], suffix: "mkv")

    let loop: MainLoop
    let player: Player
    let sink: WAVSink
    private let path = "/tmp/marquee-burst-\(UInt32.random(in: 0 ... .max)).wav"
    private(set) var ends = 0
    private var listening: Subscription?
    private(set) var errors: [ErrorLogEvent] = []
    private(set) var runs: [MediaTime] = []

    init(wants: Bool = true, door: (WAVSink, MainLoop) -> (any AudioSink)? = { _, _ in nil }) throws {
        loop = try MainLoop(time: .simulated)
        let film = try #require(Self.film)
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: loop.clock)
        sink = try WAVSink(path: path, clock: loop.clock)
        var services = PlaybackServices(
            clock: loop.clock, loader: FileLoader(clock: loop.clock, ["a": film, "b": film]),
            codecs: FFmpegCodecs(videoThreads: 1), display: display,
            sink: door(sink, loop) ?? sink, makeHLSSource: { _, _ in preconditionFailure("no HLS here") }
        ).repeatable
        services.passesSoundThrough = wants
        player = try Player(services: services, actionAtItemEnd: .advance)
        listening = player.events.listen { [weak self] event in
            switch event {
            case .didPlayToEnd: self?.ends += 1
            case .newErrorLogEntry(let entry): self?.errors.append(entry)
            case .audioRun(let time): self?.runs.append(time)
            default: break
            }
        }
    }

    func insert(_ names: String...) {
        for name in names { player.insert(PlayerItem(asset: Asset(url: name, services: player.services)), after: nil) }
    }

    func run(until time: MediaTime) { loop.run(within: .seconds(60), until: { self.player.currentTime >= time }) }
    func run(_ length: Duration) { loop.run(within: length, until: { false }) }
    func run(toEnd count: Int) -> Bool { loop.run(within: .seconds(60), until: { self.ends == count }) }

    /// The recorded words.
    func words() throws -> [UInt16] {
        player.close()
        sink.close()
        let bytes = try #require(fileBytes(path))
        unlink(path)
        return stride(from: 44, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }

    /// Where bursts start, in frames.
    static func starts(_ words: [UInt16]) -> [Int] {
        stride(from: 0, to: words.count - 3, by: 2).filter { words[$0] == 0xF872 && words[$0 + 1] == 0x4E1F }.map { $0 / 2 }
    }

    /// The sync frame of each complete burst.
    static func frames(_ words: [UInt16]) -> [[UInt8]] {
        starts(words).compactMap { start in
            let length = Int(words[2 * start + 3]) / 8
            let payload = words[(2 * start + 4)...].prefix((length + 1) / 2)
            guard 2 * payload.count >= length else { return nil }
            return Array(payload.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }.prefix(length))
        }
    }

    /// The sync frames of the film.
    static func wanted() throws -> [[UInt8]] {
        let demuxer = try FFmpegCodecs().openDemuxer(MemoryByteStream(try #require(film)), hint: nil)
        let track = try #require(demuxer.description.tracks.first { $0.type == .audio })
        demuxer.select([track.id])
        var found: [[UInt8]] = []
        while let sample = try demuxer.nextSample() { found.append(sample.payload.withBytes { Array($0) }) }
        return found
    }
}

@Suite("Sound that is passed through encoded", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct PassthroughTests {
    @Test(
        "every burst of a film reaches the receiver once, whole, in order and on time, directly followed by those of the next film"
    )
    func bursts() throws {
        let receiver = try Receiver()
        receiver.insert("a", "b")
        receiver.player.play()
        #expect(receiver.run(toEnd: 2))
        let words = try receiver.words()
        let wanted = try Receiver.wanted()
        #expect(Receiver.frames(words) == wanted + wanted, "the bursts differ")
        let starts = Receiver.starts(words)
        #expect(zip(starts, starts.dropFirst()).filter { $1 - $0 != 1536 }.isEmpty)
    }

    @Test("it is decoded unless passthrough is requested")
    func unwanted() throws {
        let receiver = try Receiver(wants: false)
        receiver.insert("a")
        receiver.player.play()
        #expect(receiver.run(toEnd: 1))
        #expect(Receiver.starts(try receiver.words()).isEmpty)
    }

    @Test("pictures follow the sound: a burst leaves when its pictures are shown")
    func synchrony() throws {
        let receiver = try Receiver()
        var flips: [(MediaTime, HostTime)] = []
        let listening = receiver.player.events.listen { event in
            if case .frame(let record) = event { flips.append((record.time, record.flip)) }
        }
        defer { listening.cancel() }
        receiver.insert("a")
        receiver.player.play()
        #expect(receiver.run(toEnd: 1))
        let starts = Receiver.starts(try receiver.words())
        // The film's first burst is that of time zero in the container, within the encoder's delay of 256 samples.
        let (time, flip) = try #require(flips.dropFirst(50).first)
        let heard = MediaTime(Int64(starts[0]), 48_000) + time
        #expect((heard - .nanoseconds(flip.nanoseconds)).magnitude < .milliseconds(15))
    }

    @Test("muting gives silence at burst boundaries; later bursts are whole again")
    func mute() throws {
        let receiver = try Receiver()
        receiver.insert("a")
        receiver.player.play()
        receiver.run(until: seconds(1))
        receiver.player.isMuted = true
        receiver.run(until: seconds(2))
        receiver.player.isMuted = false
        #expect(receiver.run(toEnd: 1))
        let found = Receiver.frames(try receiver.words())
        let wanted = try Receiver.wanted()
        let first = try #require(zip(found, wanted).enumerated().first { $1.0 != $1.1 }?.offset)
        #expect((28...34).contains(first))
        #expect(found[first...].elementsEqual(wanted.suffix(found.count - first)))
        #expect((29...33).contains(wanted.count - found.count))
    }

    @Test("at another rate or volume it is decoded; back at rate 1 it is passed through again")
    func touched() throws {
        let receiver = try Receiver()
        receiver.insert("a")
        receiver.player.play()
        receiver.run(until: seconds(1))
        #expect(receiver.player.pipeline.sound.passage?.codec == "ac3")
        receiver.player.setRate(Ratio(2))
        receiver.run(until: seconds(2))
        #expect(receiver.player.pipeline.sound.passage == nil && receiver.player.state.rate == Ratio(2))
        receiver.player.setRate(.one)
        receiver.run(until: seconds(2, 500))
        #expect(receiver.player.pipeline.sound.passage?.codec == "ac3")
        receiver.player.volume = 0.5
        receiver.run(until: seconds(3))
        #expect(receiver.player.pipeline.sound.passage == nil)
        #expect(receiver.run(toEnd: 1))
        #expect(receiver.errors.isEmpty)
    }

    @Test("after a seek and a pause no partial burst reaches the receiver")
    func seek() throws {
        let receiver = try Receiver()
        receiver.insert("a")
        receiver.player.play()
        receiver.run(until: seconds(1))
        receiver.player.seek(to: seconds(3), toleranceBefore: .zero, toleranceAfter: .zero)
        receiver.run(.milliseconds(500))
        receiver.player.pause()
        receiver.run(.milliseconds(500))
        receiver.player.play()
        #expect(receiver.run(toEnd: 1))
        let wanted = try Receiver.wanted()
        let found = Receiver.frames(try receiver.words())
        #expect(found.suffix(12).elementsEqual(wanted.suffix(12)))
        #expect(found.allSatisfy(wanted.contains))
    }

    @Test("a device that does not support it is logged as an error, and the sound is decoded")
    func locked() throws {
        let receiver = try Receiver { sink, loop in
            let door = FakeDoor(sink)
            door.isLocked = true
            return ClaimedSink(name: "test", clock: loop.clock, door: door, onFailure: { _ in }, open: { _ in sink })
        }
        receiver.insert("a")
        receiver.player.play()
        #expect(receiver.run(toEnd: 1))
        #expect(receiver.errors.map(\.errorComment).contains { $0?.contains("busy") ?? false })
        #expect(Receiver.starts(try receiver.words()).isEmpty)
    }
}
