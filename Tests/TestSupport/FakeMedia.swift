import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization

/// A film that consists of numbers only: which frames and which sound it has, where reading waits and where decoding fails.
///
/// Frame n is shown at `start + n / frameRate`. Each sample of its sound is the number of the sample counted from asset time
/// zero, so that a sink's input shows its asset time.
package struct FakeMedia: Sendable {
    /// The number of frames; zero means no video track.
    package var frameCount: Int
    /// Frames per second.
    package var frameRate: Ratio
    /// One frame in this many is a sync sample.
    package var syncInterval: Int
    /// The duration of the sound; nil means no audio track.
    package var soundDuration: MediaTime?
    /// Decoding this frame fails.
    package var brokenFrame: Int?
    /// How the first decoders fail on a frame.
    package var fault: DecoderFault?
    /// Opening it throws this error.
    package var failure: MediaError?
    /// Closed captions by frame: cc_data of ATSC A/53.
    package var closedCaptions: [Int: [UInt8]] = [:]
    /// The size of its pictures, in pixels.
    package var pictureSize = (width: 32, height: 18)
    /// The dynamic range that it states.
    package var highRange: HighDynamicRange?
    /// The first bytes of the file, which only readers of metadata see.
    package var fileHead: [UInt8] = []
    /// The language of the first audio track.
    package var language: String?
    /// The languages of further audio tracks.
    package var languages: [String]
    /// The codecs of the audio tracks in their order; `fake-audio` for those beyond it.
    package var soundCodecs: [String] = []

    package init(
        frameCount: Int = 250, frameRate: Ratio = Ratio(25), syncInterval: Int = 12, soundDuration: MediaTime? = .seconds(10),
        brokenFrame: Int? = nil, fault: DecoderFault? = nil, failure: MediaError? = nil, languages: [String] = []
    ) {
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.syncInterval = syncInterval
        self.soundDuration = soundDuration
        self.brokenFrame = brokenFrame
        self.fault = fault
        self.failure = failure
        self.languages = languages
    }

    /// Samples per second of its sound.
    package static let sampleRate: Int32 = 48_000
    static let soundFrames = 1024

    /// When a frame is shown.
    package func time(of frame: Int) -> MediaTime { frameRate.period * frame }

    /// The duration of the pictures.
    package var pictureDuration: MediaTime { time(of: frameCount) }

    /// The total duration.
    package var duration: MediaTime { max(pictureDuration, soundDuration ?? .zero) }
}

/// A fault of a decoder that another decoder would not have.
package struct DecoderFault: Sendable {
    /// The symptom.
    package enum Kind: Sendable { case error, nothing, hang }
    package var kind: Kind
    /// The first frame with the fault.
    package var frame: Int
    /// The number of consecutive video decoders with the fault.
    package var decoders: Int

    package init(_ kind: Kind, frame: Int, decoders: Int = 1) {
        self.kind = kind
        self.frame = frame
        self.decoders = decoders
    }
}

/// Loads fakes by their addresses; everything else is missing.
package final class FakeLoader: ByteLoading {
    private struct State {
        var media: [String: FakeMedia] = [:]
        var bodies: [String: [UInt8]] = [:]
        var requests: [String] = []
        var isReleased = false
        var latency: Duration = .zero
        /// By address, in place of `latency`.
        var latencies: [String: Duration] = [:]
        var gates: [String: MediaTime] = [:]
    }
    private let monitor: Monitor<State>
    private let clock: any HostClock

    /// Makes an empty loader.
    package init(clock: any HostClock) {
        self.clock = clock
        monitor = Monitor(State(), ledger: clock.ledger)
    }

    /// Adds a film.
    package func put(_ media: FakeMedia, at url: String) { monitor.update { $0.media[url] = media } }

    /// Adds a body.
    package func put(_ bytes: [UInt8], at url: String) { monitor.update { $0.bodies[url] = bytes } }

    /// Sets how long each whole body takes.
    package func setLatency(_ latency: Duration) { monitor.update { $0.latency = latency } }

    /// Sets how long the body at an address takes.
    package func setLatency(_ latency: Duration, at url: String) { monitor.update { $0.latencies[url] = latency } }

    /// Holds back a film's samples from this time on until the gate is moved; nil removes it.
    package func setGate(_ time: MediaTime?, at url: String) { monitor.update { $0.gates[url] = time } }

    /// The addresses of requested whole bodies, in order.
    package var requests: [String] { monitor.read(\.requests) }

    @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let (bytes, latency) = monitor.update { state in
            state.requests.append(request.url)
            return (state.bodies[request.url], state.latencies[request.url] ?? state.latency)
        }
        let event = clock.schedule(at: clock.now + latency, rank: .transfer) {
            guard let bytes else {
                return completion(
                    .failure(MediaError(.sourceMissing, "Loading \(request.url) failed: there is nothing at that address.")))
            }
            let part = request.range.map { Array(bytes[Int($0.lowerBound)..<min(Int($0.upperBound), bytes.count)]) } ?? bytes
            completion(
                .success(
                    ByteResponse(
                        bytes: part, url: request.url, status: 200, contentType: nil, timeToFirstByte: latency,
                        transferDuration: latency)))
        }
        return FakeTask(event: event)
    }

    package func stream(_ url: String) -> any ByteStream { FakeStream(name: url, loader: self) }

    func media(at url: String) -> FakeMedia? { monitor.read { $0.media[url] } }

    /// Waits until a gate lets a time pass, or the stream is cancelled.
    func passGate(at url: String, _ time: MediaTime, unless isCancelled: () -> Bool) {
        _ = monitor.wait { state -> Bool? in
            guard let gate = state.gates[url], time >= gate, !isCancelled() else { return true }
            return nil
        }
    }

    /// Waits forever, like a call that never returns; simulated time advances meanwhile.
    func hang() { monitor.wait { state -> Void? in state.isReleased ? () : nil } }

    /// Unblocks hanging calls at the end of a test.
    package func release() { monitor.update { $0.isReleased = true } }

    /// Makes waiters at a gate check again.
    func knock() { monitor.update { _ in } }
}

private final class FakeTask: ByteTask {
    private let event: ScheduledEvent
    init(event: ScheduledEvent) { self.event = event }
    func cancel() { event.cancel() }
}

/// Stands for the bytes of a film; they only show that it is not a playlist.
final class FakeStream: ByteStream {
    let name: String
    let loader: FakeLoader
    private let cancelled = Atomic(false)
    private let position = Atomic<Int64>(0)

    init(name: String, loader: FakeLoader) {
        self.name = name
        self.loader = loader
    }

    var length: Int64? { 1 << 20 }
    var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard let media = loader.media(at: name) else {
            throw MediaError(.sourceMissing, "Loading \(name) failed: there is nothing at that address.")
        }
        guard !isCancelled else { return 0 }
        buffer.initializeMemory(as: UInt8.self, repeating: 0x2e)
        let start = Int(position.wrappingAdd(Int64(buffer.count), ordering: .relaxed).oldValue)
        buffer.copyBytes(from: media.fileHead.dropFirst(start).prefix(buffer.count))
        return buffer.count
    }

    func seek(to offset: Int64) throws(MediaError) { position.store(offset, ordering: .relaxed) }

    func cancel() {
        cancelled.store(true, ordering: .sequentiallyConsistent)
        loader.knock()
    }
}
