import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Normal playback: video and audio, forward, from the first sample to the last. Main loop.
@MainActor
final class ForwardReading: Reading {
    /// What is read and decoded.
    private struct Flow {
        var buffer: SampleBuffer
        /// Decoded pictures and the audio of the item; each is nil for an item without it.
        var pictures: BoundedQueue<Decoded<VideoFrame>>?
        var sound: SoundReading?
    }
    private enum Stage {
        /// A cached frame is on the screen, and reading of what follows it has not begun.
        case waiting(VideoFrame)
        case reading(Flow)
    }

    var progress: ReadingProgress
    private var stage: Stage
    /// Whether the last picture has had its display time, or there is no video.
    private(set) var isVideoDone: Bool
    private var sensed = SensedReading()
    /// Whether the picture on the screen stays until the first one is shown: it belongs to the position at which a decoder has failed.
    private var keepsPicture = false
    /// Whether playback goes on without pictures, and the scheduler has to be told when they are back.
    private var awaitsPictures = false
    /// The timer that begins reading after a cached frame.
    private var attachTimer: ScheduledEvent?
    /// Checks again whether enough is buffered to start.
    private var startTimer: ScheduledEvent?
    private unowned let reader: ItemReader
    private let pipeline: PlaybackPipeline
    private let transport: TransportDriver

    /// The amount of sound that is queued before playback starts or continues.
    static let audioPreroll = MediaTime.milliseconds(200)
    /// How much earlier than the target of an exact seek the frame that contains it may begin: for the lowest supported frame rate, ten frames a second.
    static let longestFrame = MediaTime.milliseconds(100)
    /// How long a cached frame is shown before reading of what follows it begins, unless playback continues.
    private static let deferral = Duration.milliseconds(200)
    /// With less audio than this the sink has run out.
    private static let leastSound = MediaTime.milliseconds(20)

    /// Begins to read and decode at a position.
    ///
    /// - Parameter isHasty: whether non-reference pictures before the position are not decoded.
    init(_ seek: SeekRequest, isHasty: Bool, of reader: ItemReader, from source: any MediaSource) {
        (self.reader, pipeline, transport) = (reader, reader.pipeline, reader.transport)
        var wish = DecodingWish(earliest: seek.earliest, isHasty: isHasty)
        wish.passesOver = seek.passesOver
        let flow = Self.read(source, for: reader, from: seek.target, wish)
        pipeline.audio.restart(
            at: nil, queue: flow.sound?.queue, rate: transport.soundRate, isBeginning: seek.target == .zero)
        progress = ReadingProgress(
            pipeline.scheduler.begin(
                flow.pictures, latestFirst: seek.target + Self.startTolerance, motion: reader.item.asset.shownMotion), of: seek,
            keepsPosition: true)
        (stage, isVideoDone, keepsPicture) = (.reading(flow), flow.pictures == nil, seek.passesOver)
        flow.sound?.beginDescription(of: reader.item, earliest: seek.earliest - Self.longestFrame)
    }

    /// Shows a frame from the cache; `attach` begins reading after it.
    init(_ seek: SeekRequest, showing frame: VideoFrame, of reader: ItemReader) {
        (self.reader, pipeline, transport) = (reader, reader.pipeline, reader.transport)
        pipeline.audio.restart(at: nil, queue: nil)
        progress = ReadingProgress(
            pipeline.scheduler.begin(nil, first: frame, motion: reader.item.asset.shownMotion), of: seek, keepsPosition: true)
        (stage, isVideoDone, keepsPicture) = (.waiting(frame), false, seek.passesOver)
    }

    /// Continues with the data read ahead for an item that has taken over from the previous one.
    init(takingOver lookahead: Succession.Lookahead, _ joint: Succession.Joint, of reader: ItemReader) {
        (self.reader, pipeline, transport) = (reader, reader.pipeline, reader.transport)
        progress = ReadingProgress(joint.generation, landedAt: joint.start)
        let sound = lookahead.audio.flatMap { queue in
            reader.item.audioTrack.map {
                SoundReading(
                    queue, of: $0.id, in: lookahead.buffer, describedBy: lookahead.described, pipeline: reader.pipeline)
            }
        }
        stage = .reading(Flow(buffer: lookahead.buffer, pictures: lookahead.video, sound: sound))
        isVideoDone = lookahead.video == nil
    }

    private static func read(
        _ source: any MediaSource, for reader: ItemReader, from position: MediaTime, _ wish: DecodingWish
    ) -> Flow {
        let (item, pipeline) = (reader.item, reader.pipeline)
        if let error = pipeline.sound.match(item, at: reader.transport.rate) { reader.note(error) }
        let tracks = [item.videoTrack?.id, item.audioTrack?.id, item.descriptionTrack?.id].compactMap { $0 }
        let buffer = source.startReading(at: position, tracks: tracks)
        let pictures = item.videoTrack.map { track in
            pipeline.pictures.decoder.start(
                reading: buffer, track: track.id, wish,
                capacity: TrackKind<VideoFrame>.framesAhead(width: track.width, height: track.height), bell: pipeline.bell)
        }
        // Playback starts at the beginning of the frame that contains the target, so its sound begins before the target too.
        let heard = DecodingWish(
            earliest: min(position, wish.earliest) - longestFrame, passesOver: wish.passesOver, standsIn: pictures != nil)
        let sound = item.audioTrack.map { track in
            SoundReading(
                pipeline.sound.startDecoding(buffer, track.id, heard, bell: pipeline.bell), of: track.id, in: buffer,
                pipeline: pipeline)
        }
        return Flow(buffer: buffer, pictures: pictures, sound: sound)
    }

    // MARK: State

    var manner: PlaybackManner? { .forward }
    var forward: ForwardReading? { self }
    var buffer: SampleBuffer? { flow?.buffer }
    var hasSound: Bool { sound != nil }
    var loadedUntil: MediaTime? { sensed.loadedUntil }

    private var flow: Flow? { if case .reading(let flow) = stage { flow } else { nil } }
    private var sound: SoundReading? { flow?.sound }
    private var audio: AudioRenderer { pipeline.audio }
    private var timebase: Timebase { transport.timebase }

    var isWaiting: Bool { if case .waiting = stage { true } else { false } }
    /// Whether the item has video.
    var hasPictures: Bool { flow?.pictures != nil || isWaiting }
    /// Whether another audio track or another audio description is being prepared.
    var isChangingSound: Bool { sound.map { $0.isChanging || $0.isChangingDescription } ?? false }

    /// Stops reading and decoding.
    func cancel() {
        attachTimer?.cancel()
        startTimer?.cancel()
        guard let flow else { return }
        flow.sound?.endDescription()
        flow.sound?.endChange()
        flow.buffer.cancel()
        flow.pictures?.cancel()
        flow.sound?.cancel()
    }

    /// Ends reading an item whose audio and pictures have all been passed on: what is mixed and shown now belongs to the next item.
    func cancelJoined() {
        attachTimer?.cancel()
        startTimer?.cancel()
        guard let flow else { return }
        flow.sound?.endChange()
        flow.buffer.cancel()
        flow.pictures?.cancel()
        flow.sound?.cancel()
        flow.sound?.leaveDescription()
    }

    // MARK: Cached frames

    /// Begins reading later: while paused, another seek may come first.
    func attachLater() {
        attachTimer = pipeline.clock.schedule(after: Self.deferral, rank: .timer) { [weak self] in self?.attach() }
    }

    /// Reads and decodes what follows a cached frame.
    func attach() {
        attachTimer?.cancel()
        attachTimer = nil
        guard case .waiting(let frame) = stage, let source = reader.source else { return }
        let wish = DecodingWish(earliest: frame.end, keepsLast: false, passesOver: keepsPicture)
        let flow = Self.read(source, for: reader, from: frame.time, wish)
        stage = .reading(flow)
        if let pictures = flow.pictures { pipeline.scheduler.attach(pictures) }
        audio.restart(
            at: progress.landing, queue: flow.sound?.queue, rate: transport.soundRate, isBeginning: progress.landing == .zero)
        audio.limit = reader.boundary
        flow.sound?.beginDescription(of: reader.item, earliest: frame.time - Self.longestFrame)
        if progress.landing != nil { pipeline.readAhead(flow.buffer) }
    }

    // MARK: Start

    func sense() {
        sensed =
            flow.map {
                SensedReading(
                    $0.buffer, pictures: $0.pictures, of: reader.item.videoTrack?.id, except: $0.sound?.descriptionTrack)
            } ?? SensedReading()
        audio.takeIn()
        reader.next?.sense(flow?.buffer, pictures: reader.item.videoTrack?.id)
        continueSoundChange()
        continueDescription()
        if let error = pipeline.sound.takeUndecodable() { reader.soundIsUndecodable(error) }
    }

    func preroll() {
        guard progress.landing != nil || landWithoutPicture(), !isWaiting else {
            // The bell does not ring when pictures turn out to be missing.
            return audio.next == nil ? () : lookAgain()
        }
        audio.feed(silenceUntil: isVideoDone ? nil : timebase.media.anchorTime + .seconds(1))
        if let error = audio.failure { return reader.soundFailed(error) }
        guard hasEnoughSound, hasEnoughToStart else {
            // Nor when the description turns out to be empty for a while, when more is buffered, and for sound that was left in the queue.
            if hasEnoughSound || audio.awaitsDescription || audio.hasLeftSound { lookAgain() }
            return
        }
        transport.handle(.prerolled)
    }

    private func lookAgain() {
        startTimer?.cancel()
        startTimer = pipeline.clock.schedule(after: PlaybackTicker.tickLength, rank: .media) { [weak self] in
            guard let self, self.transport.phase == .prerolling else { return }
            self.reader.pump()
        }
    }

    /// An item without video starts where its sound does. So does one whose pictures come later.
    private func landWithoutPicture() -> Bool {
        guard let flow else { return false }
        if flow.pictures != nil {
            switch sensed.picture {
            // An empty video track is treated as absent, unless its only picture is on its way to the screen.
            case .end where pipeline.scheduler.hasFrame: return false
            case .end: isVideoDone = true
            case .media(let picture) where picture.time > progress.target + Self.startTolerance:
                guard soundComesBefore(picture) else { return false }
            default: guard lacksPictures(at: progress.target) else { return false }
            }
        }
        switch audio.next {
        case .media(let buffer):
            if isVideoDone, flow.pictures != nil {
                if buffer.isStandIn { return landWithNothing() }
                if let track = reader.item.videoTrack, flow.buffer.headTime(of: track.id) != nil {
                    reader.note(.noPictures(of: reader.item.asset.url))
                }
            }
            if flow.pictures != nil, !keepsPicture { pipeline.scheduler.dropEarlierPicture() }
            reader.land(at: max(buffer.time, progress.target))
        case .end: return landWithNothing()
        case .failed(let error): reader.soundFailed(error)
        case .broken(let error): reader.soundDecoderFailed(error)
        case nil:
            guard flow.sound == nil else { return false }
            return landWithNothing()
        }
        return progress.landing != nil
    }

    private func landWithNothing() -> Bool {
        reader.landWithNothing()
        return progress.landing != nil
    }

    /// A picture that begins so much later than the target is shown at its time, if there is sound before it. Less is the reordering of an encoder.
    private static let startTolerance = MediaTime.milliseconds(250)

    /// Whether playback starts with the sound, because the first picture comes much later than that. Without such sound it starts with the picture.
    private func soundComesBefore(_ picture: VideoFrame) -> Bool {
        switch audio.next {
        case nil where hasSound: return false
        case .media(let buffer) where max(buffer.time, progress.target) + Self.startTolerance < picture.time: return true
        case nil, .media, .end: pipeline.scheduler.showAnyFirst()
        case .failed, .broken: return true
        }
        return false
    }

    private var hasEnoughSound: Bool {
        !hasSound || audio.isAtEnd || audio.queuedDuration >= Self.audioPreroll || pipeline.sound.isFull
    }

    private var hasEnoughToStart: Bool { reader.source?.adaptiveSource == nil || buffered?.isEnoughToStart != false }

    /// What is buffered; nil if nothing is being read.
    private var buffered: BufferedStretch? {
        guard let buffer else { return nil }
        return BufferedStretch(
            position: timebase.now, until: sensed.loadedUntil, isComplete: sensed.isAllThere, isCancelled: buffer.isCancelled,
            live: reader.item.liveStatus)
    }

    // MARK: Playing

    func playOn() {
        let awaitsNext = reader.next?.isAwaited ?? false
        audio.feed(silenceUntil: isVideoDone || awaitsNext ? nil : timebase.now + .seconds(1))
        reader.continueSuccession(self)
        if awaitsPictures, sensed.hasPicture {
            awaitsPictures = false
            timebase.tellScheduler()
        }
        if let error = audio.failure, audio.queuedDuration <= Self.leastSound { return reader.soundFailed(error) }
        guard timebase.rate != .zero else { return }
        transport.followSound(received: FileSource.isSent(reader.source) ? sensed.loadedUntil : nil, of: progress.generation)
        pipeline.observers.advance(to: timebase.now)
        if !hasPictures { reader.tell(.position(timebase.now)) }
        if passesGap() { return }
        checkEnd()
        if transport.phase == .ready, hasSound, !audio.isAtEnd, !isHeldAtBoundary,
            audio.queuedDuration <= Self.leastSound
        {
            transport.handle(.starved)
        }
    }

    func recover() {
        audio.feed()
        if let error = audio.failure { return reader.soundFailed(error) }
        guard isVideoDone || sensed.hasPicture || lacksPictures(at: timebase.now), hasEnoughSound,
            buffered?.isEnoughToGoOn(after: transport.state.stallCount) != false
        else { return }
        if passesGap() { return }
        transport.recover()
    }

    /// Continues at the end of a gap that playback has reached. What follows it is decoded already: nothing is loaded or decoded again.
    ///
    /// - Returns: whether there is one.
    private func passesGap() -> Bool {
        guard let gapEnd else { return false }
        transport.handle(.runBegan)
        audio.remake(at: gapEnd)
        reader.land(at: gapEnd)
        preroll()
        return true
    }

    /// The end of the gap that playback has reached, where segments could not be loaded or the time stamps of all tracks jump ahead; nil if there is
    /// none. A gap has neither pictures nor sound.
    private var gapEnd: MediaTime? {
        guard let source = reader.source, source.holes != .kept, !reader.isSeekPending else { return nil }
        let (pictures, sound) = (hasPictures && !isVideoDone, hasSound && !audio.isAtEnd)
        let isSteady = !pictures || progress.isSteady || source.holes == .omitted
        guard source.holes == .omitted || sound && audio.placedUntil != nil else { return nil }
        guard sound || isSoundOver, reader.next?.isArranged != true else { return nil }
        var hole = HoleAhead(at: timebase.now, longerThan: isSteady ? HoleAhead.longest : HoleAhead.longestSlide)
        // The last picture before the gap may be on its way to the screen.
        let shown = (progress.shown?.until ?? progress.landing).map { $0 + Self.longestFrame }
        if pictures { hole.add(sensed.picture?.media?.time, behind: shown) }
        if sound { hole.add(audio.next?.media?.time, behind: audio.placedUntil.map(transport.position) ?? progress.landing) }
        return hole.end
    }

    private var isHeldAtBoundary: Bool { reader.boundary.map { timebase.now >= $0 - .milliseconds(60) } ?? false }

    /// The next picture is late.
    ///
    /// - Returns: whether playback goes on without it, because the stream has none here.
    func goesOnWithoutPictures() -> Bool {
        awaitsPictures = lacksPictures(at: timebase.now)
        return awaitsPictures
    }

    /// Whether the stream has sound but no pictures at an asset time: they are not waited for.
    private func lacksPictures(at time: MediaTime) -> Bool { hasSound && sensed.noPicturesUntil.map { $0 > time } ?? false }

    func picturesEnded() {
        isVideoDone = true
        checkEnd()
    }

    private func checkEnd() {
        if isVideoDone, isSoundOver, transport.phase == .ready, reader.next?.isArranged != true { reader.end() }
    }

    /// Whether there is no sound, or its end has been heard.
    private var isSoundOver: Bool {
        !hasSound || audio.isAtEnd && audio.soundEnd.map { timebase.now >= transport.position(hearing: $0) } ?? true
    }

    // MARK: Rare ticks

    /// The amount of audio in the sink while ticks are rare.
    private static let plentyOfSound = MediaTime.milliseconds(250)
    /// The maximum deviation of the clock from the sound.
    private static let inStep = MediaTime.milliseconds(4)
    /// Ticks are no longer rare this close to the end, or to a boundary.
    private static let nearEnd = MediaTime.seconds(2)
    /// The same when another item follows without a gap.
    private static let nearSuccession = MediaTime.seconds(6)

    /// How long nothing can happen: pictures and audio are available, and neither an end nor a joint is near.
    func calm(deviation: MediaTime?) -> Duration? {
        guard transport.phase == .ready, timebase.rate == .one, flow?.pictures != nil, !isVideoDone, sound?.isChanging != true,
            !reader.isInterstitial
        else { return nil }
        if hasSound {
            // While the clock is being adjusted to the sound, ticks are frequent.
            guard !audio.isAtEnd, audio.queuedDuration >= Self.plentyOfSound, let deviation, deviation <= Self.inStep else {
                return nil
            }
        }
        let now = timebase.now
        // A gap is noticed when it is reached.
        if let picture = sensed.picture?.media, picture.time - now > HoleAhead.longest { return nil }
        if let end = [reader.item.endTime, reader.boundary, audio.limit].compactMap({ $0 }).min() {
            guard end - now > (reader.next == nil ? Self.nearEnd : Self.nearSuccession) else { return nil }
        }
        return pipeline.observers.nextDue(after: now).map { .nanoseconds(($0 - now).nanoseconds) } ?? .seconds(1)
    }

    // MARK: Track changes

    /// Whether a track is the audible one, with no change pending.
    func hears(_ track: TrackID?) -> Bool {
        guard let sound else { return false }
        return sound.track == track && !sound.isChanging
    }

    /// Another audio track was selected: it replaces the audible one while the video continues.
    ///
    /// - Returns: false if it must be read together with the pictures, from the start of a reading.
    func changeSound() -> Bool {
        sound?.endChange()
        let (item, position) = (reader.item, reader.currentTime)
        if reader.next?.isArranged == true { return false }
        if pipeline.sound.isOtherPassage(for: item, at: transport.rate) { return false }
        sound?.endDescriptionChange()
        guard progress.landing != nil, let sound, let track = item.audioTrack, let source = reader.source?.alternateTrackSource,
            sound.change(to: track.id, from: source, at: position)
        else { return false }
        return sound.isChanging || changeDescription()
    }

    /// Enqueues again what the sink has not played. While a seek is under way nothing is enqueued yet.
    func hearAgain() {
        if progress.landing != nil { sound?.hearAgain(timebase.media, rate: transport.soundRate) }
    }

    /// Starts, changes or stops the description according to the selection, while the programme continues.
    ///
    /// - Returns: false if it must be read together with the pictures, from the start of a reading.
    func changeDescription() -> Bool {
        sound?.endDescriptionChange()
        let wanted = reader.item.descriptionTrack?.id
        guard wanted != sound?.descriptionTrack else { return true }
        if reader.next?.isArranged == true { return false }
        guard let wanted else {
            sound?.endDescription()
            hearAgain()
            return true
        }
        guard progress.landing != nil, let sound, let source = reader.source?.alternateTrackSource else { return false }
        return sound.changeDescription(to: wanted, from: source, at: reader.currentTime)
    }

    private func continueSoundChange() {
        guard let sound else { return }
        let outcome = sound.continueChange(
            timebase.media, rate: transport.soundRate, limit: reader.boundary, describedBy: reader.item.descriptionTrack?.id)
        switch outcome {
        case .pending: break
        case .changed: if !changeDescription() { reader.readAnew() }
        case .failed(let error, let old, let new): reader.soundChangeFailed(error, from: old, to: new)
        }
    }

    private func continueDescription() {
        if let error = audio.description?.takeFailure() { reader.note(error) }
        guard let sound, sound.continueDescriptionChange(at: timebase.now), progress.landing != nil else { return }
        sound.hearAgain(timebase.media, rate: transport.soundRate)
    }

    /// Handles a hung call of the description's decoder: playback continues without the description.
    ///
    /// - Returns: whether one hung.
    func abandonHungDescription() -> Bool { sound?.abandonHungDescription() ?? false }

    /// Stops reading and decoding sound; pictures continue on a clock that follows none.
    ///
    /// - Returns: false if the item must be reread.
    func stopSound() -> Bool {
        guard progress.landing != nil, case .reading(var flow) = stage, let sound = flow.sound, flow.pictures != nil,
            reader.next?.isArranged != true
        else { return false }
        sound.stop()
        flow.sound = nil
        stage = .reading(flow)
        pipeline.sound.pause()
        audio.restart(at: nil, queue: nil, rate: transport.soundRate)
        return true
    }

    /// Stops decoding pictures; audio continues.
    ///
    /// - Returns: false if the item must be reread.
    func stopPictures() -> Bool {
        guard progress.landing != nil, case .reading(var flow) = stage, flow.sound != nil, reader.next?.isArranged != true
        else { return false }
        if let track = reader.item.description?.tracks.first(where: { $0.type == .video }) { flow.buffer.leave(track.id) }
        flow.pictures?.cancel()
        flow.pictures = nil
        stage = .reading(flow)
        isVideoDone = true
        pipeline.scheduler.clearVideo()
        progress.renumber(pipeline.scheduler.begin(nil))
        timebase.tellScheduler()
        return true
    }
}
