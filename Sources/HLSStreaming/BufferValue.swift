import Glibc

/// What a length of buffer is worth if the network goes on at one rate and every later segment is chosen as well as can be: the sum over the
/// next segments of what their rungs are worth, less what stalls cost. Found backwards from the horizon (dynamic programming).
struct BufferValue {
    /// By length of buffer in steps of `step`.
    private var values: [Double]
    private let capacity: Double
    private let step: Double

    /// What decides besides the network.
    struct Terms {
        /// What a segment of each rung is worth.
        var utilities: [Double]
        /// Seconds of each segment.
        var duration: Double
        /// Seconds that the buffer holds at most.
        var capacity: Double
        /// What a second of stall costs.
        var stallCost: Double
        /// Seconds from a request to its first byte.
        var latency: Double
    }

    private static let coarseness = 1.0

    /// - Parameters:
    ///   - rate: bits a second.
    ///   - sizes: bits by segment and rung, up to the horizon.
    ///   - behind: how many segments lie behind the horizon for which buffer is worth keeping.
    init(rate: Double, sizes: ArraySlice<[Double]>, behind: Double, terms: Terms) {
        capacity = max(terms.capacity, terms.duration)
        step = Self.coarseness
        let count = Int((capacity / step).rounded(.up)) + 1
        // More buffer is more bits for what comes: by the logarithm, as the rungs are valued.
        values = (0..<count).map { index in
            behind > 0 ? behind * log1p(min(Double(index) * Self.coarseness, terms.capacity) / (behind * terms.duration)) : 0
        }
        for segment in sizes.reversed() {
            var before = values
            for index in before.indices {
                // A full buffer waits until there is room for a segment.
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

    /// What it is worth to load a rung in so many seconds, beginning with a level of buffer, and to go on from there.
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
