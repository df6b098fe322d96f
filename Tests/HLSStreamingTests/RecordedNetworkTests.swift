import Testing

@testable import HLSStreaming

@Suite("A recorded network")
struct RecordedNetworkTests {
    /// A second of 1000 bits per millisecond with 100 ms to the first byte, then a second of 500 with 200.
    private func network() -> RecordedNetwork {
        RecordedNetwork([
            .init(milliseconds: 1000, kilobitsPerSecond: 1000, latency: 100),
            .init(milliseconds: 1000, kilobitsPerSecond: 500, latency: 200),
        ])
    }

    private func received(_ network: inout RecordedNetwork, _ bits: Double, leastBits: Double = .infinity, leastTime: Double = 0)
        -> [Double]
    {
        let result = network.receive(bits, leastBits: leastBits, leastTime: leastTime)
        return [result.bits, result.milliseconds]
    }

    @Test("bits arrive at the rate of each period, and the recording repeats at its end")
    func receive() {
        var network = network()
        #expect(received(&network, 400_000) == [400_000, 400])
        #expect(received(&network, 700_000) == [700_000, 800])
        // 800 ms of the second period are left, then the first comes again.
        #expect(received(&network, 500_000) == [500_000, 900])
    }

    @Test("receiving ends when both minimums are met")
    func least() {
        var network = network()
        #expect(received(&network, 900_000, leastBits: 12_000, leastTime: 50) == [50_000, 50])
        #expect(received(&network, 900_000, leastBits: 100_000, leastTime: 50) == [100_000, 100])
        #expect(received(&network, 10_000, leastBits: 12_000, leastTime: 50) == [10_000, 10])
        #expect(received(&network, 0) == [0, 0])
        // 840 ms are left of the first period: 840,000 bits, and 30,000 more at half the rate.
        #expect(received(&network, 900_000, leastBits: 870_000, leastTime: 0) == [870_000, 900])
    }

    @Test("time passes over the ends of periods, and an answer takes the latency of those it falls into")
    func answer() {
        var network = network()
        #expect(network.answer() == 100)
        network.pass(850)
        // Half of the latency in the first period, and half in the second.
        #expect(network.answer() == 150)
        network.pass(2900)
        #expect(received(&network, 100_000) == [100_000, 100])
    }

    @Test("a period without throughput is waited out")
    func silence() {
        var network = RecordedNetwork([
            .init(milliseconds: 100, kilobitsPerSecond: 1000, latency: 0),
            .init(milliseconds: 500, kilobitsPerSecond: 0, latency: 0),
        ])
        #expect(received(&network, 150_000) == [150_000, 650])
        network.pass(50)
        #expect(received(&network, 10_000, leastBits: 0, leastTime: 80) == [0, 80])
        #expect(network.answer() == 0)
    }
}

@Suite("The value of buffer")
struct BufferValueTests {
    private func terms(stallCost: Double = 10) -> BufferValue.Terms {
        BufferValue.Terms(utilities: [0, 1], duration: 2, capacity: 10, stallCost: stallCost, latency: 0)
    }

    @Test("without later segments a rung is worth its utility minus the cost of its stall")
    func outcome() {
        let value = BufferValue(rate: 1000, sizes: [], behind: 0, terms: terms())
        #expect(value.outcome(1, seconds: 3, level: 5, terms()) == 1)
        #expect(value.outcome(1, seconds: 5, level: 5, terms()) == 1)
        #expect(value.outcome(1, seconds: 6, level: 5, terms()) == 1 - 10)
        #expect(value.outcome(0, seconds: 6, level: 5.5, terms()) == -5)
    }

    @Test("buffer has value for the segments after the horizon, and more has more")
    func behind() {
        let value = BufferValue(rate: 1000, sizes: [], behind: 3, terms: terms())
        let levels = stride(from: 0.0, through: 8, by: 0.5).map { value.outcome(0, seconds: 0, level: $0, terms()) }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
        // A full buffer cannot become fuller.
        #expect(value.outcome(0, seconds: 0, level: 8, terms()) == value.outcome(0, seconds: 0, level: 10, terms()))
    }

    @Test("each next segment is loaded from the rung that is worth more, as its size and the buffer allow")
    func next() {
        // The upper rung takes four seconds, the lower one one.
        let value = BufferValue(rate: 1000, sizes: [[1000, 4000]], behind: 0, terms: terms())
        // After this segment there are 4 seconds of buffer, or 3: enough for the upper rung, or not.
        #expect(value.outcome(0, seconds: 0, level: 2, terms()) == 1)
        #expect(value.outcome(0, seconds: 0, level: 1, terms()) == 0)
        // A short stall may be worth it where it costs little.
        let cheap = BufferValue(rate: 1000, sizes: [[1000, 4000]], behind: 0, terms: terms(stallCost: 0.5))
        #expect(cheap.outcome(0, seconds: 0, level: 1, terms(stallCost: 0.5)) == 0.5)
    }
}

@Suite("The estimate of throughput")
struct ThroughputTests {
    @Test("nothing is known before the first transfer")
    func empty() {
        let estimator = ThroughputEstimator()
        #expect(estimator.rate == nil && estimator.latency == 0 && estimator.quantile(0.5) == nil)
    }

    @Test("a mean follows with its half-life: three seconds of transfer move the quick one by half")
    func halfLife() {
        var estimator = ThroughputEstimator()
        estimator.add(bits: 100_000, seconds: 100, firstByte: 0.1)
        estimator.add(bits: 0, seconds: 3, firstByte: 0.3)
        // The older value had all the weight.
        #expect(abs(estimator.rate! - 500) < 1)
        // A mean of latencies, by transfers.
        #expect(estimator.latency > 0.1 && estimator.latency < 0.3)
        var faster = ThroughputEstimator()
        faster.add(bits: 100_000, seconds: 100, firstByte: 0)
        faster.add(bits: 24_000, seconds: 8, firstByte: 0)
        #expect(abs(faster.rate! - 2000) < 1)
    }

    @Test("a short transfer has the least weight, so that a fast network is seen after few segments")
    func leastWeight() {
        var light = ThroughputEstimator(), heavy = ThroughputEstimator()
        for _ in 0..<2 { (light, heavy) = (added(light, 1000, 1), added(heavy, 1000, 1)) }
        light.add(bits: 1000, seconds: 0.1, firstByte: 0)
        heavy.add(bits: 1000, seconds: 0.1, firstByte: 0, leastWeight: 2)
        #expect(heavy.rate! > light.rate! * 1.5)
    }

    private func added(_ estimator: ThroughputEstimator, _ bits: Double, _ seconds: Double) -> ThroughputEstimator {
        var estimator = estimator
        estimator.add(bits: bits, seconds: seconds, firstByte: 0)
        return estimator
    }

    @Test("after a restart only the new rate counts; earlier samples and the latency are kept")
    func restart() {
        var estimator = ThroughputEstimator()
        for _ in 0..<5 { estimator.add(bits: 8000, seconds: 1, firstByte: 0.2) }
        estimator.restart(rate: 1000, seconds: 2)
        #expect(abs(estimator.rate! - 1000) < 1e-6 && abs(estimator.latency - 0.2) < 1e-9)
        #expect(estimator.quantile(0.1) == 1000 && estimator.quantile(0.9) == 8000)
    }

    @Test("a quantile is a share of the transfer time, the older the lighter, of the last 64 transfers")
    func quantiles() {
        var estimator = ThroughputEstimator()
        estimator.add(bits: 1000, seconds: 1, firstByte: 0)
        estimator.add(bits: 6000, seconds: 3, firstByte: 0)
        #expect(
            estimator.quantile(0.2) == 1000 && estimator.quantile(0.3) == 2000 && estimator.quantile(1) == 2000
                && estimator.quantile(0) == 1000)
        // Two samples of the same weight: half of the time is exactly the slower one.
        var even = ThroughputEstimator()
        even.restart(rate: 2000, seconds: 1)
        even.restart(rate: 1000, seconds: 1)
        #expect(even.quantile(0.5) == 1000 && even.quantile(0.51) == 2000)
        var long = ThroughputEstimator()
        long.add(bits: 1000, seconds: 1, firstByte: 0)
        long.add(bits: 2000, seconds: 1, firstByte: 10_000)
        #expect(long.quantile(0.01) == 2000)
        var many = ThroughputEstimator()
        many.add(bits: 1, seconds: 1, firstByte: 0)
        for _ in 0..<63 { many.add(bits: 1000, seconds: 1, firstByte: 0) }
        #expect(many.quantile(0) == 1)
        many.add(bits: 1000, seconds: 1, firstByte: 0)
        #expect(many.quantile(0) == 1000)
    }
}

@Suite("A film over a recorded network")
struct BitrateTrialTests {
    private func run(_ rates: [Double], _ periods: [RecordedNetwork.Period], count: Int = 20, buffer: Double = 25_000)
        -> TrialResult
    {
        let movie = TrialMovie(
            segmentMilliseconds: 2000, bitrates: rates, sizes: Array(repeating: rates.map { $0 * 2000 }, count: count))
        var trial = BitrateTrial(movie, over: RecordedNetwork(periods), buffer: buffer)
        return trial.run()
    }

    @Test("with one rung the figures are those of arithmetic: means over the whole time, the start included")
    func arithmetic() {
        // Each segment of 2,000,000 bits takes 500 ms.
        let result = run([1000], [.init(milliseconds: 1000, kilobitsPerSecond: 4000, latency: 0)])
        #expect(result.rebufferRatio == 0 && result.rebufferCount == 0 && result.meanSwitch == 0 && result.score == 0)
        #expect(abs(result.meanBitrate - 20 * 1000 / 20.25) < 0.01)
    }

    @Test("a network at half the rate stalls half of the time, once for each segment after the first")
    func stalls() {
        // Each segment takes 4 s: two seconds of film, two of stall.
        let result = run([1000], [.init(milliseconds: 1000, kilobitsPerSecond: 500, latency: 0)])
        #expect(result.rebufferCount == 19)
        // 4 s for the first, then 19 times 4, then 2 to the end; 19 times 2 were stalls.
        #expect(abs(result.rebufferRatio - 38.0 / 82) < 1e-6)
        #expect(abs(result.score + 5 * 19 / 41.0) < 1e-6)
    }

    @Test("a faster network is used by the upper rung, and the changes are counted")
    func rungs() {
        let result = run([500, 2000], [.init(milliseconds: 1000, kilobitsPerSecond: 10_000, latency: 10)])
        #expect(result.rebufferCount == 0 && result.meanBitrate > 1700 && result.meanBitrate < 2000)
        // Up once, from the lowest rung, over some 20 segments.
        #expect(result.meanSwitch > 60 && result.meanSwitch < 80 && result.score > 1)
    }
}
