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
public final class Player {
    /// What happened, told on the main loop as it happens.
    public var onEvent: (@MainActor (PlayerEvent) -> Void)?
    /// Picks the frames; takes the interface's layers as well.
    public let scheduler: PresentationScheduler
    /// What is played.
    public private(set) var currentItem: PlayerItem?
    /// How it stands.
    public private(set) var state = PlayerState() {
        didSet { if state != oldValue { onEvent?(.state(state)) } }
    }

    /// The engines it works with.
    public let services: PlaybackServices
    private let clock: any HostClock
    private let audio: AudioRenderer
    private let videoDecoder: VideoTrackDecoder
    private let audioDecoder: AudioTrackDecoder
    private let observers = TimeObservers()
    private var bell: Doorbell!
    private var source: (any MediaSource)?
    private var run: Run?
    private var media = MediaClock(anchorHost: .zero, anchorTime: .zero, rate: .zero)
    private var tick: ScheduledEvent?
    private var clientBoundary: MediaTime?
    private var boundary: MediaTime?
    private var boundaryTimer: ScheduledEvent?
    private var pendingSeek: PendingSeek?

    /// One run of reading from a place: made by each seek.
    private struct Run {
        var buffer: SampleBuffer
        var video: BoundedQueue<Decoded<VideoFrame>>?
        var audio: BoundedQueue<Decoded<AudioBuffer>>?
        var generation: Int
        var target: MediaTime
        /// Where play really begins: the time of the first picture or sound.
        var landing: MediaTime?
        var phase = Phase.prerolling
        var isVideoDone: Bool
        var completion: (@MainActor (Bool) -> Void)?
        /// The end of the last frame that was shown.
        var shownUntil: MediaTime?
    }
    private enum Phase { case prerolling, ready, stalled, ended }
    private struct PendingSeek {
        var target: MediaTime
        var earliest: MediaTime
        var completion: (@MainActor (Bool) -> Void)?
        /// The boundary in force from the seek on.
        var boundary: MediaTime?
    }

    /// What other threads have done, as it was when the event that is being handled began.
    private struct Sensed {
        var loadedUntil: MediaTime?
        var hasPicture = false
        var pictures: Decoded<VideoFrame>?
    }
    private var sensed = Sensed()

    /// How much sound is queued before play begins or goes on.
    private static let audioPreroll = MediaTime.milliseconds(200)
    private static let tickLength = Duration.milliseconds(50)

    /// Makes a player on the given engines and starts the display.
    ///
    /// - Throws: what the display throws when it cannot begin.
    public init(services: PlaybackServices) throws(MediaError) {
        self.services = services
        clock = services.clock
        scheduler = PresentationScheduler(display: services.display)
        audio = AudioRenderer(sink: services.sink)
        videoDecoder = VideoTrackDecoder(codecs: services.codecs, allocator: services.display.videoAllocator, clock: services.clock)
        audioDecoder = AudioTrackDecoder(codecs: services.codecs, output: services.sink.format, clock: services.clock)
        bell = services.clock.makeDoorbell(rank: .media) { [weak self] in self?.pump() }
        scheduler.setBell(services.clock.makeDoorbell(rank: .display) { [weak self] in self?.takeSchedulerEvents() })
        audio.onRun = { [weak self] in self?.onEvent?(.audioRun($0)) }
        try services.display.start(scheduler)
    }

    // MARK: Items

    /// Plays another item, or none. The picture of the old one stays until `scheduler.clearVideo()` or the new one's first frame.
    public func replaceCurrentItem(with item: PlayerItem?) {
        endRun()
        completePendingSeek(finished: false)
        pendingSeek = nil
        source?.close()
        source = nil
        if let old = currentItem, old !== item { old.asset.close() }
        currentItem = item
        clientBoundary = nil
        setBoundaryState()
        state = PlayerState(itemStatus: item.map { _ in .unknown }, rate: item == nil ? .zero : state.rate)
        guard let item else { return updateTimeControl() }
        updateTimeControl()
        item.asset.load { [weak self, weak item] result in
            guard let self, let item, self.currentItem === item else { return }
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let description): self.begin(item, description)
            }
        }
    }

    private func begin(_ item: PlayerItem, _ description: SourceDescription) {
        guard let source = item.asset.takeSource() else {
            return fail(MediaError(.internal, "\(item.asset.url) is being played already; make a new asset to play it twice."))
        }
        self.source = source
        item.description = description
        item.status = .readyToPlay
        state.itemStatus = .readyToPlay
        let start = pendingSeek?.target ?? item.startTime ?? description.preferredStart
        let seek = pendingSeek
        pendingSeek = nil
        startRun(PendingSeek(target: start, earliest: start, completion: seek?.completion, boundary: seek?.boundary))
    }

    // MARK: Transport

    /// Plays at rate 1. At the end of the item it does nothing: go back first.
    public func play() { setRate(.one) }

    /// Stops where it is.
    public func pause() { setRate(.zero) }

    /// Asks for a rate: zero or one; others are refused.
    ///
    /// - Returns: false when the rate is not one that can be played.
    @discardableResult
    public func setRate(_ rate: Ratio) -> Bool {
        guard rate == .zero || rate == .one else { return false }
        guard rate != state.rate else { return true }
        if run?.phase == .ended, rate != .zero { return true }
        if run?.phase == .ready { if rate == .zero { stopClock() } else { startClock() } }
        updateTimeControl(rate: rate)
        return true
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
    public func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)? = nil
    ) {
        guard let item = currentItem else { completion?(false); return }
        completePendingSeek(finished: false)
        var target = max(time, item.reversePlaybackEndTime ?? .zero)
        if let end = item.endTime { target = min(target, end) }
        let origin = currentTime
        // Landing late is never needed: decoding starts at a sync sample before the target.
        var earliest = before.map { target - $0 } ?? .zero
        if target > origin, let shown = run?.shownUntil { earliest = max(earliest, min(shown, target)) }
        let isFirst = pendingSeek == nil
        pendingSeek = PendingSeek(target: target, earliest: earliest, completion: completion, boundary: clientBoundary)
        guard source != nil, isFirst else { return }
        // A burst of seeks in one turn of the loop reads and decodes once.
        clock.schedule(at: clock.now, rank: .media) { [weak self] in
            guard let self, let seek = self.pendingSeek, self.source != nil else { return }
            self.pendingSeek = nil
            self.startRun(seek)
        }
    }

    /// Goes to exactly the frame whose interval holds `time`, or with no tolerance given to the nearest quick place; awaited.
    ///
    /// - Returns: whether that place was reached, and not overtaken by a later seek.
    public func seek(to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, toleranceBefore: before, toleranceAfter: after) { continuation.resume(returning: $0) }
        }
    }

    /// Where playback is, in asset time.
    public var currentTime: MediaTime {
        if let pendingSeek { return pendingSeek.target }
        if let run, run.phase == .prerolling { return run.landing ?? run.target }
        return media.time(at: clock.now)
    }

    /// Holds play before this asset time: no frame and no sound of it or after it is given out until the boundary is lifted (nil)
    /// or another is set. It outlives seeks; set after a seek it belongs to the place that the seek leads to.
    public func setForwardBoundary(_ time: MediaTime?) {
        if pendingSeek != nil { pendingSeek?.boundary = time; return }
        guard time != clientBoundary else { return }
        clientBoundary = time
        setBoundaryState()
        applyBoundary()
    }

    /// Up to where bytes have been read, from the place where reading began.
    public var loadedTimeRanges: [TimeRange] {
        guard let run, let end = sensed.loadedUntil, end > run.target else { return [] }
        return [TimeRange(start: min(run.target, currentTime), end: end)]
    }

    /// Calls `handler` each time playback has moved by `interval`, and when it starts, stops or jumps.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    public func addPeriodicTimeObserver(
        forInterval interval: MediaTime, handler: @escaping @MainActor (MediaTime) -> Void
    ) -> AnyObject {
        observers.addPeriodic(interval: interval, handler)
    }

    /// Calls `handler` when play passes one of the times, not when a seek jumps over it.
    ///
    /// - Returns: keep it; dropping it ends the calls.
    public func addBoundaryTimeObserver(forTimes times: [MediaTime], handler: @escaping @MainActor () -> Void) -> AnyObject {
        observers.addBoundary(times: times, handler)
    }

    /// Ends everything: threads are joined. The player is not used again.
    public func close() {
        replaceCurrentItem(with: nil)
        videoDecoder.stop()
        audioDecoder.stop()
        services.display.stop()
        services.sink.close()
    }

    // MARK: Runs

    private func startRun(_ seek: PendingSeek) {
        guard let source, let item = currentItem else { seek.completion?(false); return }
        let target = seek.target
        endRun()
        clientBoundary = seek.boundary
        setBoundaryState()
        let tracks = [item.videoTrack?.id, item.audioTrack?.id].compactMap { $0 }
        let buffer = source.startReading(at: target, tracks: tracks)
        let window = DecodeWindow(earliest: seek.earliest)
        let video = item.videoTrack.map { videoDecoder.start(reading: buffer, track: $0.id, window: window, bell: bell) }
        let sound = item.audioTrack.map { audioDecoder.start(reading: buffer, track: $0.id, window: window, bell: bell) }
        media = MediaClock(anchorHost: clock.now, anchorTime: target, rate: .zero)
        scheduler.setClock(media)
        audio.restart(at: nil, queue: sound)
        let generation = scheduler.begin(video)
        run = Run(
            buffer: buffer, video: video, audio: sound, generation: generation, target: target, isVideoDone: video == nil,
            completion: seek.completion)
        sensed = Sensed()
        state.isAtEnd = false
        applyBoundary()
        updateTimeControl()
    }

    private func endRun() {
        guard let run else { return }
        self.run = nil
        stopTick()
        media = MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero)
        scheduler.begin(nil)
        scheduler.setClock(media)
        run.buffer.cancel()
        run.video?.cancel()
        run.audio?.cancel()
        services.sink.pause()
        audio.restart(at: nil, queue: nil)
        if let completion = run.completion {
            onEvent?(.seekCompleted(landed: run.target, finished: false))
            completion(false)
        }
    }

    private func completePendingSeek(finished: Bool) {
        guard let seek = pendingSeek else { return }
        pendingSeek?.completion = nil
        if let completion = seek.completion {
            onEvent?(.seekCompleted(landed: seek.target, finished: finished))
            completion(finished)
        }
    }

    /// Something was decoded, or time has passed: goes on as far as can be gone.
    private func pump() {
        guard let current = run else { return }
        sense(current)
        switch current.phase {
        case .prerolling: preroll()
        case .ready: feedAndFollow()
        case .stalled: recover()
        case .ended: break
        }
    }

    /// Looks once at what other threads change, before anything that is done here wakes them: otherwise what is seen would hang on how quick they are.
    private func sense(_ run: Run) {
        sensed.loadedUntil = run.buffer.bufferedUntil
        sensed.pictures = run.video?.peek()
        sensed.hasPicture = run.video.map { $0.count > 0 || $0.isExhausted } ?? true
        audio.takeIn()
    }

    private func preroll() {
        guard run?.landing != nil || landWithoutPicture() else { return }
        audio.feed(silenceUntil: run?.isVideoDone == false ? media.anchorTime + .seconds(1) : nil)
        if let error = audio.failure { return fail(error) }
        guard hasEnoughSound else { return }
        run?.phase = .ready
        if state.rate != .zero { startClock() }
        updateTimeControl()
    }

    /// An item without pictures begins where its sound does.
    private func landWithoutPicture() -> Bool {
        guard let run else { return false }
        if run.video != nil {
            // A track of pictures that has none is as good as none.
            guard case .end = sensed.pictures else { return false }
            self.run?.isVideoDone = true
        }
        switch audio.next {
        case .media(let buffer): land(at: max(buffer.time, run.target))
        case .end: land(at: run.target)
        case .failed(let error): fail(error)
        case nil:
            guard run.audio == nil else { return false }
            land(at: run.target)
        }
        return self.run != nil
    }

    private func land(at time: MediaTime) {
        guard run != nil else { return }
        run?.landing = time
        media = MediaClock(anchorHost: clock.now, anchorTime: time, rate: .zero)
        scheduler.setClock(media)
        audio.begin(at: time)
        observers.jump(to: time)
        let completion = run?.completion
        run?.completion = nil
        onEvent?(.seekCompleted(landed: time, finished: true))
        completion?(true)
    }

    private var hasEnoughSound: Bool {
        run?.audio == nil || audio.isAtEnd || audio.queuedDuration >= Self.audioPreroll || services.sink.room == 0
    }

    private func feedAndFollow() {
        guard let current = run else { return }
        let now = clock.now
        audio.feed(silenceUntil: current.isVideoDone ? nil : media.time(at: now) + .seconds(1))
        if let error = audio.failure, audio.queuedDuration <= .milliseconds(20) { return fail(error) }
        guard media.rate != .zero else { return }
        followSound(now)
        observers.advance(to: media.time(at: now))
        if current.video == nil { onEvent?(.position(media.time(at: now))) }
        checkEnd(now)
        if run?.phase == .ready, current.audio != nil, !audio.isAtEnd, !isHeldAtBoundary, audio.queuedDuration <= .milliseconds(20) {
            stall()
        }
    }

    /// Holds the clock to what is heard. Small deviations are taken away gently: what is seen must not jump for a millisecond's sake.
    private func followSound(_ now: HostTime) {
        guard let heard = audio.heard(), heard.isRunning else { return }
        let deviation = heard.time - media.time(at: heard.at)
        guard deviation.magnitude > .milliseconds(1), heard.at >= media.anchorHost else { return }
        let correction = deviation.magnitude > .milliseconds(40) ? deviation : deviation / 8
        setMedia(MediaClock(anchorHost: now, anchorTime: media.time(at: now) + correction, rate: media.rate, limit: boundary))
    }

    private var isHeldAtBoundary: Bool { boundary.map { media.time(at: clock.now) >= $0 - .milliseconds(60) } ?? false }

    private func startClock() {
        let position = media.time(at: clock.now)
        let start = scheduler.verticalBlank(atOrAfter: clock.now + .milliseconds(10))
        services.sink.play(at: start)
        setMedia(MediaClock(anchorHost: start, anchorTime: position, rate: .one, limit: boundary))
        startTick()
        observers.start(at: position)
    }

    private func stopClock() {
        services.sink.pause()
        setMedia(MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero))
        stopTick()
        observers.stop(at: media.anchorTime)
    }

    private func setMedia(_ clock: MediaClock) {
        media = clock
        scheduler.setClock(clock)
        armBoundaryTimer()
    }

    private func stall() {
        guard run?.phase == .ready else { return }
        run?.phase = .stalled
        state.stallCount += 1
        stopClock()
        updateTimeControl()
        startTick()
    }

    private func recover() {
        guard let current = run else { return }
        audio.feed()
        if let error = audio.failure { return fail(error) }
        guard current.isVideoDone || sensed.hasPicture, hasEnoughSound else { return }
        run?.phase = .ready
        stopTick()
        if state.rate != .zero { startClock() }
        updateTimeControl()
    }

    private func checkEnd(_ now: HostTime) {
        guard let current = run, current.phase == .ready, current.isVideoDone else { return }
        let isSoundOver = current.audio == nil || (audio.isAtEnd && (audio.enqueuedUntil.map { media.time(at: now) >= $0 } ?? true))
        guard isSoundOver else { return }
        end()
    }

    private func end() {
        guard run?.phase == .ready else { return }
        run?.phase = .ended
        stopClock()
        var next = state
        next.isAtEnd = true
        next.rate = .zero
        next.timeControlStatus = .paused
        state = next
        onEvent?(.didPlayToEnd)
    }

    private func fail(_ error: MediaError) {
        endRun()
        currentItem?.status = .failed(error)
        var next = state
        next.itemStatus = .failed(error)
        next.rate = .zero
        next.timeControlStatus = .paused
        state = next
    }

    // MARK: Boundary

    /// Play is held at the client's boundary or ends at the item's, whichever comes first.
    private func setBoundaryState() {
        boundary = [clientBoundary, currentItem?.forwardPlaybackEndTime].compactMap { $0 }.min()
        boundaryTimer?.cancel()
        boundaryTimer = nil
    }

    private func applyBoundary() {
        scheduler.setBoundary(boundary)
        audio.limit = boundary
        if media.rate != .zero {
            setMedia(MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: media.rate, limit: boundary))
        }
    }

    private func armBoundaryTimer() {
        boundaryTimer?.cancel()
        boundaryTimer = nil
        guard let boundary, let instant = media.instant(of: boundary) else { return }
        boundaryTimer = clock.schedule(at: instant, rank: .media) { [weak self] in
            guard let self, self.boundary == boundary, self.media.rate != .zero else { return }
            if boundary == self.currentItem?.forwardPlaybackEndTime { self.end() } else { self.onEvent?(.reachedBoundary(boundary)) }
        }
    }

    // MARK: Ticks and the scheduler's account

    private func startTick() {
        tick?.cancel()
        tick = clock.schedule(after: Self.tickLength, rank: .sound) { [weak self] in
            guard let self, self.tick != nil else { return }
            self.startTick()
            self.pump()
        }
    }

    private func stopTick() {
        tick?.cancel()
        tick = nil
    }

    private func takeSchedulerEvents() {
        for event in scheduler.takeEvents() {
            switch event {
            case .shown(let record): shown(record)
            case .starved: if run?.phase == .ready { stall() }
            case .exhausted:
                run?.isVideoDone = true
                checkEnd(clock.now)
            case .failed(let error): fail(error)
            case .display(let mode): onEvent?(.display(mode))
            }
        }
    }

    private func shown(_ record: FrameRecord) {
        guard record.generation == run?.generation else { return }
        let isFirst = run?.landing == nil
        run?.shownUntil = record.time + record.duration
        state.isReadyForDisplay = true
        onEvent?(.frame(record))
        if isFirst {
            land(at: record.time)
            pump()
        }
    }

    /// - Parameter rate: the rate that is asked for from now on; nil where it stays.
    private func updateTimeControl(rate: Ratio? = nil) {
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
