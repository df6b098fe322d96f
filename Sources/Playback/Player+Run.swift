import LinuxSupport
import MediaModel
import MediaTime

/// One run of reading from a place, made by each seek and each change of the manner of playing.
extension Player {
    /// How a run is read and shown.
    enum Manner: Equatable {
        /// Pictures and sound, forward.
        case play
        /// One key picture, to look at: no sound is decoded for it.
        case preview
        /// Key pictures only.
        case scan(KeyFrameReading.Direction)
        /// All pictures, backward, without sound.
        case reverse
    }

    struct Run {
        var manner: Manner
        var buffer: SampleBuffer?
        /// Where the sound comes from once it was changed; nil: from `buffer`.
        var soundBuffer: SampleBuffer?
        var video: BoundedQueue<Decoded<VideoFrame>>?
        var audio: BoundedQueue<Decoded<AudioBuffer>>?
        /// The track that is heard, and what is mixed with it.
        var soundTrack: TrackID?
        var description: DescriptionReading?
        var generation: Int
        var target: MediaTime
        /// Where play really begins: the time of the first picture or sound.
        var landing: MediaTime?
        var isVideoDone: Bool
        var completion: (@MainActor (Bool) -> Void)?
        /// The last frame that was shown: where it begins and ends.
        var shownFrom: MediaTime?
        var shownUntil: MediaTime?
        /// A frame that was decoded before stands on the screen, and what follows it is not being read yet.
        var waiting: VideoFrame?
        /// Passes over one stretch after the other, for what goes backward or leaps.
        var passes: Passes?
        /// Where the preview was asked for.
        var preview: PendingSeek?
        /// It took over from the item before, and these places are one.
        var joint: (end: MediaTime, start: MediaTime)?

        /// Ends reading and decoding.
        func cancel() {
            buffer?.cancel()
            soundBuffer?.cancel()
            video?.cancel()
            audio?.cancel()
        }
    }

    struct PendingSeek {
        var target: MediaTime
        var earliest: MediaTime
        /// Whether the frame is wanted whose interval holds the target.
        var isExact = false
        /// Whether any picture will do that is quick to be had.
        var isPreview = false
        /// Whether the picture on the screen is the answer already.
        var isAnswered = false
        var completion: (@MainActor (Bool) -> Void)?
        /// The boundary in force from the seek on.
        var boundary: MediaTime?
    }

    /// A cached picture stands so long before what follows it is read, unless play goes on.
    static let deferral = Duration.milliseconds(200)
    /// Going to a place so near to the last one is looking around: everything on the way is decoded and kept.
    static let lookingAround = MediaTime.seconds(5)

    /// Carries out a seek in the quickest way there is.
    func begin(_ seek: PendingSeek) {
        if seek.isAnswered, let landing = run?.landing {
            tell(.seekCompleted(landed: landing, finished: true))
            seek.completion?(true)
            return
        }
        let isPaused = machine.rate == .zero
        if isPaused, seek.isPreview, activeItem?.videoTrack != nil, pictures.cache.frame(at: seek.target) == nil {
            startPreview(seek)
        } else {
            startRun(seek)
        }
    }

    /// Begins a run in the manner that the rate asks for.
    func startRun(_ seek: PendingSeek) {
        switch Self.manner(for: machine.rate) {
        case .scan(let direction): startScan(seek, direction)
        case .reverse: startReverse(seek)
        case .play, .preview: startPlaying(seek)
        }
    }

    /// Ends what was, and begins anew.
    ///
    /// - Returns: the source and the item; nil where there are none, which completes the seek.
    func renew(_ seek: PendingSeek) -> (source: any MediaSource, item: PlayerItem)? {
        guard let source, let item = activeItem else {
            seek.completion?(false)
            return nil
        }
        endRun()
        captionLoader.jump(to: seek.target)
        session?.clientBoundary = seek.boundary
        setBoundaryState()
        media = MediaClock(anchorHost: clock.now, anchorTime: seek.target, rate: .zero)
        scheduler.setClock(media)
        session?.sensed = Sensed()
        state.isAtEnd = false
        watch.start()
        return (source, item)
    }

    private func startPlaying(_ seek: PendingSeek) {
        // A frame that has been decoded already is shown at once, whatever else there is to do.
        let cached = activeItem?.videoTrack == nil ? nil : pictures.cache.frame(at: seek.target)
        let isNear = session?.lastTarget.map { ($0 - seek.target).magnitude < Self.lookingAround } ?? false
        let isAtEnd = activeItem?.endTime.map { seek.target > $0 - .seconds(1) } ?? true
        guard let (source, item) = renew(seek) else { return }
        session?.lastTarget = seek.target
        let isPaused = machine.rate == .zero
        if isPaused { pictures.keepMost(true) }
        if let cached {
            begin(with: cached, seek, item, isDeferred: isPaused)
            if !isPaused { attachReading() }
        } else {
            let (buffer, video, sound) = read(
                source, item, from: seek.target, earliest: seek.earliest, isHasty: seek.isExact && !isNear && !isAtEnd)
            audio.restart(at: nil, queue: sound, rate: soundRate, isBeginning: seek.target == .zero)
            let generation = scheduler.begin(video)
            run = Run(
                manner: .play, buffer: buffer, video: video, audio: sound, generation: generation, target: seek.target,
                isVideoDone: video == nil, completion: seek.completion)
            run?.soundTrack = item.audioTrack?.id
            beginDescription(of: item, earliest: seek.earliest - Self.longestFrame)
        }
        applyBoundary()
        handle(.runBegan)
    }

    private func begin(with frame: VideoFrame, _ seek: PendingSeek, _ item: PlayerItem, isDeferred: Bool) {
        audio.restart(at: nil, queue: nil)
        let generation = scheduler.begin(nil, first: frame)
        run = Run(
            manner: .play, generation: generation, target: seek.target, isVideoDone: false, completion: seek.completion,
            waiting: frame)
        guard isDeferred else { return }
        session?.deferredReading = clock.schedule(after: Self.deferral, rank: .timer) { [weak self] in self?.attachReading() }
    }

    /// Reads and decodes what follows a frame that came out of the cache.
    func attachReading() {
        session?.deferredReading?.cancel()
        session?.deferredReading = nil
        guard let frame = run?.waiting, let source, let item = activeItem else { return }
        run?.waiting = nil
        let (buffer, video, sound) = read(source, item, from: frame.time, earliest: frame.end, isContinuing: true)
        run?.buffer = buffer
        run?.video = video
        run?.audio = sound
        if let video { scheduler.attach(video) }
        audio.restart(at: run?.landing, queue: sound, rate: soundRate, isBeginning: run?.landing == .zero)
        audio.limit = boundary
        run?.soundTrack = item.audioTrack?.id
        beginDescription(of: item, earliest: frame.time - Self.longestFrame)
        if run?.landing != nil { readAhead(buffer) }
    }

    /// An event of its own: the one under way still looks at how far reading has come.
    func readAhead(_ buffer: SampleBuffer) { clock.schedule(at: clock.now, rank: .media) { buffer.readAhead() } }

    private func read(
        _ source: any MediaSource, _ item: PlayerItem, from place: MediaTime, earliest: MediaTime, isHasty: Bool = false,
        isContinuing: Bool = false
    ) -> (SampleBuffer, BoundedQueue<Decoded<VideoFrame>>?, BoundedQueue<Decoded<AudioBuffer>>?) {
        if let error = sound.match(item, at: machine.rate) { note(error, of: item) }
        let tracks = [item.videoTrack?.id, item.audioTrack?.id, item.descriptionTrack?.id].compactMap { $0 }
        let buffer = source.startReading(at: place, tracks: tracks)
        let video = item.videoTrack.map { track in
            pictures.decoder.start(
                reading: buffer, track: track.id, earliest: earliest,
                capacity: TrackKind<VideoFrame>.framesAhead(width: track.width, height: track.height), isHasty: isHasty,
                keepsLast: !isContinuing, bell: bell)
        }
        // Play lands on the start of the frame that holds the target: the sound of that frame begins before the target too.
        let sound = item.audioTrack.map {
            self.sound.startDecoding(buffer, $0.id, earliest: (isContinuing ? place : earliest) - Self.longestFrame, bell: bell)
        }
        return (buffer, video, sound)
    }

    func endRun() {
        session?.deferredReading?.cancel()
        session?.deferredReading = nil
        succession?.stopReading()
        endDescription()
        guard let run else { return }
        self.run = nil
        ticker.stop()
        media = MediaClock(anchorHost: clock.now, anchorTime: media.time(at: clock.now), rate: .zero)
        scheduler.begin(nil)
        scheduler.setClock(media)
        endSoundChange()
        run.cancel()
        sound.pause()
        audio.restart(at: nil, queue: nil)
        if let completion = run.completion {
            tell(.seekCompleted(landed: run.target, finished: false))
            completion(false)
        }
    }

    func completePendingSeek(finished: Bool) {
        guard let seek = session?.pendingSeek else { return }
        session?.pendingSeek?.completion = nil
        if let completion = seek.completion {
            tell(.seekCompleted(landed: seek.target, finished: finished))
            completion(finished)
        }
    }
}
