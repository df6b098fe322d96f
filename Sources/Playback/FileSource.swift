import Captions
import LinuxSupport
import MediaModel
import MediaTime

/// A file, local or on a server, as a source: one demuxer on a thread of its own.
@MainActor
final class FileSource: MediaSource, CueSource, AlternateTrackSource {
    private let clock: any HostClock
    private let stream: any ByteStream
    private let reader: FileReader
    private let captions = TrackCueStores()
    /// Opens the file once more, for a track that is read beside the others.
    private let reopen: (@MainActor () -> any ByteStream)?
    let codecs: any CodecFactory
    private var alternates: [Alternate] = []

    /// A track that is read beside the others.
    private struct Alternate {
        var stream: any ByteStream
        var thread: WorkerThread
        var buffer: SampleBuffer
    }
    private let thread: WorkerThread
    private var current: SampleBuffer?
    private var isClosed = false

    init(
        stream: any ByteStream, codecs: any CodecFactory, clock: any HostClock, reopen: (@MainActor () -> any ByteStream)? = nil
    ) {
        self.clock = clock
        self.codecs = codecs
        self.reopen = reopen
        self.stream = stream
        reader = FileReader(stream: stream, codecs: codecs, captions: captions)
        thread = WorkerThread(name: "demux", clock: clock)
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        let reader = reader
        clock.compute(on: thread, rank: .media) {
            reader.open()
        } then: { [weak self] result in
            guard let self, !self.isClosed else { return }
            completion(result)
        }
    }

    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        current?.cancel()
        endAlternates()
        // Simulated time waits for everything anyhow; where reading stands must not hang on which thread was quicker.
        let buffer = SampleBuffer(tracks: tracks, isHeldBack: !clock.isSimulated, ledger: clock.ledger)
        current = buffer
        let reader = reader
        thread.perform { reader.read(from: time, into: buffer) }
        return buffer
    }

    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? {
        current?.cancel()
        let buffer = SampleBuffer(tracks: [track], sampleLimit: KeyFrameReading.samplesAhead, ledger: clock.ledger)
        current = buffer
        let reader = reader
        thread.perform { reader.readKeyFrames(reading, track: track, into: buffer) }
        return buffer
    }

    func startReading(alternate track: TrackID, insteadOf old: TrackID?, at time: MediaTime) -> SampleBuffer? {
        guard !isClosed, let reopen, current != nil else { return nil }
        endAlternates { $0.isCancelled }
        let stream = reopen()
        let reader = FileReader(stream: stream, codecs: codecs, captions: TrackCueStores())
        let thread = WorkerThread(name: "demux-alternate", clock: clock)
        let buffer = SampleBuffer(tracks: [track], ledger: clock.ledger)
        alternates.append(Alternate(stream: stream, thread: thread, buffer: buffer))
        thread.perform {
            switch reader.open() {
            case .success: reader.read(from: time, into: buffer)
            case .failure(let error): buffer.fail(error)
            }
        }
        return buffer
    }

    private func endAlternates(where isOver: (SampleBuffer) -> Bool = { _ in true }) {
        for alternate in alternates where isOver(alternate.buffer) {
            alternate.buffer.cancel()
            alternate.stream.cancel()
            alternate.thread.retire()
        }
        alternates.removeAll { $0.buffer.isCancelled }
    }

    func cues(of track: TrackID) -> CueStore? { captions[track] }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        current?.cancel()
        endAlternates()
        stream.cancel()
        // A disk that hangs must not hang the main loop.
        thread.retire()
    }
}

/// The demuxer and what goes with it.
final class FileReader: @unchecked Sendable {
    // Unchecked: after `init` everything mutable is touched by the jobs of one worker thread only, which run one after the other.
    private let stream: any ByteStream
    private let codecs: any CodecFactory
    private(set) var demuxer: (any Demuxing)?
    /// What the container calls the beginning, which is asset time zero.
    private(set) var start = MediaTime.zero
    private let captions: TrackCueStores
    private var captionReader: SampleCaptionReader?

    init(stream: any ByteStream, codecs: any CodecFactory, captions: TrackCueStores) {
        self.stream = stream
        self.codecs = codecs
        self.captions = captions
    }

    func open() -> Result<SourceDescription, MediaError> {
        do throws(MediaError) {
            let demuxer = try codecs.openDemuxer(stream, hint: nil)
            self.demuxer = demuxer
            let container = demuxer.description
            guard container.tracks.contains(where: { $0.type == .video || $0.type == .audio }) else {
                throw MediaError(
                    .sourceFormat,
                    "\(stream.name) was opened as \(container.format) and has neither pictures nor sound; give a file that has.")
            }
            start = container.startTime
            captionReader = SampleCaptionReader(tracks: container.tracks, codecs: codecs, stores: captions)
            let duration = container.duration
            return .success(
                SourceDescription(
                    kind: "file", tracks: container.tracks, duration: duration.map { .finite($0) } ?? .indefinite,
                    seekableTimeRanges: duration.map { [TimeRange(start: .zero, duration: $0)] } ?? [],
                    tags: container.tags, chapters: container.chapters, artwork: container.artwork))
        } catch {
            return .failure(error)
        }
    }

    func read(from time: MediaTime, into buffer: SampleBuffer) {
        guard let demuxer, !buffer.isCancelled else { return }
        do throws(MediaError) {
            demuxer.select(Set(buffer.tracks).union(captionReader?.tracks ?? []))
            try demuxer.seek(to: time + start)
            captionReader?.restart()
            while let sample = try demuxer.nextSample() {
                var sample = sample
                sample.presentationTime -= start
                sample.decodeTime -= start
                if captionReader?.take(sample) == true { continue }
                guard buffer.append(sample) else { return }
            }
            buffer.finish()
        } catch {
            buffer.fail(error)
        }
    }
}
