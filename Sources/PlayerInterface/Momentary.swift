import LinuxSupport

/// A value that is on the screen until its time is over.
struct Momentary<Value: Sendable & Equatable>: Sendable, Equatable {
    private struct Shown: Sendable, Equatable {
        var value: Value
        var end: HostTime
    }
    private var shown: Shown?

    /// What is shown now.
    var value: Value? { shown?.value }

    /// When its time is over; nil: nothing is shown.
    var deadline: HostTime? { shown?.end }

    /// Shows a value in the place of another.
    mutating func show(_ value: Value, until end: HostTime) { shown = Shown(value: value, end: end) }

    mutating func clear() { shown = nil }
}
