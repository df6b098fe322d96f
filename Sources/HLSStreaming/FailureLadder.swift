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
    /// When the outage began.
    private var outageBegan: HostTime?
    /// The variants from which the current failing segment has been tried, or with no number a playlist, a key or an
    /// initialization section, and when.
    private var tried: (mediaSequence: Int64?, variants: [Int: HostTime])?
    private var patience = SegmentPatience()
    /// Whether any segment of the presentation was loaded.
    private var hasMedia = false

    init(policy: FailurePolicy = FailurePolicy(), seed: UInt64) {
        self.policy = policy
        generator = SeededGenerator(seed: seed)
    }

    /// A load has succeeded: the network works.
    mutating func didLoad(_ request: StreamRequest) {
        outageBegan = nil
        guard request.kind == .segment || request.kind == .part else { return }
        hasMedia = true
        patience.didLoad(request.role)
    }

    /// Whether a variant is excluded.
    func isExcluded(_ variant: Int, at now: HostTime) -> Bool { excluded[variant].map { now < $0 } ?? false }

    /// The action after a failure.
    ///
    /// - Parameter ladder: the variants that may be used instead.
    mutating func action(after failure: StreamFailure, ladder: VariantLadder, pathways: PathwayOrder) -> FailureAction {
        let kind = FaultKind(failure.error)
        // Its server answers; only this variant's encoder may have stopped.
        if failure.isStuck { return otherVariant(failure, ladder, pathways).map { .use(variant: $0) } ?? .skip }
        // A saved programme goes on with what is saved. Without a network no other variant is tried for a while.
        if let stored = failure.storedVariants.first {
            exclude(failure, kind, except: failure.storedVariants, ladder)
            return .use(variant: stored)
        }
        // A stream in a format that the box does not know; later it is a fault that passes.
        if failure.isForeign, !hasMedia { return .fail }
        if kind == .outage, let action = outage(failure, hasOtherPlace: hasOtherPlace(failure, ladder)) { return action }
        // A server that has restarted may refuse the delivery directives: the next reload has none.
        if failure.request.isReload, failure.request.isBlocking, kind == .final { return .skip }
        let retries = policy.retries(of: failure.request.kind)
        // A live playlist was there, so it is expected back, whatever the server says about it now.
        if kind != .final || failure.request.isReload, failure.attempts < retries.attempts {
            // A connection that broke in the middle is retried at once, the first time.
            return .retry(after: kind == .broken && failure.attempts == 1 ? .zero : delay(retries, failure.attempts))
        }
        if let variant = otherVariant(failure, ladder, pathways) { return .use(variant: variant) }
        return last(failure, kind)
    }

    private mutating func exclude(_ failure: StreamFailure, _ kind: FaultKind, except stored: [Int], _ ladder: VariantLadder) {
        let all = kind == .final ? [] : ladder.rungs.flatMap(\.variants)
        let own: [Int] = if case .variant(let variant) = failure.request.role { [variant] } else { [] }
        for variant in all + own where !stored.contains(variant) {
            excluded[variant] = failure.state.now + policy.variantExclusion
        }
        for variant in stored { excluded[variant] = nil }
    }

    // MARK: Outages

    /// A resource that no client can reach is waited for. A first timeout may be the server's own fault: then another pathway is
    /// tried if there is one.
    private mutating func outage(_ failure: StreamFailure, hasOtherPlace: Bool) -> FailureAction? {
        let began = outageBegan ?? failure.state.now
        outageBegan = began
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
        noteTrial(of: variant, for: failure.request.mediaSequence, at: now)
        guard
            let other = firstVariant(beside: variant, on: rung, ladder, pathways, where: { isFree($0, at: now) })
                ?? (failure.request.isReload
                    // Any variant is better than one that cannot be reloaded.
                    ? firstVariant(beside: variant, on: rung, ladder, pathways, where: { tried?.variants[$0] == nil }) : nil)
        else { return nil }
        excluded[variant] = now + exclusion(of: failure.request, isPathway: ladder.rungs[rung].variants.contains(other))
        return other
    }

    private func exclusion(of request: StreamRequest, isPathway: Bool) -> Duration {
        // Only this segment is missing.
        if request.isGap, let duration = request.duration { return Duration(duration) }
        return isPathway ? policy.pathwayExclusion : policy.variantExclusion
    }

    /// Each variant is tried once for a segment. Playlists, keys and initialization sections are needed as long as the stream
    /// plays, so a variant may be tried again for them later.
    private mutating func noteTrial(of variant: Int, for mediaSequence: Int64?, at now: HostTime) {
        var variants = tried.map { $0.mediaSequence == mediaSequence ? $0.variants : [:] } ?? [:]
        if mediaSequence == nil { variants = variants.filter { now - $0.value < policy.retrial } }
        variants[variant] = now
        tried = (mediaSequence, variants)
    }

    private func isFree(_ variant: Int, at now: HostTime) -> Bool {
        !isExcluded(variant, at: now) && tried?.variants[variant] == nil
    }

    /// The same rung on another pathway, otherwise the next lower one, or if there is none the next higher.
    private func firstVariant(
        beside variant: Int, on rung: Int, _ ladder: VariantLadder, _ pathways: PathwayOrder, where isUsable: (Int) -> Bool
    ) -> Int? {
        let others = Array((0..<rung).reversed()) + Array(rung + 1..<max(ladder.rungs.count, rung + 1))
        for index in [rung] + others {
            let usable = pathways.ordered(ladder.rungs[index].variants).first { $0 != variant && isUsable($0) }
            if let usable { return usable }
        }
        return nil
    }

    // MARK: The end of the ladder

    private mutating func last(_ failure: StreamFailure, _ kind: FaultKind) -> FailureAction {
        switch failure.request.kind {
        case .segment, .part:
            // No variant has it, so none of them is excluded for it.
            if let tried, tried.mediaSequence == failure.request.mediaSequence {
                for index in tried.variants.keys { excluded[index] = nil }
            }
            tried = nil
            if failure.request.isGap { return .skip }
            switch patience.answer(after: failure, kind: kind, policy: policy) {
            case .wait(let round): return .retry(after: wait(failure, round: round))
            case .giveUp: return failure.hasMediaBehind || failure.state.hasDelivered ? .skip : .fail
            case .fail: return .fail
            }
        case .assetList, .steering: return .skip
        case .playlist:
            if failure.request.isReload { return .skip }
            // Its segments cannot be found either.
            if case .variant(let variant) = failure.request.role {
                excluded[variant] = failure.state.now + policy.variantExclusion
            }
            return .fail
        case .initialization, .key:
            if case .wait(let round) = patience.answer(after: failure, kind: kind, policy: policy) {
                return .retry(after: wait(failure, round: round))
            }
            // A live stream goes on: the next segment asks again.
            return failure.state.hasDelivered && failure.state.behindLive != nil ? .skip : .fail
        }
    }

    /// The time until the next round of requests, which is not after the end of the buffer.
    private mutating func wait(_ failure: StreamFailure, round: Int) -> Duration {
        let retries = policy.retries(of: failure.request.kind)
        let rest = Duration(failure.state.bufferedDuration) - policy.reserve
        let delay = delay(retries, max(failure.attempts, round))
        return rest > .zero ? min(delay, max(rest, retries.firstDelay)) : delay
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
