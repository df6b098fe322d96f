import MediaModel
import MediaTime

/// Removes the drift between the timestamps of sound and its sample count, e.g. when a sender's clocks disagree or each segment
/// states slightly more than it holds.
///
/// Deviations are averaged, since timestamps are coarser than samples. A persistent deviation is removed by resampling 800
/// samples to 801 or 799, which is 0.125 % and inaudible, until it is gone. Sound that matches its timestamps passes unchanged. A
/// block begins and ends on a sample, so that nothing jumps.
struct DriftCorrector {
    /// This many samples become one more, or one less.
    static let block = 800
    /// Smaller deviations are rounding of timestamps.
    static let tolerance = MediaTime.milliseconds(2)
    /// The number of deviations in the average.
    static let window = 32

    private let channels: Int
    private let sampleRate: Int32
    private var deviations: [Int64] = []
    /// Frames still to be inserted (or, negative, dropped).
    private(set) var owed = 0
    /// Input that was not output yet: an incomplete block. The first frame is the last one before it.
    private var held: [Float] = []
    private var before: [Float] = []

    init(_ format: AudioFormat) {
        channels = format.channels
        sampleRate = Int32(format.sampleRate)
    }

    /// Records by how much a timestamp is later than the sample count.
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

    /// Passes samples on; those of an incomplete block follow with the next.
    ///
    /// - Returns: the samples, and how many frames were added.
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

    /// The held samples, to be output before a discontinuity.
    mutating func rest() -> [Float] {
        defer { held = [] }
        if !held.isEmpty { before = Array(held.suffix(channels)) }
        return held
    }

    /// Resamples a block's frames to `count` frames, on a Catmull-Rom curve through four of them.
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
