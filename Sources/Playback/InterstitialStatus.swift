import MediaModel
import MediaTime

/// What a player tells of the interstitial that it presents.
package struct InterstitialStatus: Sendable, Equatable {
    /// Which one.
    package var event: InterstitialEvent
    /// Which of its assets plays, counted from zero.
    package var asset: Int
    /// How many assets it has.
    package var assetCount: Int
    /// How long it has been played so far, by its own clock.
    package var elapsed: MediaTime
    /// How long it is as a whole, where that is known.
    package var duration: MediaTime?
    /// How long the asset that plays has been played.
    package var assetElapsed: MediaTime
    /// How long that asset is, where that is known.
    package var assetDuration: MediaTime?
    /// The control to skip the rest: the event's, or that of its list.
    package var skipControl: InterstitialEvent.SkipControl?
    /// Whether the control to skip the rest is to be shown now.
    package var showsSkipControl: Bool
    /// Where the presentation goes on because somebody wanted to jump there; nil where it goes on by itself.
    package var target: MediaTime?
}

/// What a player tells of interstitials, on the main loop.
package enum InterstitialChange: Sendable, Equatable {
    /// One has begun or goes on: told when an asset begins, and four times a second.
    case presenting(InterstitialStatus)
    /// It is over: exactly one for each that was told of.
    case ended(InterstitialEvent, InterstitialOutcome)
    /// Others are known, or they lie elsewhere.
    case schedule([InterstitialEvent])
}
