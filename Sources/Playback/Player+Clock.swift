import LinuxSupport
import MediaModel
import MediaTime

/// Time: the clock that the sound leads, stalls and recovery, the end.
extension Player {
    func feedAndFollow() {
        guard let current = run else { return }
        let now = clock.now
        audio.feed(silenceUntil: current.isVideoDone ? nil : media.time(at: now) + .seconds(1))
        if let error = audio.failure, audio.queuedDuration <= .milliseconds(20) { return fail(error) }
        guard media.rate != .zero else { return }
        followSound(now)
        observers.advance(to: media.time(at: now))
        if current.video == nil { onEvent?(.position(media.time(at: now))) }
        checkEnd(now)
        if run?.phase == .ready, current.audio != nil, !audio.isAtEnd, !isHeldAtBoundary,
            audio.queuedDuration <= .milliseconds(20)
        {
            stall()
        }
    }

    /// Holds the clock to what is heard. Small deviations are taken away gently: what is seen must not jump for a millisecond's sake.
    func followSound(_ now: HostTime) {
        guard let heard = audio.heard(), heard.isRunning else { return }
        let deviation = heard.time - media.time(at: heard.at)
        guard deviation.magnitude > .milliseconds(1), heard.at >= media.anchorHost else { return }
        let correction = deviation.magnitude > .milliseconds(40) ? deviation : deviation / 8
        setMedia(MediaClock(anchorHost: now, anchorTime: media.time(at: now) + correction, rate: media.rate, limit: boundary))
    }

    var isHeldAtBoundary: Bool { boundary.map { media.time(at: clock.now) >= $0 - .milliseconds(60) } ?? false }

    func startClock() {
        let position = media.time(at: clock.now)
        let start = scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        services.sink.play(at: start)
        setMedia(MediaClock(anchorHost: start, anchorTime: position, rate: .one, limit: boundary))
        startTick()
        observers.start(at: position)
    }

    func stopClock() {
        services.sink.pause()
        setMedia(MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero))
        stopTick()
        observers.stop(at: media.anchorTime)
    }

    func setMedia(_ clock: MediaClock) {
        media = clock
        scheduler.setClock(clock)
        armBoundaryTimer()
    }

    func stall() {
        guard run?.phase == .ready else { return }
        run?.phase = .stalled
        state.stallCount += 1
        stopClock()
        updateTimeControl()
        startTick()
    }

    func recover() {
        guard let current = run else { return }
        audio.feed()
        if let error = audio.failure { return fail(error) }
        guard current.isVideoDone || sensed.hasPicture, hasEnoughSound else { return }
        run?.phase = .ready
        stopTick()
        if state.rate != .zero { startClock() }
        updateTimeControl()
    }

    func checkEnd(_ now: HostTime) {
        guard let current = run, current.phase == .ready, current.isVideoDone else { return }
        let isSoundOver = current.audio == nil || (audio.isAtEnd && (audio.soundEnd.map { media.time(at: now) >= $0 } ?? true))
        guard isSoundOver else { return }
        end()
    }

    func end() {
        guard run?.phase == .ready else { return }
        run?.phase = .ended
        stopClock()
        // The end was noticed a little behind it.
        if let end = currentItem?.endTime, media.anchorTime > end {
            media = MediaClock(anchorHost: clock.now, anchorTime: end, rate: .zero)
            scheduler.setClock(media)
        }
        var next = state
        next.isAtEnd = true
        next.rate = .zero
        next.timeControlStatus = .paused
        state = next
        onEvent?(.didPlayToEnd)
    }

    /// - Parameter rate: the rate that is asked for from now on; nil where it stays.
    func updateTimeControl(rate: Ratio? = nil) {
        let status: TimeControlStatus
        let rate = rate ?? state.rate
        if rate == .zero {
            status = .paused
        } else if let run {
            switch run.phase {
            case .prerolling: status = .waitingToPlayAtSpecifiedRate(.seeking)
            case .ready: status = .playing
            case .stalled: status = .waitingToPlayAtSpecifiedRate(.toMinimizeStalls)
            case .ended: status = .paused
            }
        } else {
            status = currentItem == nil ? .paused : .waitingToPlayAtSpecifiedRate(.evaluatingBufferingRate)
        }
        var next = state
        next.rate = rate
        next.timeControlStatus = status
        state = next
    }
}
