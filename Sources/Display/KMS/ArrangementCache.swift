import LinuxSupport
import MediaModel

/// The arrangement of planes for scenes of each shape. A test commit judges a shape once; the verdict is kept until the screen is another one.
///
/// A real commit may be refused although its test was accepted, because bandwidth, line buffers or memory were short at that moment. The next arrangement is
/// then used, but the better one is tried again after a while: after a second at first, later up to every ten minutes.
struct ArrangementCache {
    /// The arrangements of a shape, of which some were refused.
    private struct Verdict {
        /// From the first one that its test commit accepted.
        var candidates: ArraySlice<Arrangement>
        /// The one in use.
        var used: Int
        /// When the first one is tried again; nil while it is in use.
        var retry: HostTime?
        /// How long after the next refusal the first one is tried again.
        var penalty = ArrangementCache.shortestPenalty
    }
    /// More shapes than a box shows; beyond it the verdicts are collected again.
    private static let most = 256
    static let shortestPenalty = Duration.seconds(1)
    static let longestPenalty = Duration.seconds(600)

    private var verdicts: [SceneShape: Verdict] = [:]

    /// The arrangement for scenes of this shape.
    mutating func arrangement(
        for scene: VisibleScene, on screen: any ScanOutScreen, preparer: FramePreparer, rungs: Set<LadderRung>, now: HostTime
    ) -> Arrangement {
        if var known = verdicts[scene.shape] {
            if let retry = known.retry, now >= retry {
                known.used = known.candidates.startIndex
                known.retry = nil
                verdicts[scene.shape] = known
            }
            return known.candidates[known.used]
        }
        if verdicts.count >= Self.most { verdicts = [:] }
        let ladder = PlaneLadder(
            planes: screen.planes, showsBackground: screen.showsBackground, rungs: rungs)
        let candidates = ladder.candidates(for: scene.shape)
        let first = candidates.firstIndex { candidate in
            guard let blanks = try? preparer.blanks(scene, candidate) else { return false }
            return screen.accepts(blanks, background: scene.background)
        }
        // The last arrangement, the CPU's, is never dropped: there is none below it.
        let rest = candidates[(first ?? candidates.count - 1)...]
        verdicts[scene.shape] = Verdict(candidates: rest, used: rest.startIndex)
        return rest[rest.startIndex]
    }

    /// The kernel refused a real commit that had passed the test: the next arrangement is used for a while.
    ///
    /// - Returns: false when there is none.
    mutating func descend(from scene: VisibleScene, now: HostTime) -> Bool {
        guard var verdict = verdicts[scene.shape], verdict.used + 1 < verdict.candidates.endIndex else { return false }
        if verdict.used == verdict.candidates.startIndex {
            verdict.retry = now + verdict.penalty
            verdict.penalty = min(verdict.penalty * 2, Self.longestPenalty)
        }
        verdict.used += 1
        verdicts[scene.shape] = verdict
        return true
    }
}
