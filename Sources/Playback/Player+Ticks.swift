import LinuxSupport
import MediaModel
import MediaTime

/// The ticks that keep play going: each feeds the sink, holds the clock to the sound, tells observers, and looks for the end.
extension Player {
    /// Between two ticks, where something may happen at any moment.
    static let tickLength = Duration.milliseconds(50)
    /// Between two where nothing can: every time the loop is woken costs more than what it then does.
    private static let restfulTickLength = Duration.milliseconds(200)
    /// So much sound is in the sink where ticks are rare.
    private static let plentyOfSound = MediaTime.milliseconds(250)
    /// So far from the sound the clock may be.
    private static let inStep = MediaTime.milliseconds(4)
    /// Ticks are no longer rare so near to the end, or to where play is held.
    private static let nearEnd = MediaTime.seconds(2)
    /// The same where another item is to follow without a gap.
    private static let nearSuccession = MediaTime.seconds(6)

    func startTick() {
        tick?.cancel()
        let length = nextTickLength
        // At a blank, at which the loop is woken anyhow.
        let next = scheduler.verticalBlank(atOrAfter: clock.now + length - .milliseconds(2))
        tick = clock.schedule(at: next, rank: .sound) { [weak self] in
            guard let self, self.tick != nil else { return }
            self.startTick()
            self.pump()
        }
        restfulTick = length > Self.tickLength ? next : nil
    }

    func stopTick() {
        tick?.cancel()
        tick = nil
        restfulTick = nil
        soundDeviation = nil
    }

    /// A frame has woken the loop: a rare tick that is due before the next frame comes with this one.
    func tickAlong(with record: FrameRecord) {
        guard tick != nil, let due = restfulTick, due - clock.now <= .nanoseconds(record.duration.nanoseconds) else { return }
        startTick()
        pump()
    }

    private var nextTickLength: Duration {
        guard ticksRarely, isFarFromEverything else { return Self.tickLength }
        let now = media.time(at: clock.now)
        guard let due = observers.nextDue(after: now) else { return Self.restfulTickLength }
        return min(max(.nanoseconds((due - now).nanoseconds), Self.tickLength), Self.restfulTickLength)
    }

    /// Whether play goes on by itself for a while: pictures and sound are there, and neither an end nor a joint is near.
    private var isFarFromEverything: Bool {
        guard let run, run.manner == .play, machine.phase == .ready, media.rate == .one, run.video != nil, !run.isVideoDone,
            run.waiting == nil, soundChange == nil, suspended == nil
        else { return false }
        if run.audio != nil {
            // While the clock is being brought to the sound, it is looked after often.
            guard !audio.isAtEnd, audio.queuedDuration >= Self.plentyOfSound, let soundDeviation, soundDeviation <= Self.inStep
            else { return false }
        }
        let ends = [activeItem?.endTime, boundary, audio.limit].compactMap { $0 }
        guard let end = ends.min() else { return true }
        return end - media.time(at: clock.now) > (succession == nil ? Self.nearEnd : Self.nearSuccession)
    }
}
