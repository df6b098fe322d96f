import MediaModel
import MediaTime

/// The state of the player: sent for every shown frame and every other change.
package struct PlaybackSnapshot: Sendable, Equatable {
    /// The state of item and player in one value.
    package enum State: Sendable, Equatable {
        /// The item is being opened; it has no picture yet.
        case loading
        /// It can play and was not told to: its first frame may be on the screen.
        case ready
        /// Time advances.
        case playing
        /// It was told to pause.
        case paused
        /// It should play and cannot: nothing is buffered, or a seek is pending.
        case waiting
        /// The last frame was shown.
        case ended
        /// It cannot be played.
        case failed(MediaError)
    }

    package var state: State
    /// Asset time of the last frame on the screen (without video: of the sound being heard); nil if there was none yet.
    package var position: MediaTime?
    /// The actual rate.
    package var rate: Ratio
    /// The loaded ranges, in asset time, in order.
    package var loadedRanges: [TimeRange]
    /// The seekable ranges, in asset time, in order.
    package var seekableRanges: [TimeRange]
    /// The duration of the asset; nil if unknown.
    package var duration: MediaDuration?
    /// Whether it has video; false for music, and from disabling video until a picture is on the screen again.
    package var hasVideo: Bool
    /// The audio and caption options, and the selected ones.
    package var options: MediaOptions
    /// The speeds at which it can be played, ascending; with fewer than two there is no choice.
    package var speeds: [Ratio]
    /// The known interstitials beside the stream, ordered by time.
    package var interstitials: [Interstitial] = []
    /// The one that is being presented; nil while the stream itself is.
    package var presented: InterstitialStatus?
    /// Whether the player supports the scan rates, forward and backward.
    package var canPlayFast: Bool
    /// Nil for what has no single frames to go to: music, a still, and what is not open yet.
    package var frames: Frames?

    package struct Frames: Sendable, Hashable {
        /// The usual distance of two of them.
        package let period: MediaTime
        /// Whether they can be played slowly backward.
        package let canPlayBackward: Bool

        package init(period: MediaTime, canPlayBackward: Bool) {
            self.period = period
            self.canPlayBackward = canPlayBackward
        }
    }

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
