import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// All pictures in reverse, without audio: in passes over stretches of the asset, each read and decoded forward and shown latest picture first. Main loop.
@MainActor
final class ReverseReading: Reading {
    var progress: ReadingProgress
    private(set) var buffer: SampleBuffer?
    private let queue: BoundedQueue<Decoded<VideoFrame>>
    /// End of the next pass.
    private var next: MediaTime
    /// The number of frames of the last pass.
    private var lastCount = 0
    private var isUnderWay = false
    private var isOver = false
    private var sensed = SensedReading()
    private var isVideoDone = false
    private unowned let reader: ItemReader

    /// More frames than one pass contains: the limit is in bytes.
    private static let capacity = 1024

    init(_ seek: SeekRequest, of reader: ItemReader) {
        self.reader = reader
        next = seek.target
        queue = BoundedQueue(capacity: Self.capacity, ledger: reader.pipeline.clock.ledger)
        reader.pipeline.audio.restart(at: nil, queue: nil)
        // The picture on the screen stays until the clock has reached the next.
        progress = ReadingProgress(
            reader.pipeline.scheduler.begin(queue, showsFirst: false, motion: reader.item.asset.shownMotion), of: seek)
    }

    var manner: PlaybackManner? { .reverse }
    var loadedUntil: MediaTime? { sensed.loadedUntil }

    func begin() {
        reader.pipeline.bell.ring()
        advance()
    }

    func sense() { sensed = SensedReading(buffer, pictures: queue) }

    /// The first pass is complete before the clock starts.
    func preroll() {
        guard sensed.hasPicture else { return }
        if progress.landing == nil { reader.land(at: progress.target) }
        reader.transport.handle(.prerolled)
    }

    func playOn() { if reader.followClock() { checkEnd() } }

    func recover() { if isVideoDone || sensed.hasPicture { reader.transport.recover() } }

    func frameWasShown() { advance() }

    func picturesEnded() {
        isVideoDone = true
        checkEnd()
    }

    private func checkEnd() {
        guard reader.transport.phase == .ready, reader.next?.isArranged != true else { return }
        reader.checkStart()
    }

    func cancel() {
        buffer?.cancel()
        queue.cancel()
    }

    /// Starts the next pass when there is room for its frames.
    private func advance() {
        let item = reader.item
        guard !isUnderWay, !isOver, let source = reader.source, let video = item.videoTrack, queue.count <= lastCount else {
            return
        }
        isUnderWay = true
        let (position, track, lower) = (next, video.id, reader.lowerBound)
        let buffer = source.startReading(at: max(position - .nanoseconds(1), lower), tracks: [track])
        self.buffer = buffer
        let bytes = reader.pipeline.pictures.batchBytes(width: video.width, height: video.height)
        let isThinned = item.reversePlayback == .thinned
        reader.pipeline.pictures.decoder.pass(over: buffer, into: queue, bell: reader.pipeline.bell) { worker, push in
            worker.runBackward(buffer, track, until: position, from: lower, byteLimit: bytes, isThinned: isThinned, push)
        } then: { [weak self] in
            self?.finish($0)
        }
    }

    private func finish(_ report: PassReport) {
        guard reader.reads(self), !reader.passFailed(report), !report.isCancelled else { return }
        isUnderWay = false
        lastCount = report.count
        isOver = report.first.map { $0 <= reader.lowerBound } ?? true
        if let first = report.first { next = first }
        learn(report)
        if isOver { _ = queue.tryPush(.end) }
        advance()
        reader.pump()
    }

    /// The quality of reverse playback is known once a group of pictures has been decoded.
    private func learn(_ report: PassReport) {
        guard report.count > 0 else { return }
        let item = reader.item
        if report.passed > 4 * report.count, item.reversePlayback != .thinned {
            item.reversePlayback = .thinned
        } else if report.passed > report.count, item.reversePlayback == .whole {
            item.reversePlayback = .repeated
        }
    }
}
