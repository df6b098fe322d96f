import Composition
import LinuxSupport
import MediaModel
import MediaTime

/// A composition as a source: one thread for each of its tracks, which reads the segments one after another.
@MainActor
final class CompositionSource: MediaSource {
    private let document: CompositionDocument
    private var composition: Composition { document.composition }
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private let streams = OpenStreams()
    private let readers: [TrackID: (reader: PieceReader, thread: WorkerThread)]
    private var current: SampleBuffer?
    private var isClosed = false
    let events = EventSource<SourceEvent>()

    init(_ document: CompositionDocument, _ services: PlaybackServices) {
        self.document = document
        clock = services.clock
        buffering = services.buffering
        let (streams, loader, codecs, clock) = (streams, services.loader, services.codecs, services.clock)
        let volumes = document.audioMix?.inputParameters ?? []
        readers = Dictionary(
            document.composition.tracks.map { track in
                let gain = volumes.first { $0.track == track.id }.map { MixGain($0.volume) }
                let reader = PieceReader(track, gain: gain, loader: loader, codecs: codecs, streams: streams)
                return (track.id, (reader, WorkerThread(name: "demux-\(track.type.rawValue)", clock: clock)))
            }, uniquingKeysWith: { first, _ in first })
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
    nonisolated static func refusal(of document: CompositionDocument) -> MediaError? {
        let composition = document.composition
        if let error = document.validate().first(where: { $0.severity == .error }) {
            return MediaError(.sourceFormat, "Playing the composition failed: \(error)")
        }
        func refuse(_ reason: String) -> MediaError {
            MediaError(.sourceFormat, "Playing the composition failed: \(reason).")
        }
        if document.videoComposition != nil { return refuse("\"videoComposition\" is not played; remove it") }
        if composition.duration == .zero { return refuse("it is empty; add segments") }
        for type in [MediaType.video, .audio] where composition.tracks(of: type).count > 1 {
            return refuse("it has several \(type.rawValue) tracks, and one is played; remove the others")
        }
        for track in composition.tracks {
            for (index, segment) in track.segments.enumerated() {
                let place = "segment \(index + 1) of track \(track.id)"
                if segment.isEmpty, track.type == .video {
                    return refuse("\(place) has no picture; only audio tracks may have empty segments")
                }
                if let rate = segment.rate, rate != .one {
                    return refuse("\(place) has the rate \(rate), and only 1 is played; give source and target the same length")
                }
            }
        }
        return nil
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        if let error = Self.refusal(of: document) {
            // A completion never comes before `prepare` has returned.
            clock.schedule(at: clock.now, rank: .media) { [weak self] in
                if self?.isClosed == false { completion(.failure(error)) }
            }
            return
        }
        var found: [TrackID: Result<TrackDescription, MediaError>] = [:]
        let tracks = composition.tracks.filter { !$0.segments.isEmpty }
        for track in tracks {
            guard let (reader, thread) = readers[track.id] else { continue }
            clock.compute(on: thread, rank: .media) {
                reader.describe()
            } then: { [weak self] result in
                guard let self, !self.isClosed else { return }
                found[track.id] = result
                if found.count == tracks.count { completion(self.description(tracks.compactMap { found[$0.id] })) }
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
        for id in tracks {
            guard let (reader, thread) = readers[id] else { continue }
            thread.perform { reader.read(from: time, into: buffer) }
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
        for track in composition.tracks { readers[track.id]?.thread.retire() }
    }
}
