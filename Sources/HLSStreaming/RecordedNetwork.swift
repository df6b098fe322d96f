/// A network as it was recorded, played from the beginning again when it is over.
package struct RecordedNetwork: Sendable {
    /// A time during which it stayed the same.
    package struct Period: Sendable, Hashable {
        /// How long, in milliseconds.
        package var milliseconds: Double
        /// Bits a millisecond.
        package var kilobitsPerSecond: Double
        /// Milliseconds from a request to its first byte.
        package var latency: Double

        /// Describes a period.
        package init(milliseconds: Double, kilobitsPerSecond: Double, latency: Double) {
            self.milliseconds = milliseconds
            self.kilobitsPerSecond = kilobitsPerSecond
            self.latency = latency
        }
    }
    private let periods: [Period]
    private var index = 0
    /// Milliseconds left of the present period.
    private var left: Double

    /// Begins at the first period.
    ///
    /// - Precondition: time passes, and bits do.
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

    /// Lets time pass.
    mutating func pass(_ milliseconds: Double) {
        var rest = milliseconds
        while rest > left {
            rest -= left
            turn()
        }
        left -= rest
    }

    /// Milliseconds until the answer to a request begins: the latency, in the share of each period that it lies in.
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

    /// Lets bits come: at most `bits`, and then at least so many and for so long.
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
                // Rounding must not ask for a last bit of nothing.
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
