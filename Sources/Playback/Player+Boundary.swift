import LinuxSupport
import MediaModel
import MediaTime

/// Where play is held or ends, and what the scheduler tells.
extension Player {
    /// Play is held at the client's boundary or ends at the item's, whichever comes first.
    func setBoundaryState() {
        session?.settleBoundary(withInterstitials: suspended == nil)
    }

    var boundary: MediaTime? { session?.boundary }

    func applyBoundary() {
        scheduler.setBoundary(boundary)
        audio.limit = boundary
        if media.rate != .zero {
            setMedia(
                MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: media.rate, limit: clockLimit))
        }
    }

    func armBoundaryTimer() {
        guard let session else { return }
        session.disarmBoundary()
        guard let boundary, media.rate > .zero, let instant = media.instant(of: boundary) else { return }
        session.armBoundary(at: instant, on: clock) { [weak self] in
            guard let self, self.boundary == boundary, self.media.rate > .zero else { return }
            if boundary == self.activeItem?.forwardPlaybackEndTime {
                self.end()
            } else if boundary == self.session?.interstitials?.boundary, self.suspended == nil {
                self.session?.interstitials?.reachedBoundary()
            } else {
                self.tell(.reachedBoundary(boundary))
            }
        }
    }

    // MARK: The scheduler's account

    func takeSchedulerEvents() {
        for event in scheduler.takeEvents() {
            switch event {
            case .shown(let record): shown(record)
            case .starved: handle(.starved)
            case .exhausted:
                run?.isVideoDone = true
                checkEnd(clock.now)
            case .failed(let error): fail(error)
            case .broken(let error): rebuild(after: error)
            case .followed(let end): becomeSuccessor(behind: end)
            case .display(let mode):
                refresh.displayChanged()
                tell(.display(mode))
            }
        }
    }

    func shown(_ record: FrameRecord) {
        guard record.generation == run?.generation else { return }
        let isFirst = run?.landing == nil
        run?.shownFrom = record.time
        run?.shownUntil = record.time + record.duration
        if !state.isReadyForDisplay { state.isReadyForDisplay = true }
        tell(.frame(record))
        if isFirst {
            land(at: record.time)
            pump()
        }
        advancePasses()
        ticker.come(with: record)
    }
}
