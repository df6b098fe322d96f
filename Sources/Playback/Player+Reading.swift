import LinuxSupport
import MediaModel
import MediaTime

/// Runs of reading: from a place that is sought to the first picture and sound of it.
extension Player {
    func startRun(_ seek: PendingSeek) {
        guard let source, let item = currentItem else { seek.completion?(false); return }
        let target = seek.target
        endRun()
        captionLoader.jump(to: target)
        clientBoundary = seek.boundary
        setBoundaryState()
        let tracks = [item.videoTrack?.id, item.audioTrack?.id].compactMap { $0 }
        let buffer = source.startReading(at: target, tracks: tracks)
        let video = item.videoTrack.map { videoDecoder.start(reading: buffer, track: $0.id, earliest: seek.earliest, bell: bell) }
        // Play lands on the start of the frame that holds the target: the sound of that frame begins before the target too.
        let sound = item.audioTrack.map {
            audioDecoder.start(reading: buffer, track: $0.id, earliest: seek.earliest - Self.longestFrame, bell: bell)
        }
        media = MediaClock(anchorHost: clock.now, anchorTime: target, rate: .zero)
        scheduler.setClock(media)
        audio.restart(at: nil, queue: sound)
        let generation = scheduler.begin(video)
        run = Run(
            buffer: buffer, video: video, audio: sound, generation: generation, target: target, isVideoDone: video == nil,
            completion: seek.completion)
        sensed = Sensed()
        state.isAtEnd = false
        applyBoundary()
        updateTimeControl()
    }

    func endRun() {
        guard let run else { return }
        self.run = nil
        stopTick()
        media = MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero)
        scheduler.begin(nil)
        scheduler.setClock(media)
        run.buffer.cancel()
        run.video?.cancel()
        run.audio?.cancel()
        services.sink.pause()
        audio.restart(at: nil, queue: nil)
        if let completion = run.completion {
            onEvent?(.seekCompleted(landed: run.target, finished: false))
            completion(false)
        }
    }

    func completePendingSeek(finished: Bool) {
        guard let seek = pendingSeek else { return }
        pendingSeek?.completion = nil
        if let completion = seek.completion {
            onEvent?(.seekCompleted(landed: seek.target, finished: finished))
            completion(finished)
        }
    }

    /// Something was decoded, or time has passed: goes on as far as can be gone.
    func pump() {
        guard let current = run else { return }
        sense(current)
        switch current.phase {
        case .prerolling: preroll()
        case .ready: feedAndFollow()
        case .stalled: recover()
        case .ended: break
        }
    }

    /// Looks once at what other threads change, before anything that is done here wakes them: otherwise what is seen would hang on how quick they are.
    func sense(_ run: Run) {
        sensed.loadedUntil = run.buffer.bufferedUntil
        sensed.pictures = run.video?.peek()
        sensed.hasPicture = run.video.map { $0.count > 0 || $0.isExhausted } ?? true
        audio.takeIn()
    }

    func preroll() {
        guard run?.landing != nil || landWithoutPicture() else { return }
        audio.feed(silenceUntil: run?.isVideoDone == false ? media.anchorTime + .seconds(1) : nil)
        if let error = audio.failure { return fail(error) }
        guard hasEnoughSound else { return }
        run?.phase = .ready
        if state.rate != .zero { startClock() }
        updateTimeControl()
    }

    /// An item without pictures begins where its sound does.
    func landWithoutPicture() -> Bool {
        guard let run else { return false }
        if run.video != nil {
            // A track of pictures that has none is as good as none.
            guard case .end = sensed.pictures else { return false }
            self.run?.isVideoDone = true
        }
        switch audio.next {
        case .media(let buffer): land(at: max(buffer.time, run.target))
        case .end: land(at: run.target)
        case .failed(let error): fail(error)
        case nil:
            guard run.audio == nil else { return false }
            land(at: run.target)
        }
        return self.run != nil
    }

    func land(at time: MediaTime) {
        guard let buffer = run?.buffer else { return }
        run?.landing = time
        // An event of its own: this one still looks at how far reading has come.
        clock.schedule(at: clock.now, rank: .media) { buffer.readAhead() }
        media = MediaClock(anchorHost: clock.now, anchorTime: time, rate: .zero)
        scheduler.setClock(media)
        audio.begin(at: time)
        observers.jump(to: time)
        let completion = run?.completion
        run?.completion = nil
        onEvent?(.seekCompleted(landed: time, finished: true))
        completion?(true)
    }

    var hasEnoughSound: Bool {
        run?.audio == nil || audio.isAtEnd || audio.queuedDuration >= Self.audioPreroll || services.sink.room == 0
    }

    func fail(_ error: MediaError) {
        endRun()
        currentItem?.status = .failed(error)
        var next = state
        next.itemStatus = .failed(error)
        next.rate = .zero
        next.timeControlStatus = .paused
        state = next
    }
}
