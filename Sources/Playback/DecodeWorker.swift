import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// What a decoder's thread does: a run of play. Passes for scanning and for playing backward are in extensions.
// Unchecked: after `init` everything mutable is touched by the jobs of one worker thread only, which run one after the other.
final class DecodeWorker<Media: Sendable>: @unchecked Sendable {
    let kind: TrackKind<Media>
    private let clock: any HostClock
    private var decoder: OpenDecoder<Media>?
    private var parameters: (any CodecParameters)?
    private var lastRun: Int?
    /// Whether the decoder leaves out what nothing hangs on: that nothing comes out is no silence then.
    private var isHasty = false
    /// Samples that have gone in since something came out, and the time of the first of them.
    private var silence: (count: Int, since: MediaTime)?
    /// When the call into the decoder that is under way began, in nanoseconds of the clock; negative while none is.
    private let callBegan = Atomic<Int64>(-1)

    /// Shorter stretches of nothing are a codec's delay, or a damaged part.
    private static var shortestSilence: MediaTime { .seconds(3) }

    init(kind: TrackKind<Media>, clock: any HostClock) {
        self.kind = kind
        self.clock = clock
    }

    /// Since when a call into the decoder has been under way; nil while none is. Any thread.
    var busySince: HostTime? {
        let began = callBegan.load(ordering: .relaxed)
        return began < 0 ? nil : HostTime(nanoseconds: began)
    }

    /// - Parameter push: answers false when nobody wants anything of this run any more.
    func run(
        _ buffer: SampleBuffer, _ track: TrackID, _ earliest: MediaTime, isHasty: Bool, keepsLast: Bool,
        _ push: (Decoded<Media>) -> Bool
    ) {
        // Of a burst of seeks only the last is begun.
        guard !buffer.isCancelled else { return }
        begin()
        var lastDropped: Media?
        var hasDelivered = false
        func deliver(_ pieces: [Media]) -> Bool {
            for piece in pieces {
                kind.onPiece?(piece)
                if !hasDelivered, kind.end(piece) <= earliest {
                    lastDropped = piece
                    continue
                }
                // Where pictures do not lie evenly, a container need not say how long each lasts: it lasts until the next.
                if !hasDelivered, keepsLast, let last = lastDropped, let first = kind.bridged?(last, piece),
                    kind.end(first) > earliest
                {
                    guard push(.media(first)) else { return false }
                }
                hasDelivered = true
                guard push(.media(piece)) else { return false }
            }
            return true
        }
        reading(push) { () throws(DecodeFailure) -> Bool in
            switch buffer.next(track) {
            case .sample(let sample):
                guard deliver(try prepare(for: sample)) else { return false }
                if isHasty { setHaste(sample.duration.map { sample.presentationTime + $0 <= earliest } ?? false) }
                return deliver(try decode(sample))
            case .end:
                guard deliver(try decode(nil)) else { return false }
                if kind.keepsLast, keepsLast, !hasDelivered, let lastDropped, !push(.media(lastDropped)) { return false }
                _ = push(.end)
                return false
            case .failed(let error):
                guard deliver(try decode(nil)) else { return false }
                throw .reading(error)
            case .cancelled: return false
            }
        }
    }

    /// Why a run cannot go on.
    enum DecodeFailure: Error {
        /// There is nothing more to read, or nobody to decode it.
        case reading(MediaError)
        /// The decoder failed.
        case decoding(MediaError)
    }

    /// Does one step after the other until it answers false, and tells what makes it impossible.
    func reading(_ push: (Decoded<Media>) -> Bool, _ step: () throws(DecodeFailure) -> Bool) {
        do throws(DecodeFailure) {
            while try step() {}
        } catch {
            decoder = nil
            switch error {
            case .reading(let error): _ = push(.failed(error))
            case .decoding(let error): _ = push(.broken(error))
            }
        }
    }

    /// Forgets what was decoded before.
    func begin() {
        watched { decoder?.flush() }
        setHaste(false)
        lastRun = nil
        silence = nil
    }

    func setHaste(_ isHasty: Bool) {
        self.isHasty = isHasty
        decoder?.setHaste(isHasty)
    }

    /// Decodes a sample, or gives out what is left.
    func decode(_ sample: EncodedSample?) throws(DecodeFailure) -> [Media] {
        guard let decoder else { return [] }
        let pieces: [Media]
        do throws(MediaError) {
            pieces = try watched { () throws(MediaError) in try decoder.decode(sample) }
        } catch {
            throw .decoding(error)
        }
        guard let sample, pieces.isEmpty, !sample.doesNotDisplay, !isHasty else {
            silence = nil
            return pieces
        }
        let before = silence ?? (0, sample.presentationTime)
        silence = (before.count + 1, before.since)
        if before.count >= kind.longestSilence, (sample.presentationTime - before.since).magnitude >= Self.shortestSilence {
            throw .decoding(
                MediaError(
                    .internal,
                    "Decoding \(sample.parameters.codecName) gave no output for \(before.count) samples in a row; the decoder is reopened."
                ))
        }
        return pieces
    }

    /// What the decoder has left, after which it takes samples of another place.
    func drain() throws(DecodeFailure) -> [Media] {
        let rest = try decode(nil)
        watched { decoder?.flush() }
        return rest
    }

    /// Makes sure that there is a decoder for a sample.
    ///
    /// - Returns: what the decoder had left of what came before.
    func prepare(for sample: EncodedSample) throws(DecodeFailure) -> [Media] {
        let isNewFormat = parameters.map { $0 !== sample.parameters && !$0.canContinue(as: sample.parameters) } ?? false
        let isNewRun = kind.drainsBetweenRuns && lastRun.map { $0 != sample.run } ?? false
        var rest: [Media] = []
        if isNewFormat || isNewRun, decoder != nil { rest = try drain() }
        if isNewFormat { decoder = nil }
        if decoder == nil {
            do throws(MediaError) {
                decoder = try watched { () throws(MediaError) in try kind.open(sample.parameters) }
            } catch {
                throw .reading(error)
            }
        }
        parameters = sample.parameters
        lastRun = sample.run
        return rest
    }

    /// A call into a decoder: it may not return.
    private func watched<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        callBegan.store(clock.now.nanoseconds, ordering: .relaxed)
        defer { callBegan.store(-1, ordering: .relaxed) }
        return try body()
    }
}
