import LinuxSupport
import MediaModel
import Synchronization

/// Which hardware decoders a player uses. A hardware decoder is tried first and left at its first error; decoders of its codec are then opened in software for
/// a while. Any thread.
final class HardwareDecoding: Sendable {
    private struct State {
        /// By the name of the codec.
        var trust: [String: HardwareTrust] = [:]
        /// The decoders that are open, with their codecs.
        var open: [ObjectIdentifier: String] = [:]
        /// Why decoders were left, until it is noted.
        var reasons: [MediaError] = []
    }
    private let state = Mutex(State())
    private let clock: any HostClock

    init(clock: any HostClock) { self.clock = clock }

    /// Opens a hardware decoder.
    ///
    /// - Parameter allocator: makes the memory of pictures that are copied because the player holds many.
    /// - Returns: nil if there is none for the codec, it does not open, or it was left lately: then the pictures are decoded in software.
    func open(
        _ parameters: any CodecParameters, _ codecs: any CodecFactory, _ allocator: any FrameAllocator
    ) -> SurfaceDecoder? {
        let (codec, now) = (parameters.codecName, clock.now)
        guard state.withLock({ $0.trust[codec]?.isDue(at: now) ?? true }) else { return nil }
        let pool = SurfacePool()
        do throws(MediaError) {
            guard let inner = try codecs.openHardwareDecoder(parameters, pool: pool) else { return nil }
            let decoder = SurfaceDecoder(inner, codec, pool, copiesInto: allocator, for: self)
            state.withLock { $0.open[ObjectIdentifier(decoder)] = codec }
            return decoder
        } catch {
            leave(codec, error)
            return nil
        }
    }

    /// A hardware decoder has failed.
    fileprivate func leave(_ codec: String, _ reason: MediaError) {
        let now = clock.now
        state.withLock { state in
            state.trust[codec, default: HardwareTrust()].failed(at: now)
            // More than one rebuilding takes note of.
            if state.reasons.count < 8 { state.reasons.append(reason) }
        }
    }

    /// The thread of a decoder was abandoned in a call that does not return: hardware decoders that are open are not opened again for a while.
    func abandoned() {
        let codecs = state.withLock { state in
            defer { state.open = [:] }
            return Set(state.open.values)
        }
        for codec in codecs.sorted() {
            leave(
                codec,
                MediaError(
                    .internal, "Decoding \(codec) in hardware failed: the decoder does not answer; it is decoded in software."))
        }
    }

    /// A decoder has given many pictures: what its codec's decoders did before counts no more.
    fileprivate func proved(_ codec: String) { state.withLock { $0.trust[codec] = nil } }

    fileprivate func closed(_ decoder: SurfaceDecoder) { state.withLock { $0.open[ObjectIdentifier(decoder)] = nil } }

    /// Why decoders were left since the last call.
    func takeReasons() -> [MediaError] {
        state.withLock { state in
            defer { state.reasons = [] }
            return state.reasons
        }
    }
}

/// How long a codec's hardware decoders are not tried after one has failed: ten minutes at first, then twice as long each time, up to a day. A value.
struct HardwareTrust: Equatable {
    static let shortestPause = Duration.seconds(600)
    static let longestPause = Duration.seconds(86_400)

    private var retry: HostTime?
    private var pause = HardwareTrust.shortestPause

    mutating func failed(at now: HostTime) {
        retry = now + pause
        pause = min(pause * 2, Self.longestPause)
    }

    /// Whether a decoder may be tried.
    func isDue(at now: HostTime) -> Bool { retry.map { now >= $0 } ?? true }
}

/// A hardware decoder as the player uses it: it fails as soon as the display cannot show its pictures. When the player holds many, as in a pause or backward,
/// further ones are copied, because the decoder could not go on without its memory. Confined to its thread.
final class SurfaceDecoder: VideoDecoding {
    /// Enough for the queue, the picture on the screen, the next one, and those of the cache that are in neither.
    static let mostLent = 10
    /// After this many pictures a decoder is one that works.
    private static let provingPictures = 1500

    private let inner: any VideoDecoding
    private let codec: String
    private let pool: SurfacePool
    private let allocator: any FrameAllocator
    private let hardware: HardwareDecoding
    private var pictures = 0

    fileprivate init(
        _ inner: any VideoDecoding, _ codec: String, _ pool: SurfacePool, copiesInto allocator: any FrameAllocator,
        for hardware: HardwareDecoding
    ) {
        self.inner = inner
        self.codec = codec
        self.pool = pool
        self.allocator = allocator
        self.hardware = hardware
    }

    deinit { hardware.closed(self) }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        if let refusal = pool.refusal { throw refusal }
        var frames = try inner.decode(sample)
        for index in frames.indices where pool.lentCount > Self.mostLent && frames[index].pixels.surface != nil {
            frames[index].pixels = try frames[index].pixels.copied(into: allocator)
        }
        if pictures < Self.provingPictures {
            pictures += frames.count
            if pictures >= Self.provingPictures { hardware.proved(codec) }
        }
        return frames
    }

    func flush() { inner.flush() }

    var skipsNonReference: Bool {
        get { inner.skipsNonReference }
        set { inner.skipsNonReference = newValue }
    }

    /// It has failed, in a call or by giving no pictures.
    func failed(_ error: MediaError) { hardware.leave(codec, error) }
}
