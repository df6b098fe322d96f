import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import MediaCodec

@Suite("Sound at other rates keeps its pitch")
struct TimeStretcherTests {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 2)

    @Test(
        "a tone keeps its frequency, and the length is exactly the input's divided by the rate",
        arguments: [Ratio(1, 2), Ratio(3, 4), Ratio(5, 4), Ratio(2)])
    func tone(_ rate: Ratio) throws {
        let stretcher = try TimeStretcher(Self.format, rate: rate)
        let frames = 96_000
        var phase = 0.0
        var out: [Float] = []
        for start in stride(from: 0, to: frames, by: 1024) {
            var samples: [Float] = []
            for _ in start..<min(start + 1024, frames) {
                let value = Float(0.5 * sine(phase))
                samples += [value, value]
                phase += 440.0 / 48_000
            }
            out += stretcher.stretch(samples[...])
        }
        out += stretcher.drain()
        let wanted = frames * Int(rate.denominator) / Int(rate.numerator)
        #expect(abs(out.count / 2 - wanted) <= 1)
        let left = ToneMeter.channel(0, of: out, channels: 2)
        let middle = Array(left[left.count / 4..<left.count * 3 / 4])
        #expect(ToneMeter.tone(in: middle, sampleRate: 48_000) == 440)
    }

    /// The sine of a number of turns, without the C library, by its series within half a turn.
    private func sine(_ turns: Double) -> Double {
        let x = (turns - turns.rounded()) * 2 * Double.pi
        var (term, sum) = (x, x)
        for step in 1...9 {
            term *= -x * x / Double(2 * step * (2 * step + 1))
            sum += term
        }
        return sum
    }
}
