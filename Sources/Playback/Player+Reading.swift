import LinuxSupport
import MediaModel
import MediaTime

/// From the first sample of a run to its first picture and sound.
extension Player {
    /// Something was decoded, or time has passed: goes on as far as can be gone.
    func pump() {
        guard let current = run else { return }
        sense(current)
        switch machine.phase {
        case .prerolling: preroll()
        case .ready: feedAndFollow()
        case .stalled: recover()
        case .empty, .opening, .ended, .failed: break
        }
    }

    /// Looks once at what other threads change, before anything that is done here wakes them: otherwise what is seen would hang on how quick they are.
    func sense(_ run: Run) {
        session?.sensed = Sensed(of: run)
        audio.takeIn()
        succession?.sense(run, pictures: activeItem?.videoTrack?.id)
        continueSoundChange()
        continueDescription()
    }

    func preroll() {
        guard let current = run else { return }
        switch current.manner {
        case .play: break
        case .preview: return prerollPreview()
        case .scan, .reverse: return prerollPasses()
        }
        guard current.landing != nil || landWithoutPicture() else { return }
        // What follows a picture out of the cache may not be read yet.
        guard run?.waiting == nil else { return }
        audio.feed(silenceUntil: run?.isVideoDone == false ? media.anchorTime + .seconds(1) : nil)
        if let error = audio.failure { return soundFailed(error) }
        guard hasEnoughSound, hasEnoughToStart else { return lookAgainForDescription() }
        handle(.prerolled)
    }

    /// An item without pictures begins where its sound does.
    func landWithoutPicture() -> Bool {
        guard let run, run.waiting == nil else { return false }
        if run.video != nil {
            // A track of pictures that has none is as good as none.
            guard case .end = session?.sensed.pictures else { return false }
            self.run?.isVideoDone = true
        }
        switch audio.next {
        case .media(let buffer): land(at: max(buffer.time, run.target))
        case .end: land(at: run.target)
        case .failed(let error): fail(error)
        case .broken(let error): if !passageFailed(error) { rebuild(after: error) }
        case nil:
            guard run.audio == nil else { return false }
            land(at: run.target)
        }
        return self.run?.landing != nil
    }

    func land(at time: MediaTime) {
        guard let current = run else { return }
        run?.landing = time
        if let buffer = current.buffer { readAhead(buffer) }
        media = MediaClock(anchorHost: clock.now, anchorTime: time, rate: .zero)
        scheduler.setClock(media)
        audio.begin(at: time)
        observers.jump(to: time)
        session?.live?.landed(at: time)
        presentation?.interstitials?.landed(at: time)
        if suspended == nil { session?.metadata?.present() }
        run?.completion = nil
        tell(.seekCompleted(landed: time, finished: true))
        current.completion?(true)
    }

    var hasEnoughSound: Bool {
        run?.audio == nil || audio.isAtEnd || audio.queuedDuration >= Self.audioPreroll || sound.isFull
    }

    /// Sound that cannot go on ends the item, or is decoded anew.
    func soundFailed(_ error: MediaError) {
        if audio.isDecoderBroken, passageFailed(error) { return }
        if audio.isDecoderBroken { rebuild(after: error) } else { fail(error) }
    }

    func fail(_ error: MediaError) {
        endRun()
        if presentation?.interstitials?.failed() == true { return }
        activeItem?.status = .failed(error)
        var next = state
        next.itemStatus = .failed(error)
        next.rate = .zero
        next.timeControlStatus = .paused
        let (failed, rate) = (activeItem, machine.rate)
        state = next
        // Whoever heard of it may have opened another item already, to which nothing has happened.
        guard activeItem === failed else { return }
        handle(.failed)
        if let failed, activeItem === failed { advance(behind: failed, error, rate: rate) }
    }
}
