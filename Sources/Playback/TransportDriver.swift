import LinuxSupport
import MediaModel
import MediaTime

/// What a transport needs to know about the current item, and what it reports to.
@MainActor
protocol TransportHost: AnyObject {
    /// Whether the item has audio.
    var hasSound: Bool { get }
    /// Where the clock stops at a rate.
    func clockLimit(at rate: Ratio) -> MediaTime?
    /// How long playback needs no attention; nil if something may happen at any moment.
    func calm(deviation: MediaTime?) -> Duration?
    /// Time has passed.
    func pump()
    /// The clock has changed.
    func clockChanged()
    func stateChanged(_ state: PlayerState)
    /// The item has played to its end.
    func itemEnded()
}

/// Starts, stops and ends playback: carries out the effects of the `TransportMachine` on the timebase, and keeps the reported state. Main loop.
@MainActor
final class TransportDriver {
    let timebase: Timebase
    /// The state of the player.
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

    /// Sets the item's source of information. Once, before anything else.
    func begin(with host: any TransportHost) {
        self.host = host
        timebase.onChange = { [weak host] in host?.clockChanged() }
    }

    var phase: TransportMachine.Phase { machine.phase }

    /// The requested rate.
    var rate: Ratio { machine.rate }

    /// Whether the clock runs.
    var isRunning: Bool { machine.isRunning }

    /// The rate at which audio is played at the wanted rate.
    var soundRate: Ratio { SoundOutput.rate(at: rate) }

    /// The position of the pictures when sound of an asset time is heard.
    func position(hearing time: MediaTime) -> MediaTime { pipeline.sound.pictureTime(ofSound: time, at: rate) }

    /// Whether the wanted rate is kept after the end of the item.
    var keepsRateAtEnd: Bool {
        get { machine.keepsRateAtEnd }
        set { machine.keepsRateAtEnd = newValue }
    }

    /// Handles an event in the machine and carries out its effects. The state is reported after them, and the end last.
    func handle(_ event: TransportMachine.Event) {
        let effects = machine.handle(event)
        for effect in effects {
            switch effect {
            case .startClock: startClock()
            // A reading that has ended has already stopped it at its last position.
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

    /// What had run out is available again.
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

    /// Stops the clock at its position, and the audio.
    func stopClock() {
        pipeline.sound.pause()
        timebase.hold(at: timebase.now)
        ticker.stop()
        pipeline.observers.stop(at: timebase.media.anchorTime)
    }

    /// Stops the clock, but neither audio nor observers: a reading ends, or another begins.
    func halt() {
        ticker.stop()
        timebase.hold(at: timebase.now)
    }

    /// Time continues at another rate, with the sound.
    private func changeClock() {
        let position = timebase.now
        pipeline.observers.advance(to: position)
        pipeline.audio.change(rate: soundRate, at: pipeline.sound.soundTime(ofPicture: position, at: soundRate))
        pipeline.audio.feed()
        ticker.soundDeviation = nil
        timebase.start(at: rate, limit: host?.clockLimit(at: rate), hasSound: host?.hasSound ?? false)
        pipeline.observers.start(at: position)
    }

    /// Synchronises the clock to the audio, and the audio to the sender of a live stream.
    ///
    /// - Parameters:
    ///   - received: up to where that has come; nil for media that waits for the player.
    ///   - generation: of the reading.
    func followSound(received: MediaTime?, of generation: Int) {
        pipeline.keepLead(received.map { $0 - timebase.now }, of: generation, at: rate)
        guard let deviation = timebase.followSound(limit: host?.clockLimit(at: rate)) else { return }
        ticker.soundDeviation = deviation
    }

    // MARK: The state

    /// An unopened item was inserted, or none.
    func open(_ status: PlayerItem.Status?) {
        state = PlayerState(itemStatus: status, rate: status == nil ? .zero : rate)
        handle(status == nil ? .closed : .opened)
    }

    /// An item has taken over from the previous one.
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

    /// The seekable range has changed.
    func seekableRangeChanged() { state.seekableRevision &+= 1 }

    /// Reading begins at another position.
    func leaveEnd() { state.isAtEnd = false }
}
