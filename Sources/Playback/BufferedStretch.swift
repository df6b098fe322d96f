import MediaModel
import MediaTime

/// What is buffered from where play is on, and whether that is enough to play. A value.
struct BufferedStretch: Equatable {
    /// Where play is.
    var place: MediaTime
    /// Up to where samples are buffered; nil: nothing is known of it, and nothing is waited for.
    var until: MediaTime?
    /// Whether the source has nothing more, or waits for the decoders itself.
    var isComplete = false
    /// Whether reading was ended.
    var isCancelled = false
    /// The source's live status; nil where it has none.
    var live: LiveStatus?

    /// This much of a stream is buffered before play starts, in addition to the first picture, which is shown at once. On a network
    /// that is slower than estimated, play would otherwise stop before the second segment can be chosen better.
    static let startLength = MediaTime.milliseconds(750)
    /// This much is buffered before play goes on after the first stall. Each further stall adds as much again…
    static let resumeLength = MediaTime.seconds(2)
    /// …up to this limit. On a network that cannot carry the programme, a few long waits are better than hundreds of short ones.
    static let longestResumeLength = MediaTime.seconds(8)
    /// Live edges are rounded by this much.
    private static let edgeTolerance = MediaTime.milliseconds(100)

    /// Whether play can start.
    var isEnoughToStart: Bool { holds(Self.startLength) }

    /// Whether play can go on after so many stalls.
    func isEnoughToGoOn(after stalls: Int) -> Bool { holds(min(Self.resumeLength * max(stalls, 1), Self.longestResumeLength)) }

    /// Whether a length is buffered, or all that can be.
    func holds(_ length: MediaTime) -> Bool {
        guard !isComplete, let until else { return true }
        if until - place >= length { return true }
        guard let live, live.isLive else { return false }
        // At the live edge there is no more to wait for, and with low latency a wait would defeat its purpose.
        return live.isLowLatency || until >= live.edge - Self.edgeTolerance || isCancelled
    }
}
