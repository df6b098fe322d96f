import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Key pictures at a multiple of the normal rate, forward or in reverse, without audio. Main loop.
///
/// A source that can read only key pictures does so, in one reading. Otherwise there is one pass for each picture.
@MainActor
final class ScanReading: Reading {
    /// One pass for each picture.
    private struct Passes {
        /// Start of the next pass.
        var next: MediaTime
        var isUnderWay = false
        var isOver = false
    }

    var progress: ReadingProgress
    private(set) var buffer: SampleBuffer?
    private let direction: KeyFrameReading.Direction
    /// Minimum distance between two pictures.
    private let step: MediaTime
    private let track: TrackID
    private let queue: BoundedQueue<Decoded<VideoFrame>>
    /// nil if the source reads only key pictures.
    private var passes: Passes?
    private var sensed = SensedReading()
    private var isVideoDone = false
    private unowned let reader: ItemReader

    /// Minimum interval between two pictures: more than eight a second flicker.
    private static let shortestStay = MediaTime.milliseconds(125)

    init(
        _ seek: SeekRequest, _ direction: KeyFrameReading.Direction, track: TrackID, of reader: ItemReader,
        from source: any MediaSource
    ) {
        (self.reader, self.direction, self.track) = (reader, direction, track)
        let step = Self.shortestStay.scaled(by: reader.transport.rate).magnitude
        self.step = step
        queue = BoundedQueue(capacity: KeyFrameReading.samplesAhead, ledger: reader.pipeline.clock.ledger)
        let buffer = source.startReadingKeyFrames(
            KeyFrameReading(start: seek.target, direction: direction, step: step), track: track)
        self.buffer = buffer
        if buffer == nil { passes = Passes(next: direction == .forward ? seek.target + step : seek.target) }
        reader.pipeline.audio.restart(at: nil, queue: nil)
        // The picture on the screen stays until the clock has reached the next.
        progress = ReadingProgress(reader.pipeline.scheduler.begin(queue, showsFirst: false, isSparse: true), of: seek)
    }

    var manner: PlaybackManner? { .scan(direction) }
    var loadedUntil: MediaTime? { sensed.loadedUntil }

    func begin() {
        reader.pipeline.bell.ring()
        guard let buffer, passes == nil else { return advancePasses() }
        reader.pipeline.pictures.decoder.scan(
            buffer, track: track, after: direction == .forward ? progress.target : nil, into: queue, bell: reader.pipeline.bell)
    }

    func sense() { sensed = SensedReading(buffer, pictures: queue) }

    /// A scan shows pictures as they arrive.
    func preroll() {
        if progress.landing == nil { reader.land(at: progress.target) }
        reader.transport.handle(.prerolled)
    }

    func playOn() { if reader.followClock() { checkEnd() } }

    func recover() { if isVideoDone || sensed.hasPicture { reader.transport.recover() } }

    func frameWasShown() { advancePasses() }

    func picturesEnded() {
        isVideoDone = true
        checkEnd()
    }

    private func checkEnd() {
        guard reader.transport.phase == .ready, reader.next?.isArranged != true else { return }
        switch direction {
        case .forward: if reader.item.endTime.map({ reader.transport.timebase.now >= $0 }) ?? isVideoDone { reader.end() }
        case .backward: reader.checkStart()
        }
    }

    func cancel() {
        buffer?.cancel()
        queue.cancel()
    }

    // MARK: Passes

    /// Begins the next pass when there is room for its picture.
    private func advancePasses() {
        guard var passes, !passes.isUnderWay, !passes.isOver, let source = reader.source, reader.item.videoTrack != nil,
            queue.count < KeyFrameReading.samplesAhead
        else { return }
        passes.isUnderWay = true
        self.passes = passes
        let (position, pipeline) = (passes.next, reader.pipeline)
        let after = direction == .forward ? position - .nanoseconds(1) : nil
        let buffer = source.startReading(at: max(position, reader.lowerBound), tracks: [track])
        self.buffer = buffer
        pipeline.pictures.decoder.decodeKeyFrame(of: buffer, track: track, after: after, into: queue, bell: pipeline.bell) {
            [weak self] in self?.finish($0)
        }
    }

    private func finish(_ report: PassReport) {
        guard reader.reads(self), !reader.passFailed(report), !report.isCancelled, var passes else { return }
        passes.isUnderWay = false
        switch direction {
        case .forward:
            passes.isOver = report.first == nil
            if let first = report.first { passes.next = first + step }
        case .backward:
            let lowerBound = reader.lowerBound
            passes.isOver = passes.next <= lowerBound || report.first.map { $0 <= lowerBound } ?? false
            if let first = report.first { passes.next = min(first, passes.next) - step }
        }
        if passes.isOver { _ = queue.tryPush(.end) }
        self.passes = passes
        advancePasses()
        reader.pump()
    }
}
