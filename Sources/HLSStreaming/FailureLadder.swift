import HLSPlaylist
import LinuxSupport
import MediaModel

/// The only place that turns failures into actions: retry, another pathway, another rung, a gap, and only then an error. A value
/// without side effects.
struct FailureLadder {
    private let policy: FailurePolicy
    private var generator: SeededGenerator
    /// Until when variants are excluded.
    private var excluded: [Int: HostTime] = [:]
    /// When the outage began, and how many consecutive requests have failed since.
    private var outageBegan: HostTime?
    private var outageCount = 0
    /// The variants from which the current failing segment has been tried.
    private var tried: (mediaSequence: Int64, variants: Set<Int>)?

    init(policy: FailurePolicy = FailurePolicy(), seed: UInt64) {
        self.policy = policy
        generator = SeededGenerator(seed: seed)
    }

    /// A load has succeeded: the network works.
    mutating func didLoad() {
        outageBegan = nil
        outageCount = 0
    }

    /// Whether a variant is excluded.
    func isExcluded(_ variant: Int, at now: HostTime) -> Bool { excluded[variant].map { now < $0 } ?? false }

    /// The action after a failure.
    ///
    /// - Parameter ladder: the variants that may be used instead.
    mutating func action(after failure: StreamFailure, ladder: VariantLadder, pathways: PathwayOrder) -> FailureAction {
        let kind = FaultKind(failure.error)
        if kind == .outage, let action = outage(failure, hasOtherPlace: hasOtherPlace(failure, ladder)) { return action }
        let retries = policy.retries(of: failure.request.kind)
        if kind != .final, failure.attempts < retries.attempts {
            // A connection that broke in the middle is retried at once, the first time.
            return .retry(after: kind == .broken && failure.attempts == 1 ? .zero : delay(retries, failure.attempts))
        }
        if let variant = otherVariant(failure, ladder, pathways) { return .use(variant: variant) }
        return last(failure)
    }

    // MARK: Outages

    /// A resource that no client can reach is waited for. A first timeout may be the server's own fault: then another pathway is
    /// tried if there is one.
    private mutating func outage(_ failure: StreamFailure, hasOtherPlace: Bool) -> FailureAction? {
        let began = outageBegan ?? failure.state.now
        outageBegan = began
        outageCount += 1
        if hasOtherPlace, failure.attempts >= 2 { return nil }
        switch failure.request.kind {
        case .assetList, .steering: return nil
        case .segment, .part, .initialization, .playlist, .key: break
        }
        let limit = failure.state.hasDelivered ? policy.outageLimit : policy.outageLimitAtStart
        guard failure.state.now - began < limit else { return nil }
        // A first timeout has waited long enough already.
        return .retry(
            after: failure.attempts == 1
                ? .milliseconds(100) : delay(policy.retries(of: failure.request.kind), failure.attempts - 1))
    }

    private func hasOtherPlace(_ failure: StreamFailure, _ ladder: VariantLadder) -> Bool {
        guard case .variant(let variant) = failure.request.role, let rung = ladder.rung(of: variant) else { return false }
        return ladder.rungs[rung].variants.contains { $0 != variant && !isExcluded($0, at: failure.state.now) }
    }

    // MARK: Another variant

    private mutating func otherVariant(_ failure: StreamFailure, _ ladder: VariantLadder, _ pathways: PathwayOrder) -> Int? {
        guard case .variant(let variant) = failure.request.role, let rung = ladder.rung(of: variant) else { return nil }
        switch failure.request.kind {
        case .segment, .part, .initialization, .playlist, .key: break
        case .assetList, .steering: return nil
        }
        let now = failure.state.now
        let sequence = failure.request.mediaSequence ?? -1
        if tried?.mediaSequence != sequence { tried = (sequence, []) }
        tried?.variants.insert(variant)
        let isFree = { [excluded, tried] (index: Int) in
            index != variant && !(excluded[index].map { now < $0 } ?? false) && !(tried?.variants.contains(index) ?? false)
        }
        // The same rung on another pathway…
        if let other = pathways.ordered(ladder.rungs[rung].variants).first(where: isFree) {
            excluded[variant] = now + policy.pathwayExclusion
            return other
        }
        // …otherwise the next lower one, or if there is none the next higher.
        let rungs = Array((0..<rung).reversed()) + Array(rung + 1..<max(ladder.rungs.count, rung + 1))
        for index in rungs {
            guard let other = pathways.ordered(ladder.rungs[index].variants).first(where: isFree) else { continue }
            excluded[variant] = now + policy.variantExclusion
            return other
        }
        return nil
    }

    // MARK: The end of the ladder

    private mutating func last(_ failure: StreamFailure) -> FailureAction {
        switch failure.request.kind {
        case .segment, .part:
            // No variant has it, so none of them is excluded for it.
            if let tried, tried.mediaSequence == failure.request.mediaSequence {
                for index in tried.variants { excluded[index] = nil }
            }
            tried = nil
            return failure.hasMediaBehind ? .skip : (failure.state.hasDelivered ? .skip : .fail)
        case .assetList, .steering: return .skip
        case .playlist, .initialization, .key: return .fail
        }
    }

    private mutating func delay(_ retries: FailurePolicy.Retries, _ attempts: Int) -> Duration {
        var delay = retries.firstDelay
        for _ in 1..<max(attempts, 1) where delay < retries.longestDelay { delay = delay * 2 }
        delay = min(delay, retries.longestDelay)
        let share = 1 + policy.jitter * (2 * generator.nextUnit() - 1)
        return .nanoseconds(Int64(Double(delay.wholeNanoseconds) * share))
    }
}

/// The order of pathways (content steering), applied to variants.
struct PathwayOrder {
    private var pathways: [String]
    /// Pathways from best to worst; pathways that are not listed come last.
    var priority: [String] = []

    init(_ variants: [Variant]) { pathways = variants.map { $0.pathwayID ?? "." } }

    mutating func add(_ variant: Variant) { pathways.append(variant.pathwayID ?? ".") }

    /// Variants ordered by the preference for their pathways; otherwise their order is kept.
    func ordered(_ variants: [Int]) -> [Int] {
        guard !priority.isEmpty else { return variants }
        return variants.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
    }

    private func rank(_ variant: Int) -> Int {
        guard pathways.indices.contains(variant) else { return priority.count }
        return priority.firstIndex(of: pathways[variant]) ?? priority.count
    }
}
