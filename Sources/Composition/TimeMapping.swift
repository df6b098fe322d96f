import MediaModel
import MediaTime

/// Which range of a source is presented in which range of a track; the counterpart of `CMTimeMapping`.
package struct TimeMapping: Sendable, Hashable {
    /// In the time of the source.
    package let source: TimeRange
    /// In the time of the composition.
    package let target: TimeRange

    package init(source: TimeRange, target: TimeRange) {
        self.source = source
        self.target = target
    }

    /// Seconds of the source for each second of the composition; nil if a range is empty or the ratio does not fit 64 bits.
    package var rate: Ratio? {
        guard !source.isEmpty else { return nil }
        return Ratio(source.duration, over: target.duration)
    }

    /// The time of the source that is presented at a time of the composition; nil outside the target.
    package func sourceTime(at time: MediaTime) -> MediaTime? {
        guard target.contains(time), let rate else { return nil }
        return source.start + (time - target.start).scaled(by: rate)
    }

    /// The time of the composition at which a time of the source is presented; nil outside the source range.
    package func targetTime(atSource time: MediaTime) -> MediaTime? {
        guard source.contains(time), let rate, rate > .zero else { return nil }
        return target.start + (time - source.start).scaled(by: Ratio(rate.denominator, rate.numerator))
    }

    /// Where a time of the source is presented, of which the speed is 1; also before and after the source range, where decoding begins and ends.
    package func unscaledTargetTime(atSource time: MediaTime) -> MediaTime { target.start + (time - source.start) }

    /// Moves a sample from the time of the source to that of the composition; the speed is 1.
    package func move(_ sample: inout EncodedSample) {
        sample.presentationTime = unscaledTargetTime(atSource: sample.presentationTime)
        sample.decodeTime = unscaledTargetTime(atSource: sample.decodeTime)
    }
}
