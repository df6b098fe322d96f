import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// One key picture near a position, as a preview while paused. Audio is not read. Main loop.
@MainActor
final class PreviewReading: Reading {
    var progress: ReadingProgress
    let buffer: SampleBuffer?
    private let seek: SeekRequest
    private let track: TrackID
    private let after: MediaTime?
    private let queue: BoundedQueue<Decoded<VideoFrame>>
    private unowned let reader: ItemReader
    private(set) var loadedUntil: MediaTime?

    /// - Parameter after: pictures at or before this asset time are skipped; nil for none.
    init(_ seek: SeekRequest, after: MediaTime?, track: TrackID, of reader: ItemReader, from source: any MediaSource) {
        (self.reader, self.seek, self.track, self.after) = (reader, seek, track, after)
        let keyFrames = KeyFrameReading(start: seek.target, direction: .forward, step: .zero)
        buffer =
            source.startReadingKeyFrames(keyFrames, track: track) ?? source.startReading(at: seek.target, tracks: [track])
        queue = BoundedQueue(capacity: 2, ledger: reader.pipeline.clock.ledger)
        reader.pipeline.audio.restart(at: nil, queue: nil)
        progress = ReadingProgress(reader.pipeline.scheduler.begin(queue), of: seek)
    }

    var manner: PlaybackManner? { nil }

    func begin() {
        guard let buffer else { return }
        let pipeline = reader.pipeline
        pipeline.pictures.decoder.decodeKeyFrame(of: buffer, track: track, after: after, into: queue, bell: pipeline.bell) {
            [weak self] in self?.finish($0)
        }
    }

    private func finish(_ report: PassReport) {
        guard reader.reads(self), !reader.passFailed(report), report.count == 0 else { return }
        // There is no key picture after the one on the screen, so the requested frame is decoded exactly.
        reader.start(SeekRequest(exactly: seek.target, boundary: seek.boundary, completion: progress.takeCompletion()))
    }

    /// Whether it is a preview further in the direction of the last one, but not yet past its picture.
    func answers(_ time: MediaTime) -> Bool {
        guard let landing = progress.landing else { return false }
        return progress.target < landing
            ? time >= progress.target && time <= landing : time <= progress.target && time >= landing
    }

    func sense() { loadedUntil = buffer?.bufferedUntil(except: nil) }

    func preroll() { if progress.landing != nil { reader.transport.handle(.prerolled) } }

    func playOn() {}
    func recover() {}
    func picturesEnded() {}

    func cancel() {
        buffer?.cancel()
        queue.cancel()
    }
}
