import MediaModel
import MediaTime

/// When play begins, and goes on after it had to wait for bytes.
extension Player {
    /// Whether there is enough of a stream to begin with; if not, it is looked at again a little later.
    var hasEnoughToStart: Bool {
        guard source?.adaptiveSource != nil, buffered?.isEnoughToStart == false else { return true }
        startTimer?.cancel()
        startTimer = clock.schedule(after: PlaybackTicker.tickLength, rank: .media) { [weak self] in
            guard let self, self.machine.phase == .prerolling else { return }
            self.pump()
        }
        return false
    }

    /// Whether there is enough for play not to stop again at once.
    var hasEnoughToGoOn: Bool { buffered?.isEnoughToGoOn(after: state.stallCount) ?? true }

    /// What is buffered of what plays forward; nil where nothing is read that way.
    private var buffered: BufferedStretch? {
        guard let run, run.manner == .play, let buffer = run.buffer else { return nil }
        return BufferedStretch(
            place: media.time(at: clock.now), until: loadedUntil, isComplete: session?.sensed.isAllThere ?? false,
            isCancelled: buffer.isCancelled, live: activeItem?.liveStatus)
    }
}
