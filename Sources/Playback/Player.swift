import LinuxSupport
import MediaModel
import MediaTime

/// Plays one item at a time, and those that follow it in a queue. The counterpart of `AVPlayer` and `AVQueuePlayer`.
///
/// **Threads.** The player lives on the main loop, like everything that decides. Behind it a source fills a `SampleBuffer` from threads of its own, one
/// thread a track decodes into bounded queues, the display's thread takes frames through `PresentationScheduler`, and the sink takes
/// sound. They talk to the player through bells only, and it never waits for them.
///
/// **Time.** Sound leads: the media clock is a straight line that is held to what the sink says is heard. Without sound it runs free. Seeks are in asset time.
@MainActor
package final class Player {
    /// What happened, told on the main loop as it happens.
    package var onEvent: (@MainActor (PlayerEvent) -> Void)?
    /// Picks the frames; takes the interface's layers as well.
    package let scheduler: PresentationScheduler
    /// What is played.
    package var currentItem: PlayerItem? { presentation?.item }
    /// What has the screen and the sound: the current item, or an interstitial of it.
    var session: ItemSession?
    /// What was left for an interstitial.
    var suspended: SuspendedSession?
    /// Called on the main loop when interstitials become known, begin, go on and end.
    package var onInterstitialChange: (@MainActor (InterstitialChange) -> Void)?
    /// Called on the main loop when a stream tells something of itself, and when other metadata holds than before.
    package var onMetadata: (@MainActor (MetadataChange) -> Void)?
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
    let sound: SoundOutput
    var audio: AudioRenderer { sound.renderer }
    let pictures: PictureDecoding
    let observers = TimeObservers()
    var bell: Doorbell!
    /// Start-up, stalls, recovery, the end; and the rate that is wanted.
    var machine = TransportMachine()
    var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero) { didSet { captionsFollow() } }
    private(set) lazy var ticker = PlaybackTicker(clock: clock, scheduler: scheduler, policy: services.wakes) { [weak self] in
        self?.calm(deviation: $0)
    } onTick: { [weak self] in
        self?.pump()
    }
    /// Looks again whether there is enough to begin with.
    var startTimer: ScheduledEvent?
    var rebuilds = RebuildPolicy()
    /// What follows the current item.
    var queue = ItemQueue()
    /// What comes when the current item is over, as far as it is prepared.
    var succession: Succession?
    /// What is done at the end of an item; AVFoundation's `actionAtItemEnd`.
    package var actionAtItemEnd: ActionAtItemEnd {
        didSet { actionAtItemEndChanged() }
    }
    private(set) lazy var watch = DecoderWatch(clock: clock) { [weak self] in self?.lookForHangs() ?? false }
    let refresh: RefreshMatcher
    /// How the sound is shaped.
    package var soundShaping: SoundShaping { sound.shaping }
    /// How loud the sound is before it is shaped: integrated loudness by EBU R 128 in LUFS; nil until it has been measured, which is done while loud sounds are reduced.
    package var measuredLoudness: Double? { sound.measuredLoudness }
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

        init() {}

        init(of run: Run) {
            loadedUntil = run.buffer?.bufferedUntil(except: run.description?.track)
            isAllThere = run.buffer?.isAllThere ?? true
            pictures = run.video?.peek()
            hasPicture = run.video.map { $0.count > 0 || $0.isExhausted } ?? (run.waiting == nil)
        }
    }

    /// How much sound is queued before play begins or goes on.
    static let audioPreroll = MediaTime.milliseconds(200)
    /// How much earlier than the target of an exact seek the frame may begin that holds it: ten frames a second are the slowest that are reckoned with.
    static let longestFrame = MediaTime.milliseconds(100)

    /// Makes a player on the given engines and starts the display.
    ///
    /// - Throws: what the display throws when it cannot begin.
    package init(services: PlaybackServices, actionAtItemEnd: ActionAtItemEnd = .pause) throws(MediaError) {
        self.services = services
        self.actionAtItemEnd = actionAtItemEnd
        clock = services.clock
        scheduler = PresentationScheduler(display: services.display)
        sound = SoundOutput(services)
        refresh = RefreshMatcher(services)
        captions = CaptionPresenter(clock: services.clock)
        captionLoader = CaptionLoader(clock: services.clock, loader: services.loader, presenter: captions)
        pictures = PictureDecoding(services) { [captionLoader] in captionLoader.tapping($0) }
        bell = services.clock.makeDoorbell(rank: .media) { [weak self] in self?.pump() }
        scheduler.setBell(services.clock.makeDoorbell(rank: .display) { [weak self] in self?.takeSchedulerEvents() })
        audio.onRun = { [weak self] in self?.tell(.audioRun($0)) }
        try services.display.start(scheduler)
    }

    // MARK: Items

    /// Plays another item, or none. The picture of the old one stays until the interface hides it or the new one's first frame is there.
    package func replaceCurrentItem(with item: PlayerItem?) {
        endInterstitials()
        endSession(for: item)
        endSuccession(for: item)
        session = item.map { ItemSession($0) }
        session?.settleBoundary(withInterstitials: true)
        leaveQueue(item)
        tell(.currentItem(item))
        // A listener may have put in another one.
        guard activeItem === item else { return }
        state = PlayerState(itemStatus: item.map { _ in .unknown }, rate: item == nil ? .zero : machine.rate)
        handle(item == nil ? .closed : .opened)
        guard let item else { return }
        beginLog(of: item)
        item.asset.load { [weak self, weak item] result in
            guard let self, let item, self.activeItem === item else { return }
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let description): self.begin(item, description)
            }
        }
    }

    /// The session of the current item, be it suspended.
    var presentation: ItemSession? { suspended?.session ?? session }

    var activeItem: PlayerItem? { session?.item }

    var source: (any MediaSource)? { session?.source }

    /// What is being read; nil while nothing is.
    var run: Run? {
        get { session?.run }
        set { session?.run = newValue }
    }

    /// Ends the session of what plays, and with it everything that belongs to its item.
    ///
    /// - Parameter next: what plays next: an asset that is put in anew stays open.
    func endSession(for next: PlayerItem? = nil) {
        endRun()
        completePendingSeek(finished: false)
        captionLoader.end()
        pictures.cache.removeAll()
        rebuilds.begin()
        session?.end()
        // First, so that what closing the asset tells is no longer about the current item.
        let ended = session
        session = nil
        if let ended, ended.item !== next { ended.item.asset.close() }
    }

    func begin(_ item: PlayerItem, _ description: SourceDescription) {
        guard let source = item.asset.takeSource() else {
            return fail(MediaError(.internal, "\(item.asset.url) is already being played; create a new asset to play it twice."))
        }
        session?.open(source)
        listen(to: source)
        followInterstitials(of: source)
        if suspended == nil { followLive(source, item) }
        item.description = description
        followMetadata(of: source, item)
        prepareTracks(of: item)
        if suspended == nil { refresh.match(item) }
        item.findsOutStretching = { [weak sound] in sound?.canStretch ?? false }
        item.status = .readyToPlay
        state.itemStatus = .readyToPlay
        beginSelection(item, source)
        let start = session?.pendingSeek?.target ?? item.startTime ?? item.configuredStart ?? description.preferredStart
        let seek = session?.pendingSeek
        session?.pendingSeek = nil
        startRun(
            PendingSeek(
                target: start, earliest: start, isExact: true, completion: seek?.completion,
                boundary: seek.map(\.boundary) ?? session?.clientBoundary))
        suspended?.hasBegun = true
        if suspended == nil { session?.interstitials?.joined(at: start, owed: item.owedInterstitial) }
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
        guard let session else { completion?(false); return }
        let item = session.item
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
        let isFirst = session.pendingSeek == nil
        session.pendingSeek = PendingSeek(
            target: target, earliest: earliest, isExact: before == .zero && after == .zero,
            isPreview: before == nil && after == nil,
            isAnswered: isAnswered, completion: completion, boundary: session.clientBoundary)
        guard session.source != nil, isFirst else { return }
        // A burst of seeks in one turn of the loop reads and decodes once.
        clock.schedule(at: clock.now, rank: .media) { [weak self] in
            guard let self, let session = self.session, let seek = session.pendingSeek, session.source != nil else { return }
            session.pendingSeek = nil
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
        if let pendingSeek = session?.pendingSeek { return pendingSeek.target }
        if let run, machine.phase == .prerolling { return run.landing ?? run.target }
        return media.time(at: clock.now)
    }

    /// Holds play before this asset time: no frame and no sound of it or after it is given out until the boundary is lifted (nil)
    /// or another is set. It outlives seeks; set after a seek it belongs to the place that the seek leads to.
    package func setForwardBoundary(_ time: MediaTime?) {
        guard let session else { return }
        if time != session.clientBoundary { endArrangement() }
        if session.pendingSeek != nil { session.pendingSeek?.boundary = time; return }
        guard time != session.clientBoundary else { return }
        session.clientBoundary = time
        setBoundaryState()
        applyBoundary()
    }

    /// Up to where bytes have been read, from the place where reading began.
    package var loadedTimeRanges: [TimeRange] {
        guard let run, let end = loadedUntil, end > run.target else { return [] }
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

    /// Gives the screen back the rate that it had before the first film: when nothing plays any more.
    package func endRefreshMatching() { refresh.end() }

    /// Ends everything: threads are joined. The player is not used again.
    package func close() {
        replaceCurrentItem(with: nil)
        watch.stop()
        endSuccession(for: nil)
        pictures.decoder.stop()
        captionLoader.stop()
        services.display.stop()
        sound.close()
    }
}
