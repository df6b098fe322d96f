import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// A composition as a source: a thread for its pictures and one for its sound, which read the segments one after another.
@MainActor
final class CompositionSource: MediaSource {
    /// What delivers one track of the source.
    private enum Reader: Sendable {
        /// The samples of one track of the composition.
        case pieces(PieceReader)
        /// Bundles of the samples of several tracks.
        case composed(ComposedReader)

        func describe() -> Result<TrackDescription, MediaError> {
            switch self {
            case .pieces(let reader): reader.describe()
            case .composed(let reader): reader.describe()
            }
        }

        func read(from time: MediaTime, into buffer: SampleBuffer) {
            switch self {
            case .pieces(let reader): reader.read(from: time, into: buffer)
            case .composed(let reader): reader.read(from: time, into: buffer)
            }
        }
    }
    /// A track of the source.
    private struct Output: Sendable {
        let id: TrackID
        let reader: Reader
        let thread: WorkerThread
    }
    private let document: CompositionDocument
    private var composition: Composition { document.composition }
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private let streams = OpenStreams()
    /// Pictures before sound.
    private let outputs: [Output]
    /// Why it cannot be played; nil if it can.
    private let refused: MediaError?
    private var current: SampleBuffer?
    private var isClosed = false
    let events = EventSource<SourceEvent>()

    /// - Parameters:
    ///   - compositor: composes pictures; nil if there is none.
    ///   - taps: what hears audio tracks, by their numbers.
    init(
        _ document: CompositionDocument, _ services: PlaybackServices, compositor: (any VideoCompositing)?,
        taps: [TrackID: any SoundTap]
    ) {
        self.document = document
        clock = services.clock
        buffering = services.buffering
        refused = Self.refusal(of: document, hasCompositor: compositor != nil)
        let (streams, loader, codecs, clock) = (streams, services.loader, services.codecs, services.clock)
        func pieces(_ track: CompositionTrack, gain: (any SoundGain)? = nil) -> PieceReader {
            PieceReader(track, gain: gain, loader: loader, codecs: codecs, streams: streams)
        }
        func reader(_ type: MediaType) -> (TrackID, Reader)? {
            let tracks = ComposedProgramme.tracks(of: document, type)
            guard let first = tracks.first else { return nil }
            let kind: ComposedProgramme.Kind
            var duration = document.composition.duration
            if type == .audio {
                let isPlain =
                    tracks.count == 1 && taps[first.id] == nil && first.segments.allSatisfy { ($0.rate ?? .one) == .one }
                if isPlain {
                    let gain = document.audioMix?.gain(of: first.id, in: document.composition)
                    return (first.id, .pieces(pieces(first, gain: gain)))
                }
                kind = ComposedProgramme.sound(of: document, taps)
                duration = tracks.map(\.duration).max() ?? .zero
            } else {
                guard let video = document.videoComposition, let compositor else { return (first.id, .pieces(pieces(first))) }
                kind = .pictures(video, compositor)
            }
            let programme = ComposedProgramme(tracks, kind, duration: duration, clock: clock)
            return (first.id, .composed(ComposedReader(programme, tracks.map { pieces($0) })))
        }
        outputs = [MediaType.video, .audio].compactMap { type in
            reader(type).map {
                Output(id: $0.0, reader: $0.1, thread: WorkerThread(name: "demux-\(type.rawValue)", clock: clock))
            }
        }
    }

    /// Reads a document.
    ///
    /// - Throws: `sourceFormat` with the first error.
    static func document(in bytes: [UInt8], at url: String) throws(MediaError) -> CompositionDocument {
        guard CompositionReader.isComposition(bytes) else {
            throw MediaError(
                .sourceFormat, "\(url) was opened and is a JSON document, but not a composition; give media or a composition.")
        }
        let verdict = CompositionReader.read(bytes, baseURL: url)
        guard let document = verdict.document else {
            let error = verdict.findings.first { $0.severity == .error }
            throw MediaError(
                .sourceFormat,
                "Reading the composition \(url) failed: \(error.map(String.init(describing:)) ?? "it has errors.")")
        }
        return document
    }

    /// Why a composition cannot be played; nil if it can.
    ///
    /// - Parameter hasCompositor: whether pictures can be composed.
    nonisolated static func refusal(of document: CompositionDocument, hasCompositor: Bool) -> MediaError? {
        if let finding = document.obstacleToPlaying {
            return MediaError(.sourceFormat, "Playing the composition failed: \(finding)")
        }
        guard document.videoComposition == nil || hasCompositor else {
            return MediaError(
                .sourceFormat,
                "Playing the composition failed: nothing composes its pictures here; remove \"videoComposition\".")
        }
        return nil
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        if let error = refused {
            // A completion never comes before `prepare` has returned.
            clock.schedule(at: clock.now, rank: .media) { [weak self] in
                if self?.isClosed == false { completion(.failure(error)) }
            }
            return
        }
        var found: [TrackID: Result<TrackDescription, MediaError>] = [:]
        for output in outputs {
            clock.compute(on: output.thread, rank: .media) {
                output.reader.describe()
            } then: { [weak self] result in
                guard let self, !self.isClosed else { return }
                found[output.id] = result
                if found.count == self.outputs.count { completion(self.description(self.outputs.compactMap { found[$0.id] })) }
            }
        }
    }

    private func description(_ tracks: [Result<TrackDescription, MediaError>]) -> Result<SourceDescription, MediaError> {
        do throws(MediaError) {
            var described: [TrackDescription] = []
            for track in tracks { described.append(try track.get()) }
            var description = SourceDescription(
                kind: "composition", tracks: described, duration: .finite(composition.duration),
                seekableTimeRanges: [TimeRange(start: .zero, duration: composition.duration)])
            // A segment may have no key picture, or one that is before its first.
            description.offersKeyFrames = false
            return .success(description)
        } catch {
            return .failure(error)
        }
    }

    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        current?.cancel()
        let buffer = SampleBuffer(
            tracks: tracks, groups: tracks.map { [$0] }, buffering: buffering, ledger: clock.ledger)
        current = buffer
        for output in outputs where tracks.contains(output.id) {
            output.thread.perform { output.reader.read(from: time, into: buffer) }
        }
        return buffer
    }

    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? { nil }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        current?.cancel()
        streams.close()
        // A disk that hangs must not block the main loop.
        for output in outputs { output.thread.retire() }
    }
}
