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

@Suite("One tone in two files", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct JointTests {
    /// Plays files one after another on the simulated clock.
    ///
    /// - Returns: the first channel of the recorded sound, and the shown frames.
    private func play(_ files: [[UInt8]]) throws -> (sound: [Float], frames: [FrameRecord]) {
        let loop = try MainLoop(time: .simulated)
        var named: [String: [UInt8]] = [:]
        for (number, bytes) in files.enumerated() { named["file-\(number)"] = bytes }
        let path = "/tmp/marquee-joint-\(UInt32.random(in: 0 ... .max)).wav"
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: loop.clock)
        let player = try Player(
            services: PlaybackServices(
                clock: loop.clock, loader: FileLoader(clock: loop.clock, named), codecs: FFmpegCodecs(videoThreads: 1),
                display: display,
                sink: try WAVSink(path: path, clock: loop.clock), makeHLSSource: { _, _ in preconditionFailure("no HLS here") }
            ).repeatable, actionAtItemEnd: .advance)
        var frames: [FrameRecord] = []
        var ends = 0
        let listening = player.events.listen { event in
            if case .frame(let record) = event { frames.append(record) }
            if case .didPlayToEnd = event { ends += 1 }
        }
        defer { listening.cancel() }
        for number in files.indices {
            player.insert(PlayerItem(asset: Asset(url: "file-\(number)", services: player.services)), after: nil)
        }
        player.play()
        loop.run(within: .seconds(60), until: { ends == files.count })
        player.close()
        let bytes = try #require(fileBytes(path))
        unlink(path)
        let samples = stride(from: 44, to: bytes.count - 3, by: 4).map {
            Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)) / 32768
        }
        return (samples, frames)
    }

    @Test(
        "a tone cut at a sample plays as if it had not been cut: every sample is recorded once",
        arguments: ["flac", "pcm_s16le"])
    func lossless(codec: String) throws {
        let cut = 70_001  // of 144,000 samples, in the middle of nowhere
        let source = ["-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*441*t)|0.5*sin(2*PI*441*t):c=stereo:s=48000:d=3"]
        let files = try [("0", "\(cut)"), ("\(cut)", "144000")].map { first, last in
            try FFmpegProgram.make(
                source + ["-af", "atrim=start_sample=\(first):end_sample=\(last),asetpts=N/SR/TB", "-c:a", codec],
                suffix: "mka")
        }
        let (sound, _) = try play(files)
        let onset = try #require(sound.firstIndex { abs($0) > 0.001 })
        #expect(sound.count - onset >= 143_990)
        var worst: Float = 0
        for index in 0..<143_900 where onset + index < sound.count {
            let phase = 2 * Double.pi * 441 * Double(index + 1) / 48_000
            worst = max(worst, abs(sound[onset + index] - Float(0.5 * sin(phase))))
        }
        #expect(worst < 0.002, "a sample is \(worst) beside the tone that was cut")
    }

    @Test("with pictures too: frames keep their pace, and the sound has no gap")
    func withPictures() throws {
        let files = try (0..<2).map { _ in
            try FFmpegProgram.make(
                [
                    "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-f", "lavfi", "-i",
                    "aevalsrc=0.5*cos(2*PI*500*t)|0.5*cos(2*PI*500*t):c=stereo:s=48000:d=2", "-c:v", "libx264", "-preset",
                    "ultrafast", "-bf", "2", "-g", "25",
                    "-c:a", "flac",
                ], suffix: "mkv")
        }
        let (sound, frames) = try play(files)
        #expect(frames.map(\.time.milliseconds) == (0..<50).map { $0 * 40 } + (0..<50).map { $0 * 40 })
        #expect(zip(frames.dropFirst(), frames.dropFirst(2)).allSatisfy { $1.flip - $0.flip == .milliseconds(40) })
        let onset = try #require(sound.firstIndex { abs($0) > 0.4 })
        // Two seconds are 1000 whole periods, so the second file continues where the first one ended.
        var worst: Float = 0
        for index in 0..<191_900 where onset + index < sound.count {
            worst = max(worst, abs(sound[onset + index] - Float(0.5 * cos(2 * Double.pi * 500 * Double(index) / 48_000))))
        }
        #expect(worst < 0.002, "a sample is \(worst) beside the tone")
    }
}
