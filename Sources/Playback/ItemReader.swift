import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Reads an item for its session: performs seeks and rate changes, each by a new reading, and rebuilds failed decoders. Main loop.
@MainActor
final class ItemReader {
    /// The current run of reading; nil if there is none.
    private var reading: (any Reading)?
    /// The seek to perform, until reading begins at its target.
    private var pendingSeek: SeekRequest?
    /// The target of the last seek. Seeks near it are treated as looking around.
    private var lastTarget: MediaTime?
    private var rebuilds = RebuildPolicy()
    /// Whether reading has begun.
    private(set) var hasBegun = false
    /// Whether anything of the item was presented.
    private var hasPresented = false
    private unowned let session: ItemSession
    let pipeline: PlaybackPipeline
    let transport: TransportDriver

    /// A seek this close to the previous one is local: everything in between is decoded and cached.
    private static let lookingAround = MediaTime.seconds(5)

    init(for session: ItemSession) {
        (self.session, pipeline, transport) = (session, session.pipeline, session.transport)
    }

    private var timebase: Timebase { transport.timebase }

    var item: PlayerItem { session.item }
    var source: (any MediaSource)? { session.source }
    var isInterstitial: Bool { session.isInterstitial }
    /// Where playback is held or ends.
    var boundary: MediaTime? { session.boundary }
    /// The next item, as far as it is prepared.
    var next: Succession? { session.host.next }
    /// The position of the presentation.
    var currentTime: MediaTime { session.host.currentTime }

    /// The first asset time of backward playback.
    var lowerBound: MediaTime {
        max(item.reversePlaybackEndTime ?? .zero, item.description?.seekableTimeRanges.first?.start ?? .zero)
    }

    /// Whether a reading is the current one.
    func reads(_ reading: any Reading) -> Bool { self.reading === reading }

    func tell(_ event: PlayerEvent) { session.host.tell(event) }

    /// A resource was skipped, and playback continues.
    func note(_ error: MediaError) { session.host.note(error, of: item) }

    // MARK: The current reading

    var isReading: Bool { reading != nil }
    var isSeekPending: Bool { pendingSeek != nil }
    var hasSound: Bool { reading?.hasSound ?? false }
    var loadedUntil: MediaTime? { reading?.loadedUntil }
    /// The current reading, if it is normal playback.
    var forward: ForwardReading? { reading?.forward }
    func calm(deviation: MediaTime?) -> Duration? { reading?.calm(deviation: deviation) }

    /// The playback position, in asset time.
    var position: MediaTime {
        if let pendingSeek { return pendingSeek.target }
        if let progress = reading?.progress, transport.phase == .prerolling { return progress.landing ?? progress.target }
        return timebase.now
    }

    /// Whether the current position has been reached.
    var hasLanded: Bool { reading?.progress.landing != nil }

    /// The end of the loaded media, from the position where reading started.
    var loadedTimeRanges: [TimeRange] {
        guard let target = reading?.progress.target, let end = loadedUntil, end > target else { return [] }
        return [TimeRange(start: min(target, currentTime), end: end)]
    }

    // MARK: Seeks

    /// Seeks to a position, clamped to the seekable range. Several seeks in one turn of the loop read and decode once.
    func seek(
        to time: MediaTime, toleranceBefore before: MediaTime?, toleranceAfter after: MediaTime?,
        completion: (@MainActor (Bool) -> Void)?
    ) {
        let isAnswered =
            before == nil && after == nil && transport.rate == .zero && pendingSeek == nil && reading?.answers(time) == true
        completePendingSeek()
        let isFirst = pendingSeek == nil
        pendingSeek = SeekRequest(
            to: time, toleranceBefore: before, toleranceAfter: after, in: item, from: currentTime,
            shownUntil: reading?.progress.shown?.until, isAnswered: isAnswered, boundary: session.clientBoundary,
            completion: completion)
        guard source != nil, isFirst else { return }
        pipeline.clock.schedule(at: pipeline.clock.now, rank: .media) { [weak self] in
            guard let self, self.source != nil, let seek = self.takePendingSeek() else { return }
            self.begin(seek)
        }
    }

    private func takePendingSeek() -> SeekRequest? {
        defer { pendingSeek = nil }
        return pendingSeek
    }

    /// Sets the client's boundary for the pending seek and after it.
    ///
    /// - Returns: false without a pending seek.
    func setBoundaryOfPendingSeek(_ boundary: MediaTime?) -> Bool {
        guard pendingSeek != nil else { return false }
        pendingSeek?.boundary = boundary
        return true
    }

    /// Begins to read an item that has just been opened.
    ///
    /// - Parameter start: the position, unless a seek is pending.
    /// - Returns: the position at which reading began.
    func open(at start: MediaTime) -> MediaTime {
        let seek = takePendingSeek()
        let request = SeekRequest(
            exactly: seek?.target ?? start, boundary: seek.map(\.boundary) ?? session.clientBoundary,
            completion: seek?.completion)
        self.start(request)
        hasBegun = true
        return request.target
    }

    /// Carries out a seek in the fastest possible way.
    private func begin(_ seek: SeekRequest) {
        if seek.isAnswered, let landing = reading?.progress.landing {
            tell(.seekCompleted(landed: landing, finished: true))
            session.host.complete(seek.completion, true)
            return
        }
        if transport.rate == .zero, seek.precision == .preview, item.offersKeyFrames, let track = item.videoTrack?.id,
            pipeline.pictures.cache.frame(at: seek.target) == nil
        {
            startPreview(seek, track)
        } else {
            start(seek)
        }
    }

    /// Another seek replaces the pending one, or the item ends.
    private func completePendingSeek() {
        guard let seek = pendingSeek, let completion = seek.completion else { return }
        pendingSeek?.completion = nil
        tell(.seekCompleted(landed: seek.target, finished: false))
        session.host.complete(completion, false)
    }

    /// The target of a step by frames.
    ///
    /// - Returns: nil without video, or if nothing is being read.
    func target(ofStep count: Int) -> MediaTime? {
        guard item.canStepForward, let standing = standingFrame else { return nil }
        return FrameStep(from: standing, cache: pipeline.pictures.cache, lowerBound: lowerBound).target(of: count)
    }

    /// The frame on the screen; during a seek, the frame it will show, if known.
    private var standingFrame: FrameStep.Interval? {
        let length = item.framePeriod
        if let target = pendingSeek?.target {
            return pipeline.pictures.cache.frame(at: target).map { ($0.time, $0.end) } ?? (target, target + length)
        }
        guard let progress = reading?.progress else { return nil }
        return progress.shown ?? (progress.target, progress.target + length)
    }

    // MARK: Readings

    /// Begins a reading of the type that the rate requires.
    func start(_ seek: SeekRequest) {
        switch PlaybackManner(rate: transport.rate) {
        case .scan(let direction): startScan(seek, direction)
        case .reverse: startReverse(seek)
        case .forward: startForward(seek)
        }
    }

    private func startForward(_ seek: SeekRequest) {
        // A cached frame is shown at once, before any other work.
        let cached = item.videoTrack == nil ? nil : pipeline.pictures.cache.frame(at: seek.target)
        let isNear = lastTarget.map { ($0 - seek.target).magnitude < Self.lookingAround } ?? false
        let isAtEnd = item.endTime.map { seek.target > $0 - .seconds(1) } ?? true
        guard let source = renew(seek) else { return }
        lastTarget = seek.target
        let isPaused = transport.rate == .zero
        if isPaused { pipeline.pictures.keepMost(true) }
        guard let cached else {
            return adopt(ForwardReading(seek, isHasty: seek.precision == .exact && !isNear && !isAtEnd, of: self, from: source))
        }
        let reading = ForwardReading(seek, showing: cached, of: self)
        if isPaused { reading.attachLater() } else { reading.attach() }
        adopt(reading)
    }

    private func startPreview(_ seek: SeekRequest, _ track: TrackID) {
        // Forward, it is after the picture on the screen, however far: a picture that needs decoding is not quick.
        let after = seek.target > currentTime ? reading?.progress.shown?.from ?? currentTime : nil
        guard let source = renew(seek) else { return }
        adopt(PreviewReading(seek, after: after, track: track, of: self, from: source))
    }

    private func startScan(_ seek: SeekRequest, _ direction: KeyFrameReading.Direction) {
        guard let source = renew(seek), let track = item.videoTrack?.id else { return }
        adopt(ScanReading(seek, direction, track: track, of: self, from: source))
    }

    private func startReverse(_ seek: SeekRequest) {
        pipeline.pictures.cache.byteLimit = 0
        guard renew(seek) != nil else { return }
        adopt(ReverseReading(seek, of: self))
    }

    /// Ends the current reading before another one begins.
    ///
    /// - Returns: the source; nil without one, in which case the seek is completed.
    private func renew(_ seek: SeekRequest) -> (any MediaSource)? {
        guard let source else {
            session.host.complete(seek.completion, false)
            return nil
        }
        endReading()
        pipeline.captionLoader.jump(to: seek.target)
        session.setClientBoundary(seek.boundary)
        timebase.hold(at: seek.target)
        transport.leaveEnd()
        session.host.readingBegins()
        return source
    }

    private func adopt(_ reading: any Reading) {
        self.reading = reading
        session.applyBoundary()
        transport.handle(.runBegan)
        reading.begin()
    }

    /// The item has taken over from the previous one and continues with the data read ahead.
    func takeOver(_ reading: ForwardReading) {
        self.reading = reading
        hasBegun = true
    }

    /// Ends reading. A pending seek completes with false.
    private func endReading() {
        next?.stopReading()
        guard let ended = reading else { return }
        reading = nil
        transport.halt()
        pipeline.scheduler.begin(nil)
        ended.cancel()
        pipeline.sound.pause()
        pipeline.audio.restart(at: nil, queue: nil)
        if let completion = ended.progress.takeCompletion() {
            tell(.seekCompleted(landed: ended.progress.target, finished: false))
            session.host.complete(completion, false)
        }
    }

    /// Ends reading and the pending seek: the item leaves the screen.
    func close() {
        endReading()
        completePendingSeek()
        pendingSeek = nil
        lastTarget = nil
        rebuilds = RebuildPolicy()
    }

    /// Ends reading after a joint; the sink and the scheduler keep what belongs to the next item.
    func closeJoined() {
        reading?.forward?.cancelJoined()
        reading = nil
    }

    // MARK: From the pipeline

    /// Something was decoded, or time has passed: continues as far as possible.
    func pump() {
        reading?.sense()
        switch transport.phase {
        case .prerolling: reading?.preroll()
        case .ready: reading?.playOn()
        case .stalled: reading?.recover()
        case .empty, .opening, .ended, .failed: break
        }
    }

    /// Samples the results of other threads once for the reading.
    func sense() { reading?.sense() }

    /// A frame was shown.
    ///
    /// - Returns: whether it belongs to the current reading.
    func frameWasShown(_ record: FrameRecord) -> Bool {
        guard let reading, record.generation == reading.progress.generation else { return false }
        let isFirst = reading.progress.landing == nil
        reading.progress.show(record)
        pipeline.keepPace(with: record, at: hasSound ? transport.rate : nil)
        transport.pictureWasShown()
        tell(.frame(record))
        if isFirst {
            land(at: reading.progress.landing(with: record))
            pump()
        }
        self.reading?.frameWasShown()
        return true
    }

    /// The last frame has had its full duration.
    func picturesEnded() { reading?.picturesEnded() }

    /// Follows the clock, for a reading without audio.
    ///
    /// - Returns: whether the clock runs.
    func followClock() -> Bool {
        guard timebase.rate != .zero else { return false }
        pipeline.observers.advance(to: timebase.now)
        return true
    }

    /// Playback begins at the first picture or sample: the seek is complete.
    func land(at time: MediaTime) {
        guard let reading else { return }
        noteHardware()
        hasPresented = true
        reading.progress.land(at: time)
        if let buffer = reading.buffer { pipeline.readAhead(buffer) }
        timebase.hold(at: time)
        pipeline.audio.begin(at: time)
        pipeline.observers.jump(to: time)
        session.landed(at: time)
        let completion = reading.progress.takeCompletion()
        tell(.seekCompleted(landed: time, finished: true))
        session.host.complete(completion, true)
    }

    /// Nothing of a reading can be presented: it ends, at the end of the item, or the item fails because there was nothing before either.
    func landWithNothing() {
        guard let reading else { return }
        let target = reading.progress.target
        guard !hasPresented, !item.isNearEnd(target), let buffer = reading.buffer else { return land(at: target) }
        fail(.nothingToPresent(of: item.asset.url, hasSamples: buffer.hasGiven))
    }

    /// Prepares the next item during playback.
    func continueSuccession(_ reading: ForwardReading) {
        guard !isInterstitial else { return }
        next?.proceed(behind: reading, of: session)
    }

    // MARK: Ends

    /// Playback has reached the end.
    func end() {
        guard transport.phase == .ready, next?.isArranged != true else { return }
        // The end may be detected slightly late.
        if let end = item.endTime, timebase.now > end { timebase.hold(at: end) }
        session.host.reachedEnd()
    }

    /// Checks whether reverse playback has reached the start.
    func checkStart() {
        guard timebase.rate < .zero, timebase.now <= lowerBound else { return }
        transport.handle(.reachedStart)
        // The picture at the start is shown even if it is not a key picture.
        session.host.seek(to: lowerBound, toleranceBefore: .zero, toleranceAfter: .zero, completion: nil)
    }

    /// Restarts the reading at the current position, with pictures.
    func readAnew() { session.host.seek(to: currentTime, toleranceBefore: .zero, toleranceAfter: .zero, completion: nil) }

    // MARK: Failures

    func fail(_ error: MediaError) {
        endReading()
        session.host.failed(session, error)
    }

    /// Handles an audio failure: the item ends, or the decoder is rebuilt.
    func soundFailed(_ error: MediaError) {
        if pipeline.audio.isDecoderBroken { soundDecoderFailed(error) } else { session.soundFailed(error) }
    }

    /// The audio decoder cannot continue. Passed-through audio has changed its format: it is decoded from now on.
    func soundDecoderFailed(_ error: MediaError) {
        if pipeline.sound.passage != nil {
            item.isSoundDecodedHere = true
            note(error)
        }
        rebuild(after: error)
    }

    /// Handles a pass that failed.
    ///
    /// - Returns: whether it failed.
    func passFailed(_ report: PassReport) -> Bool {
        switch report.failure {
        case .broken(let error): rebuild(after: error)
        case .failed(let error): fail(error)
        default: return false
        }
        return true
    }

    /// A decoder failed, returned nothing or hung: rebuilds it at the same position with the same tracks and rate. The viewer sees a spinner at most.
    func rebuild(after error: MediaError) {
        noteHardware()
        let position = reading?.forward?.progress.shown?.until ?? currentTime
        guard rebuilds.failed(at: position) == .rebuild else { return fail(error) }
        if rebuilds.isRepeated { note(error) }
        restart(at: item.endTime.map { min(position, $0) } ?? position, passingOver: rebuilds.isRepeated)
    }

    /// Something changed after the next item was passed to the sink and the scheduler: the rest of this item is reread.
    func endArrangement() {
        guard next?.isArranged == true, isReading else { return }
        restart(at: currentTime)
    }

    /// Notes why hardware decoders were left.
    private func noteHardware() {
        for reason in pipeline.pictures.hardware?.takeReasons() ?? [] { note(reason) }
    }

    /// Begins another reading at a position, for a seek that may not be complete yet, after a change that begins no reading itself.
    ///
    /// - Parameter passesOver: whether samples of which nothing can be decoded are passed over.
    func restart(at position: MediaTime, passingOver passesOver: Bool = false, after change: () -> Void = {}) {
        let completion = reading?.progress.takeCompletion()
        if transport.isRunning { transport.stopClock() }
        endReading()
        change()
        start(SeekRequest(exactly: position, boundary: session.clientBoundary, passesOver: passesOver, completion: completion))
    }

    // MARK: Rates

    /// Plays at a supported rate from the current position; zero pauses.
    func changeRate(to rate: Ratio) {
        if rate < .zero, timebase.now <= lowerBound, item.description != nil { return }
        let position = currentTime
        if rate != .zero, needsNewReading(at: rate) {
            if transport.isRunning { transport.stopClock() }
            transport.handle(.runBegan)
            transport.handle(.rateAsked(rate))
            start(
                SeekRequest(
                    exactly: position, boundary: session.clientBoundary, completion: reading?.progress.takeCompletion()))
            return
        }
        if rate > .zero { reading?.forward?.attach() }
        if rate != .zero, pipeline.audio.rate != SoundOutput.rate(at: rate), !transport.isRunning {
            pipeline.audio.change(rate: SoundOutput.rate(at: rate), at: timebase.now)
            // The clock starts at once; sound that came late would set it back.
            if transport.phase == .ready { pipeline.audio.feed() }
        }
        transport.handle(.rateAsked(rate))
        pipeline.pictures.keepMost(rate == .zero)
    }

    private func needsNewReading(at rate: Ratio) -> Bool {
        // Sound of the next item that is already in the sink has the old rate.
        if next?.isArranged == true, SoundOutput.rate(at: rate) != pipeline.audio.rate { return true }
        guard let reading else { return false }
        // A scan at another rate shows other pictures.
        if case .scan = reading.manner { return true }
        return reading.manner != PlaybackManner(rate: rate)
            || (reading.hasSound && pipeline.sound.isOtherPassage(for: item, at: rate))
    }

    /// A track of the item was enabled or disabled.
    func trackChanged(_ type: MediaType, isEnabled: Bool) {
        guard isReading else { return }
        if type == .audio { return soundTrackChanged() }
        guard !isEnabled, let forward, forward.stopPictures() else { return readAnew() }
        session.applyBoundary()
        pipeline.pictures.cache.removeAll()
        next?.stopReading()
    }

    /// The audible track may be another one, or none. Backward playback, scans and previews read no sound; what follows them reads what is enabled then.
    private func soundTrackChanged() {
        guard let forward else { return }
        if forward.hasSound, item.audioTrack == nil {
            guard forward.stopSound() else { return readAnew() }
            session.applyBoundary()
            next?.stopReading()
        } else if forward.hasSound {
            soundSelectionChanged()
        } else if item.audioTrack != nil {
            readAnew()
        }
    }
}
