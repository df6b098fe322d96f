import LinuxSupport

/// A value that is shown until its time is over.
struct Momentary<Value: Sendable & Equatable>: Sendable, Equatable {
    private struct Shown: Sendable, Equatable {
        var value: Value
        var end: HostTime
    }
    private var shown: Shown?

    /// The visible value.
    var value: Value? { shown?.value }

    /// When its time is over; nil if there is no value.
    var deadline: HostTime? { shown?.end }

    /// Replaces the value.
    mutating func show(_ value: Value, until end: HostTime) { shown = Shown(value: value, end: end) }

    mutating func clear() { shown = nil }
}
