import MediaModel

/// Reports of a player about interstitials, on the main loop.
package enum InterstitialChange: Sendable, Equatable {
    /// One has started or continues: sent when an asset starts, and four times a second.
    case presenting(InterstitialStatus)
    /// It has ended: sent exactly once for each that was reported.
    case ended(Interstitial, InterstitialOutcome)
    /// The known events or their positions have changed.
    case schedule([Interstitial])
}
