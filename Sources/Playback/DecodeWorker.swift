import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// The work of a decoder's thread: a run of playback. Passes for scanning and backward playback are in extensions.
// Unchecked: after `init` all mutable state is used only by the jobs of one worker thread, which run one after another.
final class DecodeWorker<Media: Sendable>: @unchecked Sendable {
    let kind: TrackKind<Media>
    private let clock: any HostClock
    private var decoder: OpenDecoder<Media>?
    private var parameters: (any CodecParameters)?
    private var lastRun: Int?
    /// What is decoded outside this range is cut off; nil cuts nothing.
    private var range: TimeRange?
    /// The volume of what is decoded; nil for full volume.
    private var gain: (any SoundGain)?
    /// Whether the decoder skips non-reference frames; then missing output is not an error.
    private var isHasty = false
    /// Samples decoded since the last output, and the time of the first of them.
    private var silence: (count: Int, since: MediaTime)?
    /// When the current call into the decoder began, in nanoseconds of the clock; negative while there is none.
    private let callBegan = Atomic<Int64>(-1)

    /// Missing output for a shorter time is a codec's delay, or damaged media.
    private static var shortestSilence: MediaTime { .seconds(3) }

    init(kind: TrackKind<Media>, clock: any HostClock) {
        self.kind = kind
        self.clock = clock
    }

    /// When the current call into the decoder began; nil while there is none. Any thread.
    var busySince: HostTime? {
        let began = callBegan.load(ordering: .relaxed)
        return began < 0 ? nil : HostTime(nanoseconds: began)
    }

    /// - Parameter push: returns false when the run was cancelled.
    func run(
        _ buffer: SampleBuffer, _ track: TrackID, _ earliest: MediaTime, isHasty: Bool, keepsLast: Bool,
        _ push: (Decoded<Media>) -> Bool
    ) {
        // Of a burst of seeks only the last is started.
        guard !buffer.isCancelled else { return }
        begin()
        var lastDropped: Media?
        var hasDelivered = false
        var end = earliest
        func deliver(_ pieces: [Media]) -> Bool {
            for piece in pieces {
                kind.onPiece?(piece)
                end = max(end, kind.end(piece))
                if !hasDelivered, kind.end(piece) <= earliest {
                    lastDropped = piece
                    continue
                }
                // If frames are not evenly spaced, a container need not state their durations: each lasts until the next.
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
                let unseen = [isHasty ? earliest : nil, sample.presentedRange?.start].compactMap { $0 }.max()
                if let unseen { setHaste(sample.duration.map { sample.presentationTime + $0 <= unseen } ?? false) }
                return deliver(try decode(sample))
            case .gap(let until):
                guard deliver(try drain()) else { return false }
                guard until > end, let silence = kind.silence?(end, until) else { return true }
                return deliver([silence])
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

    /// Why a run has ended.
    enum DecodeFailure: Error {
        /// There is nothing more to read, or no decoder.
        case reading(MediaError)
        /// The decoder failed.
        case decoding(MediaError)
    }

    /// Repeats a step until it returns false, and reports the reason for the end.
    func reading(_ push: (Decoded<Media>) -> Bool, _ step: () throws(DecodeFailure) -> Bool) {
        do throws(DecodeFailure) {
            while try step() {}
        } catch {
            if case .decoding(let error) = error { decoder?.failed(error) }
            decoder = nil
            switch error {
            case .reading(let error): _ = push(.failed(error))
            case .decoding(let error): _ = push(.broken(error))
            }
        }
    }

    /// Resets the decoder.
    func begin() {
        watched { decoder?.flush() }
        setHaste(false)
        lastRun = nil
        range = nil
        silence = nil
    }

    func setHaste(_ isHasty: Bool) {
        self.isHasty = isHasty
        decoder?.setHaste(isHasty)
    }

    /// Decodes a sample, or with nil drains the decoder.
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
            guard let range else { return pieces }
            return pieces.compactMap { kind.clip($0, range, gain) }
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

    /// Drains the decoder before samples of another position.
    func drain() throws(DecodeFailure) -> [Media] {
        let rest = try decode(nil)
        watched { decoder?.flush() }
        return rest
    }

    /// Opens a decoder for a sample, unless the current one fits.
    ///
    /// - Returns: the remaining output for earlier samples.
    func prepare(for sample: EncodedSample) throws(DecodeFailure) -> [Media] {
        let isNewFormat = parameters.map { $0 !== sample.parameters && !$0.canContinue(as: sample.parameters) } ?? false
        let isNewRun =
            kind.drainsBetweenRuns && lastRun.map { $0 != sample.run } ?? false
            || (lastRun != nil && range != sample.presentedRange)
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
        range = sample.presentedRange
        gain = sample.gain
        return rest
    }

    /// A call into a decoder, which may hang.
    private func watched<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        callBegan.store(clock.now.nanoseconds, ordering: .relaxed)
        defer { callBegan.store(-1, ordering: .relaxed) }
        return try body()
    }
}
