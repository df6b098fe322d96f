import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Events of the preparation of the next item.
@MainActor
protocol SuccessionHost: AnyObject {
    /// The next item is open: the current one may already be near its end.
    func successionIsOpen()
    /// Makes a change and delivers its events when it is complete.
    func whileHolding(_ change: () -> Void)
    /// The item cannot be opened.
    func skip(_ item: PlayerItem, _ error: MediaError)
    /// The clock has reached the joint, at this position of the current item.
    func becomeSuccessor(behind end: MediaTime)
}

/// The item after the current one, as far as it is prepared: it is opened during playback, read and decoded a few seconds before the end of the
/// current one, and passed to the sink and the scheduler after it, without a gap of a sample or a frame. If that is impossible (a live end,
/// interstitials, audio that ends after the video, a slow source), it is opened when the current item has ended. Main loop.
@MainActor
final class Succession {
    /// What is known of the item once it is open.
    struct Opened {
        let source: any MediaSource
        let description: SourceDescription
        /// What the source reported before the item had a log.
        fileprivate(set) var entries: [SourceLogEntry] = []
    }

    /// Its beginning, read and decoded.
    @MainActor
    struct Lookahead {
        let buffer: SampleBuffer
        let video: BoundedQueue<Decoded<VideoFrame>>?
        let audio: BoundedQueue<Decoded<AudioBuffer>>?
        /// Its description, if that is mixed with its sound.
        let described: DescriptionReading?
        /// The position where reading started.
        let target: MediaTime

        fileprivate func cancel() {
            buffer.cancel()
            video?.cancel()
            audio?.cancel()
            described?.cancel()
            described?.decoder.thread.retire()
        }

        /// Makes the mixer of its description and its sound.
        fileprivate func mixer(for sound: TrackID?, _ format: AudioFormat) -> DescriptionMixer? {
            guard let described, let sound else { return nil }
            return DescriptionMixer(described.queue, format: format) { [weak buffer] in
                (buffer?.bufferedUntil(described.track), buffer?.bufferedUntil(sound))
            }
        }
    }

    /// The joint.
    struct Joint {
        /// The run of its pictures.
        fileprivate(set) var generation = 0
        /// The position in the current item; nil for after the last picture.
        let end: MediaTime?
        /// Its own position.
        let start: MediaTime
    }

    /// The state of the preparation.
    private enum Stage {
        /// It has not started.
        case waiting
        case opening
        case open(Opened)
        /// It is being read and decoded.
        case reading(Opened, Lookahead)
        /// It is queued to take over at the end of the current item.
        case arranged(Opened, Lookahead, Joint)
    }

    /// The state of other threads, as it was at the start of the current event.
    private struct Sensed {
        var picture: Decoded<VideoFrame>?
        var sound: Decoded<AudioBuffer>?
        var hasEnoughSound = false
        /// The end of the pictures of the current item, once it has been read completely.
        var pictureEnd: MediaTime?
        /// Whether the current item has been read to its end.
        var isRead = false
    }

    let item: PlayerItem
    /// Whether the item is played automatically after the current one; otherwise nothing is prepared.
    var isAutomatic: Bool
    /// Decoded frames, and the captions inside them.
    let cache = FrameCache()
    let closedCaptions = ClosedCaptionTap()
    private var stage = Stage.waiting
    private var sensed = Sensed()
    private var decoders = Decoders()
    private var jointTimer: ScheduledEvent?
    private var listening: Subscription?
    private let pipeline: PlaybackPipeline
    private let transport: TransportDriver
    private weak var host: (any SuccessionHost)?

    /// The decoders, which are kept when a lookahead is discarded.
    struct Decoders {
        fileprivate(set) var video: TrackDecoder<VideoFrame>?
        fileprivate(set) var audio: TrackDecoder<AudioBuffer>?
    }

    /// The next item is opened this long before the end of the current one.
    private static let opensAhead = MediaTime.seconds(20)
    /// It is read and decoded this long before the end.
    private static let readsAhead = MediaTime.seconds(4)
    /// With less sound than this in the sink, the end of the item no longer waits for the next item.
    private static let lastMoment = MediaTime.milliseconds(150)
    /// The number of audio blocks decoded before the joint is relied on: about 200 ms in any codec.
    private static let piecesNeeded = 10

    init(
        _ item: PlayerItem, isAutomatic: Bool, pipeline: PlaybackPipeline, transport: TransportDriver, host: (any SuccessionHost)?
    ) {
        (self.item, self.isAutomatic) = (item, isAutomatic)
        (self.pipeline, self.transport, self.host) = (pipeline, transport, host)
    }

    // MARK: Progress

    /// Whether it has been passed to the sink and the scheduler.
    var isArranged: Bool { if case .arranged = stage { true } else { false } }

    /// Whether its audio may still arrive in time: otherwise there would be silence between the items.
    var isAwaited: Bool {
        guard isAutomatic, case .reading = stage else { return false }
        return pipeline.audio.queuedDuration > Self.lastMoment
    }

    /// The opened asset; nil before.
    private var opened: Opened? {
        switch stage {
        case .waiting, .opening: nil
        case .open(let opened), .reading(let opened, _), .arranged(let opened, _, _): opened
        }
    }

    private var lookahead: Lookahead? {
        switch stage {
        case .waiting, .opening, .open: nil
        case .reading(_, let lookahead), .arranged(_, let lookahead, _): lookahead
        }
    }

    /// Samples the results of other threads once.
    ///
    /// - Parameters:
    ///   - current: the buffer of the current item.
    ///   - pictures: the video track of the current item.
    func sense(_ current: SampleBuffer?, pictures: TrackID?) {
        guard case .reading(_, let lookahead) = stage else { return }
        sensed.picture = lookahead.video?.peek()
        sensed.sound = lookahead.audio?.peek()
        sensed.hasEnoughSound =
            lookahead.audio.map { $0.count >= Self.piecesNeeded || lookahead.buffer.isFinished == true } ?? true
        sensed.isRead = current?.isFinished == true
        sensed.pictureEnd = sensed.isRead ? pictures.flatMap { current?.bufferedUntil($0) } : nil
    }

    /// Continues the preparation during playback of the current item.
    func proceed(behind current: ForwardReading, of session: ItemSession) {
        guard isAutomatic, transport.isRunning, let end = session.item.endTime else { return }
        let left = end - transport.timebase.now
        switch stage {
        case .waiting: if left <= Self.opensAhead { open() }
        case .open(let opened):
            if left <= Self.readsAhead, !current.isChangingSound, canJoin(session, opened) { read(opened) }
        case .reading(let opened, let lookahead): arrange(opened, lookahead, behind: current, of: session)
        case .opening, .arranged: break
        }
    }

    // MARK: Opening

    private func open() {
        stage = .opening
        item.asset.load { [weak self] result in
            guard let self, case .opening = self.stage else { return }
            self.host?.whileHolding {
                switch result {
                case .failure(let error): self.host?.skip(self.item, error)
                case .success(let description): self.opened(description)
                }
            }
        }
    }

    private func opened(_ description: SourceDescription) {
        guard let source = item.asset.takeSource() else {
            host?.skip(item, .alreadyPlayed(item.asset))
            return
        }
        listening = source.events.listen { [weak self] in if case .logEntry(let entry) = $0 { self?.keep(entry) } }
        item.description = description
        source.selectAngle(of: item)
        pipeline.pictures.prepareTracks(of: item)
        item.findsOutStretching = { [weak sound = pipeline.sound] in sound?.canStretch ?? false }
        item.status = .readyToPlay
        stage = .open(Opened(source: source, description: description))
        host?.successionIsOpen()
    }

    /// Keeps what the source reports for the later log of the item.
    private func keep(_ entry: SourceLogEntry) {
        switch stage {
        case .waiting, .opening: break
        case .open(var opened):
            opened.entries.append(entry)
            stage = .open(opened)
        case .reading(var opened, let lookahead):
            opened.entries.append(entry)
            stage = .reading(opened, lookahead)
        case .arranged(var opened, let lookahead, let joint):
            opened.entries.append(entry)
            stage = .arranged(opened, lookahead, joint)
        }
    }

    // MARK: Decoding in advance

    /// Whether the two items can be joined without a gap.
    private func canJoin(_ session: ItemSession, _ opened: Opened) -> Bool {
        let current = session.item
        guard !current.isLive, session.interstitials?.hasEvents != true,
            opened.source.interstitialSource?.interstitials.isEmpty != false,
            opened.source.liveSource?.liveStatus?.isLive != true, opened.description.duration.time != nil,
            !pipeline.screen.wouldChange(for: item)
        else { return false }
        return (current.videoTrack == nil) == (item.videoTrack == nil)
            && (current.audioTrack == nil) == (item.audioTrack == nil)
            && !pipeline.sound.isOtherPassage(for: item, at: transport.rate)
    }

    private func read(_ opened: Opened) {
        let (position, services, bell) = (item.startTime ?? opened.description.preferredStart, pipeline.services, pipeline.bell!)
        let (picture, heard, describing) = (item.videoTrack, item.audioTrack, item.descriptionTrack)
        sensed = Sensed()
        let buffer = opened.source.startReading(
            at: position, tracks: [picture?.id, heard?.id, describing?.id].compactMap { $0 })
        let video = picture.map { picture in
            videoDecoder(services).start(
                reading: buffer, track: picture.id, DecodingWish(earliest: position),
                capacity: TrackKind<VideoFrame>.framesAhead(width: picture.width, height: picture.height), bell: bell)
        }
        let earliest = position - ForwardReading.longestFrame
        let audio = heard.map {
            audioDecoder(services).start(reading: buffer, track: $0.id, DecodingWish(earliest: earliest), bell: bell)
        }
        let described = describing.map { track in
            let decoder = TrackDecoder(
                kind: pipeline.sound.descriptionKind, clock: services.clock, buffering: services.buffering,
                times: services.processorTimes)
            let queue = decoder.start(reading: buffer, track: track.id, DecodingWish(earliest: earliest), bell: bell)
            return DescriptionReading(track: track.id, queue: queue, decoder: decoder)
        }
        stage = .reading(
            opened, Lookahead(buffer: buffer, video: video, audio: audio, described: described, target: position))
    }

    private func videoDecoder(_ services: PlaybackServices) -> TrackDecoder<VideoFrame> {
        if let decoder = decoders.video { return decoder }
        let kind = TrackKind<VideoFrame>.video(
            codecs: services.codecs, allocator: services.display.videoAllocator, cache: cache,
            hardware: pipeline.pictures.hardware)
        let decoder = TrackDecoder(
            kind: pipeline.captionLoader.tapping(kind, closedCaptions), clock: services.clock, buffering: services.buffering,
            times: services.processorTimes)
        decoders.video = decoder
        return decoder
    }

    private func audioDecoder(_ services: PlaybackServices) -> TrackDecoder<AudioBuffer> {
        if let decoder = decoders.audio { return decoder }
        let decoder = TrackDecoder(
            kind: pipeline.sound.kind, clock: services.clock, buffering: services.buffering, times: services.processorTimes)
        decoders.audio = decoder
        return decoder
    }

    // MARK: The joint

    /// Queues the decoded media in sink and scheduler, once all the sound of the current item is in the sink.
    private func arrange(
        _ opened: Opened, _ lookahead: Lookahead, behind current: ForwardReading, of session: ItemSession
    ) {
        guard !current.isChangingSound, !current.isWaiting, sensed.hasEnoughSound, let start = start(of: lookahead) else {
            return
        }
        let trim = session.boundary == session.item.forwardPlaybackEndTime ? session.boundary : nil
        guard session.boundary == nil || trim != nil else { return }
        func join(at end: MediaTime?) { self.join(opened, lookahead, Joint(end: end, start: start)) }
        guard current.hasSound else {
            // The last picture determines its end.
            guard trim != nil || sensed.isRead, !current.isVideoDone else { return }
            return join(at: trim)
        }
        let audio = pipeline.audio
        guard audio.isAllEnqueued, let soundEnd = audio.enqueuedUntil, !current.hasPictures || !current.isVideoDone else {
            return
        }
        guard trim == nil else { return join(at: trim) }
        guard current.hasPictures else { return join(at: soundEnd) }
        guard let pictureEnd = sensed.pictureEnd else { return }
        let frame = session.item.videoTrack?.frameRate.map(\.period) ?? .milliseconds(40)
        // Within the duration of a picture the sound decides: no sample is cut, and no silence is inserted.
        join(at: (soundEnd - pictureEnd).magnitude <= frame ? soundEnd : max(soundEnd, pictureEnd))
    }

    /// Where the item begins: with the picture that contains its start, else with the first audio or picture.
    private func start(of lookahead: Lookahead) -> MediaTime? {
        var positions: [MediaTime] = []
        if lookahead.video != nil {
            guard case .media(let frame) = sensed.picture else { return nil }
            if frame.time <= lookahead.target { return frame.time }
            positions.append(frame.time)
        }
        if lookahead.audio != nil {
            guard case .media(let sound) = sensed.sound else { return nil }
            positions.append(max(sound.time, lookahead.target))
        }
        return positions.min()
    }

    private func join(_ opened: Opened, _ lookahead: Lookahead, _ joint: Joint) {
        var joint = joint
        let limit = item.forwardPlaybackEndTime
        if let queue = lookahead.video {
            joint.generation = pipeline.scheduler.follow(
                with: queue, from: joint.start, behind: joint.end, boundary: limit, motion: item.asset.shownMotion)
        }
        stage = .arranged(opened, lookahead, joint)
        if let queue = lookahead.audio, let end = joint.end {
            pipeline.audio.follow(
                with: queue, from: joint.start, behind: end, limit: limit,
                describedBy: lookahead.mixer(for: item.audioTrack?.id, pipeline.sound.format))
        }
        armJoint()
    }

    /// Without video only the clock determines the joint.
    func armJoint() {
        guard case .arranged(_, let lookahead, let joint) = stage, lookahead.video == nil, let end = joint.end else { return }
        jointTimer?.cancel()
        let timebase = transport.timebase
        jointTimer = timebase.media.instant(of: end).map { instant in
            pipeline.clock.schedule(at: instant, rank: .media) { [weak self] in
                guard let self, self.isArranged, timebase.rate > .zero else { return }
                self.host?.becomeSuccessor(behind: end)
            }
        }
    }

    // MARK: The end

    /// Passes the preparation to the player, which owns the threads from now on; nil if no joint was arranged.
    func handOver() -> (opened: Opened, lookahead: Lookahead, joint: Joint, decoders: Decoders)? {
        guard case .arranged(let opened, let lookahead, let joint) = stage else { return nil }
        disarmJoint()
        defer { (decoders, stage, listening) = (Decoders(), .waiting, nil) }
        return (opened, lookahead, joint, decoders)
    }

    private func disarmJoint() {
        jointTimer?.cancel()
        jointTimer = nil
    }

    /// Discards what has been read; the item stays open.
    func stopReading() {
        disarmJoint()
        guard let opened, let lookahead else { return }
        stage = .open(opened)
        lookahead.cancel()
        cache.removeAll()
        sensed = Sensed()
    }

    /// Ends the preparation and its threads, without waiting for them.
    ///
    /// - Parameter isNext: whether the item is played next: then its asset stays open.
    func close(isNext: Bool = false) {
        stopReading()
        decoders.video?.thread.retire()
        decoders.audio?.thread.retire()
        decoders = Decoders()
        let source = opened?.source
        stage = .waiting
        listening = nil
        if let source, isNext {
            item.asset.putBack(source)
        } else {
            source?.close()
            item.asset.close()
        }
    }
}
