import Glibc
import MediaModel

/// How loud the programme is while somebody describes it: it falls when the description begins to speak and rises when it has ended.
///
/// What is described in a second track ("receiver mix") lies there in silence between its sentences; whether it speaks is told by its level, ten milliseconds at
/// a time. The programme falls by 12 dB within 100 ms, in a straight line, stays there for the pauses between words, and rises within half a second. A value.
struct Ducking {
    /// -12 dB.
    static let lowered: Float = 0.251_188_6
    /// -45 dB below full scale: softer is the noise of a quiet room.
    static let threshold: Float = 0.005_623_4
    /// From full loudness to the lowered one.
    static let attackMilliseconds = 100
    /// It stays lowered for so long after the last word…
    static let holdMilliseconds = 300
    /// …and has then so long to rise.
    static let releaseMilliseconds = 500
    private static let blocksPerSecond = 100

    private let channels: Int
    private let block: Int
    private let hold: Int
    // So many steps of single precision would not add up.
    private let fall: Double
    private let rise: Double
    private var gain = 1.0
    /// Frames of silence since the last word; as many as the hold are enough.
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

    /// Whether the programme is as loud as ever.
    var isAtRest: Bool { gain == 1 && silence >= hold }

    /// So many frames after the last word nothing is left of it.
    static func tail(_ format: AudioFormat) -> Int { format.sampleRate * (holdMilliseconds + releaseMilliseconds) / 1000 }

    /// How loud the programme is beside each of the next frames of the description.
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

    /// The same beside so many frames of silence.
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
