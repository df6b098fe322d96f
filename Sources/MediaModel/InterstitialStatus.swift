import MediaTime

/// The state of an interstitial beside the stream while a player presents it. It runs on its own clock; the position in the stream
/// does not change.
package struct InterstitialStatus: Sendable, Hashable {
    /// With the skip control of its list of assets, if that has one.
    package var interstitial: Interstitial
    /// The current asset, counted from zero.
    package var asset: Int
    package var assetCount: Int
    /// How long it has played.
    package var elapsed: MediaTime
    /// Its whole duration; nil: unknown.
    package var duration: MediaTime?
    /// How long the current asset has played.
    package var assetElapsed: MediaTime
    /// The duration of the current asset; nil: unknown.
    package var assetDuration: MediaTime?
    /// Asset time at which the main content resumes because of a navigation; nil: as the interstitial itself determines.
    package var target: MediaTime?

    package init(
        interstitial: Interstitial, asset: Int = 0, assetCount: Int = 1, elapsed: MediaTime = .zero, duration: MediaTime? = nil,
        assetElapsed: MediaTime = .zero, assetDuration: MediaTime? = nil, target: MediaTime? = nil
    ) {
        self.interstitial = interstitial
        self.asset = asset
        self.assetCount = assetCount
        self.elapsed = elapsed
        self.duration = duration
        self.assetElapsed = assetElapsed
        self.assetDuration = assetDuration
        self.target = target
    }

    /// Whether skipping is offered now.
    package var offersSkip: Bool { interstitial.skip?.isOffered(at: elapsed) ?? false }

    /// How much of the current asset remains; nil: unknown.
    package var assetRemaining: MediaTime? { assetDuration.map { max(.zero, $0 - assetElapsed) } }
}

/// How the presentation of an interstitial ended.
package enum InterstitialOutcome: String, Sendable, Hashable {
    /// It was played to its end, or to its limit.
    case completed
    /// The viewer skipped it with Skip.
    case skipped
    /// It was left for another position or another item, or the player was left.
    case abandoned
    /// It could not be played.
    case failed
}
