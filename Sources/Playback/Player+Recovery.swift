import MediaModel
import MediaTime

/// When play begins, and goes on after it had to wait for bytes.
extension Player {
    /// So much of a stream has to be there at the start, beside the first picture, which is on the screen at once: on a network that
    /// is slower than was guessed play would stop again before the second segment can be chosen better.
    private static let startLength = MediaTime.milliseconds(750)
    /// So much has to be there after a first stall; after each further one so much more…
    private static let resumeLength = MediaTime.seconds(2)
    /// …up to this: a network that cannot carry a programme is borne better in a few waits than in hundreds.
    private static let longestResumeLength = MediaTime.seconds(8)
    /// Of what is told of live, this is rounding.
    private static let edge = MediaTime.milliseconds(100)

    /// Whether there is enough of a stream to begin with; if not, it is looked at again a little later.
    var hasEnoughToStart: Bool {
        guard source is any AdaptiveSource, !has(Self.startLength) else { return true }
        startTimer?.cancel()
        startTimer = clock.schedule(after: Self.tickLength, rank: .media) { [weak self] in
            guard let self, self.machine.phase == .prerolling else { return }
            self.pump()
        }
        return false
    }

    /// Whether there is enough for play not to stop again at once.
    var hasEnoughToGoOn: Bool { has(min(Self.resumeLength * max(state.stallCount, 1), Self.longestResumeLength)) }

    /// Whether so much is there, or all that can be had.
    private func has(_ length: MediaTime) -> Bool {
        guard let run, run.manner == .play, let buffer = run.buffer, let until = sensed.loadedUntil else { return true }
        if sensed.isAllThere { return true }
        let place = media.time(at: clock.now)
        if until - place >= length { return true }
        // Near the live edge there is no more to wait for; with low latency, waiting is what nobody wants.
        guard let live = activeItem?.liveStatus, live.isLive else { return false }
        return live.isLowLatency || until >= live.edge - Self.edge || buffer.isCancelled
    }
}
