import MediaSources
import MediaTime

/// The buffered media from the playback position on, and whether it suffices to play. A value.
struct BufferedStretch: Equatable {
    /// The playback position.
    var position: MediaTime
    /// The end of the buffered samples; nil if it is unknown, and then there is no wait.
    var until: MediaTime?
    /// Whether the source has finished, or itself waits for the decoders.
    var isComplete = false
    /// Whether reading was cancelled.
    var isCancelled = false
    /// The source's live status; nil if it has none.
    var live: LiveStatus?

    /// This much of a stream is buffered before playback starts, in addition to the first picture, which is shown at once. On a network slower than
    /// estimated, playback would otherwise stop before the second segment can be chosen better.
    static let startLength = MediaTime.milliseconds(750)
    /// This much is buffered before playback continues after the first stall. Each further stall adds as much again…
    static let resumeLength = MediaTime.seconds(2)
    /// …up to this limit. On a network that cannot sustain the programme, a few long waits are better than hundreds of short ones.
    static let longestResumeLength = MediaTime.seconds(8)
    /// Live edges are rounded by this much.
    private static let edgeTolerance = MediaTime.milliseconds(100)

    /// Whether playback can start.
    var isEnoughToStart: Bool { holds(Self.startLength) }

    /// Whether playback can continue after this number of stalls.
    func isEnoughToGoOn(after stalls: Int) -> Bool { holds(min(Self.resumeLength * max(stalls, 1), Self.longestResumeLength)) }

    /// Whether a length is buffered, or everything that can be.
    func holds(_ length: MediaTime) -> Bool {
        guard !isComplete, let until else { return true }
        if until - position >= length { return true }
        guard let live, live.isLive else { return false }
        // At the live edge there is nothing more to wait for, and with low latency a wait would defeat its purpose.
        return live.isLowLatency || until >= live.edge - Self.edgeTolerance || isCancelled
    }
}
