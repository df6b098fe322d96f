import MediaModel
import MediaTime

/// Takes away the drift between the stamps of sound and the count of its samples: a sender whose clocks disagree, pieces that each say a little more than they hold.
///
/// Deviations are averaged, since stamps are coarser than samples are long. One that stays is taken away by playing 800 samples as 801 or as 799, that is within 0.125 %,
/// which nobody hears, until it is gone. Sound that keeps to its stamps goes through untouched. A block begins and ends on a sample, so that nothing jumps.
struct DriftCorrector {
    /// So many samples give one more, or one less.
    static let block = 800
    /// What is below is the coarseness of stamps.
    static let tolerance = MediaTime.milliseconds(2)
    /// So many deviations are averaged.
    static let window = 32

    private let channels: Int
    private let sampleRate: Int32
    private var deviations: [Int64] = []
    /// Frames that are still to be put in (or, negative, left out).
    private(set) var owed = 0
    /// What came in and was not given out: a block that is not whole yet. The first frame is the last one before it.
    private var held: [Float] = []
    private var before: [Float] = []

    init(_ format: AudioFormat) {
        channels = format.channels
        sampleRate = Int32(format.sampleRate)
    }

    /// Takes in by how much a stamp is later than the count of samples says.
    mutating func observe(_ deviation: MediaTime) {
        guard owed == 0 else { return }
        deviations.append(deviation.nanoseconds)
        guard deviations.count >= Self.window else { return }
        let mean = MediaTime.nanoseconds(deviations.reduce(0, +) / Int64(deviations.count))
        deviations.removeFirst(Self.window / 2)
        guard mean.magnitude > Self.tolerance else { return }
        owed = Int(mean.units(of: sampleRate))
        deviations = []
    }

    /// Passes samples on, those of a block that is not whole yet with the next.
    ///
    /// - Returns: the samples, and by how many frames they are more than went in.
    mutating func correct(_ samples: [Float]) -> (samples: [Float], shift: Int) {
        guard owed != 0 || !held.isEmpty else {
            if !samples.isEmpty { before = Array(samples.suffix(channels)) }
            return (samples, 0)
        }
        held += samples
        var out: [Float] = []
        var shift = 0
        var start = 0
        // Interpolation looks two frames ahead.
        while owed != 0, held.count / channels - start >= Self.block + 2 {
            let step = owed > 0 ? 1 : -1
            appendBlock(from: start, count: Self.block + step, to: &out)
            start += Self.block
            shift += step
            owed -= step
        }
        if start > 0 { before = Array(held[(start - 1) * channels..<start * channels]) }
        held.removeFirst(start * channels)
        if owed == 0 { out += rest() }
        return (out, shift)
    }

    /// What is held back: before a place where sound does not go on.
    mutating func rest() -> [Float] {
        defer { held = [] }
        if !held.isEmpty { before = Array(held.suffix(channels)) }
        return held
    }

    /// A block's frames as `count` frames, on a curve through four of them (Catmull and Rom's).
    private func appendBlock(from start: Int, count: Int, to out: inout [Float]) {
        for number in 0..<count {
            let place = number * Self.block
            let (index, part) = (start + place / count, Float(place % count) / Float(count))
            for channel in 0..<channels {
                let p0 = frame(index - 1, channel), p1 = frame(index, channel), p2 = frame(index + 1, channel),
                    p3 = frame(index + 2, channel)
                let a = 3 * (p1 - p2) + p3 - p0
                let b = 2 * p0 - 5 * p1 + 4 * p2 - p3
                out.append(p1 + 0.5 * part * (p2 - p0 + part * (b + part * a)))
            }
        }
    }

    private func frame(_ index: Int, _ channel: Int) -> Float {
        if index >= 0 { return held[index * channels + channel] }
        return before.isEmpty ? held[channel] : before[channel]
    }
}
