import Glibc
import MediaModel

/// The gain of the programme during an audio description: it falls when the description begins to speak and rises when it has ended.
///
/// A description in a second track ("receiver mix") is silent between its sentences, so speech is detected by its level in steps of ten milliseconds.
/// The gain falls by 12 dB within 100 ms, linearly, stays there in the pauses between words, and rises within half a second. A value.
struct Ducking {
    /// -12 dB.
    static let lowered: Float = 0.251_188_6
    /// -45 dB below full scale; the noise of a quiet room is softer.
    static let threshold: Float = 0.005_623_4
    /// The duration of the fall.
    static let attackMilliseconds = 100
    /// It stays lowered for this long after the last word…
    static let holdMilliseconds = 300
    /// …and then rises over this duration.
    static let releaseMilliseconds = 500
    private static let blocksPerSecond = 100

    private let channels: Int
    private let block: Int
    private let hold: Int
    // The sum of so many single-precision steps would be inaccurate.
    private let fall: Double
    private let rise: Double
    private var gain = 1.0
    /// Frames of silence since the last word, up to the hold.
    private var silence: Int

    init(_ format: AudioFormat) {
        func frames(_ milliseconds: Int) -> Int { format.sampleRate * milliseconds / 1000 }
        channels = format.channels
        block = format.sampleRate / Self.blocksPerSecond
        hold = frames(Self.holdMilliseconds)
        fall = (1 - Double(Self.lowered)) / Double(frames(Self.attackMilliseconds))
        rise = (1 - Double(Self.lowered)) / Double(frames(Self.releaseMilliseconds))
        silence = hold
    }

    /// Whether the programme has its full gain.
    var isAtRest: Bool { gain == 1 && silence >= hold }

    /// This many frames after the last word the gain is full again.
    static func tail(_ format: AudioFormat) -> Int { format.sampleRate * (holdMilliseconds + releaseMilliseconds) / 1000 }

    /// The programme's gain for each of the next frames of the description.
    mutating func gains(beside samples: [Float]) -> [Float] {
        let count = samples.count / channels
        var gains: [Float] = []
        gains.reserveCapacity(count)
        for start in stride(from: 0, to: count, by: block) {
            let frames = min(block, count - start)
            let speaks = samples[start * channels..<(start + frames) * channels].contains { abs($0) >= Self.threshold }
            append(frames, speaks: speaks, to: &gains)
        }
        return gains
    }

    /// The same for a number of silent frames.
    mutating func gains(besideSilence count: Int) -> [Float] {
        var gains: [Float] = []
        gains.reserveCapacity(count)
        append(count, speaks: false, to: &gains)
        return gains
    }

    private mutating func append(_ frames: Int, speaks: Bool, to gains: inout [Float]) {
        if speaks { silence = 0 }
        for _ in 0..<frames {
            if speaks || silence < hold {
                gain = max(gain - fall, Double(Self.lowered))
            } else {
                gain = min(gain + rise, 1)
            }
            if !speaks { silence += 1 }
            gains.append(Float(gain))
        }
        silence = min(silence, hold)
    }
}
