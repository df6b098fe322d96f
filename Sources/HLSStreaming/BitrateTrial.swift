import Glibc

/// A film as a ladder with real segment sizes.
package struct TrialMovie: Sendable {
    /// Milliseconds per segment.
    package var segmentMilliseconds: Double
    /// Of the rungs, in kilobits per second, lowest first.
    package var bitrates: [Double]
    /// Bits by segment and rung.
    package var sizes: [[Double]]

    package init(segmentMilliseconds: Double, bitrates: [Double], sizes: [[Double]]) {
        self.segmentMilliseconds = segmentMilliseconds
        self.bitrates = bitrates
        self.sizes = sizes
    }
}

/// The viewer's experience, computed as in Sabre (Spiteri and others, 2018): means are over the whole time from the request on.
package struct TrialResult: Sendable, Hashable {
    /// The mean bit rate that was played, in kilobits per second.
    package var meanBitrate: Double
    /// The share of the time after the start in which playback stalled.
    package var rebufferRatio: Double
    /// The number of stalls.
    package var rebufferCount: Int
    /// The mean difference between consecutive segments, in kilobits per second.
    package var meanSwitch: Double
    /// The mean utility, the logarithm of the bit rate over the lowest, minus five for each segment's length of stall.
    package var score: Double
}

/// Simulates playing a film over a recorded network, with the shipped rule.
package struct BitrateTrial {
    private let movie: TrialMovie
    private let capacity: Double
    private var network: RecordedNetwork
    private var rule: BitrateRule
    private var buffer: [Int] = []
    /// Milliseconds already played of the first segment in the buffer.
    private var played = 0.0
    private var lastPlayed: Int?
    private var time = 0.0
    private var stalled = 0.0
    private var stalls = 0
    private var utility = 0.0
    private var bitrate = 0.0
    private var change = 0.0

    /// The cost of a stall of one segment's length in the score.
    private static let stallCost = 5.0
    /// A player checks progress after this many bits and this much time.
    private static let progress = (bits: 12_000.0, milliseconds: 50.0)

    /// - Parameter buffer: the most milliseconds that the buffer holds.
    package init(
        _ movie: TrialMovie, over network: RecordedNetwork, buffer: Double, tuning: BitrateRule.Tuning = BitrateRule.Tuning()
    ) {
        self.movie = movie
        self.network = network
        capacity = buffer
        rule = BitrateRule(bitrates: movie.bitrates.map { $0 * 1000 }, tuning: tuning)
    }

    /// Plays it from start to end.
    package mutating func run() -> TrialResult {
        loadFirst()
        var next = 1
        var forced: Int?
        while next < movie.sizes.count {
            let wait = level + movie.segmentMilliseconds - capacity
            if wait > 0 {
                play(wait)
                network.pass(wait)
            }
            let rung = forced ?? rule.rung(for: situation(next, buffer: level))
            forced = load(next, rung)
            if forced == nil {
                buffer.append(rung)
                next += 1
            }
        }
        play(level)
        let segments = time / movie.segmentMilliseconds
        return TrialResult(
            meanBitrate: bitrate / segments, rebufferRatio: stalled / time, rebufferCount: stalls, meanSwitch: change / segments,
            score: (utility - Self.stallCost * stalled / movie.segmentMilliseconds) / segments)
    }

    private var level: Double { movie.segmentMilliseconds * Double(buffer.count) - played }

    private func situation(_ next: Int, buffer: Double) -> BitrateRule.Situation {
        BitrateRule.Situation(
            buffer: buffer / 1000, capacity: capacity / 1000, duration: movie.segmentMilliseconds / 1000,
            sizes: Array(movie.sizes[next...].prefix(rule.tuning.horizon + 1)), remaining: movie.sizes.count - next)
    }

    /// The start: nothing is known or shown yet, and waiting is not a stall.
    private mutating func loadFirst() {
        let rung = rule.rung(for: situation(0, buffer: 0))
        let bits = movie.sizes[0][rung]
        let firstByte = network.answer()
        let passed = firstByte + network.receive(bits, leastBits: bits, leastTime: 0).milliseconds
        didLoad(bits, firstByte, passed)
        buffer.append(rung)
        time += passed
    }

    /// Loads a segment while the film plays.
    ///
    /// - Returns: the rung to load instead when it was abandoned.
    private mutating func load(_ segment: Int, _ rung: Int) -> Int? {
        let size = movie.sizes[segment][rung]
        let before = level
        let firstByte = network.answer()
        var (passed, got) = (firstByte, 0.0)
        var leastTime = Self.progress.milliseconds - firstByte
        var instead: Int?
        while got < size, instead == nil {
            let part = network.receive(size - got, leastBits: Self.progress.bits, leastTime: leastTime)
            got += part.bits
            passed += part.milliseconds
            leastTime = Self.progress.milliseconds
            guard got < size else { break }
            let arrival = BitrateRule.Arrival(
                rung: rung, bits: got, expected: size, firstByte: firstByte / 1000, seconds: passed / 1000)
            instead = rule.abandon(arrival, in: situation(segment, buffer: max(before - passed, 0)))
        }
        play(passed)
        if instead == nil { didLoad(size, firstByte, passed) }
        return instead
    }

    private mutating func didLoad(_ bits: Double, _ firstByte: Double, _ passed: Double) {
        rule.didLoad(bits: bits, firstByte: firstByte / 1000, seconds: passed / 1000, duration: movie.segmentMilliseconds / 1000)
    }

    /// Plays for this long; time without buffer is a stall.
    private mutating func play(_ milliseconds: Double) {
        var rest = milliseconds
        let length = movie.segmentMilliseconds
        let wasEmpty = buffer.isEmpty
        while rest > 0, let rung = buffer.first {
            if played == 0 { count(rung) }
            let part = min(rest, length - played)
            time += part
            rest -= part
            played += part
            if played >= length {
                buffer.removeFirst()
                played = 0
            }
        }
        guard rest > 0 else { return }
        stalled += rest
        time += rest
        // A stall that continues is the same stall.
        if !wasEmpty { stalls += 1 }
    }

    private mutating func count(_ rung: Int) {
        utility += log(movie.bitrates[rung] / movie.bitrates[0])
        bitrate += movie.bitrates[rung]
        if let lastPlayed { change += abs(movie.bitrates[rung] - movie.bitrates[lastPlayed]) }
        lastPlayed = rung
    }
}
