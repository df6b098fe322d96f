import MediaModel
import MediaTime

/// What the player does now: handed in for every frame shown and at every other change.
package struct PlaybackSnapshot: Sendable, Equatable {
    /// The state of item and player in one word.
    package enum State: Sendable, Equatable {
        /// The item is being opened; there is no picture of it yet.
        case loading
        /// It could play and was not told to: its first frame may be on the screen.
        case ready
        /// Time passes.
        case playing
        /// It was told to stand still.
        case paused
        /// It should play and cannot: nothing is loaded ahead, or a seek is under way.
        case waiting
        /// The last frame was shown.
        case ended
        /// It cannot be played.
        case failed(MediaError)
    }

    /// The state.
    package var state: State
    /// Asset time of the last frame that reached the screen (without video: of the sound that is heard); nil: none did yet.
    package var position: MediaTime?
    /// The rate in force.
    package var rate: Ratio
    /// What is loaded, in asset time, in order.
    package var loadedRanges: [TimeRange]
    /// What can be sought, in asset time, in order.
    package var seekableRanges: [TimeRange]
    /// How long the asset is; nil: unknown so far.
    package var duration: MediaDuration?
    /// Whether it has a picture; false for music, and from a picture that is not wanted until one is on the screen again.
    package var hasVideo: Bool
    /// What can be heard and read, and what is.
    package var options: MediaOptions
    /// The speeds at which it can be played, rising; fewer than two: there is nothing to choose.
    package var speeds: [Ratio]
    /// The known interstitials beside the stream, ordered by time.
    package var interstitials: [Interstitial] = []
    /// The one of them that is presented now; nil: the stream itself is.
    package var presented: InterstitialStatus?
    /// Whether the player passes over key pictures at the rates of a scan, forward and backward.
    package var canPlayFast: Bool

    package init(
        state: State, position: MediaTime? = nil, rate: Ratio = .zero, loadedRanges: [TimeRange] = [],
        seekableRanges: [TimeRange] = [],
        duration: MediaDuration? = nil, hasVideo: Bool = true, options: MediaOptions = MediaOptions(), speeds: [Ratio] = [.one],
        canPlayFast: Bool = false
    ) {
        self.state = state
        self.position = position
        self.rate = rate
        self.loadedRanges = loadedRanges
        self.seekableRanges = seekableRanges
        self.duration = duration
        self.hasVideo = hasVideo
        self.options = options
        self.speeds = speeds
        self.canPlayFast = canPlayFast
    }
}
