import Testing

@testable import HLSStreaming

@Suite("The choice of a rung")
struct BitrateRuleTests {
    private static let bitrates = [300_000.0, 1_000_000, 3_000_000, 6_000_000]

    private func situation(_ buffer: Double, sizes: [[Double]]? = nil) -> BitrateRule.Situation {
        let usual = Self.bitrates.map { $0 * 4 }
        return BitrateRule.Situation(
            buffer: buffer, capacity: 30, duration: 4, sizes: sizes ?? Array(repeating: usual, count: 6), remaining: nil)
    }

    /// A rule that has loaded this many segments at a rate.
    private func rule(rate: Double, count: Int = 10, latency: Double = 0.05) -> BitrateRule {
        var rule = BitrateRule(bitrates: Self.bitrates)
        for _ in 0..<count { rule.didLoad(bits: rate, firstByte: latency, seconds: 1 + latency, duration: 4) }
        return rule
    }

    @Test("the lowest rung while the throughput is unknown")
    func unknown() {
        var rule = BitrateRule(bitrates: Self.bitrates)
        #expect(rule.rung(for: situation(20)) == 0)
    }

    @Test(
        "with a buffer, the best rung that the network can sustain",
        arguments: [(400_000.0, 0), (1_300_000, 1), (4_000_000, 2), (20_000_000, 3)])
    func steady(_ rate: Double, _ rung: Int) {
        var rule = rule(rate: rate)
        #expect(rule.rung(for: situation(15)) == rung)
    }

    @Test("more buffer or a faster network never means a lower rung")
    func monotonic() {
        var last = 0
        for rate in stride(from: 200_000.0, to: 12_000_000, by: 400_000) {
            var rungs: [Int] = []
            for buffer in stride(from: 2.0, through: 30, by: 4) {
                var rule = rule(rate: rate)
                rungs.append(rule.rung(for: situation(buffer)))
            }
            #expect(rungs == rungs.sorted(), "\(rate)")
            #expect(rungs.last! >= last)
            last = rungs.last!
        }
    }

    @Test("with a nearly empty buffer no segment is requested that would drain it")
    func shortBuffer() {
        var rule = rule(rate: 6_500_000)
        #expect(rule.rung(for: situation(0.3)) == 0)
    }

    @Test("a segment that is small for its rung is loaded where others would not be")
    func realSizes() {
        var usual = Array(repeating: Self.bitrates.map { $0 * 4 }, count: 6)
        var plain = rule(rate: 2_200_000)
        let without = plain.rung(for: situation(12, sizes: usual))
        usual[0][2] /= 4
        usual[0][3] /= 4
        var sized = rule(rate: 2_200_000)
        #expect(sized.rung(for: situation(12, sizes: usual)) > without)
    }

    @Test("after the last segment the buffer has no value: the last one is loaded at the best rung that arrives in time")
    func lastSegment() {
        var tuning = BitrateRule.Tuning()
        tuning.futures = [.init(share: 1, chance: 1)]
        func rung(remaining: Int?) -> Int {
            var rule = BitrateRule(bitrates: [1_000_000, 1_100_000], tuning: tuning)
            for _ in 0..<40 { rule.didLoad(bits: 1_000_000, firstByte: 0, seconds: 1, duration: 4) }
            // The better rung is oversized: it costs nine seconds of buffer for a little quality.
            return rule.rung(
                for: .init(buffer: 20, capacity: 30, duration: 4, sizes: [[4_000_000, 9_000_000]], remaining: remaining))
        }
        #expect(rung(remaining: 1) == 1 && rung(remaining: 2) == 0 && rung(remaining: nil) == 0)
    }

    @Test("a segment that would arrive too late is replaced by a smaller one, and the slow rate becomes the estimate")
    func abandoning() {
        var rule = rule(rate: 8_000_000)
        let size = Self.bitrates[3] * 4
        var answer: Int?
        for step in 1...40 where answer == nil {
            let seconds = Double(step) * 0.1
            let arrival = BitrateRule.Arrival(
                rung: 3, bits: 300_000 * seconds, expected: size, firstByte: 0.05, seconds: seconds + 0.05)
            answer = rule.abandon(arrival, in: situation(max(6 - seconds, 0)))
        }
        #expect(answer == 0)
        #expect(rule.estimator.rate! < 1_000_000)
    }

    @Test("with a full buffer a brief outage is waited out")
    func waiting() {
        var rule = rule(rate: 8_000_000)
        let size = Self.bitrates[3] * 4
        for step in 1...30 {
            let seconds = Double(step) * 0.1
            let arrival = BitrateRule.Arrival(
                rung: 3, bits: 4_000 * seconds, expected: size, firstByte: 0.05, seconds: seconds + 0.05)
            #expect(rule.abandon(arrival, in: situation(22 - seconds)) == nil)
        }
    }

    @Test("a segment that arrives in time is not abandoned")
    func notAbandoning() {
        var rule = rule(rate: 8_000_000)
        let size = Self.bitrates[3] * 4
        for step in 1...30 {
            let seconds = Double(step) * 0.1
            let arrival = BitrateRule.Arrival(
                rung: 3, bits: size / 3.2 * seconds, expected: size, firstByte: 0.05, seconds: seconds + 0.05)
            #expect(rule.abandon(arrival, in: situation(6 - seconds)) == nil)
        }
    }

    @Test("the estimate falls with one slow transfer and rises with several fast ones")
    func estimator() {
        var estimator = ThroughputEstimator()
        for _ in 0..<10 { estimator.add(bits: 4_000_000, seconds: 1, firstByte: 0.1) }
        #expect(abs(estimator.rate! - 4_000_000) < 1 && abs(estimator.latency - 0.1) < 1e-9)
        var slower = estimator
        slower.add(bits: 4_000_000, seconds: 8, firstByte: 0.1)
        #expect(slower.rate! < 1_500_000)
        var faster = estimator
        faster.add(bits: 4_000_000, seconds: 0.2, firstByte: 0.1)
        #expect(faster.rate! < 5_000_000)
        #expect(slower.quantile(0.3)! == 500_000 && slower.quantile(0.9)! == 4_000_000)
    }

    @Test("a simulation with a constant network plays the sustainable variant without a stall, and matches the published figures")
    func trial() {
        let movie = TrialMovie(
            segmentMilliseconds: 3000, bitrates: [500, 1000, 2000],
            sizes: Array(repeating: [1_500_000, 3_000_000, 6_000_000], count: 50))
        var trial = BitrateTrial(
            movie, over: RecordedNetwork([.init(milliseconds: 5000, kilobitsPerSecond: 1400, latency: 20)]), buffer: 25_000)
        let result = trial.run()
        #expect(result.rebufferRatio == 0 && result.rebufferCount == 0)
        #expect(result.meanBitrate > 1000 && result.meanBitrate < 1450)
        #expect(result.score > 0.6)
    }
}
