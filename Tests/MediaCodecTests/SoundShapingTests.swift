import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import MediaCodec

@Suite("Sound shaping", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
struct SoundShapingTests {
    /// Decodes a file's sound with a shaping.
    private func decode(_ bytes: [UInt8], _ shaping: SoundShaping = SoundShaping()) throws -> [Float] {
        let codecs = FFmpegCodecs(videoThreads: 1)
        try codecs.checkSoundShaping(shaping)
        let samples = try Media.samples(try Media.demuxer(bytes))
        let decoder = try codecs.openAudioDecoder(
            try #require(samples.first).parameters, output: AudioFormat(sampleRate: 48_000, channels: 2),
            processing: SoundProcessing(shaping))
        return try (samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)).flatMap(\.samples)
    }

    /// A tone of 0.25 in one channel of a layout, the others silent.
    private func tone(in channel: Int, of layout: String, channels: Int) throws -> [UInt8] {
        let parts = (0..<channels).map { $0 == channel ? "0.25*sin(2*PI*1000*t)" : "0" }.joined(separator: "|")
        return try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "aevalsrc=\(parts):c=\(layout):s=48000:d=0.25", "-c:a", "pcm_s16le"], suffix: "wav")
    }

    private func levels(_ samples: [Float]) -> [Double] {
        (0..<2).map { channel in
            let one = ToneMeter.channel(channel, of: samples, channels: 2)[2400..<9600]
            return ToneMeter.amplitude(of: 1000, in: one, sampleRate: 48_000) / 0.25
        }
    }

    @Test(
        "5.1 and 7.1 become stereo by ITU-R BS.775: the front as it is, centre and surrounds at 0.7071, nothing of the low-frequency effects",
        arguments: [
            ("5.1", [[1, 0], [0, 1], [0.7071, 0.7071], [0, 0], [0.7071, 0], [0, 0.7071]]),
            ("7.1", [[1, 0], [0, 1], [0.7071, 0.7071], [0, 0], [0.7071, 0], [0, 0.7071], [0.7071, 0], [0, 0.7071]]),
        ])
    func downmix(layout: String, coefficients: [[Double]]) throws {
        for (channel, wanted) in coefficients.enumerated() {
            let found = levels(try decode(try tone(in: channel, of: layout, channels: coefficients.count)))
            for side in 0..<2 {
                #expect(abs(found[side] - wanted[side]) < 0.005, "\(layout), channel \(channel): \(found), not \(wanted)")
            }
        }
    }

    @Test("mixed channels that exceed full scale are limited and not clipped")
    func limited() throws {
        let loud = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i",
                "aevalsrc=" + [String](repeating: "0.9*sin(2*PI*1000*t)", count: 6).joined(separator: "|")
                    + ":c=5.1:s=48000:d=0.5", "-c:a", "pcm_s16le",
            ], suffix: "wav")
        let samples = try decode(loud)
        #expect(samples.count == 48_000)
        #expect(samples.map { abs($0) }.max()! <= 0.985)
        #expect(samples[24_000..<40_000].map { abs($0) }.max()! > 0.9)
    }

    @Test(
        "enhanced dialogue makes the centre 4 dB louder than the front, and in stereo the common part of both channels louder than the rest"
    )
    func dialogue() throws {
        let shaping = SoundShaping(enhancesDialogue: true)
        let centre = levels(try decode(try tone(in: 2, of: "5.1", channels: 6), shaping))
        #expect(abs(centre[0] - 0.7071 * 1.6) < 0.01 && abs(centre[1] - 0.7071 * 1.6) < 0.01)
        let front = levels(try decode(try tone(in: 0, of: "5.1", channels: 6), shaping))
        #expect(abs(front[0] - 1) < 0.01 && front[1] < 0.01)
        func stereo(_ right: String) throws -> Double {
            let bytes = try FFmpegProgram.make(
                [
                    "-f", "lavfi", "-i", "aevalsrc=0.25*sin(2*PI*1000*t)|\(right)0.25*sin(2*PI*1000*t):c=stereo:s=48000:d=0.25",
                    "-c:a", "pcm_s16le",
                ],
                suffix: "wav")
            return levels(try decode(bytes, shaping))[0]
        }
        let (middle, sides) = (try stereo(""), try stereo("-"))
        #expect(middle / sides > 1.5, "the middle is at \(middle), the sides are at \(sides)")
    }

    @Test(
        "reduced loud sounds: a range of 16 dB shrinks by at least 6 LU, loud parts are quieter, quiet parts louder, and the number of samples is kept"
    )
    func reduced() throws {
        // Ten seconds each of quiet and loud pink noise, alternating.
        let bytes = try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "anoisesrc=c=pink:r=48000:d=40:seed=7:a=0.5", "-af",
                "volume=volume='if(lt(mod(t,20),10),0.158,1)':eval=frame", "-ac", "2", "-c:a", "pcm_s16le",
            ], suffix: "wav")
        let plain = try decode(bytes)
        let shaped = try decode(bytes, SoundShaping(reducesLoudSounds: true))
        #expect(shaped.count == plain.count)
        let (before, after) = (try loudness(plain), try loudness(shaped))
        #expect(before.range - after.range >= 6, "the range was \(before.range) LU and is \(after.range) LU")
        func level(_ samples: [Float], _ seconds: Range<Int>) -> Double {
            let part = samples[seconds.lowerBound * 96_000..<seconds.upperBound * 96_000]
            return part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
        }
        #expect(level(shaped, 12..<18) < level(plain, 12..<18))
        #expect(level(shaped, 2..<8) > level(plain, 2..<8))
    }

    @Test("while loud sounds are reduced, their loudness is measured")
    func measured() throws {
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=f=1000:r=48000:d=12", "-af", "volume=-6dB", "-ac", "2", "-c:a", "pcm_s16le"],
            suffix: "wav")
        let codecs = FFmpegCodecs(videoThreads: 1)
        for isOn in [false, true] {
            let processing = SoundProcessing(SoundShaping(reducesLoudSounds: isOn))
            let samples = try Media.samples(try Media.demuxer(bytes))
            let decoder = try codecs.openAudioDecoder(
                try #require(samples.first).parameters, output: AudioFormat(sampleRate: 48_000, channels: 2),
                processing: processing)
            for sample in samples { _ = try decoder.decode(sample) }
            let plain = try loudness(try decode(bytes)).integrated
            #expect(processing.measuredLoudness.map { abs($0 - plain) < 0.5 } == (isOn ? true : nil))
        }
    }

    /// Decodes 5.1 with a different tone in each channel into six channels.
    private func surround(_ shaping: SoundShaping) throws -> [[Double]] {
        let parts = (1...6).map { "0.25*sin(2*PI*\($0 * 200)*t)" }.joined(separator: "|")
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "aevalsrc=\(parts):c=5.1:s=48000:d=2", "-c:a", "pcm_s16le"], suffix: "wav")
        let codecs = FFmpegCodecs(videoThreads: 1)
        try codecs.checkSoundShaping(shaping)
        let samples = try Media.samples(try Media.demuxer(bytes))
        let decoder = try codecs.openAudioDecoder(
            try #require(samples.first).parameters, output: AudioFormat(sampleRate: 48_000, channels: 6),
            processing: SoundProcessing(shaping))
        let sound = try (samples.flatMap { try decoder.decode($0) } + decoder.decode(nil)).flatMap(\.samples)
        #expect(sound.count == 6 * 96_000)
        return (0..<6).map { channel in
            let one = ToneMeter.channel(channel, of: sound, channels: 6)[48_000..<91_200]
            return (1...6).map { ToneMeter.amplitude(of: Double($0 * 200), in: one, sampleRate: 48_000) / 0.25 }
        }
    }

    @Test(
        "six channels stay separate, plain and shaped: reduced loud sounds lower all alike, enhanced dialogue makes the centre 4 dB louder"
    )
    func sixChannels() throws {
        let plain = try surround(SoundShaping())
        let reduced = try surround(SoundShaping(reducesLoudSounds: true))
        let enhanced = try surround(SoundShaping(enhancesDialogue: true))
        for channel in 0..<6 {
            for tone in 0..<6 {
                let isOwn = tone == channel
                #expect(abs(plain[channel][tone] - (isOwn ? 1 : 0)) < 0.005)
                #expect(abs(enhanced[channel][tone] - (isOwn ? channel == 2 ? 1.6 : 1 : 0)) < 0.02)
                #expect(isOwn ? abs(reduced[channel][tone] - reduced[0][0]) < 0.02 : reduced[channel][tone] < 0.05)
            }
        }
        #expect(reduced[0][0] < 0.9)
    }

    @Test("a gain makes everything louder by that amount")
    func gain() throws {
        let bytes = try tone(in: 0, of: "stereo", channels: 2)
        let found = levels(try decode(bytes, SoundShaping(gain: -6)))
        #expect(abs(found[0] - 0.5012) < 0.005)
    }

    @Test("unshaped sound is bit-exact")
    func untouched() throws {
        let bytes = try FFmpegProgram.make(
            ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1", "-ac", "2", "-c:a", "pcm_s16le"], suffix: "wav")
        let samples = try decode(bytes)
        #expect(samples.allSatisfy { ($0 * 32768).rounded() == $0 * 32768 })
    }

    /// Loudness range by EBU R 128, as libavfilter's `ebur128` measures it.
    private func loudness(_ samples: [Float]) throws -> (range: Double, integrated: Double) {
        let meter = try LoudnessMeter(AudioFormat(sampleRate: 48_000, channels: 2))
        for start in stride(from: 0, to: samples.count, by: 9600) {
            meter.take(Array(samples[start..<min(start + 9600, samples.count)]))
        }
        return (meter.range, meter.integrated)
    }
}
