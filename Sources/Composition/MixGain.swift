import MediaModel
import MediaTime

/// The volume of a track of an audio mix, as decoders apply it.
package struct MixGain: SoundGain {
    private let curves: [RampCurve<Double>]

    /// - Parameter curves: what is multiplied, in the time of the buffers.
    package init(_ curves: [RampCurve<Double>]) { self.curves = curves }

    package init(_ curve: RampCurve<Double>) { self.init([curve]) }

    package func apply(to buffer: inout AudioBuffer) {
        for curve in curves { Self.apply(curve, to: &buffer) }
    }

    private static func apply(_ curve: RampCurve<Double>, to buffer: inout AudioBuffer) {
        guard let rate = Int32(exactly: buffer.format.sampleRate), rate > 0, !curve.isFull else { return }
        let (count, channels, start) = (buffer.frameCount, buffer.format.channels, buffer.time)
        func time(of frame: Int) -> MediaTime { start + MediaTime(Int64(frame), rate) }
        // The first frame at or after a time.
        func frame(at time: MediaTime) -> Int { Int(clamping: -(start - time).unitsRoundedDown(of: rate)) }
        var place = 0
        while place < count {
            let now = time(of: place)
            let next = curve.ramps.partitioningIndex { $0.range.start > now }
            let ramp = next > 0 ? curve.ramps[next - 1] : nil
            var end = next < curve.ramps.count ? frame(at: curve.ramps[next].range.start) : count
            let value = curve.value(at: now)
            var slope = 0.0
            if let ramp, now < ramp.range.end {
                end = min(end, frame(at: ramp.range.end))
                slope = (ramp.to - ramp.from) / ramp.range.duration.approximateSamples(rate)
            }
            // Rounding must not stop the loop.
            end = min(max(end, place + 1), count)
            if value != 1 || slope != 0 {
                for index in place..<end {
                    let gain = Float(max(0, min(1, value + slope * Double(index - place))))
                    for channel in 0..<channels { buffer.samples[index * channels + channel] *= gain }
                }
            }
            place = end
        }
    }
}

extension MediaTime {
    /// How many samples of a rate it lasts, for a slope.
    fileprivate func approximateSamples(_ rate: Int32) -> Double {
        Double(Int128(value) * Int128(rate)) / Double(timescale)
    }
}
