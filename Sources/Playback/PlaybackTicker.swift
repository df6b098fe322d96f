import LinuxSupport
import MediaModel
import MediaTime

/// When play is looked after: each tick feeds the sink, holds the clock to the sound, tells observers, and looks for the end. Main loop.
@MainActor
final class PlaybackTicker {
    /// Between two ticks, where something may happen at any moment.
    static let tickLength = Duration.milliseconds(50)

    private let clock: any HostClock
    private let scheduler: PresentationScheduler
    private let policy: WakePolicy
    private let onTick: @MainActor () -> Void
    /// How long nothing needs to be done for: asked before each tick.
    private let calm: @MainActor (_ deviation: MediaTime?) -> Duration?
    private var tick: ScheduledEvent?
    /// When the next tick is due, where it may come earlier with a frame.
    private var restfulTick: HostTime?
    /// How far the clock was from the sound when it was last held to it; nil: not since it was started.
    var soundDeviation: MediaTime?

    /// - Parameters:
    ///   - calm: for how long play goes on by itself, by how far the clock is from the sound; nil: something may happen at any moment.
    ///   - onTick: what is done at a tick.
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

    /// Whether there will be a tick.
    var isRunning: Bool { tick != nil }

    /// Whether the next tick is a rare one.
    var isRestful: Bool { restfulTick != nil }

    func start() {
        tick?.cancel()
        let length = nextLength
        // At a blank, at which the loop is woken anyhow.
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

    /// A frame has woken the loop: a rare tick that is due before the next frame comes with this one.
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

/// How often a player that plays on by itself is woken. A value that whoever joins the engines chooses.
package struct WakePolicy: Sendable, Hashable {
    /// The longest time between two looks while nothing can happen; nil: looks are never rare.
    package var longestTick: Duration?

    /// What ships: every time the loop is woken costs more than what it then does.
    package static let standard = WakePolicy(longestTick: .milliseconds(200))
    /// Looks are equally far apart: each line of a dump then stays where it is, whatever else happens.
    package static let steady = WakePolicy(longestTick: nil)
}
