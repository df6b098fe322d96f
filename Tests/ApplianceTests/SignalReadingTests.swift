import Display
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import Playback
import Screens
import Sound
import TestSupport
import Testing

@testable import Appliance

/// What a player of real films says of the signal.
@Suite("The facts of the signal", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct SignalReadingTests {
    /// - Parameter sound: arguments for the sound of two seconds; none for a film without sound.
    private func film(_ sound: [String]) throws -> [UInt8] {
        var arguments = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=24000/1001:d=2"]
        if !sound.isEmpty { arguments += ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=2"] }
        arguments += ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "24"] + sound
        return try FFmpegProgram.make(arguments, suffix: "mkv")
    }

    /// Plays a film for half a second.
    ///
    /// - Returns: the facts before it is opened and while it plays.
    private func facts(_ film: [UInt8], passesSoundThrough: Bool = false) throws -> (before: SignalFacts, playing: SignalFacts) {
        let path = "/tmp/marquee-signal-\(UInt32.random(in: 0 ... .max)).wav"
        defer { unlink(path) }
        let loop = try MainLoop(time: .simulated)
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: loop.clock)
        let sink = try WAVSink(path: path, clock: loop.clock)
        var services = PlaybackServices(
            clock: loop.clock, loader: OneFile(film), codecs: FFmpegCodecs(videoThreads: 1), display: display, sink: sink,
            makeHLSSource: { _, _ in preconditionFailure("no HLS here") }
        ).repeatable
        services.passesSoundThrough = passesSoundThrough
        let player = try Player(services: services, actionAtItemEnd: .advance)
        defer {
            player.close()
            sink.close()
        }
        let reading = SignalReading(player: player)
        let before = reading.facts
        player.insert(PlayerItem(asset: Asset(url: "a", services: player.services)), after: nil)
        player.play()
        #expect(loop.run(within: .seconds(20), until: { player.currentTime >= .milliseconds(500) }))
        return (before, reading.facts)
    }

    private let screen = SignalFacts.Picture(width: 64, height: 36, rate: Ratio(50), range: .standard)

    @Test("of a film that is decoded: its picture, the screen, its sound, and what goes out")
    func decoded() throws {
        let (before, playing) = try facts(film(["-ac", "6", "-c:a", "ac3", "-b:a", "192k"]))
        #expect(before.picture == nil && before.sound == nil && before.output == nil && before.screen == screen)
        #expect(playing.picture?.width == 128 && playing.picture?.height == 72)
        #expect(playing.picture?.codec == "H.264" && playing.picture?.range == .standard)
        // Matroska stores the duration of a picture in nanoseconds, and so the rate is not exact.
        let rate = try #require(playing.picture?.rate)
        #expect(abs(Double(rate.numerator) / Double(rate.denominator) - 23.976) < 0.01, "\(rate)")
        #expect(playing.screen == screen)
        #expect(playing.sound == SignalFacts.Sound(format: "AC-3", channels: 6, sampleRate: 48_000))
        #expect(playing.output == SignalFacts.Sound(format: "PCM", channels: 2, sampleRate: 48_000))
    }

    @Test("of sound that goes to a receiver encoded: its format, and no channels of the box")
    func passed() throws {
        let (_, playing) = try facts(film(["-ac", "2", "-c:a", "ac3", "-b:a", "192k"]), passesSoundThrough: true)
        #expect(playing.sound == SignalFacts.Sound(format: "AC-3", channels: 2, sampleRate: 48_000))
        #expect(playing.output == SignalFacts.Sound(format: "AC-3"))
    }

    @Test("of a film without sound: nothing goes out")
    func silent() throws {
        let (_, playing) = try facts(film([]))
        #expect(playing.picture?.codec == "H.264" && playing.sound == nil && playing.output == nil)
    }
}
