import MediaTime

/// A value between two others.
package protocol Interpolatable: Sendable, Hashable {
    /// The value at a fraction of the way from one to the other. At 0 it is exactly the first; it is never outside the two.
    ///
    /// - Precondition: the fraction is between 0 and 1.
    static func between(_ first: Self, _ second: Self, at fraction: Double) -> Self
}

extension Double: Interpolatable {
    package static func between(_ first: Double, _ second: Double, at fraction: Double) -> Double {
        let value = first + (second - first) * fraction
        return max(min(first, second), min(max(first, second), value))
    }
}

/// A value that changes linearly in a range, or at an instant if the range is empty.
package struct Ramp<Value: Interpolatable>: Sendable, Hashable {
    package let range: TimeRange
    /// The value at the start of the range; not used if the range is empty.
    package let from: Value
    /// The value from the end of the range on.
    package let to: Value

    package init(_ range: TimeRange, from: Value, to: Value) {
        self.range = range
        self.from = from
        self.to = to
    }

    /// A value that is set at an instant.
    package init(at time: MediaTime, _ value: Value) {
        self.init(TimeRange(start: time, duration: .zero), from: value, to: value)
    }
}

/// A value over time: `initial` before the first ramp, and after each ramp its last value until the next one, as AVFoundation's ramps.
package struct RampCurve<Value: Interpolatable>: Sendable, Hashable {
    package let initial: Value
    /// In the order of their ranges, if the curve is valid.
    package let ramps: [Ramp<Value>]

    package init(_ initial: Value, _ ramps: [Ramp<Value>] = []) {
        self.initial = initial
        self.ramps = ramps
    }

    /// The value at a time.
    package func value(at time: MediaTime) -> Value {
        let index = ramps.partitioningIndex { $0.range.start > time } - 1
        guard index >= 0 else { return initial }
        let ramp = ramps[index]
        guard time < ramp.range.end else { return ramp.to }
        let passed = time - ramp.range.start
        // Both products fit 94 bits, so that only the division rounds.
        let top = Int128(passed.value) * Int128(ramp.range.duration.timescale)
        let bottom = Int128(ramp.range.duration.value) * Int128(passed.timescale)
        return Value.between(ramp.from, ramp.to, at: min(Double(top) / Double(bottom), 1))
    }
}

extension RampCurve<Double> {
    /// Whether it is full volume at all times, stated by no ramp.
    package var isFull: Bool { ramps.isEmpty && initial == 1 }
}
