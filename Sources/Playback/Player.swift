import LinuxSupport
import MediaModel
import MediaTime

/// Plays one item at a time. The counterpart of `AVPlayer`.
///
/// **Threads.** The player lives on the main loop, like everything that decides. Behind it a source fills a `SampleBuffer` from threads of its own, one
/// thread a track decodes into bounded queues, the display's thread takes frames through `PresentationScheduler`, and the sink takes
/// sound. They talk to the player through bells only, and it never waits for them.
///
/// **Time.** Sound leads: the media clock is a straight line that is held to what the sink says is heard. Without sound it runs free. Seeks are in asset time.
@MainActor
package class Player {
    /// What happened, told on the main loop as it happens.
    package var onEvent: (@MainActor (PlayerEvent) -> Void)?
    /// Picks the frames; takes the interface's layers as well.
    package let scheduler: PresentationScheduler
    /// What is played.
    package var currentItem: PlayerItem? { suspended?.item ?? activeItem }
    /// What has the screen and the sound: the current item, or an interstitial of it.
    var activeItem: PlayerItem?
    /// What was left for an interstitial.
    var suspended: SuspendedItem?
    var interstitials: InterstitialPlayback?
    /// Called on the main loop when interstitials become known, begin, go on and end.
    package var onInterstitialChange: (@MainActor (InterstitialChange) -> Void)?
    /// Where a viewer began who looks at passing pictures: only where they stop is it asked what lies between.
    var previewOrigin: MediaTime?
    /// Called on the main loop when a stream tells something of itself, and when other metadata holds than before.
    package var onMetadata: (@MainActor (MetadataChange) -> Void)?
    var metadataObserver: AnyObject?
    var live: LiveFollowing?
    /// How it stands.
    package internal(set) var state = PlayerState() {
        didSet { if state != oldValue { tell(.state(state)) } }
    }

    /// Which captions are on the screen.
    package let captions: CaptionPresenter
    let captionLoader: CaptionLoader
    /// The engines it works with.
    package let services: PlaybackServices
    let clock: any HostClock
    let audio: AudioRenderer
    var videoDecoder: TrackDecoder<VideoFrame>
    var audioDecoder: TrackDecoder<AudioBuffer>
    /// The change of sound that is under way, and the decoder that it needs.
    var soundChange: SoundChange?
    var spareAudioDecoder: TrackDecoder<AudioBuffer>?
    /// What describes the programme from some moment on, and a decoder that is free for it.
    var descriptionChange: DescriptionReading?
    var descriptionDecoder: TrackDecoder<AudioBuffer>?
    /// What the decoders of sound make.
    var soundFormat: AudioFormat
    /// How the sound leaves without being decoded; nil: as samples.
    var passing: SoundPassage?
    let observers = TimeObservers()
    var bell: Doorbell!
    var source: (any MediaSource)?
    var run: Run?
    /// Start-up, stalls, recovery, the end; and the rate that is wanted.
    var machine = TransportMachine()
    var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero) { didSet { captionsFollow() } }
    var tick: ScheduledEvent?
    /// When the next tick is due, where it may come earlier with a frame.
    var restfulTick: HostTime?
    /// How far the clock was from the sound when it was last held to it; nil: not since it was started.
    var soundDeviation: MediaTime?
    /// Whether ticks are rare where nothing can happen. In simulated time waking costs nothing, and each line of a dump stays where it was.
    lazy var ticksRarely = !clock.isSimulated
    var clientBoundary: MediaTime?
    var boundary: MediaTime?
    var boundaryTimer: ScheduledEvent?
    var pendingSeek: PendingSeek?
    var logKeeping: LogKeeping?
    var sessionCount = 0
    /// Frames of a moment ago.
    var cache: FrameCache
    let cacheLimit: Int
    /// How many bytes one pass backward keeps; nil: as many as there is room for.
    var passLimit: Int?
    /// Where the viewer last went: going there again is looking around.
    var lastTarget: MediaTime?
    var deferredReading: ScheduledEvent?
    /// Looks again whether there is enough to begin with.
    var startTimer: ScheduledEvent?
    var rebuilds = RebuildPolicy()
    /// What comes when the current item is over, as far as it is prepared.
    var succession: Succession?
    /// What is done at the end of an item; AVFoundation's `actionAtItemEnd`.
    package var actionAtItemEnd = ActionAtItemEnd.pause {
        didSet { actionAtItemEndChanged() }
    }
    var watch: ScheduledEvent?
    var refresh = RefreshFollowing()
    lazy var canStretchSound = services.codecs.canStretchTime(services.sink.format)
    var loudness = Loudness()
    /// How the sound is shaped.
    package internal(set) var soundShaping = SoundShaping()
    /// Whether pictures are wanted: without, they are not even decoded, and the sound goes on.
    package var presentsVideo = true {
        didSet { if presentsVideo != oldValue { presentsVideoChanged() } }
    }
    /// Told when decoders hang again and again: what they hold is lost to this process, which should be restarted at its place. One sentence says why.
    package var onRestartNeeded: (@MainActor (String) -> Void)?

    /// What other threads have done, as it was when the event that is being handled began.
    struct Sensed {
        var loadedUntil: MediaTime?
        /// Whether the source has nothing more, or waits for the decoders itself.
        var isAllThere = false
        var hasPicture = false
        var pictures: Decoded<VideoFrame>?
    }
    var sensed = Sensed()

    /// How much sound is queued before play begins or goes on.
    static let audioPreroll = MediaTime.milliseconds(200)
    /// How much earlier than the target of an exact seek the frame may begin that holds it: ten frames a second are the slowest that are reckoned with.
    static let longestFrame = MediaTime.milliseconds(100)

    /// Makes a player on the given engines and starts the display.
    ///
    /// - Throws: what the display throws when it cannot begin.
    package init(services: PlaybackServices) throws(MediaError) {
        self.services = services
        clock = services.clock
        scheduler = PresentationScheduler(display: services.display)
        let (codecs, format, sink) = (services.codecs, services.sink.format, services.sink)
        soundFormat = format
        audio = AudioRenderer(sink: sink) { try? codecs.makeTimeStretcher(sink.format, rate: $0) }
        let cache = FrameCache()
        self.cache = cache
        let allocator = services.display.videoAllocator
        cacheLimit = FrameCache.mostBytes(in: allocator)
        captions = CaptionPresenter(clock: services.clock)
        captionLoader = CaptionLoader(clock: services.clock, loader: services.loader, presenter: captions)
        videoDecoder = TrackDecoder(
            kind: captionLoader.tapping(.video(codecs: codecs, allocator: allocator, cache: cache)), clock: services.clock)
        audioDecoder = TrackDecoder(kind: .audio(codecs: codecs, output: format), clock: services.clock)
        bell = services.clock.makeDoorbell(rank: .media) { [weak self] in self?.pump() }
        scheduler.setBell(services.clock.makeDoorbell(rank: .display) { [weak self] in self?.takeSchedulerEvents() })
        audio.onRun = { [weak self] in self?.tell(.audioRun($0)) }
        try services.display.start(scheduler)
    }

    // MARK: Items

    /// A queue goes on with its next item.
    func onEnd() {}
    /// A queue leaves out an item that cannot be played.
    func onSkip(_ item: PlayerItem) {}
    /// Another item has become the current one.
    func onCurrentItemChange() {}
    /// The current item failed, which everybody has heard, while this rate was wanted.
    func onFailure(_ item: PlayerItem, _ error: MediaError, rate: Ratio) {}

    /// Plays another item, or none. The picture of the old one stays until the interface hides it or the new one's first frame is there.
    package func replaceCurrentItem(with item: PlayerItem?) {
        endLive()
        endInterstitials()
        endRun()
        endSuccession(for: item)
        completePendingSeek(finished: false)
        pendingSeek = nil
        endSelection()
        source?.close()
        source = nil
        cache.removeAll()
        lastTarget = nil
        rebuilds.begin()
        let old = activeItem
        if let old { closeLog(of: old) }
        // First, so that what closing the old one tells is no longer about the current one.
        activeItem = item
        if let old, old !== item { old.asset.close() }
        clientBoundary = nil
        setBoundaryState()
        onCurrentItemChange()
        tell(.currentItem(item))
        // Whoever heard of it may have put in another one.
        guard activeItem === item else { return }
        state = PlayerState(itemStatus: item.map { _ in .unknown }, rate: item == nil ? .zero : machine.rate)
        handle(item == nil ? .closed : .opened)
        guard let item else { return }
        openLog(of: item)
        item.asset.load { [weak self, weak item] result in
            guard let self, let item, self.activeItem === item else { return }
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let description): self.begin(item, description)
            }
        }
    }

    func begin(_ item: PlayerItem, _ description: SourceDescription) {
        guard let source = item.asset.takeSource() else {
            return fail(MediaError(.internal, "\(item.asset.url) is already being played; create a new asset to play it twice."))
        }
        self.source = source
        listen(to: source)
        followInterstitials(of: source)
        if suspended == nil { followLive(source, item) }
        item.description = description
        followMetadata(of: source, item)
        prepareTracks(of: item)
        matchRefresh(to: item)
        item.findsOutStretching = { [weak self] in self?.canStretchSound ?? false }
        item.status = .readyToPlay
        state.itemStatus = .readyToPlay
        beginSelection(item, source)
        let start = pendingSeek?.target ?? item.startTime ?? item.configuredStart ?? description.preferredStart
        let seek = pendingSeek
        pendingSeek = nil
        startRun(
            PendingSeek(
                target: start, earliest: start, isExact: true, completion: seek?.completion,
                boundary: seek.map(\.boundary) ?? clientBoundary))
        suspended?.hasBegun = true
        if suspended == nil { interstitials?.joined(at: start, owed: item.owedInterstitial) }
    }

    // MARK: Transport

    /// Plays at rate 1. At the end of the item it does nothing: go back first.
    package func play() { setRate(.one) }

    /// Stops where it is.
    package func pause() { setRate(.zero) }

    /// Asks for a rate, as `playImmediately(atRate:)` does, and says only whether it can be played.
    @discardableResult
    package func setRate(_ rate: Ratio) -> Bool {
        do throws(PlaybackError) {
            try playImmediately(atRate: rate)
            return true
        } catch {
            return false
        }
    }

    /// Goes to a place in asset time.
    ///
    /// - Parameters:
    ///   - time: kept within what is seekable.
    ///   - before: how much earlier than `time` it may land; nil is unbounded, which is fastest.
    ///   - after: how much later it may land; nil is unbounded.
    ///   - completion: true once the picture of that place is on the screen, false once a later seek took its place.
    ///
    /// However wide the tolerance, a forward seek lands behind its origin and a backward one not after it.
    package func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        guard let item = activeItem else { completion?(false); return }
        switch interstitialVerdict(on: time, isPreview: before == nil && after == nil) {
        case .allowed: break
        case .refused: completion?(false); return
        case .taken: completion?(true); return
        }
        let isAnswered = isAnsweredByPicture(time, before, after)
        completePendingSeek(finished: false)
        var target = max(time, item.reversePlaybackEndTime ?? .zero)
        if let end = item.endTime { target = min(target, end) }
        target = item.withinWindow(target)
        let origin = currentTime
        // Landing late is needed by those only who look for something.
        var earliest = before.map { target - $0 } ?? .zero
        if target > origin, let shown = run?.shownUntil { earliest = max(earliest, min(shown, target)) }
        let isFirst = pendingSeek == nil
        pendingSeek = PendingSeek(
            target: target, earliest: earliest, isExact: before == .zero && after == .zero,
            isPreview: before == nil && after == nil,
            isAnswered: isAnswered, completion: completion, boundary: clientBoundary)
        guard source != nil, isFirst else { return }
        // A burst of seeks in one turn of the loop reads and decodes once.
        clock.schedule(at: clock.now, rank: .media) { [weak self] in
            guard let self, let seek = self.pendingSeek, self.source != nil else { return }
            self.pendingSeek = nil
            self.begin(seek)
        }
    }

    /// Goes to exactly the frame whose interval holds `time`, or with no tolerance given to the nearest quick place; awaited.
    ///
    /// - Returns: whether that place was reached, and not overtaken by a later seek.
    package func seek(to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: before, toleranceAfter: after) { continuation.resume(returning: $0) }
        }
    }

    /// Where playback is, in asset time. While an interstitial is on it is where the presentation was left.
    package var currentTime: MediaTime {
        if let suspended { return suspended.place }
        if let pendingSeek { return pendingSeek.target }
        if let run, machine.phase == .prerolling { return run.landing ?? run.target }
        return media.time(at: clock.now)
    }

    /// Holds play before this asset time: no frame and no sound of it or after it is given out until the boundary is lifted (nil)
    /// or another is set. It outlives seeks; set after a seek it belongs to the place that the seek leads to.
    package func setForwardBoundary(_ time: MediaTime?) {
        if time != clientBoundary { endArrangement() }
        if pendingSeek != nil { pendingSeek?.boundary = time; return }
        guard time != clientBoundary else { return }
        clientBoundary = time
        setBoundaryState()
        applyBoundary()
    }

    /// Up to where bytes have been read, from the place where reading began.
    package var loadedTimeRanges: [TimeRange] {
        guard let run, let end = sensed.loadedUntil, end > run.target else { return [] }
        return [TimeRange(start: min(run.target, currentTime), end: end)]
    }

    /// Calls `handler` each time playback has moved by `interval`, and when it starts, stops or jumps.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    package func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        observers.addPeriodic(interval: interval, handler)
    }

    /// Calls `handler` when play passes one of the times, not when a seek jumps over it.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    package func addBoundaryTimeObserver(forTimes times: [MediaTime], handler: @escaping @MainActor () -> Void) -> AnyObject {
        observers.addBoundary(times: times, handler)
    }

    /// Ends everything: threads are joined. The player is not used again.
    package func close() {
        replaceCurrentItem(with: nil)
        watch?.cancel()
        loudness.timer?.cancel()
        endSuccession(for: nil)
        videoDecoder.stop()
        audioDecoder.stop()
        spareAudioDecoder?.stop()
        descriptionDecoder?.stop()
        captionLoader.stop()
        services.display.stop()
        services.sink.close()
    }
}
