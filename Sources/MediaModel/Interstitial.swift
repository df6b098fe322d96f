/// How the presentation of an interstitial ended.
package enum InterstitialOutcome: String, Sendable, Hashable {
    /// It was played to its end, or to its limit.
    case completed
    /// The viewer skipped it where that was offered.
    case skipped
    /// It was left for another position or another item, or the player was left.
    case abandoned
    /// It could not be played.
    case failed
}

/// Which of the interstitials that a viewer jumped over must be watched first.
package enum SnapBack: String, Sendable, Hashable, CaseIterable {
    /// The first that was not watched.
    case first
    /// The last that was not watched.
    case last
    /// Each that was not watched, one after another.
    case all
}
