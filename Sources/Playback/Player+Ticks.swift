import LinuxSupport
import MediaModel
import MediaTime

/// Whether play goes on by itself for a while.
extension Player {
    /// This much sound is in the sink where ticks are rare.
    private static let plentyOfSound = MediaTime.milliseconds(250)
    /// The clock may be this far from the sound.
    private static let inStep = MediaTime.milliseconds(4)
    /// Ticks are no longer rare this near to the end, or to where play is held.
    private static let nearEnd = MediaTime.seconds(2)
    /// The same where another item is to follow without a gap.
    private static let nearSuccession = MediaTime.seconds(6)

    /// For how long nothing can happen: pictures and sound are there, and neither an end nor a joint is near. Nil: something may at any moment.
    func calm(deviation: MediaTime?) -> Duration? {
        guard let run, run.manner == .play, machine.phase == .ready, media.rate == .one, run.video != nil, !run.isVideoDone,
            run.waiting == nil, session?.soundChange == nil, suspended == nil
        else { return nil }
        if run.audio != nil {
            // While the clock is being brought to the sound, it is looked after often.
            guard !audio.isAtEnd, audio.queuedDuration >= Self.plentyOfSound, let deviation, deviation <= Self.inStep else {
                return nil
            }
        }
        let now = media.time(at: clock.now)
        if let end = [activeItem?.endTime, boundary, audio.limit].compactMap({ $0 }).min() {
            guard end - now > (succession == nil ? Self.nearEnd : Self.nearSuccession) else { return nil }
        }
        return observers.nextDue(after: now).map { .nanoseconds(($0 - now).nanoseconds) } ?? .seconds(1)
    }
}
