import MediaModel
import MediaTime
import Testing

@testable import MediaCodec

@Suite("Audio drift is corrected inaudibly")
struct DriftCorrectorTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)

    /// A ramp of one thousandth per frame in both channels, so that interpolated values are known.
    private func ramp(_ frames: Range<Int>) -> [Float] { frames.flatMap { [Float($0) / 1000, Float($0) / 1000] } }

    private func run(_ deviation: MediaTime, frames: Int = 400_000) -> (out: [Float], shift: Int) {
        var corrector = DriftCorrector(Self.format)
        var out: [Float] = []
        var shift = 0
        for start in stride(from: 0, to: frames, by: 1024) {
            // Inserted samples are no longer a deviation.
            corrector.observe(deviation - MediaTime(Int64(shift), 48_000))
            let part = corrector.correct(ramp(start..<min(start + 1024, frames)))
            out += part.samples
            shift += part.shift
        }
        out += corrector.rest()
        return (out, shift)
    }

    @Test("sound that matches its timestamps, or jitters around them, is unchanged")
    func untouched() {
        #expect(run(.milliseconds(1)).out == ramp(0..<400_000))
        var corrector = DriftCorrector(Self.format)
        for number in 0..<200 {
            corrector.observe(.milliseconds(number % 2 == 0 ? 5 : -5))
            #expect(corrector.correct(ramp(number..<number + 1)).samples == ramp(number..<number + 1))
        }
    }

    @Test(
        "a persistent deviation is corrected by inserting or dropping one frame in 800, without a jump",
        arguments: [Int64(3), 8, -3, -8])
    func corrected(_ milliseconds: Int64) {
        let (out, shift) = run(.milliseconds(milliseconds))
        #expect(shift == Int(milliseconds) * 48)
        #expect(out.count / 2 == 400_000 + shift)
        // A float of 400 is exact to a thirtieth of a step.
        for index in stride(from: 2, to: out.count, by: 2) {
            let step = (out[index] - out[index - 2]) * 1000
            if abs(step - 1) > 0.15 {
                #expect(Bool(false), "frame \(index / 2) is \(step) frames after the one before")
                break
            }
        }
        #expect(out.last == ramp(399_999..<400_000).last)
    }

    @Test("at a discontinuity all input has been output")
    func rest() {
        var corrector = DriftCorrector(Self.format)
        for _ in 0..<40 { corrector.observe(.milliseconds(5)) }
        #expect(corrector.owed == 240)
        let (samples, shift) = corrector.correct(ramp(0..<500))
        #expect(samples.isEmpty && shift == 0)
        #expect(corrector.rest() == ramp(0..<500))
    }
}
