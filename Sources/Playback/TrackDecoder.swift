import LinuxSupport
import MediaModel
import MediaTime

/// What a decoder's thread hands over, in order of presentation.
enum Decoded<Media: Sendable>: Sendable {
    /// A frame or a stretch of sound.
    case media(Media)
    /// The track is over: nothing follows.
    case end
    /// Decoding or reading cannot go on: nothing follows.
    case failed(MediaError)
}

/// One open decoder of either kind, confined to its thread.
struct OpenDecoder<Media> {
    /// Decodes a sample, or with nil gives out what is left.
    let decode: (EncodedSample?) throws(MediaError) -> [Media]
    /// Forgets everything.
    let flush: () -> Void
}

/// Decodes one track of a player on a thread of its own. The decoder outlives seeks and discontinuities for as long as the parameters allow.
@MainActor
final class TrackDecoder<Media: Sendable> {
    /// How the two kinds of media differ.
    struct Kind: Sendable {
        /// How many decoded pieces wait for the player.
        var capacity: Int
        /// First asset time after a piece.
        var end: @Sendable (Media) -> MediaTime
        /// Whether a seek to the very end delivers the last piece there is: a picture is shown there, no sound is heard.
        var keepsLast: Bool
        /// Whether the decoder gives out what is left before it hears of the next run: what a discontinuity separates is not one stretch of sound.
        var drainsBetweenRuns: Bool
        /// Opens a decoder.
        var open: @Sendable (any CodecParameters) throws(MediaError) -> OpenDecoder<Media>
    }

    private let thread: WorkerThread
    private let worker: DecodeWorker<Media>
    private let capacity: Int
    private let clock: any HostClock

    init(name: String, kind: Kind, clock: any HostClock) {
        self.clock = clock
        capacity = kind.capacity
        thread = WorkerThread(name: name, clock: clock)
        worker = DecodeWorker(kind: kind)
    }

    /// Begins to decode a run of reading into a new queue. What was being decoded must have been cancelled.
    ///
    /// - Parameters:
    ///   - earliest: what ends at or before this asset time is decoded and thrown away.
    ///   - bell: rung whenever something was put into the empty queue.
    func start(
        reading buffer: SampleBuffer, track: TrackID, earliest: MediaTime, bell: Doorbell
    ) -> BoundedQueue<Decoded<Media>> {
        let queue = BoundedQueue<Decoded<Media>>(capacity: capacity, ledger: clock.ledger)
        let worker = worker
        thread.perform {
            worker.run(buffer, track, earliest) { item in
                let isWanted = queue.push(item)
                // Whoever has not yet looked at what was there before needs no second ring.
                if queue.count <= 1 { bell.ring() }
                return isWanted
            }
        }
        return queue
    }

    func stop() { thread.stop() }
}

/// What the decoder's thread does.
private final class DecodeWorker<Media: Sendable>: @unchecked Sendable {
    // Unchecked: after `init` everything mutable is touched by the jobs of one worker thread only, which run one after the other.
    private let kind: TrackDecoder<Media>.Kind
    private var decoder: OpenDecoder<Media>?
    private var parameters: (any CodecParameters)?
    private var lastRun: Int?

    init(kind: TrackDecoder<Media>.Kind) { self.kind = kind }

    /// - Parameter push: answers false when nobody wants anything of this run any more.
    func run(_ buffer: SampleBuffer, _ track: TrackID, _ earliest: MediaTime, _ push: (Decoded<Media>) -> Bool) {
        decoder?.flush()
        lastRun = nil
        var lastDropped: Media?
        var hasDelivered = false
        func deliver(_ pieces: [Media]) -> Bool {
            for piece in pieces {
                if !hasDelivered, kind.end(piece) <= earliest {
                    lastDropped = piece
                    continue
                }
                hasDelivered = true
                guard push(.media(piece)) else { return false }
            }
            return true
        }
        while true {
            do throws(MediaError) {
                switch buffer.next(track) {
                case .sample(let sample):
                    guard try deliver(prepare(for: sample)), try deliver(decoder!.decode(sample)) else { return }
                case .end:
                    guard try deliver(decoder?.decode(nil) ?? []) else { return }
                    if kind.keepsLast, !hasDelivered, let lastDropped, !push(.media(lastDropped)) { return }
                    _ = push(.end)
                    return
                case .failed(let error):
                    guard try deliver(decoder?.decode(nil) ?? []) else { return }
                    throw error
                case .cancelled:
                    return
                }
            } catch {
                decoder = nil
                _ = push(.failed(error))
                return
            }
        }
    }

    /// Makes sure that there is a decoder for a sample.
    ///
    /// - Returns: what the decoder had left of what came before.
    private func prepare(for sample: EncodedSample) throws(MediaError) -> [Media] {
        let isNewFormat = parameters.map { $0 !== sample.parameters && !$0.canContinue(as: sample.parameters) } ?? false
        let isNewRun = kind.drainsBetweenRuns && lastRun.map { $0 != sample.run } ?? false
        var rest: [Media] = []
        if isNewFormat || isNewRun, let decoder {
            rest = try decoder.decode(nil)
            decoder.flush()
        }
        if isNewFormat { decoder = nil }
        if decoder == nil { decoder = try kind.open(sample.parameters) }
        parameters = sample.parameters
        lastRun = sample.run
        return rest
    }
}

extension TrackDecoder where Media == VideoFrame {
    /// The decoder of a player's pictures.
    convenience init(codecs: any CodecFactory, allocator: any FrameAllocator, clock: any HostClock) {
        self.init(
            name: "decode-video",
            kind: Kind(capacity: 4, end: { $0.end }, keepsLast: true, drainsBetweenRuns: false) { parameters throws(MediaError) in
                let decoder = try codecs.openVideoDecoder(parameters, allocator: allocator)
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() })
            }, clock: clock)
    }
}

extension TrackDecoder where Media == AudioBuffer {
    /// The decoder of a player's sound.
    convenience init(codecs: any CodecFactory, output: AudioFormat, clock: any HostClock) {
        self.init(
            name: "decode-audio",
            kind: Kind(capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true) {
                parameters throws(MediaError) in
                let decoder = try codecs.openAudioDecoder(parameters, output: output)
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try decoder.decode(sample) }, flush: { decoder.flush() })
            }, clock: clock)
    }
}
