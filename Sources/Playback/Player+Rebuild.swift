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
        startRun(PendingSeek(target: target, earliest: target, isExact: true, completion: completion, boundary: clientBoundary))
    }

    /// Looks now and then whether a decoder hangs. Time that is simulated passes only where a call waits for something in it.
    func startWatch() {
        guard watch == nil else { return }
        watch = clock.schedule(after: .milliseconds(500), rank: .timer) { [weak self] in
            guard let self else { return }
            self.watch = nil
            self.lookForHangs()
            // A player that stands has nobody at work.
            if self.run != nil, self.machine.phase != .ready || self.machine.rate != .zero, self.machine.phase != .ended {
                self.startWatch()
            }
        }
    }

    private func lookForHangs() {
        var lost = 0
        if videoDecoder.looksHung() {
            videoDecoder.abandon()
            lost += 1
        }
        if audioDecoder.looksHung() {
            audioDecoder.abandon()
            lost += 1
        }
        let losesDescription = abandonDescription()
        guard lost > 0 || losesDescription else { return }
        for _ in 0..<lost + (losesDescription ? 1 : 0) where rebuilds.lostThread() {
            onRestartNeeded?(
                "\(rebuilds.abandoned) decoder threads hang in calls that do not return; the player should be restarted at its position."
            )
        }
        // The programme goes on without its description.
        guard lost > 0, run != nil else { return }
        rebuild(
            after: MediaError(
                .internal, "A decoder did not answer within \(TrackDecoder<VideoFrame>.patience); restart the box."))
    }
}
