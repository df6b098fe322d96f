import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport

@testable import HLSStreaming

/// A live source on the simulated clock, with the output of its buffers over time.
@MainActor
final class LiveRig {
    /// A multivariant playlist with the pictures in `main` and English sound of its own in `en`.
    static let separateSound = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2",AUDIO="a"
        main.m3u8
        """

    /// A multivariant playlist of `main` and, twice as large, `high`.
    static let twoVariants = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=320x180,CODECS="avc1.64000d,mp4a.40.2"
        main.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=600000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
        high.m3u8
        """

    let loop: MainLoop
    let origin: LiveOrigin
    private(set) var source: HLSSource!
    private(set) var description: SourceDescription?
    private(set) var statuses: [LiveStatus] = []
    private let deliveries = Monitor<[Int: SourceRig.Delivery]>([:], ledger: nil)
    private var threads: [WorkerThread] = []
    private var buffers: [SampleBuffer] = []
    private var listening: Subscription?

    init(_ plan: LiveOrigin.Plan) throws {
        loop = try MainLoop(time: .simulated)
        origin = LiveOrigin(plan, clock: loop.clock)
    }

    /// Prepares the presentation at an address; a multivariant playlist is given as text.
    func prepare(
        _ name: String = "main", multivariant: String? = nil, policy: (any StreamPolicy)? = nil
    ) -> Result<SourceDescription, MediaError>? {
        var result: Result<SourceDescription, MediaError>?
        func open(_ response: ByteResponse) {
            source = self.source(of: response, policy)
            listening = source.events.listen { [weak self] in
                if case .liveStatusChanged(let status) = $0 { self?.statuses.append(status) }
            }
            source.prepare { result = $0 }
        }
        if let multivariant {
            open(
                ByteResponse(
                    bytes: Array(multivariant.utf8), url: "http://live/master.m3u8", status: 200, contentType: nil,
                    timeToFirstByte: .zero, transferDuration: .zero))
        } else {
            origin.load(ByteRequest(url: "http://live/\(name).m3u8")) { if case .success(let response) = $0 { open(response) } }
        }
        run(for: .seconds(5)) { result != nil }
        description = try? result?.get()
        return result
    }

    private func source(of response: ByteResponse, _ policy: (any StreamPolicy)?) -> HLSSource {
        guard let policy else {
            return HLSSource(
                playlist: response, screen: (1920, 1080), loader: origin, codecs: FakeSegmentCodecs(),
                clock: loop.clock)
        }
        return HLSSource(
            playlist: response, screen: (1920, 1080), loader: origin, codecs: FakeSegmentCodecs(),
            clock: loop.clock
        ) { _, _ in policy }
    }

    /// Starts to read, each track on a thread that takes samples at once, or at a given pace.
    @discardableResult
    func read(_ tracks: [Int], at time: MediaTime? = nil) -> SampleBuffer {
        let buffer = source.startReading(at: time ?? description!.preferredStart, tracks: tracks.map { TrackID($0) })
        take(tracks, from: buffer)
        return buffer
    }

    /// Takes samples of tracks that are being read.
    func take(_ tracks: [Int], from buffer: SampleBuffer) {
        buffers.append(buffer)
        deliveries.update { $0 = [:] }
        for track in tracks {
            let thread = WorkerThread(name: "reader", clock: loop.clock)
            threads.append(thread)
            let deliveries = deliveries
            thread.perform {
                while true {
                    let item = buffer.next(TrackID(track))
                    let goesOn = deliveries.update { all -> Bool in
                        switch item {
                        case .sample(let sample): all[track, default: .init()].samples.append(sample)
                        case .gap: return true
                        case .end: all[track, default: .init()].isCancelled = false
                        case .failed(let error): all[track, default: .init()].error = error
                        case .cancelled: all[track, default: .init()].isCancelled = true
                        }
                        if case .sample = item { return true }
                        return false
                    }
                    if !goesOn { return }
                }
            }
        }
    }

    func delivery(_ track: Int) -> SourceRig.Delivery { deliveries.read { $0[track] ?? .init() } }

    /// The times of the samples of a track that are presented.
    func presented(_ track: Int) -> [MediaTime] {
        delivery(track).samples.filter { !$0.doesNotDisplay }.map(\.presentationTime)
    }

    var now: Duration { .nanoseconds(loop.clock.now.nanoseconds) }

    /// Lets at most this much simulated time pass.
    func run(for length: Duration, until isDone: () -> Bool = { false }) {
        loop.run(within: length, until: isDone)
    }

    /// Falls behind the window: no samples are taken, so reading stops when the buffer is full. After they are taken, the next media is no longer
    /// available.
    ///
    /// - Returns: the buffer that is behind.
    func fallBehind() -> SampleBuffer {
        let buffer = source.startReading(at: .seconds(4), tracks: [TrackID(0)])
        run(for: .seconds(120))
        take([0], from: buffer)
        run(for: .seconds(1))
        return buffer
    }

    /// Ends everything. Closing again does nothing.
    func close() {
        source?.close()
        buffers.forEach { $0.cancel() }
        threads.forEach { $0.stop() }
        threads = []
    }
}

/// Whether frames of 25 Hz follow one another without a gap or a repetition.
func isGapless(_ times: [MediaTime]) -> Bool {
    zip(times, times.dropFirst()).allSatisfy { $1 - $0 == .milliseconds(40) }
}
