import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import URLReferences

/// A picture that is fetched again and again while it is shown, as a source: a film of one picture, which another picture may replace at any time.
///
/// There is at most one request at a time, with the bounds of artwork. What is no good picture changes nothing. The picture is decoded on a thread of its own.
@MainActor
final class StillSource: MediaSource {
    /// What came of asking for the picture again.
    enum News {
        /// Another picture, in the memory of the screen.
        case replaced(VideoFrame)
        /// None, and why. It is told once for each cause, until there is a good one again.
        case failed(MediaError)
    }

    private let url: String
    /// How long it is shown.
    private let duration: MediaTime
    /// How old it may become before it is fetched again.
    private let interval: Duration
    private let services: PlaybackServices
    private let thread: WorkerThread
    private var picture: StillPicture?
    private var buffer: SampleBuffer?
    private var request: (any ByteTask)?
    private var timer: ScheduledEvent?
    private var listener: (@MainActor (News) -> Void)?
    /// The causes that were told since the last good picture.
    private var told: Set<ErrorCode> = []
    private(set) var isClosed = false
    /// Whether there is something at the address that is no picture, such as a film.
    private(set) var isSomethingElse = false
    let events = EventSource<SourceEvent>()

    init(_ url: String, duration: MediaTime, every interval: Duration, services: PlaybackServices) {
        self.url = url
        self.duration = duration
        self.interval = interval
        self.services = services
        thread = WorkerThread(name: "still", clock: services.clock)
    }

    private var clock: any HostClock { services.clock }
    private var name: String { Redaction.withoutSecrets(url) }

    // MARK: MediaSource

    /// The last good picture needs no request; one that is older than it may be is shown until there is another one.
    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        if let kept = services.pictures[url] { return open(kept.bytes, completion) }
        request = services.loader.load(ByteRequest(url: url, kind: .artwork)) { [weak self] result in
            guard let self, !self.isClosed else { return }
            self.request = nil
            switch result {
            case .failure(let error):
                self.isSomethingElse = error.fault == .tooLong
                completion(.failure(error))
            case .success(let response):
                self.open(response.bytes) { [weak self] result in
                    guard let self else { return }
                    if case .success = result { self.services.pictures.keep(response, of: self.url, at: self.clock.now) }
                    completion(result)
                }
            }
        }
    }

    private func open(
        _ bytes: [UInt8], _ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void
    ) {
        let opening = StillPicture.Opening(bytes: bytes, name: name, codecs: services.codecs)
        clock.compute(on: thread, rank: .media) {
            opening.picture()
        } then: { [weak self] result in
            guard let self, !self.isClosed else { return }
            switch result {
            case .success(let picture):
                self.picture = picture
                completion(.success(self.description(of: picture)))
            case .failure(let error):
                self.isSomethingElse = true
                completion(.failure(error))
            }
        }
    }

    private func description(of picture: StillPicture) -> SourceDescription {
        var description = SourceDescription(
            kind: SourceDescription.pictureKind, tracks: [picture.track], duration: .finite(duration),
            seekableTimeRanges: [TimeRange(start: .zero, duration: duration)])
        description.offersKeyFrames = false
        return description
    }

    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer {
        buffer?.cancel()
        let buffer = SampleBuffer(tracks: tracks, buffering: services.buffering, ledger: clock.ledger)
        self.buffer = buffer
        let sample = picture?.sample(lasting: duration)
        thread.perform {
            guard let sample, buffer.append(sample) else { return }
            buffer.finish()
        }
        return buffer
    }

    func startReadingKeyFrames(_ reading: KeyFrameReading, track: TrackID) -> SampleBuffer? { nil }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        listener = nil
        request?.cancel()
        timer?.cancel()
        buffer?.cancel()
        thread.retire()
    }

    // MARK: Fetching again

    /// Begins to fetch it again, because it is shown.
    func follow(_ listener: @escaping @MainActor (News) -> Void) {
        guard !isClosed else { return }
        self.listener = listener
        let checked = services.pictures[url]?.checked ?? clock.now
        schedule(at: max(checked + interval, clock.now))
    }

    private func schedule(at instant: HostTime) {
        timer?.cancel()
        timer = clock.schedule(at: instant, rank: .timer) { [weak self] in self?.fetch() }
    }

    private func fetch() {
        guard !isClosed, request == nil else { return }
        let condition = services.pictures[url]?.condition ?? []
        request = services.loader.load(ByteRequest(url: url, kind: .artwork, headers: condition)) { [weak self] result in
            guard let self, !self.isClosed else { return }
            self.request = nil
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let response): self.take(response)
            }
        }
    }

    private func take(_ response: ByteResponse) {
        let kept = services.pictures[url]
        // Without anything kept nothing was asked about a change.
        if response.status == 304, kept != nil {
            services.pictures.confirm(url, at: clock.now)
            return isGood()
        }
        if let kept, kept.bytes == response.bytes {
            services.pictures.keep(response, of: url, at: clock.now)
            return isGood()
        }
        let opening = StillPicture.Opening(bytes: response.bytes, name: name, codecs: services.codecs)
        let (allocator, duration) = (services.display.videoAllocator, duration)
        clock.compute(on: thread, rank: .media) {
            opening.picture(decodedInto: allocator, lasting: duration)
        } then: { [weak self] result in
            guard let self, !self.isClosed else { return }
            switch result {
            case .failure(let error): self.fail(error)
            case .success(let (picture, frame)):
                self.services.pictures.keep(response, of: self.url, at: self.clock.now)
                self.picture = picture
                self.isGood()
                self.listener?(.replaced(frame))
            }
        }
    }

    private func isGood() {
        told = []
        schedule(at: clock.now + interval)
    }

    private func fail(_ error: MediaError) {
        schedule(at: clock.now + interval)
        guard told.insert(error.code).inserted else { return }
        listener?(
            .failed(
                MediaError(
                    error.code, "Fetching the picture \(name) again failed; the last one stays. \(error.sentence)",
                    fault: error.fault)))
    }
}
