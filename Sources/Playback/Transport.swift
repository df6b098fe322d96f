import LinuxSupport
import MediaModel
import MediaTime

/// What a transport needs to know of what is played, and what it reports to.
@MainActor
protocol TransportHost: AnyObject {
    /// Whether what is played has sound.
    var hasSound: Bool { get }
    /// Where the clock stops at a rate.
    func clockLimit(at rate: Ratio) -> MediaTime?
    /// For how long play goes on without being looked after; nil: something may happen at any moment.
    func calm(deviation: MediaTime?) -> Duration?
    /// Time has passed.
    func pump()
    /// The clock has changed.
    func clockChanged()
    func stateChanged(_ state: PlayerState)
    /// The item has been played to its end.
    func itemEnded()
}

/// Starts, stops and ends play: carries out the effects of the `TransportMachine` on the timebase, and keeps the state that is reported. Main loop.
@MainActor
final class Transport {
    let timebase: Timebase
    /// How the player stands.
    private(set) var state = PlayerState() { didSet { if state != oldValue { host?.stateChanged(state) } } }
    private(set) lazy var ticker = PlaybackTicker(
        clock: pipeline.clock, scheduler: pipeline.scheduler, policy: pipeline.services.wakes
    ) { [weak self] in
        self?.host?.calm(deviation: $0)
    } onTick: { [weak self] in
        self?.host?.pump()
    }
    private var machine = TransportMachine()
    private let pipeline: PlaybackPipeline
    private weak var host: (any TransportHost)?

    init(_ pipeline: PlaybackPipeline) {
        self.pipeline = pipeline
        timebase = Timebase(pipeline)
    }

    /// Says what is played. Once, before anything else.
    func begin(with host: any TransportHost) {
        self.host = host
        timebase.onChange = { [weak host] in host?.clockChanged() }
    }

    var phase: TransportMachine.Phase { machine.phase }

    /// The rate that is wanted.
    var rate: Ratio { machine.rate }

    /// Whether the clock runs.
    var isRunning: Bool { machine.isRunning }

    /// The rate at which sound is heard while the wanted rate is played.
    var soundRate: Ratio { SoundOutput.rate(at: rate) }

    /// Whether the wanted rate outlives the end of the item.
    var keepsRateAtEnd: Bool {
        get { machine.keepsRateAtEnd }
        set { machine.keepsRateAtEnd = newValue }
    }

    /// Takes an event into the machine and carries out its effects. The state is reported after them, and the end last.
    func handle(_ event: TransportMachine.Event) {
        let effects = machine.handle(event)
        for effect in effects {
            switch effect {
            case .startClock: startClock()
            // A reading that has ended has stopped it already, at the place that it had come to.
            case .stopClock: if timebase.rate != .zero { stopClock() }
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
        if effects.contains(.tellEnd) { host?.itemEnded() }
    }

    /// What ran out is there again.
    func recover() {
        ticker.stop()
        handle(.recovered)
    }

    // MARK: The clock

    private func startClock() {
        ticker.stop()
        let position = timebase.start(at: rate, limit: host?.clockLimit(at: rate), hasSound: host?.hasSound ?? false)
        ticker.start()
        pipeline.observers.start(at: position)
    }

    /// Stops the clock where it is, and the sound with it.
    func stopClock() {
        pipeline.sound.pause()
        timebase.hold(at: timebase.now)
        ticker.stop()
        pipeline.observers.stop(at: timebase.media.anchorTime)
    }

    /// Stops the clock, but for the sound and the observers: a reading ends, or another begins.
    func halt() {
        ticker.stop()
        timebase.hold(at: timebase.now)
    }

    /// Time goes on at another rate, and the sound with it.
    private func changeClock() {
        let position = timebase.now
        pipeline.observers.advance(to: position)
        pipeline.audio.change(rate: soundRate, at: pipeline.sound.soundTime(ofPicture: position, at: soundRate))
        pipeline.audio.feed()
        ticker.soundDeviation = nil
        timebase.start(at: rate, limit: host?.clockLimit(at: rate), hasSound: host?.hasSound ?? false)
        pipeline.observers.start(at: position)
    }

    /// Holds the clock to what is heard.
    func followSound() {
        guard let deviation = timebase.followSound(limit: host?.clockLimit(at: rate)) else { return }
        ticker.soundDeviation = deviation
    }

    // MARK: The state

    /// An item is put in that has not been opened, or none.
    func open(_ status: PlayerItem.Status?) {
        state = PlayerState(itemStatus: status, rate: status == nil ? .zero : rate)
        handle(status == nil ? .closed : .opened)
    }

    /// An item has taken over from the one before.
    func takeOver(isReadyForDisplay: Bool) {
        state = PlayerState(
            itemStatus: .readyToPlay, timeControlStatus: machine.status, rate: rate, isReadyForDisplay: isReadyForDisplay)
    }

    func itemBecameReady() { state.itemStatus = .readyToPlay }

    /// The item cannot be played any more; `handle(.failed)` follows.
    func itemFailed(_ error: MediaError) {
        var next = state
        next.itemStatus = .failed(error)
        next.rate = .zero
        next.timeControlStatus = .paused
        state = next
    }

    /// A picture of the item is on the screen.
    func pictureWasShown() { if !state.isReadyForDisplay { state.isReadyForDisplay = true } }

    /// What can be sought has changed.
    func seekableRangeChanged() { state.seekableRevision &+= 1 }

    /// Reading begins at another place.
    func leaveEnd() { state.isAtEnd = false }
}
