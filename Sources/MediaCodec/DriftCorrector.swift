import MediaModel
import MediaTime

/// Removes the drift between the timestamps of sound and its sample count, e.g. when a sender's clocks disagree or each segment
/// states slightly more than it holds.
///
/// Deviations are averaged, since timestamps are coarser than samples. A persistent deviation is removed by resampling 800
/// samples to 801 or 799, which is 0.125 % and inaudible, until it is gone. Sound that matches its timestamps passes unchanged.
struct DriftCorrector {
    /// Smaller deviations are rounding of timestamps.
    static let tolerance = MediaTime.milliseconds(2)
    /// The number of deviations in the average.
    static let window = 32

    private let sampleRate: Int32
    private var deviations: [Int64] = []
    private var insertion: FrameInsertion

    init(_ format: AudioFormat) {
        insertion = FrameInsertion(channels: format.channels)
        sampleRate = Int32(format.sampleRate)
    }

    /// Frames still to be inserted (or, negative, dropped).
    var owed: Int { insertion.owed }

    /// Records by how much a timestamp is later than the sample count.
    mutating func observe(_ deviation: MediaTime) {
        guard owed == 0 else { return }
        deviations.append(deviation.nanoseconds)
        guard deviations.count >= Self.window else { return }
        let mean = MediaTime.nanoseconds(deviations.reduce(0, +) / Int64(deviations.count))
        deviations.removeFirst(Self.window / 2)
        guard mean.magnitude > Self.tolerance else { return }
        insertion.owed = Int(mean.units(of: sampleRate))
        deviations = []
    }

    /// Passes samples on; those of an incomplete block follow with the next.
    ///
    /// - Returns: the samples, and how many frames were added.
    mutating func correct(_ samples: [Float]) -> (samples: [Float], shift: Int) {
        let (samples, added) = insertion.pass(samples)
        return (samples, added)
    }

    /// The held samples, to be output before a discontinuity.
    mutating func rest() -> [Float] { insertion.rest() }
}
