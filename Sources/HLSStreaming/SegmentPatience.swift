import LinuxSupport
import MediaModel

/// How long media that cannot be loaded from anywhere is requested again before it becomes a gap: as long as the buffer lasts, and longer
/// while a gap would lose more than waiting does. A value without side effects.
struct SegmentPatience {
    /// What to do about media that no variant has.
    enum Answer: Equatable {
        /// Request it again. This has been the answer so many times before, for the same media.
        case wait(round: Int)
        /// It is a gap.
        case giveUp
        /// Nothing could be loaded for so long that the item has failed.
        case fail
    }

    /// Renditions wait independently of each other; variants replace each other.
    private enum Family: Hashable {
        case variants
        case other(RenditionRole)

        init(_ role: RenditionRole) {
            if case .variant = role { self = .variants } else { self = .other(role) }
        }
    }

    private struct Wait {
        var rounds = 0
        /// Since when the buffer has been too short to wait for this media…
        var starvedSince: HostTime?
        /// …and since when it has been so without any media in between.
        var hungrySince: HostTime?
    }

    private var waits: [Family: Wait] = [:]

    /// Media of a rendition has been loaded.
    mutating func didLoad(_ role: RenditionRole) { waits[Family(role)] = nil }

    /// The answer after a failure for which nothing else can be tried.
    mutating func answer(after failure: StreamFailure, kind: FaultKind, policy: FailurePolicy) -> Answer {
        let (state, family) = (failure.state, Family(failure.request.role))
        guard let began = state.began else { return .giveUp }
        var wait = waits[family] ?? Wait()
        defer { waits[family] = wait }
        if Duration(state.bufferedDuration) > policy.reserve {
            wait.starvedSince = nil
            wait.hungrySince = nil
        } else {
            // A seek begins a new run: what failed before does not count.
            let hungry = max(wait.hungrySince ?? state.now, began)
            let starved = max(wait.starvedSince ?? state.now, began)
            if state.now - hungry >= (state.hasDelivered ? policy.outageLimit : policy.outageLimitAtStart) { return .fail }
            (wait.hungrySince, wait.starvedSince) = (hungry, starved)
            let patience = policy.patience(
                with: kind, missedSegments: failure.missedSegments, hasDelivered: state.hasDelivered)
            if state.now - starved >= patience {
                wait.rounds = 0
                wait.starvedSince = nil
                return .giveUp
            }
        }
        wait.rounds += 1
        return .wait(round: wait.rounds)
    }
}
