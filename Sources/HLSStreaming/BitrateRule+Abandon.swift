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
