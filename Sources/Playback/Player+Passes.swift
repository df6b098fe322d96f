import LinuxSupport
import MediaModel
import MediaTime

/// What does not run forward frame by frame: previews, scanning by key pictures, playing backward.
extension Player {
    /// Passes over one stretch of the asset after the other, each read and decoded by itself.
    struct Passes {
        /// Where the next begins; backward, where it ends.
        var next: MediaTime
        /// At least so much lies between the pictures of a scan; nil for every picture there is.
        var step: MediaTime?
        /// How many frames the last pass brought.
        var lastCount = 0
        var isUnderWay = false
        var isOver = false
    }

    // MARK: Previews

    /// Shows a key picture near a place. The track of sound is not even read.
    func startPreview(_ seek: PendingSeek) {
        // Forward it lies behind the picture on the screen, be the next one ever so far: a picture that is decoded for is no quick one.
        let after = seek.target > currentTime ? run?.shownFrom ?? currentTime : nil
        guard let (source, item) = renew(seek), let track = item.videoTrack?.id else { return }
        let reading = KeyFrameReading(start: seek.target, direction: .forward, step: .zero)
        let buffer = source.startReadingKeyFrames(reading, track: track) ?? source.startReading(at: seek.target, tracks: [track])
        let queue = makeQueue(2)
        audio.restart(at: nil, queue: nil)
        let generation = scheduler.begin(queue)
        run = Run(
            manner: .preview, buffer: buffer, video: queue, generation: generation, target: seek.target, isVideoDone: false,
            completion: seek.completion, preview: seek)
        applyBoundary()
        handle(.runBegan)
        pictures.decoder.pass(into: queue, bell: bell) { worker, push in
            worker.runKeyFrames(buffer, track, after: after, most: 1, push)
        } then: { [weak self] report in
            guard let self, self.run?.generation == generation else { return }
            buffer.cancel()
            self.previewed(report, seek)
        }
    }

    private func previewed(_ report: PassReport, _ seek: PendingSeek) {
        if passFailed(report) { return }
        guard report.count == 0 else { return }
        // There is no key picture behind the one on the screen any more: then exactly the frame that was asked for.
        let completion = run?.completion
        run?.completion = nil
        startRun(
            PendingSeek(
                target: seek.target, earliest: seek.target, isExact: true, completion: completion, boundary: seek.boundary))
    }

    func prerollPreview() { if run?.landing != nil { handle(.prerolled) } }

    /// Whether a tolerant seek is answered by the picture that stands on the screen: looking further in the direction of the last look, but not yet past
    /// what that has brought.
    func isAnsweredByPicture(_ time: MediaTime, _ before: MediaTime?, _ after: MediaTime?) -> Bool {
        guard before == nil, after == nil, machine.rate == .zero, session?.pendingSeek == nil, let run, run.manner == .preview,
            let landing = run.landing
        else { return false }
        return run.target < landing ? time >= run.target && time <= landing : time <= run.target && time >= landing
    }

    // MARK: Scanning

    func startScan(_ seek: PendingSeek, _ direction: KeyFrameReading.Direction) {
        let rate = machine.rate
        guard let (source, item) = renew(seek), let track = item.videoTrack?.id else { return }
        // More than eight pictures a second are a flicker.
        let step = MediaTime.milliseconds(125).scaled(by: rate).magnitude
        let reading = KeyFrameReading(start: seek.target, direction: direction, step: step)
        let queue = makeQueue(KeyFrameReading.samplesAhead)
        let buffer = source.startReadingKeyFrames(reading, track: track)
        beginPasses(seek, manner: .scan(direction), buffer: buffer, queue: queue, isSparse: true)
        guard let buffer else {
            run?.passes = Passes(next: direction == .forward ? seek.target + step : seek.target, step: step)
            return advancePasses()
        }
        pictures.decoder.scan(buffer, track: track, after: direction == .forward ? seek.target : nil, into: queue, bell: bell)
    }

    // MARK: Backward

    func startReverse(_ seek: PendingSeek) {
        pictures.cache.byteLimit = 0
        guard renew(seek) != nil else { return }
        beginPasses(seek, manner: .reverse, buffer: nil, queue: makeQueue(1024), isSparse: false)
        run?.passes = Passes(next: seek.target, step: nil)
        advancePasses()
    }

    private func makeQueue(_ capacity: Int) -> BoundedQueue<Decoded<VideoFrame>> {
        BoundedQueue(capacity: capacity, ledger: clock.ledger)
    }

    private func beginPasses(
        _ seek: PendingSeek, manner: Manner, buffer: SampleBuffer?, queue: BoundedQueue<Decoded<VideoFrame>>, isSparse: Bool
    ) {
        audio.restart(at: nil, queue: nil)
        // The picture on the screen stays until the clock has come to the next.
        let generation = scheduler.begin(queue, showsFirst: false, isSparse: isSparse)
        run = Run(
            manner: manner, buffer: buffer, video: queue, generation: generation, target: seek.target, isVideoDone: false,
            completion: seek.completion)
        applyBoundary()
        handle(.runBegan)
        bell.ring()
    }

    func prerollPasses() {
        guard let run else { return }
        // A scan shows what comes when it comes; backward the first batch is there before time moves.
        if run.manner == .reverse, session?.sensed.hasPicture != true { return }
        if run.landing == nil { land(at: run.target) }
        handle(.prerolled)
    }

    /// The first asset time that is played when going backward.
    var lowerBound: MediaTime {
        max(activeItem?.reversePlaybackEndTime ?? .zero, activeItem?.description?.seekableTimeRanges.first?.start ?? .zero)
    }

    /// Begins the next pass when there is room for what it will bring.
    func advancePasses() {
        guard let current = run, var passes = current.passes, !passes.isUnderWay, !passes.isOver, let queue = current.video,
            let source, let video = activeItem?.videoTrack
        else { return }
        let track = video.id
        let mostWaiting = passes.step == nil ? passes.lastCount : KeyFrameReading.samplesAhead - 1
        guard queue.count <= mostWaiting else { return }
        passes.isUnderWay = true
        run?.passes = passes
        let (lower, place, step) = (lowerBound, passes.next, passes.step)
        let isForward = current.manner == .scan(.forward)
        let start = step == nil ? max(place - .nanoseconds(1), lower) : max(place, lower)
        let buffer = source.startReading(at: start, tracks: [track])
        run?.buffer = buffer
        let bytes = pictures.batchBytes(width: video.width, height: video.height)
        let (isThinned, generation) = (activeItem?.reversePlayback == .thinned, current.generation)
        pictures.decoder.pass(into: queue, bell: bell) { worker, push in
            if step != nil {
                return worker.runKeyFrames(buffer, track, after: isForward ? place - .nanoseconds(1) : nil, most: 1, push)
            }
            return worker.runBackward(buffer, track, until: place, from: lower, byteLimit: bytes, isThinned: isThinned, push)
        } then: { [weak self] report in
            guard let self, self.run?.generation == generation else { return }
            buffer.cancel()
            self.passed(report)
        }
    }

    private func passed(_ report: PassReport) {
        guard !passFailed(report), !report.isCancelled, var passes = run?.passes, let queue = run?.video else { return }
        passes.isUnderWay = false
        passes.lastCount = report.count
        if let step = passes.step {
            let isForward = run?.manner == .scan(.forward)
            passes.isOver =
                isForward ? report.first == nil : passes.next <= lowerBound || report.first.map { $0 <= lowerBound } ?? false
            if let first = report.first { passes.next = isForward ? first + step : min(first, passes.next) - step }
        } else {
            passes.isOver = report.first.map { $0 <= lowerBound } ?? true
            if let first = report.first { passes.next = first }
            learn(report)
        }
        if passes.isOver { _ = queue.tryPush(.end) }
        run?.passes = passes
        advancePasses()
        pump()
    }

    /// How well it goes backward is known once a group of pictures has been seen.
    private func learn(_ report: PassReport) {
        guard let item = activeItem, report.count > 0 else { return }
        if report.passed > 4 * report.count, item.reversePlayback != .thinned {
            item.reversePlayback = .thinned
        } else if report.passed > report.count, item.reversePlayback == .whole {
            item.reversePlayback = .repeated
        }
    }

    /// - Returns: whether a pass could not be made, which has been dealt with.
    private func passFailed(_ report: PassReport) -> Bool {
        switch report.failure {
        case .broken(let error): rebuild(after: error)
        case .failed(let error): fail(error)
        default: return false
        }
        return true
    }
}
