import HLSPlaylist
import LinuxSupport
import MediaSources
import MediaTime

/// The throughput of earlier sessions, with which a new one starts.
@MainActor
package final class NetworkMemory {
    /// Bits per second; nil while unknown.
    package internal(set) var rate: Double? { didSet { if let rate { onChange?(rate) } } }
    private let onChange: (@MainActor (Double) -> Void)?

    /// - Parameters:
    ///   - rate: what is known from before.
    ///   - onChange: called with each measurement.
    package init(rate: Double? = nil, onChange: (@MainActor (Double) -> Void)? = nil) {
        self.rate = rate
        self.onChange = onChange
    }
}

/// The shipped policy: `BitrateRule` chooses the rung, `FailureLadder` the action after a failure. It only connects the two with
/// the reports of a stream.
@MainActor
final class AdaptivePolicy: StreamPolicy {
    private var variants: [Variant]
    private var ladder: VariantLadder
    private let memory: NetworkMemory?
    private let firstRate: Double
    private let takesLowest: @MainActor () -> Bool
    private var rule: BitrateRule
    private var failures: FailureLadder
    private var pathways: PathwayOrder
    /// A variant to use next without asking the rule, from which an abandoned segment is loaded.
    private var forced: Int?
    /// The last answer, for the same question asked again.
    private var answer: (startTime: MediaTime, variant: Int)?
    /// The highest rung that the box can decode in time, as far as known.
    private var mostRung: Int?

    /// The read-ahead of a reader, in seconds.
    static let capacity = 30.0
    /// The share of the estimate to use while the buffer is empty and nothing can be lost.
    private static let startShare = 0.7
    /// Smaller bodies measure the latency more than the rate.
    private static let leastSample: Int64 = 16 << 10

    /// - Parameters:
    ///   - selection: the limits of screen and decoders.
    ///   - memory: the throughput of earlier sessions.
    ///   - answer: the response to the playlist request; its time to first byte is all that is known at first, if it is from the network.
    ///   - takesLowest: whether only the lowest rung may be loaded now; asked before each segment.
    init(
        variants: [Variant], selection: VariantSelection, memory: NetworkMemory? = nil, answer: ByteResponse? = nil,
        failures: FailurePolicy = FailurePolicy(), seed: UInt64 = 1, takesLowest: @escaping @MainActor () -> Bool = { false }
    ) {
        self.variants = variants
        self.memory = memory
        self.takesLowest = takesLowest
        ladder = VariantLadder(variants, selection: selection)
        rule = BitrateRule(bitrates: ladder.rungs.map(\.bitrate))
        self.failures = FailureLadder(policy: failures, seed: seed)
        pathways = PathwayOrder(variants)
        firstRate = memory?.rate ?? Self.guess(answer.flatMap { $0.isStored ? nil : $0.timeToFirstByte })
    }

    /// The data of a new connection's first round trip (ten packets, RFC 6928); with a short round trip, the rate of most
    /// networks.
    private static func guess(_ timeToFirstByte: Duration?) -> Double {
        guard let timeToFirstByte else { return 1_500_000 }
        let seconds = max(Double(timeToFirstByte.wholeNanoseconds) / 1e9, 1e-6)
        return max(117_000 / seconds, seconds < 0.5 ? 1_500_000 : 0)
    }

    func firstVariant() -> Int? {
        guard !ladder.rungs.isEmpty else { return nil }
        return place(on: takesLowest() ? 0 : rungByRate(firstRate), at: .zero)
    }

    func variant(for question: VariantQuestion) -> Int {
        if let forced {
            self.forced = nil
            answer = (question.startTime, forced)
            return forced
        }
        if takesLowest(), !ladder.rungs.isEmpty, let lowest = place(on: 0, at: question.state.now) {
            answer = (question.startTime, lowest)
            return lowest
        }
        if let answer, answer.startTime == question.startTime { return answer.variant }
        guard let current = ladder.rung(of: question.current), ladder.rungs.count > 1 else {
            return ladder.rung(of: question.current).flatMap { place(on: $0, at: question.state.now) } ?? question.current
        }
        let situation = situation(question, current: current)
        let rung: Int
        if !question.state.hasDelivered || question.state.bufferedDuration <= .zero {
            rung = rungByRate(rule.estimator.rate ?? firstRate)
        } else {
            rung = rule.estimator.rate == nil ? current : rule.rung(for: situation)
        }
        let chosen = place(on: min(rung, mostRung ?? rung), at: question.state.now) ?? question.current
        answer = (question.startTime, chosen)
        return chosen
    }

    func abandon(_ progress: StreamProgress) -> Int? {
        guard progress.request.kind == .segment, case .variant(let variant) = progress.request.role,
            let rung = ladder.rung(of: variant), let duration = progress.request.duration, duration > .zero
        else { return nil }
        let seconds = Self.seconds(duration)
        let expected = progress.expected.map { Double($0) * 8 } ?? ladder.rungs[rung].bitrate * seconds
        let scale = expected / (ladder.rungs[rung].bitrate * seconds)
        let arrival = BitrateRule.Arrival(
            rung: rung, bits: Double(progress.received) * 8, expected: expected,
            firstByte: Self.seconds(progress.timeToFirstByte),
            seconds: Self.seconds(progress.elapsed))
        let situation = BitrateRule.Situation(
            buffer: Self.seconds(progress.state.bufferedDuration), capacity: capacity(progress.state), duration: seconds,
            sizes: sizes(duration: seconds, scale: scale), remaining: nil)
        guard let lower = rule.abandon(arrival, in: situation) else { return nil }
        guard let chosen = place(on: takesLowest() ? 0 : lower, at: progress.state.now), chosen != variant else { return nil }
        forced = chosen
        return chosen
    }

    func didLoad(_ load: StreamLoad) {
        failures.didLoad(load.request)
        guard load.request.kind == .segment || load.request.kind == .part, !load.request.isBlocking,
            load.byteCount >= Self.leastSample, !load.isStored,
            case .variant = load.request.role
        else { return }
        rule.didLoad(
            bits: Double(load.byteCount) * 8, firstByte: Self.seconds(load.timeToFirstByte),
            seconds: Self.seconds(load.transferDuration),
            duration: load.request.duration.map { Self.seconds($0) } ?? 0)
        memory?.rate = rule.estimator.rate
    }

    func action(after failure: StreamFailure) -> FailureAction {
        let action = failures.action(after: failure, ladder: ladder, pathways: pathways)
        if case .use(let variant) = action { forced = variant }
        return action
    }

    func decoderFallsBehind(_ variant: Int) {
        guard let rung = ladder.rung(of: variant), rung > 0 else { return }
        mostRung = min(rung - 1, mostRung ?? rung - 1)
    }

    func setPathwayPriority(_ pathways: [String]) { self.pathways.priority = pathways }

    func add(_ copies: [Variant], standingFor bases: [Int]) {
        for (copy, base) in zip(copies, bases) {
            ladder.add(variants.count, beside: base)
            pathways.add(copy)
            variants.append(copy)
        }
    }

    // MARK: Input of the rule

    private func situation(_ question: VariantQuestion, current: Int) -> BitrateRule.Situation {
        let seconds = max(Self.seconds(question.duration), 0.1)
        let nominal = ladder.rungs[current].bitrate * seconds
        let scale = question.byteCount.map { Double($0) * 8 / nominal } ?? 1
        return BitrateRule.Situation(
            buffer: Self.seconds(question.state.bufferedDuration), capacity: capacity(question.state), duration: seconds,
            sizes: sizes(duration: seconds, scale: scale), remaining: nil)
    }

    /// The known sizes of the segment to choose, and the sizes of later ones from their bit rates.
    private func sizes(duration: Double, scale: Double) -> [[Double]] {
        let usual = ladder.rungs.map { $0.bitrate * duration }
        return [usual.map { $0 * scale }] + Array(repeating: usual, count: rule.tuning.horizon)
    }

    /// Live, the buffer cannot hold more than the distance to the edge.
    private func capacity(_ state: ReadingState) -> Double {
        guard let behind = state.behindLive else { return Self.capacity }
        return min(Self.capacity, Self.seconds(state.bufferedDuration) + Self.seconds(behind))
    }

    /// With an empty buffer: a rung that loads well faster than it plays.
    private func rungByRate(_ rate: Double) -> Int {
        ladder.rungs.lastIndex { $0.bitrate <= rate * Self.startShare } ?? 0
    }

    /// An allowed variant of a rung, otherwise of the next lower one, otherwise any.
    private func place(on rung: Int, at now: HostTime) -> Int? {
        for index in Array((0...rung).reversed()) + Array(ladder.rungs.indices.dropFirst(rung + 1)) {
            let free = ladder.rungs[index].variants.filter { !failures.isExcluded($0, at: now) }
            if let variant = pathways.ordered(free).first { return variant }
        }
        return pathways.ordered(ladder.rungs[rung].variants).first
    }

    private static func seconds(_ length: Duration) -> Double { Double(length.wholeNanoseconds) / 1e9 }
    private static func seconds(_ time: MediaTime) -> Double { Double(time.unitsRoundedDown(of: 1_000_000)) / 1e6 }
}
