import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization

/// The sound of a player: the renderer that feeds the sink, the audio decoders, passthrough, and volume.
///
/// One for the lifetime of a player: its threads and the open device are not recreated for each item. Main loop.
@MainActor
final class SoundOutput {
    /// The volume of a player: the viewer's volume, muting, and the factor of a ramp. The sink gets their product.
    private struct Loudness {
        var volume: Float = 1
        var isMuted = false
        var fade: Float = 1
        var ramp: ScheduledEvent?

        var product: Float { isMuted ? 0 : volume * fade }
    }

    /// Places decoded sound in the sink by its asset time.
    let renderer: AudioRenderer
    private let sink: any AudioSink
    private let codecs: any CodecFactory
    private let clock: any HostClock
    private let buffering: BufferingPolicy
    private let times: any ProcessorTimes
    /// How much later than its picture the sound is heard; negative means earlier. A change applies to what is enqueued from then on.
    var delay: Duration
    /// Whether encoded sound may be passed through.
    private let passesThrough: Bool
    private var decoder: TrackDecoder<AudioBuffer>
    private var spareDecoder: TrackDecoder<AudioBuffer>?
    private var spareDescriptionDecoder: TrackDecoder<AudioBuffer>?
    /// The format of decoded sound.
    private var decodedFormat: AudioFormat
    /// The current passthrough; nil for samples.
    private(set) var passage: SoundPassage?
    private var loudness = Loudness()
    /// The shaping of decoders, and the loudness that they measure.
    private let processing = SoundProcessing()
    private let undecodable = UndecodableSound()
    /// Whether sound can be played at other rates. This takes time to determine, so it is done only when needed.
    private(set) lazy var canStretch = codecs.canStretchTime(sink.format)

    /// The interval between steps of a ramp; a sink smooths each step.
    private static let rampStep = Duration.milliseconds(10)

    init(_ services: PlaybackServices) {
        let (codecs, sink) = (services.codecs, services.sink)
        self.sink = sink
        self.codecs = codecs
        clock = services.clock
        buffering = services.buffering
        times = services.processorTimes
        delay = services.soundDelay
        passesThrough = services.passesSoundThrough
        decodedFormat = sink.format
        renderer = AudioRenderer(sink: sink) { try? codecs.makeTimeStretcher(sink.format, rate: $0) }
        decoder = TrackDecoder(
            kind: Self.kind(codecs, sink.format, processing, undecodable), clock: services.clock,
            buffering: services.buffering, times: services.processorTimes)
    }

    /// The format that the sink accepts.
    var format: AudioFormat { sink.format }

    /// The rate of the sound for a playback rate: only normal playback has sound.
    static func rate(at rate: Ratio) -> Ratio { rate == .zero || PlaybackManner(rate: rate) != .forward ? .one : rate }

    /// Ends the threads and closes the sink. It is not used afterwards.
    func close() {
        loudness.ramp?.cancel()
        decoder.stop()
        spareDecoder?.stop()
        spareDescriptionDecoder?.stop()
        sink.close()
    }

    // MARK: Volume

    /// The volume: 0…1.
    var volume: Float {
        get { loudness.volume }
        set {
            loudness.volume = max(0, min(1, newValue))
            sink.volume = loudness.product
        }
    }

    /// Whether the sound is muted.
    var isMuted: Bool {
        get { loudness.isMuted }
        set {
            loudness.isMuted = newValue
            sink.volume = loudness.product
        }
    }

    /// Changes the factor of the ramp step by step. Another ramp replaces the current one, starting from its level.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1.
    ///   - length: the duration from now, in the clock's time.
    ///   - completion: called at the end, but not if another ramp replaces this one.
    func ramp(to level: Float, over length: Duration, completion: (@MainActor () -> Void)?) {
        loudness.ramp?.cancel()
        stepRamp(from: loudness.fade, to: max(0, min(1, level)), clock.now, length, completion)
    }

    private func stepRamp(
        from first: Float, to last: Float, _ start: HostTime, _ length: Duration, _ completion: (@MainActor () -> Void)?
    ) {
        let (elapsed, whole) = ((clock.now - start).wholeNanoseconds, length.wholeNanoseconds)
        let isOver = elapsed >= whole
        loudness.fade = isOver ? last : first + (last - first) * Float(elapsed) / Float(whole)
        sink.volume = loudness.product
        loudness.ramp = nil
        guard !isOver else {
            completion?()
            return
        }
        loudness.ramp = clock.schedule(after: Self.rampStep, rank: .sound) { [weak self] in
            self?.stepRamp(from: first, to: last, start, length, completion)
        }
    }

    /// How the sound is shaped.
    var shaping: SoundShaping { processing.shaping }

    /// The loudness of the sound before shaping, in LUFS; nil until it has been measured.
    var measuredLoudness: Double? { processing.measuredLoudness }

    /// Shapes the output of decoders from their next run on.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` if sound cannot be shaped; then nothing changes.
    func setShaping(_ shaping: SoundShaping) throws(MediaError) {
        try codecs.checkSoundShaping(shaping)
        processing.shaping = shaping
    }

    // MARK: Passthrough

    /// The passthrough of an item at a rate; nil if its sound is decoded.
    private func passage(for item: PlayerItem, at rate: Ratio) -> SoundPassage? {
        // Encoded sound cannot be cut at a sample, as compositions need it.
        guard passesThrough, let passing = sink.passing, !item.isSoundDecodedHere, item.asset.composition == nil,
            let track = item.audioTrack,
            item.descriptionTrack == nil, Self.rate(at: rate) == .one, shaping.isNone, loudness.volume == 1
        else { return nil }
        return passing.passage(codec: Self.codecName(track.codec), sampleRate: track.sampleRate ?? 48_000)
    }

    /// HLS states codecs as in RFC 6381.
    private static func codecName(_ codec: String) -> String {
        switch codec {
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        default: codec
        }
    }

    /// Whether the sound of an item at a rate needs another output mode than the sink's current one.
    func isOtherPassage(for item: PlayerItem, at rate: Ratio) -> Bool {
        let wanted = passage(for: item, at: rate)
        return wanted.map { !$0.carries(passage) } ?? (passage != nil)
    }

    /// The same, also where the sink's format differs from that of the decoded sound.
    func isOtherKind(for item: PlayerItem, at rate: Ratio) -> Bool {
        isOtherPassage(for: item, at: rate) || passage == nil && sink.format != decodedFormat
    }

    /// Sets the sink's mode for a new run. Its contents have been discarded.
    ///
    /// - Returns: why the sound could not be passed through; then it is decoded.
    func match(_ item: PlayerItem, at rate: Ratio) -> MediaError? {
        guard isOtherPassage(for: item, at: rate), item.audioTrack != nil, let passing = sink.passing else {
            // Another device may have been found during silence.
            if sink.format != decodedFormat { remakeDecoders() }
            return nil
        }
        let wanted = passage(for: item, at: rate)
        var failure: MediaError?
        do throws(MediaError) {
            try passing.pass(wanted)
            passage = wanted
        } catch {
            item.isSoundDecodedHere = true
            passage = nil
            failure = error
        }
        sink.volume = loudness.product
        renderer.burstFrames = passage?.burstFrames
        remakeDecoders()
        return failure
    }

    private func remakeDecoders() {
        decodedFormat = sink.format
        decoder.thread.retire()
        decoder = makeDecoder(kind)
        spareDecoder?.thread.retire()
        spareDecoder = nil
        spareDescriptionDecoder?.thread.retire()
        spareDescriptionDecoder = nil
    }

    // MARK: Decoders

    /// The decoder for the sink.
    var kind: TrackKind<AudioBuffer> {
        passage.map { .passing($0) } ?? Self.kind(codecs, sink.format, processing, undecodable)
    }

    private static func kind(
        _ codecs: any CodecFactory, _ output: AudioFormat, _ processing: SoundProcessing, _ undecodable: UndecodableSound
    ) -> TrackKind<AudioBuffer> {
        var kind = TrackKind<AudioBuffer>.audio(codecs: codecs, output: output, processing: processing)
        kind.onUndecodable = { undecodable.add($0) }
        return kind
    }

    /// Why a stretch of sound in the middle of a track has no decoder; each reason once.
    func takeUndecodable() -> MediaError? { undecodable.take() }

    /// The decoder of a description, which is mixed with the programme's sound.
    var descriptionKind: TrackKind<AudioBuffer> { .description(codecs: codecs, output: sink.format) }

    private func makeDecoder(_ kind: TrackKind<AudioBuffer>) -> TrackDecoder<AudioBuffer> {
        TrackDecoder(kind: kind, clock: clock, buffering: buffering, times: times)
    }

    /// Starts to decode the sound of a run. The previous run must have been cancelled.
    func startDecoding(
        _ buffer: SampleBuffer, _ track: TrackID, _ wish: DecodingWish, bell: Doorbell
    ) -> BoundedQueue<Decoded<AudioBuffer>> {
        decoder.start(reading: buffer, track: track, wish, bell: bell)
    }

    /// A decoder in addition to the current one; it is returned with `putBack` or `takeOver`.
    func takeSpareDecoder() -> TrackDecoder<AudioBuffer> {
        defer { spareDecoder = nil }
        return spareDecoder ?? makeDecoder(kind)
    }

    /// Takes back a decoder that is no longer used.
    func putBack(_ decoder: TrackDecoder<AudioBuffer>) { spareDecoder = decoder }

    /// The additional decoder becomes the current one.
    func takeOver(_ decoder: TrackDecoder<AudioBuffer>) {
        spareDecoder = self.decoder
        self.decoder = decoder
    }

    /// A decoder of the next item becomes the current one, whose thread ends.
    func replaceDecoder(with decoder: TrackDecoder<AudioBuffer>) {
        self.decoder.thread.retire()
        self.decoder = decoder
    }

    /// A decoder for a description; it is returned with `putBack(description:)`.
    func takeDescriptionDecoder() -> TrackDecoder<AudioBuffer> {
        defer { spareDescriptionDecoder = nil }
        return spareDescriptionDecoder ?? makeDecoder(descriptionKind)
    }

    /// Takes back a description decoder that is no longer used.
    func putBack(description decoder: TrackDecoder<AudioBuffer>) {
        if spareDescriptionDecoder == nil { spareDescriptionDecoder = decoder } else { decoder.thread.retire() }
    }

    /// Replaces the current decoder if a call into it hangs.
    ///
    /// - Returns: whether it did.
    func abandonHungDecoder() -> Bool {
        guard decoder.looksHung() else { return false }
        decoder.abandon()
        return true
    }

    // MARK: Sound delay

    /// Whether the sink is full.
    var isFull: Bool { sink.room == 0 }

    /// The offset of the sound behind the pictures at a rate in asset time, because of the delay.
    ///
    /// The media clock is that of the pictures. The sound of asset time `t` is due when the clock is at `t` plus the delay.
    private func lag(at rate: Ratio) -> MediaTime {
        guard delay != .zero else { return .zero }
        return MediaTime.nanoseconds(delay.wholeNanoseconds).scaled(by: rate)
    }

    /// The asset time of the pictures while sound of this time is heard, at the rate of the clock.
    func pictureTime(ofSound time: MediaTime, at rate: Ratio) -> MediaTime { time + lag(at: rate) }

    /// The asset time of the sound that is due when pictures of this time are shown.
    func soundTime(ofPicture time: MediaTime, at rate: Ratio) -> MediaTime { max(time - lag(at: rate), .zero) }

    /// How long no sound is due for pictures of this time, because that of the beginning is due later.
    func silence(before position: MediaTime, at rate: Ratio) -> Duration {
        let missing = lag(at: rate) - position
        guard missing > .zero, rate > .zero else { return .zero }
        return .nanoseconds(missing.scaled(by: Ratio(rate.denominator, rate.numerator)).nanoseconds)
    }

    /// Starts the sink so that its sound is due with pictures that start at an instant.
    ///
    /// - Parameter position: the asset time of the pictures at that instant.
    /// - Returns: when the pictures start: later than requested if the sound comes first.
    func start(at start: HostTime, position: MediaTime, rate: Ratio) -> HostTime {
        guard delay != .zero, rate > .zero else {
            sink.play(at: start)
            return start
        }
        // After a pause the sink continues with its delay; after a seek it starts at the pictures' position.
        let ahead = (renderer.upcoming ?? position) - position
        let wait = Duration.nanoseconds(ahead.scaled(by: Ratio(rate.denominator, rate.numerator)).nanoseconds) + delay
        sink.play(at: start + max(wait, .zero))
        return start + max(.zero - wait, .zero)
    }

    /// Plays the queue from an instant on.
    func play(at instant: HostTime) { sink.play(at: instant) }

    /// Stops at once and keeps the queue.
    func pause() { sink.pause() }
}

/// Carries the reason of an undecodable stretch from a decoder's thread to the main loop.
private final class UndecodableSound: Sendable {
    private let error = Mutex<MediaError?>(nil)

    func add(_ error: MediaError) { self.error.withLock { $0 = $0 ?? error } }

    func take() -> MediaError? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}
