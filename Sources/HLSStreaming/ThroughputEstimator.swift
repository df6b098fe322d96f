import Glibc

/// Estimates recent throughput as the smaller of two moving means with different half-lives, so that it falls fast and rises
/// slowly. The time to first byte is measured separately, because short segments would otherwise look slow.
package struct ThroughputEstimator: Sendable, Hashable {
    /// The half-lives of the two means, in seconds of transfer.
    package static let halfLives = (quick: 3.0, slow: 8.0)
    /// The half-life of the mean time to first byte, in transfers.
    private static let latencyHalfLife = 2.5
    /// The half-life of the samples of `quantile`, in seconds of transfer.
    private static let memoryHalfLife = 200.0
    private static let mostRemembered = 64

    private struct Mean: Sendable, Hashable {
        var sum = 0.0
        var weight = 0.0
        var value: Double? { weight > 0 ? sum / weight : nil }

        mutating func add(_ value: Double, weight added: Double, halfLife: Double) {
            let share = 1 - exp2(-added / halfLife)
            sum = sum * (1 - share) + value * share
            weight = weight * (1 - share) + share
        }
    }
    private struct Memory: Sendable, Hashable {
        var rate: Double
        var weight: Double
    }
    private var quick = Mean()
    private var slow = Mean()
    private var firstByte = Mean()
    private var memories: [Memory] = []

    /// An estimator without samples.
    package init() {}

    /// Bits per second; nil before the first transfer.
    package var rate: Double? {
        guard let quick = quick.value, let slow = slow.value else { return nil }
        return min(quick, slow)
    }

    /// Seconds from a request to its first byte; zero before the first transfer.
    package var latency: Double { firstByte.value ?? 0 }

    /// Adds a transfer.
    ///
    /// - Parameters:
    ///   - bits: the size of the body.
    ///   - seconds: from the first byte to the last.
    ///   - firstByte: seconds from the request to the first byte.
    ///   - leastWeight: the least weight in seconds, so that a fast network is recognised after few segments.
    package mutating func add(bits: Double, seconds: Double, firstByte latency: Double, leastWeight: Double = 0) {
        let seconds = max(seconds, 1e-6)
        mix(rate: bits / seconds, weight: max(seconds, leastWeight), latency: latency)
        remember(bits / seconds, seconds: seconds, passed: seconds + latency)
    }

    /// Restarts with the last measurement, because the network has changed. The remembered samples stay.
    package mutating func restart(rate: Double, seconds: Double) {
        let latency = latency
        (quick, slow, firstByte) = (Mean(), Mean(), Mean())
        mix(rate: rate, weight: seconds, latency: latency)
        remember(rate, seconds: seconds, passed: 0)
    }

    /// The rate that was not exceeded in a share of the remembered transfer time; nil before the first transfer.
    package func quantile(_ share: Double) -> Double? {
        let sorted = memories.sorted { $0.rate < $1.rate }
        let total = sorted.reduce(0) { $0 + $1.weight }
        var sum = 0.0
        for memory in sorted {
            sum += memory.weight
            if sum >= share * total { return memory.rate }
        }
        return sorted.last?.rate
    }

    private mutating func mix(rate: Double, weight: Double, latency: Double) {
        quick.add(rate, weight: weight, halfLife: Self.halfLives.quick)
        slow.add(rate, weight: weight, halfLife: Self.halfLives.slow)
        firstByte.add(latency, weight: 1, halfLife: Self.latencyHalfLife)
    }

    private mutating func remember(_ rate: Double, seconds: Double, passed: Double) {
        let fading = exp2(-passed / Self.memoryHalfLife)
        for index in memories.indices { memories[index].weight *= fading }
        memories.append(Memory(rate: rate, weight: seconds))
        if memories.count > Self.mostRemembered { memories.removeFirst() }
    }
}
