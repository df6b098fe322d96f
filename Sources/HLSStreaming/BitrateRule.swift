import Glibc

/// Chooses the rung to load next: a pure value, the same in a player and in a simulation with recorded networks.
///
/// Like BOLA it weighs the utility of a rung (the logarithm of its bit rate) against the buffer that it costs. Unlike BOLA, it
/// uses the real sizes of the next segments and the measured throughput, and looks a few segments ahead for several futures: the
/// network stays as it was, becomes somewhat slower, or becomes one that was seen before. Two rules limit it: with a short buffer
/// no segment is started that would use it up, and a segment that would arrive too late is abandoned for a smaller one.
package struct BitrateRule: Sendable {
    /// The tuning parameters. The defaults are shipped.
    package struct Tuning: Sendable, Hashable {
        /// The number of segments to look ahead: about what a buffer holds.
        package var horizon = 8
        /// The number of segments after that for which buffer has value.
        package var segmentsBehind = 6.0
        /// The cost of a stall of one segment's length, in units of utility.
        package var stallCost = 10.0
        /// The probability that the network becomes one that was seen before.
        package var changeChance = 0.1
        /// The shares of the estimate with which a segment may arrive, and their probabilities.
        package var futures: [Future] = [Future(share: 0.7, chance: 0.35), Future(share: 1, chance: 0.65)]
        /// Networks that were seen before, as quantiles of the remembered time.
        package var memories = [0.1, 0.3, 0.6]
        /// With a short buffer a segment may use this share of it…
        package var safeShare = 0.5
        /// …and at the start this one, which then falls at each step.
        package var firstSafeShare = 0.9
        /// A segment may be abandoned if it needs more than this share of the buffer…
        package var lateShare = 1.2
        /// …not before this many seconds…
        package var abandonAfter = 0.4
        /// …at the rate over this many seconds…
        package var abandonWindow = 2.0
        /// …if another rung has more value by this…
        package var abandonGain = 0.2
        /// …and only while the buffer is at most this full: with more, a network that fails for a moment may come back.
        package var abandonLevel = 0.5

        package init() {}
    }

    /// A share of the estimate with its probability.
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

    /// The state when a segment is chosen.
    package struct Situation: Sendable, Hashable {
        /// Seconds in the buffer.
        package var buffer: Double
        /// The most seconds that the buffer holds.
        package var capacity: Double
        /// Seconds of a segment.
        package var duration: Double
        /// Bits by segment and rung: the segment to choose and later ones, as far as known.
        package var sizes: [[Double]]
        /// The number of segments from the one to choose to the end; nil when there is no end.
        package var remaining: Int?
    }

    /// The measured throughput.
    package internal(set) var estimator = ThroughputEstimator()
    package let tuning: Tuning
    let utilities: [Double]
    private var safeShare: Double
    /// The progress of the current segment: seconds since its first byte, and bits.
    private var arrivals: [(seconds: Double, bits: Double)] = []

    /// Makes a rule.
    ///
    /// - Parameter bitrates: of the rungs in bits per second, lowest first, positive.
    package init(bitrates: [Double], tuning: Tuning = Tuning()) {
        self.tuning = tuning
        let least = bitrates.first ?? 1
        utilities = bitrates.map { log($0 / least) }
        safeShare = tuning.firstSafeShare
    }

    /// The rung to load, an index into the bit rates; the lowest while the throughput is unknown.
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

    /// Records a completely loaded segment.
    ///
    /// - Parameters:
    ///   - bits: the size of its body.
    ///   - firstByte: seconds from the request to the first byte.
    ///   - seconds: from the request to the last byte.
    ///   - duration: seconds of media in it.
    package mutating func didLoad(bits: Double, firstByte: Double, seconds: Double, duration: Double) {
        estimator.add(bits: bits, seconds: seconds - firstByte, firstByte: firstByte, leastWeight: duration / 2)
        arrivals = []
    }

    /// With a short buffer no segment is started that would use it up.
    private mutating func safe(_ rung: Int, _ sizes: [Double], _ rate: Double, buffer: Double) -> Int {
        let most = safeShare * max(buffer - estimator.latency, 0) * rate
        safeShare = max(safeShare * tuning.firstSafeShare, tuning.safeShare)
        var rung = rung
        while rung > 0, sizes[rung] > most { rung -= 1 }
        return rung
    }

    private func terms(_ situation: Situation) -> BufferValue.Terms {
        BufferValue.Terms(
            utilities: utilities, duration: situation.duration, capacity: situation.capacity,
            stallCost: tuning.stallCost / situation.duration, latency: estimator.latency)
    }

    /// The value of buffer after the segment to choose.
    private func value(_ rate: Double, _ situation: Situation, _ terms: BufferValue.Terms) -> BufferValue {
        let ahead = situation.sizes.dropFirst().prefix(tuning.horizon)
        let left = situation.remaining.map { Double(max($0 - 1 - ahead.count, 0)) } ?? .infinity
        return BufferValue(rate: max(rate, 1), sizes: ahead, behind: min(left, tuning.segmentsBehind), terms: terms)
    }
}

extension BitrateRule {
    /// How much of a segment has arrived.
    package struct Arrival: Sendable, Hashable {
        /// The rung being loaded.
        package var rung: Int
        /// Bits received.
        package var bits: Double
        /// Bits in total, as far as known.
        package var expected: Double
        /// Seconds from the request to the first byte.
        package var firstByte: Double
        /// Seconds since the request.
        package var seconds: Double

        package init(rung: Int, bits: Double, expected: Double, firstByte: Double, seconds: Double) {
            self.rung = rung
            self.bits = bits
            self.expected = expected
            self.firstByte = firstByte
            self.seconds = seconds
        }
    }

    /// Whether to abandon the current segment for a smaller one. Called each time bytes have arrived.
    ///
    /// - Parameter situation: the current buffer, with the sizes at the time of the choice.
    /// - Returns: the rung to load it from instead, or nil to continue. An answer other than nil has an effect: the recent slow
    ///   rate becomes the estimate.
    package mutating func abandon(_ arrival: Arrival, in situation: Situation) -> Int? {
        let rest = arrival.expected - arrival.bits
        let elapsed = arrival.seconds - arrival.firstByte
        guard arrival.bits > 0, rest > 0, arrival.rung > 0, let sizes = situation.sizes.first else { return nil }
        arrivals.append((elapsed, arrival.bits))
        guard elapsed >= tuning.abandonAfter else { return nil }
        let rate = recentRate(arrival, elapsed)
        let needed = rest / rate
        guard needed > situation.buffer * tuning.lateShare, situation.buffer <= situation.capacity * tuning.abandonLevel else {
            return nil
        }
        let terms = terms(situation)
        let future = value(rate, situation, terms)
        var best = (
            rung: Int?.none,
            worth: future.outcome(arrival.rung, seconds: needed, level: situation.buffer, terms) + tuning.abandonGain
        )
        for rung in 0..<arrival.rung {
            let seconds = arrival.firstByte + sizes[rung] / rate
            guard seconds < needed else { continue }
            let worth = future.outcome(rung, seconds: seconds, level: situation.buffer, terms)
            if worth > best.worth { best = (rung, worth) }
        }
        if best.rung != nil {
            estimator.restart(rate: rate, seconds: tuning.abandonWindow)
            arrivals = []
        }
        return best.rung
    }

    /// Bits per second over the last moments, at least one.
    private mutating func recentRate(_ arrival: Arrival, _ elapsed: Double) -> Double {
        while arrivals.count > 2, arrivals[1].seconds <= elapsed - tuning.abandonWindow { arrivals.removeFirst() }
        let first = arrivals[0]
        guard elapsed - first.seconds > 0.2 else { return max(arrival.bits / elapsed, 1) }
        return max((arrival.bits - first.bits) / (elapsed - first.seconds), 1)
    }
}
