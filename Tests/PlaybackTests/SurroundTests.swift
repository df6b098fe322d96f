import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// A different tone in each channel, in WAVE order.
private let tones = [300, 500, 700, 60, 1100, 1300, 1700, 1900].map(Double.init)

private func film(_ layout: String, channels: Int) throws -> [UInt8] {
    let parts = tones.prefix(channels).map { "0.2*sin(2*PI*\(Int($0))*t)" }.joined(separator: "|")
    return try FFmpegProgram.make(
        ["-f", "lavfi", "-i", "aevalsrc=\(parts):c=\(layout):s=48000:d=3", "-c:a", "pcm_s16le"], suffix: "mkv")
}

@Suite(
    "Sound in more than two channels", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct SurroundTests {
    /// The level of each tone in each channel, relative to the source.
    private func levels(_ channels: [[Float]], _ seconds: ClosedRange<Double>) -> [[Double]] {
        channels.map { channel in tones.map { amplitude(of: $0, in: channel, seconds) / 0.2 } }
    }

    private func play(
        _ film: [UInt8], channels: Int, at rate: Ratio = .one, _ configure: (Player) -> Void = { _ in }
    ) throws -> [[Float]] {
        let box = try RecordedBox(["film": film], channels: channels)
        configure(box.player)
        box.insert("film")
        #expect(box.play(at: rate))
        #expect(box.run(toEnd: 1))
        return try box.recording()
    }

    @Test("each channel of 5.1 and 7.1 is at its own position and at no other", arguments: [("5.1", 6), ("7.1", 8)])
    func places(layout: String, channels: Int) throws {
        let found = levels(try play(try film(layout, channels: channels), channels: channels), 0.5...2.5)
        for (channel, row) in found.enumerated() {
            for (tone, level) in row.enumerated() {
                #expect(abs(level - (tone == channel ? 1 : 0)) < 0.01, "tone \(tone) in channel \(channel): \(level)")
            }
        }
    }

    @Test("another speed keeps pitch and position")
    func speed() throws {
        let sound = try play(try film("5.1", channels: 6), channels: 6, at: Ratio(3, 2))
        for (channel, row) in levels(sound, 0.4...1.6).enumerated() {
            // Where pieces are joined, unrelated tones are not all in phase.
            let whole = amplitude(in: sound[channel], 0.4...1.6) / 0.2
            #expect(whole > 0.4 && whole < 1.1, "channel \(channel): \(whole)")
            for (tone, level) in row.enumerated() where tone != channel {
                #expect(level < 0.05, "tone \(tone) in channel \(channel): \(level)")
            }
        }
    }

    @Test("a volume, and a ramp to another, apply to all channels")
    func volume() throws {
        let sound = try play(try film("5.1", channels: 6), channels: 6) { player in
            player.volume = 0.5
            player.rampVolume(to: 0.5, over: .seconds(1))
        }
        let (before, after) = (levels(sound, 0.02...0.06), levels(sound, 1.5...2.5))
        for channel in 0..<6 {
            #expect(abs(after[channel][channel] - 0.25) < 0.01, "channel \(channel): \(after[channel][channel])")
            // Half a wave of the lowest tone is too short for a measurement.
            if channel != 3 { #expect(before[channel][channel] > 0.4) }
        }
    }

    @Test(
        "stereo is left and right in front, with silence elsewhere; surrounds of 5.1 are at the sides if there are rear speakers too"
    )
    func otherLayouts() throws {
        let stereo = try play(try film("stereo", channels: 2), channels: 6)
        let found = levels(stereo, 0.5...2.5)
        #expect(abs(found[0][0] - 1) < 0.01 && abs(found[1][1] - 1) < 0.01 && found[0][1] < 0.01)
        #expect(stereo[2...].allSatisfy { $0.allSatisfy { $0 == 0 } })
        let wide = levels(try play(try film("5.1", channels: 6), channels: 8), 0.5...2.5)
        #expect(abs(wide[6][4] - 1) < 0.01 && abs(wide[7][5] - 1) < 0.01 && wide[4][4] < 0.01 && wide[5][5] < 0.01)
    }
}
