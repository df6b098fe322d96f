import Glibc

/// Which rung of a ladder is loaded next: a pure value, the same in a player and in a trial with recorded networks.
///
/// Like BOLA it weighs what a rung is worth (the logarithm of its bit rate) against the buffer that it costs; unlike it, it takes the real sizes of the next
/// segments, and what the network has carried, and looks a few segments ahead for each of several futures: the network goes on as it was, somewhat
/// slower, or becomes one that was seen before. Two rules hold it back: with a short buffer no segment is begun that would use it up, and one that
/// turns out to come too late is abandoned for a smaller.
package struct BitrateRule: Sendable {
    /// What the rule is tuned by. The defaults are those that play.
    package struct Tuning: Sendable, Hashable {
        /// How many segments it looks ahead: about what a buffer holds.
        package var horizon = 8
        /// For how many segments behind that buffer is worth keeping.
        package var segmentsBehind = 6.0
        /// What a stall of one segment's length costs, in units of utility.
        package var stallCost = 10.0
        /// How likely it is that the network becomes one that was seen before.
        package var changeChance = 0.1
        /// Shares of the estimate that a segment may come with, and how likely each is.
        package var futures: [Future] = [Future(share: 0.7, chance: 0.35), Future(share: 1, chance: 0.65)]
        /// Networks that were seen before, as quantiles of the remembered time.
        package var memories = [0.1, 0.3, 0.6]
        /// With a short buffer a segment may take this share of it…
        package var safeShare = 0.5
        /// …and at the beginning this one, which falls by itself at each step.
        package var firstSafeShare = 0.9
        /// A segment may be abandoned if it needs more than this share of what is in the buffer…
        package var lateShare = 1.2
        /// …not before so many seconds…
        package var abandonAfter = 0.4
        /// …by the rate of so many seconds…
        package var abandonWindow = 2.0
        /// …if another is worth more by this…
        package var abandonGain = 0.2
        /// …and only while the buffer holds no more than this share of what it can: with more, a network that is away for a moment may come back.
        package var abandonLevel = 0.5

        /// The tuning that plays.
        package init() {}
    }

    /// How likely a share of the estimate is.
    package struct Future: Sendable, Hashable {
        /// Of the estimated rate.
        package var share: Double
        /// 0…1.
        package var chance: Double

        package init(share: Double, chance: Double) {
            self.share = share
            self.chance = chance
        }
    }

    /// What is known when a segment is to be chosen.
    package struct Situation: Sendable, Hashable {
        /// Seconds in the buffer.
        package var buffer: Double
        /// Seconds that the buffer holds at most.
        package var capacity: Double
        /// Seconds of a segment.
        package var duration: Double
        /// Bits by segment and rung: the segment to choose and those behind it, as far as they are known.
        package var sizes: [[Double]]
        /// How many segments there are from the one to choose to the end; nil where there is no end.
        package var remaining: Int?

        /// Describes a situation.
        package init(buffer: Double, capacity: Double, duration: Double, sizes: [[Double]], remaining: Int?) {
            self.buffer = buffer
            self.capacity = capacity
            self.duration = duration
            self.sizes = sizes
            self.remaining = remaining
        }
    }

    /// What the network has carried.
    package internal(set) var estimator = ThroughputEstimator()
    /// How it is tuned.
    package let tuning: Tuning
    let utilities: [Double]
    private var safeShare: Double
    /// What has come of the segment under way: seconds since its first byte, and bits.
    var arrivals: [(seconds: Double, bits: Double)] = []

    /// Makes a rule.
    ///
    /// - Parameter bitrates: of the rungs in bits a second, lowest first, positive.
    package init(bitrates: [Double], tuning: Tuning = Tuning()) {
        self.tuning = tuning
        let least = bitrates.first ?? 1
        utilities = bitrates.map { log($0 / least) }
        safeShare = tuning.firstSafeShare
    }

    /// The rung to load, an index into the bit rates; the lowest while nothing is known of the network.
    package mutating func rung(for situation: Situation) -> Int {
        arrivals = []
        guard utilities.count > 1, let rate = estimator.rate, let sizes = situation.sizes.first else { return 0 }
        let terms = terms(situation)
        let now = value(rate, situation, terms)
        let remembered = tuning.memories.compactMap { estimator.quantile($0) }.map { value($0, situation, terms) }
        let steady = tuning.futures.map { future in future.share == 1 ? now : value(rate * future.share, situation, terms) }
        var best = (rung: 0, worth: -Double.infinity)
        for rung in utilities.indices {
            var worth = 0.0
            for (future, goesOn) in zip(tuning.futures, steady) {
                let seconds = terms.latency + sizes[rung] / (rate * future.share)
                let level = situation.buffer
                let changed = remembered.reduce(0) { $0 + $1.outcome(rung, seconds: seconds, level: level, terms) }
                let stays = goesOn.outcome(rung, seconds: seconds, level: level, terms)
                worth +=
                    future.chance
                    * ((1 - tuning.changeChance) * stays + tuning.changeChance * changed / Double(max(remembered.count, 1)))
            }
            if worth > best.worth { best = (rung, worth) }
        }
        return safe(best.rung, sizes, rate, buffer: situation.buffer)
    }

    /// Takes in a segment that has been loaded whole.
    ///
    /// - Parameters:
    ///   - bits: of its body.
    ///   - firstByte: seconds from the request to the first byte.
    ///   - seconds: from the request to the last byte.
    ///   - duration: seconds of media in it.
    package mutating func didLoad(bits: Double, firstByte: Double, seconds: Double, duration: Double) {
        estimator.add(bits: bits, seconds: seconds - firstByte, firstByte: firstByte, leastWeight: duration / 2)
        arrivals = []
    }

    /// With a short buffer nothing is begun that would use it up.
    private mutating func safe(_ rung: Int, _ sizes: [Double], _ rate: Double, buffer: Double) -> Int {
        let most = safeShare * max(buffer - estimator.latency, 0) * rate
        safeShare = max(safeShare * tuning.firstSafeShare, tuning.safeShare)
        var rung = rung
        while rung > 0, sizes[rung] > most { rung -= 1 }
        return rung
    }

    func terms(_ situation: Situation) -> BufferValue.Terms {
        BufferValue.Terms(
            utilities: utilities, duration: situation.duration, capacity: situation.capacity,
            stallCost: tuning.stallCost / situation.duration, latency: estimator.latency)
    }

    /// What buffer is worth behind the segment to choose.
    func value(_ rate: Double, _ situation: Situation, _ terms: BufferValue.Terms) -> BufferValue {
        let ahead = situation.sizes.dropFirst().prefix(tuning.horizon)
        let left = situation.remaining.map { Double(max($0 - 1 - ahead.count, 0)) } ?? .infinity
        return BufferValue(rate: max(rate, 1), sizes: ahead, behind: min(left, tuning.segmentsBehind), terms: terms)
    }
}
