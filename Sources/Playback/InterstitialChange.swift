import MediaModel

/// What a player tells of interstitials, on the main loop.
package enum InterstitialChange: Sendable, Equatable {
    /// One has begun or goes on: told when an asset begins, and four times a second.
    case presenting(InterstitialStatus)
    /// It is over: exactly one for each that was told of.
    case ended(Interstitial, InterstitialOutcome)
    /// Others are known, or they lie elsewhere.
    case schedule([Interstitial])
}
