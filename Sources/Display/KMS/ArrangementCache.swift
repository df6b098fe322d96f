import MediaModel

/// The arrangement of planes for scenes of each shape. A test commit judges a shape once; the verdict is kept until the screen is another one.
struct ArrangementCache {
    /// More shapes than a box shows; beyond it the verdicts are collected again.
    private static let most = 256

    /// The arrangements of a shape, from the first one that was not refused.
    private var verdicts: [SceneShape: ArraySlice<Arrangement>] = [:]

    /// The arrangement for scenes of this shape.
    mutating func arrangement(
        for scene: VisibleScene, on screen: any ScanOutScreen, preparer: FramePreparer, rungs: Set<LadderRung>
    ) -> Arrangement {
        if let known = verdicts[scene.shape]?.first { return known }
        if verdicts.count >= Self.most { verdicts = [:] }
        let ladder = PlaneLadder(
            planes: screen.planes, showsBackground: screen.showsBackground, rungs: rungs)
        let candidates = ladder.candidates(for: scene.shape)
        let first = candidates.firstIndex { candidate in
            guard let blanks = try? preparer.blanks(scene, candidate) else { return false }
            return screen.accepts(blanks, background: scene.scene.background)
        }
        // The last arrangement, the CPU's, is never dropped: there is none below it.
        let rest = candidates[(first ?? candidates.count - 1)...]
        verdicts[scene.shape] = rest
        return rest[rest.startIndex]
    }

    /// The kernel refused a real commit that had passed the test: the next arrangement is used from now on.
    ///
    /// - Returns: false when there is none.
    mutating func descend(from scene: VisibleScene) -> Bool {
        guard let rest = verdicts[scene.shape], rest.count > 1 else { return false }
        verdicts[scene.shape] = rest.dropFirst()
        return true
    }
}
