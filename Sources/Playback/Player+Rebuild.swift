import LinuxSupport
import MediaModel
import MediaTime

/// Decoders that fail, yield nothing or hang are built anew, at the same place, with the same tracks and rate. The viewer sees at most a spinner.
extension Player {
    /// A decoder cannot go on.
    func rebuild(after error: MediaError) {
        let place = run.flatMap { $0.manner == .play ? $0.shownUntil : nil } ?? currentTime
        guard rebuilds.failed(at: place) == .rebuild else { return fail(error) }
        let completion = run?.completion
        run?.completion = nil
        if machine.isRunning { stopClock() }
        let target = activeItem?.endTime.map { min(place, $0) } ?? place
        startRun(
            PendingSeek(
                target: target, earliest: target, isExact: true, completion: completion, boundary: session?.clientBoundary))
    }

    /// Gives up calls into decoders that hang.
    ///
    /// - Returns: whether decoders are still at work.
    func lookForHangs() -> Bool {
        var lost = 0
        if pictures.abandonHungDecoder() { lost += 1 }
        if sound.abandonHungDecoder() { lost += 1 }
        let losesDescription = abandonDescription()
        for _ in 0..<lost + (losesDescription ? 1 : 0) where rebuilds.lostThread() {
            onRestartNeeded?(
                "\(rebuilds.abandoned) decoder threads hang in calls that do not return; the player should be restarted at its position."
            )
        }
        // The programme goes on without its description.
        if lost > 0, run != nil {
            rebuild(
                after: MediaError(
                    .internal, "A decoder did not answer within \(TrackDecoder<VideoFrame>.patience); restart the box."))
        }
        // While play is paused or over, the decoders rest.
        return run != nil && (machine.phase != .ready || machine.rate != .zero) && machine.phase != .ended
    }
}
