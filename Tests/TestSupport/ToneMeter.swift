import Glibc

/// Finds tones and clicks in samples, such as those of the demo content.
package enum ToneMeter {
    /// The tones of the demo content by frequency in hertz (Tests/Fixtures/README.md).
    package static let demoTones = [262, 330, 440, 550, 660, 880, 1100, 1320, 1540]

    /// The amplitude of one frequency in samples, by Goertzel's algorithm: 1 for a full-scale sine.
    package static func amplitude(of frequency: Double, in samples: some Collection<Float>, sampleRate: Int) -> Double {
        guard !samples.isEmpty else { return 0 }
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        let coefficient = 2 * cos(step)
        var (before, beforeThat) = (0.0, 0.0)
        for sample in samples { (before, beforeThat) = (Double(sample) + coefficient * before - beforeThat, before) }
        let power = before * before + beforeThat * beforeThat - coefficient * before * beforeThat
        return 2 * max(power, 0).squareRoot() / Double(samples.count)
    }

    /// The tone among `candidates` that holds nearly all the energy; nil when there is none (silence, or a mixture).
    package static func tone(in samples: [Float], sampleRate: Int, candidates: [Int] = demoTones) -> Int? {
        let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))
        guard energy > 1e-5 else { return nil }
        let found = candidates.map { ($0, amplitude(of: Double($0), in: samples, sampleRate: sampleRate)) }
        guard let best = found.max(by: { $0.1 < $1.1 }) else { return nil }
        return best.1 * best.1 / 2 > 0.8 * energy ? best.0 : nil
    }

    /// The index of the first sample beyond the click's threshold.
    package static func onset(in samples: ArraySlice<Float>, threshold: Float = 0.3) -> Int? {
        samples.firstIndex { abs($0) > threshold }
    }

    /// Onsets of clicks: each follows `quiet` samples below the threshold.
    package static func onsets(in samples: [Float], threshold: Float = 0.3, quiet: Int = 4800) -> [Int] {
        var onsets: [Int] = []
        var last = -quiet
        for (index, sample) in samples.enumerated() where abs(sample) > threshold {
            if index - last >= quiet { onsets.append(index) }
            last = index
        }
        return onsets
    }

    /// One channel of interleaved samples.
    package static func channel(_ channel: Int, of samples: [Float], channels: Int) -> [Float] {
        stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
    }
}
