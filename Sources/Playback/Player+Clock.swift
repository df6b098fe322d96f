import LinuxSupport
import MediaModel
import MediaTime

/// Time: the clock that the sound leads, stalls and recovery, the end.
extension Player {
    func feedAndFollow() {
        guard let current = run else { return }
        let now = clock.now
        audio.feed(silenceUntil: current.isVideoDone || awaitsSuccession ? nil : media.time(at: now) + .seconds(1))
        continueSuccession()
        if let error = audio.failure, audio.queuedDuration <= .milliseconds(20) { return soundFailed(error) }
        guard media.rate != .zero else { return }
        followSound(now)
        observers.advance(to: media.time(at: now))
        if current.video == nil, current.waiting == nil { tell(.position(media.time(at: now))) }
        checkEnd(now)
        if machine.phase == .ready, run?.audio != nil, !audio.isAtEnd, !isHeldAtBoundary,
            audio.queuedDuration <= .milliseconds(20)
        {
            handle(.starved)
        }
    }

    /// Holds the clock to what is heard. Small deviations are taken away gently: what is seen must not jump for a millisecond's sake.
    func followSound(_ now: HostTime) {
        guard let heard = audio.heard(), heard.isRunning else { return }
        let deviation = sound.pictureTime(ofSound: heard.time, at: media.rate) - media.time(at: heard.at)
        ticker.soundDeviation = deviation.magnitude
        guard deviation.magnitude > .milliseconds(1), heard.at >= media.anchorHost else { return }
        let correction = deviation.magnitude > .milliseconds(40) ? deviation : deviation / 8
        setMedia(MediaClock(anchorHost: now, anchorTime: media.time(at: now) + correction, rate: media.rate, limit: clockLimit))
    }

    /// Where the clock is held: forward at the boundary, backward where that ends.
    var clockLimit: MediaTime? { machine.rate < .zero ? lowerBound : boundary }

    var isHeldAtBoundary: Bool { boundary.map { media.time(at: clock.now) >= $0 - .milliseconds(60) } ?? false }

    /// Takes an event into the machine and does what follows from it.
    func handle(_ event: TransportMachine.Event) {
        if isInterstitial(event) { return }
        let effects = machine.handle(event)
        // What the effects lead to is told after the state that they belong to, but for the end, which is told last.
        for effect in effects {
            switch effect {
            case .startClock: startClock()
            // A run that was ended has stopped it already, at the place that it had come to.
            case .stopClock: if media.rate != .zero { stopClock() }
            case .changeClock: changeClock()
            case .countStall: state.stallCount += 1
            case .tellEnd: break
            }
        }
        var next = state
        next.rate = machine.rate
        next.timeControlStatus = machine.status
        next.isAtEnd = machine.phase == .ended
        state = next
        if machine.phase == .stalled, !ticker.isRunning { ticker.start() }
        if effects.contains(.tellEnd) { itemEnded() }
    }

    private func startClock() {
        ticker.stop()
        let position = media.time(at: clock.now)
        let blank = scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        let start = startSound(at: blank, position: position)
        setMedia(MediaClock(anchorHost: start, anchorTime: position, rate: machine.rate, limit: clockLimit))
        ticker.start()
        observers.start(at: position)
    }

    /// - Returns: when the pictures begin to move.
    private func startSound(at instant: HostTime, position: MediaTime) -> HostTime {
        run?.audio == nil ? instant : sound.start(at: instant, position: position, rate: machine.rate)
    }

    func stopClock() {
        sound.pause()
        setMedia(MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero))
        ticker.stop()
        observers.stop(at: media.anchorTime)
    }

    /// Time goes on at another rate, and the sound with it.
    private func changeClock() {
        let position = media.time(at: clock.now)
        observers.advance(to: position)
        audio.change(rate: soundRate, at: sound.soundTime(ofPicture: position, at: soundRate))
        audio.feed()
        ticker.soundDeviation = nil
        let blank = scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        let start = startSound(at: blank, position: position)
        setMedia(MediaClock(anchorHost: start, anchorTime: position, rate: machine.rate, limit: clockLimit))
        observers.start(at: position)
    }

    func setMedia(_ clock: MediaClock) {
        media = clock
        scheduler.setClock(clock)
        armBoundaryTimer()
        armSuccessionTimer()
    }

    func recover() {
        guard let current = run else { return }
        audio.feed()
        if let error = audio.failure { return soundFailed(error) }
        guard current.isVideoDone || session?.sensed.hasPicture == true, hasEnoughSound, hasEnoughToGoOn else { return }
        ticker.stop()
        handle(.recovered)
    }

    func checkEnd(_ now: HostTime) {
        guard let current = run, machine.phase == .ready, succession?.isArranged != true else { return }
        switch current.manner {
        case .play, .preview:
            guard current.isVideoDone else { return }
            let isSoundOver =
                current.audio == nil
                || (audio.isAtEnd
                    && (audio.soundEnd.map { media.time(at: now) >= sound.pictureTime(ofSound: $0, at: media.rate) } ?? true))
            if isSoundOver { end() }
        case .scan(.forward):
            if activeItem?.endTime.map({ media.time(at: now) >= $0 }) ?? current.isVideoDone { end() }
        case .scan(.backward), .reverse:
            guard media.rate < .zero, media.time(at: now) <= lowerBound else { return }
            handle(.reachedStart)
            // What stands there is the picture of the beginning, be it no key picture.
            seek(to: lowerBound, toleranceBefore: .zero, toleranceAfter: .zero)
        }
    }

    func end() {
        guard machine.phase == .ready, succession?.isArranged != true else { return }
        // The end may have been noticed a little behind it.
        if let end = activeItem?.endTime, media.time(at: clock.now) > end {
            media = MediaClock(anchorHost: clock.now, anchorTime: end, rate: .zero)
            scheduler.setClock(media)
        }
        handle(.reachedEnd)
    }
}
