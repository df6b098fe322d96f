import MediaModel
import MediaTime

/// Which range of a source is presented in which range of a track; the counterpart of `CMTimeMapping`.
package struct TimeMapping: Sendable, Hashable {
    /// In the time of the source.
    package let source: TimeRange
    /// In the time of the composition.
    package let target: TimeRange
    /// Seconds of the source for each second of the composition; nil if a range is empty or the ratio does not fit 64 bits.
    package let rate: Ratio?

    package init(source: TimeRange, target: TimeRange) {
        self.source = source
        self.target = target
        rate =
            if source.isEmpty { nil } else if source.duration == target.duration { .one } else {
                Ratio(source.duration, over: target.duration)
            }
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

    /// Where a time of the source is presented, at speed 1; also before and after the source range, where decoding begins and ends.
    package func unscaledTargetTime(atSource time: MediaTime) -> MediaTime { target.start + (time - source.start) }

    /// Where a time of the source is presented at the speed of the mapping; also before and after the source range.
    package func extendedTargetTime(atSource time: MediaTime) -> MediaTime {
        guard let rate, rate > .zero, rate != .one else { return unscaledTargetTime(atSource: time) }
        return target.start + (time - source.start).scaled(by: Ratio(rate.denominator, rate.numerator))
    }

    /// The same mapping at speed 1: it lasts as long as the source range.
    package var unscaled: TimeMapping {
        TimeMapping(source: source, target: TimeRange(start: target.start, duration: source.duration))
    }

    /// Moves a sample from the time of the source to that of the composition.
    package func move(_ sample: inout EncodedSample) {
        sample.presentationTime = extendedTargetTime(atSource: sample.presentationTime)
        sample.decodeTime = extendedTargetTime(atSource: sample.decodeTime)
        guard let rate, rate > .zero, rate != .one else { return }
        sample.duration = sample.duration?.scaled(by: Ratio(rate.denominator, rate.numerator))
    }
}
