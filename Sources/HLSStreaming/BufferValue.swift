import Glibc

/// The value of a buffer level if the network keeps one rate and every later segment is chosen optimally: the sum of the
/// utilities of the next segments minus the cost of stalls. Computed backwards from the horizon (dynamic programming).
struct BufferValue {
    /// By buffer level in steps of `step`.
    private var values: [Double]
    private let capacity: Double
    private let step: Double

    /// The parameters besides the network.
    struct Terms {
        /// The utility of each rung.
        var utilities: [Double]
        /// Seconds per segment.
        var duration: Double
        /// The most seconds that the buffer holds.
        var capacity: Double
        /// The cost of a second of stall.
        var stallCost: Double
        /// Seconds from a request to its first byte.
        var latency: Double
    }

    private static let coarseness = 1.0

    /// - Parameters:
    ///   - rate: bits per second.
    ///   - sizes: bits by segment and rung, up to the horizon.
    ///   - behind: the number of segments after the horizon for which buffer has value.
    init(rate: Double, sizes: ArraySlice<[Double]>, behind: Double, terms: Terms) {
        capacity = max(terms.capacity, terms.duration)
        step = Self.coarseness
        let count = Int((capacity / step).rounded(.up)) + 1
        // More buffer means more bits for later segments: logarithmic, like the utility of rungs.
        values = (0..<count).map { index in
            behind > 0 ? behind * log1p(min(Double(index) * Self.coarseness, terms.capacity) / (behind * terms.duration)) : 0
        }
        for segment in sizes.reversed() {
            var before = values
            for index in before.indices {
                // With a full buffer, loading waits until there is room for a segment.
                let level = min(Double(index) * step, max(capacity - terms.duration, 0))
                var best = -Double.infinity
                for rung in terms.utilities.indices {
                    best = max(best, outcome(rung, seconds: terms.latency + segment[rung] / rate, level: level, terms))
                }
                before[index] = best
            }
            values = before
        }
    }

    /// The value of loading a rung in this many seconds, starting at a buffer level, and continuing from there.
    func outcome(_ rung: Int, seconds: Double, level: Double, _ terms: Terms) -> Double {
        let after = min(max(level - seconds, 0) + terms.duration, capacity)
        return terms.utilities[rung] - terms.stallCost * max(seconds - level, 0) + self[after]
    }

    private subscript(level: Double) -> Double {
        let place = level / step
        let index = min(Int(place), values.count - 2)
        let share = min(place - Double(index), 1)
        return values[index] * (1 - share) + values[index + 1] * share
    }
}
