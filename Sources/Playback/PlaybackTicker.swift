import LinuxSupport
import MediaModel
import MediaTime

/// Calls the player at intervals: each tick feeds the sink, adjusts the clock to the sound, calls observers, and checks for the end. Main loop.
@MainActor
final class PlaybackTicker {
    /// The interval when something may happen at any moment.
    static let tickLength = Duration.milliseconds(50)

    private let clock: any HostClock
    private let scheduler: PresentationScheduler
    private let policy: WakePolicy
    private let onTick: @MainActor () -> Void
    /// For how long nothing needs attention; called before each tick.
    private let calm: @MainActor (_ deviation: MediaTime?) -> Duration?
    private var tick: ScheduledEvent?
    /// When the next tick is due if it may be merged with an earlier frame.
    private var restfulTick: HostTime?
    /// The clock's deviation from the sound when it was last adjusted; nil if not since the start.
    var soundDeviation: MediaTime?

    /// - Parameters:
    ///   - calm: for how long playback needs no attention, given the clock's deviation from the sound; nil if something may happen at any moment.
    ///   - onTick: called at each tick.
    init(
        clock: any HostClock, scheduler: PresentationScheduler, policy: WakePolicy,
        calm: @escaping @MainActor (_ deviation: MediaTime?) -> Duration?, onTick: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.scheduler = scheduler
        self.policy = policy
        self.calm = calm
        self.onTick = onTick
    }

    /// Whether a tick is scheduled.
    var isRunning: Bool { tick != nil }

    /// Whether the next tick is a rare one.
    var isRestful: Bool { restfulTick != nil }

    func start() {
        tick?.cancel()
        let length = nextLength
        // At a blank, at which the loop wakes in any case.
        let next = scheduler.verticalBlank(atOrAfter: clock.now + length - .milliseconds(2))
        tick = clock.schedule(at: next, rank: .sound) { [weak self] in
            guard let self, self.tick != nil else { return }
            self.start()
            self.onTick()
        }
        restfulTick = length > Self.tickLength ? next : nil
    }

    func stop() {
        tick?.cancel()
        tick = nil
        restfulTick = nil
        soundDeviation = nil
    }

    /// A frame has woken the loop: a rare tick that is due before the next frame runs now.
    func come(with record: FrameRecord) {
        guard tick != nil, let due = restfulTick, due - clock.now <= .nanoseconds(record.duration.nanoseconds) else { return }
        start()
        onTick()
    }

    private var nextLength: Duration {
        guard let longest = policy.longestTick, let calm = calm(soundDeviation) else { return Self.tickLength }
        return min(max(calm, Self.tickLength), longest)
    }
}
