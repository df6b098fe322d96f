import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization

/// The work of a decoder's thread: a run of playback. Passes for scanning and backward playback are in extensions.
// Unchecked: after `init` all mutable state is used only by the jobs of one worker thread, which run one after another.
final class DecodeWorker<Media: Sendable>: @unchecked Sendable {
    let kind: TrackKind<Media>
    private let clock: any HostClock
    private var decoder: OpenDecoder<Media>?
    /// Those of the last sample, with or without a decoder for it.
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
    /// Whether samples without output are passed over, however many.
    private var passesOver = false
    /// Whether that was noted in the buffer.
    private var isBarren = false
    private var start = DecodingStart()
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
    func run(_ buffer: SampleBuffer, _ track: TrackID, _ wish: DecodingWish, _ push: (Decoded<Media>) -> Bool) {
        // Of a burst of seeks only the last is started.
        guard !buffer.isCancelled else { return }
        begin()
        passesOver = wish.passesOver
        var output = DecodedRun(kind, wish)
        func take(_ sample: EncodedSample) throws(DecodeFailure) -> Bool {
            guard output.add(try prepare(for: sample), push) else { return false }
            let unseen = [wish.isHasty ? wish.earliest : nil, sample.presentedRange?.start].compactMap { $0 }.max()
            if let unseen { setHaste(sample.duration.map { sample.presentationTime + $0 <= unseen } ?? false) }
            // A stretch in a codec without a decoder.
            guard decoder != nil else {
                return output.fillGap(until: sample.presentationTime + (sample.duration ?? .zero), push)
            }
            let pieces = try decode(sample)
            guard output.add(pieces, push) else { return false }
            guard pieces.isEmpty else {
                leaveBarren(buffer, track)
                return true
            }
            guard passesOver, let silence, sample.presentationTime - silence.since >= Self.shortestStretch else { return true }
            passOver(sample, buffer)
            return output.standIn(until: sample.presentationTime, push)
        }
        reading(push) { () throws(DecodeFailure) -> Bool in
            // What is held back is due when nothing waits behind it.
            if buffer.headTime(of: track) == buffer.bufferedUntil(track) { guard output.release(push) else { return false } }
            switch buffer.next(track) {
            case .sample(let sample):
                guard kind.startsAtSync else { return try take(sample) }
                if isNewFormat(sample) { guard output.add(try leaveDecoder(), push) else { return false } }
                let ready = start.take(sample)
                if ready.isEmpty, start.waited >= Self.shortestWait { passOver(sample, buffer) }
                for sample in ready { guard try take(sample) else { return false } }
                return true
            case .gap(let until):
                return output.add(try drain(), push) && output.fillGap(until: until, push)
            case .end:
                for sample in start.takeHeld() { guard try take(sample) else { return false } }
                guard output.add(try decode(nil), push), output.finish(push) else { return false }
                _ = push(.end)
                return false
            case .failed(let error):
                guard output.add(try decode(nil), push), output.release(push) else { return false }
                throw .reading(error)
            case .cancelled: return false
            }
        }
    }

    /// Nothing can be made of a sample, as of those before it: what it would give is not waited for.
    private func passOver(_ sample: EncodedSample, _ buffer: SampleBuffer) {
        guard kind.silence == nil else { return }
        isBarren = true
        buffer.note(sample.track, barrenUntil: sample.presentationTime)
    }

    private func leaveBarren(_ buffer: SampleBuffer, _ track: TrackID) {
        guard isBarren else { return }
        isBarren = false
        buffer.note(track, barrenUntil: nil)
    }

    /// Pictures that cannot be decoded for so long are not waited for.
    private static var shortestWait: MediaTime { .seconds(1) }
    /// A decoder that gives nothing for so long is passed over when samples are.
    private static var shortestStretch: MediaTime { .milliseconds(250) }

    /// Why a run has ended.
    enum DecodeFailure: Error {
        /// There is nothing more to read, or no decoder.
        case reading(MediaError)
        /// The decoder failed.
        case decoding(MediaError)

        var reason: MediaError {
            switch self {
            case .reading(let error), .decoding(let error): error
            }
        }
    }

    /// Repeats a step until it returns false, and reports the reason for the end.
    func reading(_ push: (Decoded<Media>) -> Bool, _ step: () throws(DecodeFailure) -> Bool) {
        do throws(DecodeFailure) {
            while try step() {}
        } catch {
            if case .decoding(let error) = error { decoder?.failed(error) }
            (decoder, parameters) = (nil, nil)
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
        (passesOver, isBarren) = (false, false)
        start.restart()
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
        if !passesOver, before.count >= kind.longestSilence,
            (sample.presentationTime - before.since).magnitude >= Self.shortestSilence
        {
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

    /// Whether a sample needs another decoder than the one before it.
    private func isNewFormat(_ sample: EncodedSample) -> Bool {
        parameters.map { $0 !== sample.parameters && !$0.canContinue(as: sample.parameters) } ?? false
    }

    /// Drains the decoder for the last time. The next one starts with a sync sample.
    private func leaveDecoder() throws(DecodeFailure) -> [Media] {
        let rest = try drain()
        (decoder, parameters) = (nil, nil)
        start = DecodingStart()
        return rest
    }

    /// Opens a decoder for a sample, unless the current one fits.
    ///
    /// - Returns: the remaining output for earlier samples.
    func prepare(for sample: EncodedSample) throws(DecodeFailure) -> [Media] {
        let isNewFormat = isNewFormat(sample)
        let isNewRun =
            kind.drainsBetweenRuns && lastRun.map { $0 != sample.run } ?? false
            || (lastRun != nil && range != sample.presentedRange)
        var rest: [Media] = []
        if isNewFormat || isNewRun, decoder != nil { rest = try drain() }
        let isUndecodable = decoder == nil && parameters != nil && !isNewFormat && kind.silence != nil
        if isNewFormat { decoder = nil }
        if decoder == nil, !isUndecodable {
            do throws(MediaError) {
                decoder = try watched { () throws(MediaError) in try kind.open(sample.parameters) }
            } catch {
                // In the middle of a programme what follows is still heard.
                guard isNewFormat, error.code == .decoderUnsupported, let onUndecodable = kind.onUndecodable else {
                    throw .reading(error)
                }
                onUndecodable(error)
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
