import LinuxSupport
import MediaModel
import MediaTime

/// Reads an item for its session: carries out seeks and changes of the rate, each by a new reading, and rebuilds decoders that fail. Main loop.
@MainActor
final class ItemReader {
    /// What is being read; nil while nothing is.
    private var reading: (any Reading)?
    /// Where the item is to go, until reading begins there.
    private var pendingSeek: SeekRequest?
    /// Where the viewer last went: going there again is looking around.
    private var lastTarget: MediaTime?
    private var rebuilds = RebuildPolicy()
    /// Whether reading has begun at all.
    private(set) var hasBegun = false
    private unowned let session: ItemSession
    let pipeline: PlaybackPipeline
    let transport: Transport

    /// Going to a place this near to the last one is looking around: everything on the way is decoded and kept.
    private static let lookingAround = MediaTime.seconds(5)

    init(for session: ItemSession) {
        (self.session, pipeline, transport) = (session, session.pipeline, session.transport)
    }

    private var timebase: Timebase { transport.timebase }

    // MARK: What readings need to know

    var item: PlayerItem { session.item }
    var source: (any MediaSource)? { session.source }
    var isInterstitial: Bool { session.isInterstitial }
    /// Where play is held or ends.
    var boundary: MediaTime? { session.boundary }
    /// What follows the item, as far as it is prepared.
    var next: Succession? { session.host.next }
    /// Where playback of the presentation is.
    var currentTime: MediaTime { session.host.currentTime }

    /// The first asset time that is played when going backward.
    var lowerBound: MediaTime {
        max(item.reversePlaybackEndTime ?? .zero, item.description?.seekableTimeRanges.first?.start ?? .zero)
    }

    /// Whether a reading is the one under way.
    func reads(_ reading: any Reading) -> Bool { self.reading === reading }

    func tell(_ event: PlayerEvent) { session.host.tell(event) }

    /// Something was left out, and play goes on.
    func note(_ error: MediaError) { session.host.note(error, of: item) }

    // MARK: The reading as others see it

    var isReading: Bool { reading != nil }
    var isSeekPending: Bool { pendingSeek != nil }
    var hasSound: Bool { reading?.hasSound ?? false }
    var loadedUntil: MediaTime? { reading?.loadedUntil }
    /// The reading of ordinary play, if that is under way.
    var forward: ForwardReading? { reading?.forward }
    func calm(deviation: MediaTime?) -> Duration? { reading?.calm(deviation: deviation) }

    /// Where playback is, in asset time.
    var place: MediaTime {
        if let pendingSeek { return pendingSeek.target }
        if let progress = reading?.progress, transport.phase == .prerolling { return progress.landing ?? progress.target }
        return timebase.now
    }

    /// Whether the place where playback is has been reached.
    var hasLanded: Bool { reading?.progress.landing != nil }

    /// Up to where bytes have been read, from the place where reading began.
    var loadedTimeRanges: [TimeRange] {
        guard let target = reading?.progress.target, let end = loadedUntil, end > target else { return [] }
        return [TimeRange(start: min(target, currentTime), end: end)]
    }

    // MARK: Seeks

    /// Goes to a place, kept within what can be sought. A burst of seeks in one turn of the loop reads and decodes once.
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

    /// The client's boundary from the seek on that is to be carried out.
    ///
    /// - Returns: false where there is none.
    func setBoundaryOfPendingSeek(_ boundary: MediaTime?) -> Bool {
        guard pendingSeek != nil else { return false }
        pendingSeek?.boundary = boundary
        return true
    }

    /// Begins to read an item that has just been opened.
    ///
    /// - Parameter start: where, unless a seek came first.
    /// - Returns: where it began.
    func open(at start: MediaTime) -> MediaTime {
        let seek = takePendingSeek()
        let request = SeekRequest(
            exactly: seek?.target ?? start, boundary: seek.map(\.boundary) ?? session.clientBoundary,
            completion: seek?.completion)
        self.start(request)
        hasBegun = true
        return request.target
    }

    /// Carries out a seek in the quickest way there is.
    private func begin(_ seek: SeekRequest) {
        if seek.isAnswered, let landing = reading?.progress.landing {
            tell(.seekCompleted(landed: landing, finished: true))
            session.host.complete(seek.completion, true)
            return
        }
        if transport.rate == .zero, seek.isPreview, let track = item.videoTrack?.id,
            pipeline.pictures.cache.frame(at: seek.target) == nil
        {
            startPreview(seek, track)
        } else {
            start(seek)
        }
    }

    /// Another seek takes the place of the one that is to be carried out, or the item ends.
    private func completePendingSeek() {
        guard let seek = pendingSeek, let completion = seek.completion else { return }
        pendingSeek?.completion = nil
        tell(.seekCompleted(landed: seek.target, finished: false))
        session.host.complete(completion, false)
    }

    /// Where a step by a number of frames leads.
    ///
    /// - Returns: nil where the item has no pictures, or nothing is read.
    func target(ofStep count: Int) -> MediaTime? {
        guard item.canStepForward, let standing = standingFrame else { return nil }
        return FrameStep(from: standing, cache: pipeline.pictures.cache, lowerBound: lowerBound).target(of: count)
    }

    /// The frame on the screen; of a seek that is under way, the frame that it will bring, as far as that is known.
    private var standingFrame: FrameStep.Interval? {
        let length = item.videoTrack?.frameRate?.period ?? MediaTime(1, 25)
        if let target = pendingSeek?.target {
            return pipeline.pictures.cache.frame(at: target).map { ($0.time, $0.end) } ?? (target, target + length)
        }
        guard let progress = reading?.progress else { return nil }
        return progress.shown ?? (progress.target, progress.target + length)
    }

    // MARK: Readings

    /// Begins a reading in the manner that the rate asks for.
    func start(_ seek: SeekRequest) {
        switch PlaybackManner(rate: transport.rate) {
        case .scan(let direction): startScan(seek, direction)
        case .reverse: startReverse(seek)
        case .forward: startForward(seek)
        }
    }

    private func startForward(_ seek: SeekRequest) {
        // A frame that has been decoded already is shown at once, whatever else there is to do.
        let cached = item.videoTrack == nil ? nil : pipeline.pictures.cache.frame(at: seek.target)
        let isNear = lastTarget.map { ($0 - seek.target).magnitude < Self.lookingAround } ?? false
        let isAtEnd = item.endTime.map { seek.target > $0 - .seconds(1) } ?? true
        guard let source = renew(seek) else { return }
        lastTarget = seek.target
        let isPaused = transport.rate == .zero
        if isPaused { pipeline.pictures.keepMost(true) }
        guard let cached else {
            return adopt(
                ForwardReading(seek, isHasty: seek.isExact && !isNear && !isAtEnd, of: self, from: source))
        }
        let reading = ForwardReading(seek, showing: cached, of: self)
        if isPaused { reading.attachLater() } else { reading.attach() }
        adopt(reading)
    }

    private func startPreview(_ seek: SeekRequest, _ track: TrackID) {
        // Forward it lies behind the picture on the screen, however far: a picture that has to be decoded for is not quick.
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

    /// Ends the current reading before another begins.
    ///
    /// - Returns: the source; nil where there is none, which completes the seek.
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

    /// The item has taken over from the one before, and goes on with what was read ahead of it.
    func takeOver(_ reading: ForwardReading) {
        self.reading = reading
        hasBegun = true
    }

    /// Ends reading. A seek that has not landed completes with false.
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

    /// Ends reading, and the seek that is to be carried out: the item leaves the screen.
    func close() {
        endReading()
        completePendingSeek()
        pendingSeek = nil
        lastTarget = nil
        rebuilds = RebuildPolicy()
    }

    /// Ends reading behind a joint: what was given to the sink and the scheduler for the next item goes on.
    func closeJoined() {
        reading?.forward?.cancelJoined()
        reading = nil
    }

    // MARK: From the pipeline

    /// Something was decoded, or time has passed: goes on as far as possible.
    func pump() {
        reading?.sense()
        switch transport.phase {
        case .prerolling: reading?.preroll()
        case .ready: reading?.playOn()
        case .stalled: reading?.recover()
        case .empty, .opening, .ended, .failed: break
        }
    }

    /// Looks once at what other threads have done for the reading.
    func sense() { reading?.sense() }

    /// A frame was seen.
    ///
    /// - Returns: whether it is one of the reading under way.
    func frameWasShown(_ record: FrameRecord) -> Bool {
        guard let reading, record.generation == reading.progress.generation else { return false }
        let isFirst = reading.progress.landing == nil
        reading.progress.show(record)
        transport.pictureWasShown()
        tell(.frame(record))
        if isFirst {
            land(at: record.time)
            pump()
        }
        self.reading?.frameWasShown()
        return true
    }

    /// The last frame has had its time.
    func picturesEnded() { reading?.picturesEnded() }

    /// Follows the clock, for a reading without sound.
    ///
    /// - Returns: whether the clock runs.
    func followClock() -> Bool {
        guard timebase.rate != .zero else { return false }
        pipeline.observers.advance(to: timebase.now)
        return true
    }

    /// Play begins where the first picture or sound is: the seek has ended.
    func land(at time: MediaTime) {
        guard let reading else { return }
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

    /// Prepares what follows the item, as play goes on.
    func continueSuccession(_ reading: ForwardReading) {
        guard !isInterstitial else { return }
        next?.proceed(behind: reading, of: session)
    }

    // MARK: Ends

    /// Play has come to the end.
    func end() {
        guard transport.phase == .ready, next?.isArranged != true else { return }
        // The end may have been noticed a little behind it.
        if let end = item.endTime, timebase.now > end { timebase.hold(at: end) }
        session.host.reachedEnd()
    }

    /// Looks whether play has come to the beginning, going backward.
    func checkStart() {
        guard timebase.rate < .zero, timebase.now <= lowerBound else { return }
        transport.handle(.reachedStart)
        // The picture of the beginning is shown there, even if it is no key picture.
        session.host.seek(to: lowerBound, toleranceBefore: .zero, toleranceAfter: .zero, completion: nil)
    }

    /// Reads on from where playback is, with the pictures.
    func readAnew() { session.host.seek(to: currentTime, toleranceBefore: .zero, toleranceAfter: .zero, completion: nil) }

    // MARK: Failures

    func fail(_ error: MediaError) {
        endReading()
        session.host.failed(session, error)
    }

    /// Sound that cannot go on ends the item, or its decoder is rebuilt.
    func soundFailed(_ error: MediaError) { if pipeline.audio.isDecoderBroken { soundDecoderFailed(error) } else { fail(error) } }

    /// The decoder of the sound cannot go on. Sound that was passed on has become another: it is decoded from here on.
    func soundDecoderFailed(_ error: MediaError) {
        if pipeline.sound.passage != nil {
            item.isSoundDecodedHere = true
            note(error)
        }
        rebuild(after: error)
    }

    /// Deals with a pass that could not be made.
    ///
    /// - Returns: whether it could not.
    func passFailed(_ report: PassReport) -> Bool {
        switch report.failure {
        case .broken(let error): rebuild(after: error)
        case .failed(let error): fail(error)
        default: return false
        }
        return true
    }

    /// A decoder failed, returned nothing or hung: it is rebuilt at the same place, with the same tracks and rate. The viewer sees at most a spinner.
    func rebuild(after error: MediaError) {
        let place = reading?.forward?.progress.shown?.until ?? currentTime
        guard rebuilds.failed(at: place) == .rebuild else { return fail(error) }
        let target = item.endTime.map { min(place, $0) } ?? place
        restart(at: target)
    }

    /// Something has changed after the next item was given to sink and scheduler: the rest of this one is read again.
    func endArrangement() {
        guard next?.isArranged == true, isReading else { return }
        restart(at: currentTime)
    }

    /// Begins another reading at a place, for a seek that may not have landed yet.
    private func restart(at place: MediaTime) {
        let completion = reading?.progress.takeCompletion()
        if transport.isRunning { transport.stopClock() }
        start(SeekRequest(exactly: place, boundary: session.clientBoundary, completion: completion))
    }

    // MARK: Rates

    /// Plays at a rate that the item can be played at, from where it is; zero pauses.
    func changeRate(to rate: Ratio) {
        if rate < .zero, timebase.now <= lowerBound, item.description != nil { return }
        let place = currentTime
        if rate != .zero, needsNewReading(at: rate) {
            if transport.isRunning { transport.stopClock() }
            transport.handle(.runBegan)
            transport.handle(.rateAsked(rate))
            start(
                SeekRequest(
                    exactly: place, boundary: session.clientBoundary, completion: reading?.progress.takeCompletion()))
            return
        }
        if rate > .zero { reading?.forward?.attach() }
        if rate != .zero, pipeline.audio.rate != SoundOutput.rate(at: rate), !transport.isRunning {
            pipeline.audio.change(rate: SoundOutput.rate(at: rate), at: timebase.now)
            // The clock begins to run at once: sound that came later than it would pull it back again.
            if transport.phase == .ready { pipeline.audio.feed() }
        }
        transport.handle(.rateAsked(rate))
        pipeline.pictures.keepMost(rate == .zero)
    }

    private func needsNewReading(at rate: Ratio) -> Bool {
        // What has been given to the sink beyond the end of the item belongs to this rate.
        if next?.isArranged == true, SoundOutput.rate(at: rate) != pipeline.audio.rate { return true }
        guard let reading else { return false }
        // A scan at another rate takes other pictures.
        if case .scan = reading.manner { return true }
        return reading.manner != PlaybackManner(rate: rate)
            || (reading.hasSound && pipeline.sound.isOtherPassage(for: item, at: rate))
    }

    // MARK: Sound and tracks

    /// Another sound was chosen, or another description of the same.
    func soundSelectionChanged() {
        guard let forward else { return }
        if forward.hears(item.audioTrack?.id), !pipeline.sound.isOtherPassage(for: item, at: transport.rate) {
            if !forward.changeDescription() { readAnew() }
        } else {
            changeSound()
        }
    }

    /// Reads the sound again from the current place, as it is selected and shaped now.
    func changeSound() { if forward?.changeSound() == false { readAnew() } }

    /// The way in which the sound leaves may be another now.
    func passageMayHaveChanged() {
        guard hasSound, pipeline.sound.isOtherPassage(for: item, at: transport.rate) else { return }
        changeSound()
    }

    /// Another sound could not be read. What was heard is chosen again. Its source may have been left, so it is read anew; where that fails too, play begins anew
    /// at its place or says why not.
    func soundChangeFailed(_ error: MediaError, from old: TrackID, to new: TrackID) {
        note(error)
        guard old != new, let group = item.selection.group(.audible),
            let option = group.options.first(where: { $0.source == .track(old) })
        else { return readAnew() }
        tell(.soundChangeFailed(error))
        item.selection.select(option, in: group)
        changeSound()
    }

    /// A track of the item was enabled or disabled.
    func trackChanged(_ type: MediaType, isEnabled: Bool) {
        guard isReading else { return }
        guard type == .video, !isEnabled, let forward, forward.stopPictures() else { return readAnew() }
        session.applyBoundary()
        pipeline.pictures.cache.removeAll()
        next?.stopReading()
    }
}
