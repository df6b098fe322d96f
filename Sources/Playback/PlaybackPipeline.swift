import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// What a player plays with: decoders, audio renderer, frame scheduler, captions, time observers. It exists as long as the player; nothing in it
/// belongs to one item. Main loop.
@MainActor
final class PlaybackPipeline {
    /// The engines it works with.
    let services: PlaybackServices
    /// Selects the frames; also receives the interface's layers.
    let scheduler: PresentationScheduler
    let sound: SoundOutput
    let pictures: PictureDecoding
    /// The visible captions.
    let captions: CaptionPresenter
    let captionLoader: CaptionLoader
    let screen: ScreenMatcher
    let observers = TimeObservers()
    private var pace = ScreenPace()
    /// Nil while nothing is received from a sender.
    private var sourcePace: SourcePace?
    /// Rung when something was decoded.
    private(set) var bell: Doorbell!
    private var deviceChanges: Subscription?

    init(_ services: PlaybackServices, events: EventSource<PlayerEvent>) {
        self.services = services
        scheduler = PresentationScheduler(display: services.display)
        sound = SoundOutput(services)
        screen = ScreenMatcher(services)
        captions = CaptionPresenter(clock: services.clock) { events.send(.captions($0)) }
        captionLoader = CaptionLoader(clock: services.clock, loader: services.loader, presenter: captions)
        pictures = PictureDecoding(services) { [captionLoader] in captionLoader.tapping($0) }
    }

    var clock: any HostClock { services.clock }

    /// Enqueues decoded audio in the sink.
    var audio: AudioRenderer { sound.renderer }

    /// Starts the display.
    ///
    /// - Parameters:
    ///   - onDecoded: called after something was decoded.
    ///   - onPresented: called when the scheduler has events.
    ///   - onAudioRun: called with the asset time at which a run of audio begins.
    ///   - onDeviceFound: called when the sink has found a device, which plays what is enqueued after the next flush.
    /// - Throws: the error of a display that cannot be started.
    func start(
        onDecoded: @escaping @MainActor () -> Void, onPresented: @escaping @MainActor () -> Void,
        onAudioRun: @escaping @MainActor (MediaTime) -> Void, onDeviceFound: @escaping @MainActor () -> Void
    ) throws(MediaError) {
        bell = clock.makeDoorbell(rank: .media, onDecoded)
        scheduler.setBell(clock.makeDoorbell(rank: .display, onPresented))
        audio.onRun = onAudioRun
        deviceChanges = services.sink.deviceChanges.listen { if $0 == .found { onDeviceFound() } }
        try services.display.start(scheduler)
    }

    /// A picture was shown: the sound keeps step with the screen.
    ///
    /// - Parameter rate: that of playback; nil if there is no sound.
    func keepPace(with record: FrameRecord, at rate: Ratio?) {
        guard rate == .one, sound.passage == nil, let interval = scheduler.blankInterval else { return pace.interrupt() }
        pace.take(record, interval: interval)
        setSoundPace()
    }

    /// The sound keeps its distance from the sender of a live stream, whose clock leads before that of the screen.
    ///
    /// - Parameters:
    ///   - lead: what is received ahead of the sound; nil for media that waits for the player.
    ///   - generation: of the reading.
    func keepLead(_ lead: MediaTime?, of generation: Int, at rate: Ratio) {
        guard let lead, rate == .one, sound.passage == nil else {
            guard sourcePace != nil else { return }
            sourcePace = nil
            return setSoundPace()
        }
        var new = sourcePace?.generation == generation ? sourcePace! : SourcePace(generation: generation)
        new.take(lead, at: clock.now)
        sourcePace = new
        setSoundPace()
    }

    /// A sender's clock leads, otherwise that of the screen.
    private func setSoundPace() { audio.pace = sourcePace?.pace ?? pace.pace }

    /// The screen or its mode has changed.
    func displayChanged() {
        screen.displayChanged()
        pace = ScreenPace()
        setSoundPace()
    }

    /// Allows a source to read beyond its first picture, in a separate event: the current one is still checking how far reading has come.
    func readAhead(_ buffer: SampleBuffer) { clock.schedule(at: clock.now, rank: .media) { buffer.readAhead() } }

    /// Ends the threads, and closes display and sink.
    func close() {
        pictures.decoder.stop()
        captionLoader.stop()
        services.display.stop()
        sound.close()
    }
}
