import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime

/// Reads one rendition: fetches its segments on the main loop, demuxes them on a thread of its own, and delivers samples in asset time.
@MainActor
final class RenditionReader {
    /// Which track of the presentation a kind of sample becomes.
    struct Outlet: Sendable {
        var type: MediaType
        var track: TrackID
    }

    private let loader: any ByteLoading
    private let codecs: any CodecFactory
    private let clock: any HostClock
    private let timeline: StreamTimeline
    private let outlets: [Outlet]
    private let thread: WorkerThread
    private var bell: Doorbell!
    private var session: Session?

    /// What is known of the rendition; nil until its playlist has arrived.
    private(set) var playlist: MediaPlaylist?
    private var playlistURL: String
    private var isLoadingPlaylist = false

    /// One run of reading from a place.
    private struct Session {
        var number: Int
        var buffer: SampleBuffer
        var runs: BoundedQueue<RunPlan>
        var start: MediaTime
        var next: Int?
        var current: (stream: SegmentByteStream, sequence: Int64, map: MediaInitialization?)?
        var task: (any ByteTask)?
        var map: (key: MediaInitialization, bytes: [UInt8])?
        var failures = 0
        var hasDelivered = false
        /// Whether the other renditions wait for the stamps of this one…
        var isPrimary: Bool
        /// …and the first discontinuity sequence of which it has nothing yet.
        var nextSequence: Int64?
    }

    /// A run of segments for the demuxer's thread.
    struct RunPlan: Sendable {
        var stream: SegmentByteStream
        var container: ContainerHint
        var sequence: Int64
        var start: MediaTime
    }

    /// How many segments may wait for the demuxer before the next one is fetched.
    private static let segmentsAhead = 2
    /// A segment that cannot be had is treated as a gap; so many in a row are an outage.
    private static let mostFailures = 3

    init(
        url: String, playlist: MediaPlaylist?, outlets: [Outlet], name: String, loader: any ByteLoading,
        codecs: any CodecFactory, clock: any HostClock, timeline: StreamTimeline
    ) {
        playlistURL = url
        self.playlist = playlist
        self.outlets = outlets
        self.loader = loader
        self.codecs = codecs
        self.clock = clock
        self.timeline = timeline
        thread = WorkerThread(name: "demux-\(name)", clock: clock)
        bell = clock.makeDoorbell(rank: .transfer) { [weak self] in self?.fetchNext() }
    }

    /// Begins to deliver from the segment that holds `time`.
    ///
    /// - Parameter isPrimary: whether its stamps say where the others' lie: one rendition of those that are read.
    func start(at time: MediaTime, session number: Int, isPrimary: Bool, into buffer: SampleBuffer) {
        cancel()
        let runs = BoundedQueue<RunPlan>(capacity: 4096, ledger: clock.ledger)
        session = Session(number: number, buffer: buffer, runs: runs, start: time, isPrimary: isPrimary)
        let worker = DemuxWorker(codecs: codecs, timeline: timeline, outlets: outlets, isPrimary: isPrimary, session: number)
        thread.perform { worker.run(runs, into: buffer) }
        if playlist == nil { loadPlaylist() } else { fetchNext() }
    }

    /// Ends the run of reading that is under way.
    func cancel() {
        guard let session else { return }
        self.session = nil
        session.task?.cancel()
        session.runs.cancel()
        session.current?.stream.cancel()
        session.buffer.cancel()
        timeline.cancel(session: session.number)
    }

    func close() {
        cancel()
        thread.stop()
    }

    private func loadPlaylist() {
        guard !isLoadingPlaylist else { return }
        isLoadingPlaylist = true
        loader.load(ByteRequest(url: playlistURL)) { [weak self] result in
            guard let self else { return }
            self.isLoadingPlaylist = false
            do throws(MediaError) {
                let response = try result.get()
                self.playlist = try MediaPlaylistReader.read(response)
                self.playlistURL = response.url
                self.fetchNext()
            } catch {
                self.fail(error)
            }
        }
    }

    /// Fetches the next segment if the demuxer has use for it.
    private func fetchNext() {
        guard let playlist, let session, session.task == nil, !session.buffer.isCancelled else { return }
        guard (session.current?.stream.unreadSegments ?? 0) < Self.segmentsAhead else { return }
        let index = session.next ?? Self.index(of: session.start, in: playlist)
        guard index < playlist.segments.count else { return finish() }
        let segment = playlist.segments[index]
        self.session?.next = index
        if segment.isGap { return skip() }
        if let method = segment.key?.method, method != .none {
            return fail(
                MediaError(
                    .protected,
                    "Segment \(segment.mediaSequence) of \(playlistURL) is encrypted (\(segment.key?.methodName ?? "")), which this box does not play; serve it in the clear."
                ))
        }
        if let map = segment.map, session.map?.key != map { return fetch(map) }
        let number = session.number
        let task = loader.load(request(segment.uri, segment.byteRange)) { [weak self] result in
            guard let self, self.session?.number == number else { return }
            self.session?.task = nil
            switch result {
            case .success(let response): self.deliver(segment, response.bytes)
            case .failure(let error): self.miss(segment, error)
            }
        }
        self.session?.task = task
    }

    private func fetch(_ map: MediaInitialization) {
        guard let number = session?.number else { return }
        let task = loader.load(request(map.uri, map.byteRange)) { [weak self] result in
            guard let self, self.session?.number == number else { return }
            self.session?.task = nil
            switch result {
            case .success(let response):
                self.session?.map = (map, response.bytes)
                self.bell.ring()
            case .failure(let error): self.fail(error)
            }
        }
        session?.task = task
    }

    private func request(_ reference: String, _ range: ByteRange?) -> ByteRequest {
        ByteRequest(
            url: URLReference.resolve(reference: reference, against: playlistURL), range: range.map { $0.offset..<$0.end })
    }

    private func deliver(_ segment: MediaSegment, _ bytes: [UInt8]) {
        guard var session else { return }
        if session.current.map({ $0.sequence != segment.discontinuitySequence || $0.map != segment.map }) ?? true {
            session.current?.stream.finish()
            guard let container = ContainerSniffer.container(of: segment.map == nil ? bytes : session.map?.bytes ?? bytes) else {
                return fail(
                    MediaError(
                        .sourceFormat,
                        "Segment \(segment.uri) of \(playlistURL) is neither MPEG-TS, fragmented MP4 nor packed audio; check what the server sends."
                    ))
            }
            let stream = SegmentByteStream(name: playlistURL, ledger: clock.ledger, bell: bell)
            if segment.map != nil, let map = session.map { stream.append(map.bytes) }
            session.current = (stream, segment.discontinuitySequence, segment.map)
            let plan = RunPlan(
                stream: stream, container: container, sequence: segment.discontinuitySequence, start: segment.startTime)
            leave(before: segment.discontinuitySequence)
            session.nextSequence = segment.discontinuitySequence + 1
            session.runs.offer(plan)
        }
        session.current?.stream.append(bytes)
        session.failures = 0
        session.hasDelivered = true
        session.next = (session.next ?? 0) + 1
        self.session = session
        // As an event of its own: by then the demuxer has taken what it wants.
        bell.ring()
    }

    /// A segment that cannot be had is a gap, as long as there is media behind it and this is not an outage.
    private func miss(_ segment: MediaSegment, _ error: MediaError) {
        guard let playlist, let session else { return }
        self.session?.failures += 1
        let isLast = (session.next ?? 0) + 1 >= playlist.segments.count
        if session.failures + 1 >= Self.mostFailures || (isLast && !session.hasDelivered) { return fail(error) }
        skip()
    }

    private func skip() {
        let next = session?.next ?? 0
        session?.next = next + 1
        // From the loop, not from here: a list of nothing but gaps must not grow the stack.
        bell.ring()
    }

    /// Lets those go who wait for the stamps of a sequence of which no segment could be had.
    private func leave(before end: Int64) {
        guard let playlist, let session, session.isPrimary else { return }
        let first = session.nextSequence ?? playlist.segments[Self.index(of: session.start, in: playlist)].discontinuitySequence
        for sequence in first..<max(first, end) { timeline.leave(sequence) }
    }

    private func finish() {
        if let last = playlist?.segments.last { leave(before: last.discontinuitySequence + 1) }
        session?.current?.stream.finish()
        session?.runs.finish()
    }

    private func fail(_ error: MediaError) {
        guard let session else { return }
        // What has arrived is still played.
        session.current?.stream.finish()
        session.runs.offer(failing: error, clock: clock, bell: bell)
    }

    private static func index(of time: MediaTime, in playlist: MediaPlaylist) -> Int {
        var low = 0
        var high = playlist.segments.count
        while low < high {
            let middle = (low + high) / 2
            if playlist.segments[middle].startTime <= time { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}

extension BoundedQueue where Element == RenditionReader.RunPlan {
    /// Adds a run without waiting: a presentation has far fewer runs than the queue holds.
    @MainActor fileprivate func offer(_ plan: RenditionReader.RunPlan) {
        let isAccepted = tryPush(plan)
        assert(isAccepted || isExhausted, "more runs than a queue of runs holds")
    }

    /// Adds a run that fails at once, so that the demuxer's thread tells the decoders in order.
    @MainActor fileprivate func offer(failing error: MediaError, clock: any HostClock, bell: Doorbell) {
        let stream = SegmentByteStream(name: "", ledger: clock.ledger, bell: bell)
        stream.fail(error)
        offer(RenditionReader.RunPlan(stream: stream, container: .transportStream, sequence: -1, start: .zero))
        finish()
    }
}

/// Turns the answer to a request into a media playlist.
enum MediaPlaylistReader {
    static func read(_ response: ByteResponse, importing variables: [String: String] = [:]) throws(MediaError) -> MediaPlaylist {
        let parsed = PlaylistParser(importedVariables: variables, url: response.url).parse(response.bytes)
        guard let playlist = parsed.playlist else {
            throw MediaError(
                .sourceFormat,
                "The playlist \(response.url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it holds nothing")."
            )
        }
        guard case .media(let media) = playlist else {
            throw MediaError(
                .sourceFormat,
                "\(response.url) lists variants where a media playlist was expected; point the variant at a media playlist.")
        }
        guard !media.segments.isEmpty else {
            throw MediaError(.sourceFormat, "The playlist \(response.url) has no segments; check that the packager has finished.")
        }
        return media
    }
}
