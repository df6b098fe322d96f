import LinuxSupport
import MediaModel

/// A number that moves to another one in a length of time, fast at first. A value.
struct EasedValue {
    var from, to: Double
    var start: HostTime
    var length: Duration

    init(_ value: Double, at now: HostTime) { (from, to, start, length) = (value, value, now, .zero) }

    init(from: Double, to: Double, start: HostTime, length: Duration) {
        self.from = from
        self.to = to
        self.start = start
        self.length = length
    }

    func value(at now: HostTime) -> Double {
        guard length > .zero, now < start + length else { return to }
        let part = max((now - start) / length, 0)
        return from + (to - from) * (1 - (1 - part) * (1 - part))
    }

    func isMoving(at now: HostTime) -> Bool { length > .zero && from != to && now < start + length }
}
