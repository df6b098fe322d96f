/// A recorded network, repeated from the start when it ends.
package struct RecordedNetwork: Sendable {
    /// A period of constant conditions.
    package struct Period: Sendable, Hashable {
        /// In milliseconds.
        package var milliseconds: Double
        /// Bits per millisecond.
        package var kilobitsPerSecond: Double
        /// Milliseconds from a request to its first byte.
        package var latency: Double

        package init(milliseconds: Double, kilobitsPerSecond: Double, latency: Double) {
            self.milliseconds = milliseconds
            self.kilobitsPerSecond = kilobitsPerSecond
            self.latency = latency
        }
    }
    private let periods: [Period]
    private var index = 0
    /// Milliseconds left of the current period.
    private var left: Double

    /// Starts at the first period.
    ///
    /// - Precondition: the periods have a duration and a rate above zero.
    package init(_ periods: [Period]) {
        precondition(
            periods.contains { $0.milliseconds > 0 && $0.kilobitsPerSecond > 0 } && periods.allSatisfy { $0.milliseconds >= 0 },
            "a recorded network carries something")
        self.periods = periods
        left = periods[0].milliseconds
    }

    private mutating func turn() {
        index = (index + 1) % periods.count
        left = periods[index].milliseconds
    }

    /// Advances the time.
    mutating func pass(_ milliseconds: Double) {
        var rest = milliseconds
        while rest > left {
            rest -= left
            turn()
        }
        left -= rest
    }

    /// Milliseconds until the response starts: the latency, weighted by the part of each period it falls into.
    mutating func answer() -> Double {
        var units = 1.0
        var passed = 0.0
        while units > 0 {
            let latency = periods[index].latency
            if units * latency <= left {
                passed += units * latency
                left -= units * latency
                return passed
            }
            passed += left
            units -= left / latency
            turn()
        }
        return passed
    }

    /// Receives bits: at most `bits`, until both minimums are met.
    mutating func receive(_ bits: Double, leastBits: Double, leastTime: Double) -> (bits: Double, milliseconds: Double) {
        var (leastBits, leastTime) = (leastBits, leastTime)
        var got = 0.0
        var passed = 0.0
        while got < bits, leastBits > 0 || leastTime > 0 {
            let rate = periods[index].kilobitsPerSecond
            let least = max(leastBits, leastTime * rate)
            let isAll = bits - got <= least
            let wanted = min(bits - got, least)
            if rate > 0, wanted <= left * rate {
                left -= wanted / rate
                // Rounding must not leave a last fraction of a bit.
                return (isAll ? bits : got + wanted, passed + wanted / rate)
            }
            if rate == 0, leastBits <= 0, leastTime <= left {
                left -= leastTime
                return (got, passed + leastTime)
            }
            got += left * rate
            passed += left
            leastBits -= left * rate
            leastTime -= left
            turn()
        }
        return (got, passed)
    }
}
