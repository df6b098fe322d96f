import LinuxSupport
import MediaModel
import MediaTime

/// Where the sound of a player goes: the renderer that feeds the sink, the decoders that make sound for it, the way it leaves the box, and how loud it is.
///
/// One for the whole life of a player: its threads and the open device are not made anew for each item. Main loop.
@MainActor
final class SoundOutput {
    /// How loud a player is: the viewer's volume, whether it is muted, and the factor of a ramp. The sink is given their product.
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
    /// How much later than its picture the sound is heard; negative: earlier.
    private let delay: Duration
    /// Whether sound may leave the box as it was encoded.
    private let passesThrough: Bool
    private var decoder: TrackDecoder<AudioBuffer>
    private var spareDecoder: TrackDecoder<AudioBuffer>?
    private var spareDescriptionDecoder: TrackDecoder<AudioBuffer>?
    /// What the decoders make.
    private var decodedFormat: AudioFormat
    /// How the sound leaves without being decoded; nil: as samples.
    private(set) var passage: SoundPassage?
    private var loudness = Loudness()
    /// How decoders shape the sound, and how loud they find it.
    private let processing = SoundProcessing()
    /// Whether sound can be played at other rates than it has. Finding out takes time, so that it is asked only when it matters.
    private(set) lazy var canStretch = codecs.canStretchTime(sink.format)

    /// The steps of a ramp; a sink smooths each.
    private static let rampStep = Duration.milliseconds(10)

    init(_ services: PlaybackServices) {
        let (codecs, sink) = (services.codecs, services.sink)
        self.sink = sink
        self.codecs = codecs
        clock = services.clock
        buffering = services.buffering
        delay = services.soundDelay
        passesThrough = services.passesSoundThrough
        decodedFormat = sink.format
        renderer = AudioRenderer(sink: sink) { try? codecs.makeTimeStretcher(sink.format, rate: $0) }
        decoder = TrackDecoder(
            kind: .audio(codecs: codecs, output: sink.format, processing: processing), clock: services.clock,
            buffering: services.buffering)
    }

    /// The format that the sink takes.
    var format: AudioFormat { sink.format }

    /// The rate at which sound is heard while a rate is played: only ordinary play has sound.
    static func rate(at rate: Ratio) -> Ratio { rate == .zero || PlaybackManner(rate: rate) != .forward ? .one : rate }

    /// Ends the threads and closes the sink. It is not used again.
    func close() {
        loudness.ramp?.cancel()
        decoder.stop()
        spareDecoder?.stop()
        spareDescriptionDecoder?.stop()
        sink.close()
    }

    // MARK: Loudness

    /// How loud everything is: 0…1.
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

    /// Changes the factor of the ramp step by step. Another ramp takes the place of one that is under way, from where that has come to.
    ///
    /// - Parameters:
    ///   - level: the factor at the end, 0…1.
    ///   - length: how long it takes from now, in the clock's time.
    ///   - completion: called at its end; not when another takes its place.
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

    /// How loud the sound is before it is shaped, in LUFS; nil until it has been measured.
    var measuredLoudness: Double? { processing.measuredLoudness }

    /// Shapes what decoders give out from their next run on.
    ///
    /// - Throws: `MediaError` with `decoderUnsupported` where sound cannot be shaped; nothing is changed then.
    func setShaping(_ shaping: SoundShaping) throws(MediaError) {
        try codecs.checkSoundShaping(shaping)
        processing.shaping = shaping
    }

    // MARK: The way out

    /// How the sound of an item leaves at a rate; nil: it is decoded here.
    private func passage(for item: PlayerItem, at rate: Ratio) -> SoundPassage? {
        guard passesThrough, let passing = sink.passing, !item.isSoundDecodedHere, let track = item.audioTrack,
            item.descriptionTrack == nil, Self.rate(at: rate) == .one, shaping.isNone, loudness.volume == 1
        else { return nil }
        return passing.passage(codec: Self.codecName(track.codec), sampleRate: track.sampleRate ?? 48_000)
    }

    /// HLS tells codecs in the words of RFC 6381.
    private static func codecName(_ codec: String) -> String {
        switch codec {
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        default: codec
        }
    }

    /// Whether the sound of an item at a rate leaves another way than the sink is set to.
    func isOtherPassage(for item: PlayerItem, at rate: Ratio) -> Bool {
        let wanted = passage(for: item, at: rate)
        return wanted.map { !$0.carries(passage) } ?? (passage != nil)
    }

    /// Sets the sink to how the sound of a run that begins leaves. What the sink had is void by then.
    ///
    /// - Returns: why the sound could not be passed on; it is decoded then.
    func match(_ item: PlayerItem, at rate: Ratio) -> MediaError? {
        guard isOtherPassage(for: item, at: rate), item.audioTrack != nil, let passing = sink.passing else {
            // Another device may have been found while nothing was heard.
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

    /// What makes sound for the sink.
    var kind: TrackKind<AudioBuffer> {
        passage.map { .passing($0) } ?? .audio(codecs: codecs, output: sink.format, processing: processing)
    }

    /// What makes a description, which is mixed with the programme's sound.
    var descriptionKind: TrackKind<AudioBuffer> { .description(codecs: codecs, output: sink.format) }

    private func makeDecoder(_ kind: TrackKind<AudioBuffer>) -> TrackDecoder<AudioBuffer> {
        TrackDecoder(kind: kind, clock: clock, buffering: buffering)
    }

    /// Begins to decode the sound of a run. What was decoded before must have been cancelled.
    func startDecoding(
        _ buffer: SampleBuffer, _ track: TrackID, earliest: MediaTime, bell: Doorbell
    ) -> BoundedQueue<Decoded<AudioBuffer>> {
        decoder.start(reading: buffer, track: track, earliest: earliest, bell: bell)
    }

    /// A decoder that works beside the one in use; it comes back by `putBack` or `takeOver`.
    func takeSpareDecoder() -> TrackDecoder<AudioBuffer> {
        defer { spareDecoder = nil }
        return spareDecoder ?? makeDecoder(kind)
    }

    /// Keeps a decoder that is not used any more.
    func putBack(_ decoder: TrackDecoder<AudioBuffer>) { spareDecoder = decoder }

    /// A decoder that worked beside the one in use takes its place.
    func takeOver(_ decoder: TrackDecoder<AudioBuffer>) {
        spareDecoder = self.decoder
        self.decoder = decoder
    }

    /// A decoder of the next item takes the place of the one in use, whose thread ends.
    func replaceDecoder(with decoder: TrackDecoder<AudioBuffer>) {
        self.decoder.thread.retire()
        self.decoder = decoder
    }

    /// A decoder for a description; it comes back by `putBack(description:)`.
    func takeDescriptionDecoder() -> TrackDecoder<AudioBuffer> {
        defer { spareDescriptionDecoder = nil }
        return spareDescriptionDecoder ?? makeDecoder(descriptionKind)
    }

    /// Keeps a decoder of descriptions that is not used any more.
    func putBack(description decoder: TrackDecoder<AudioBuffer>) {
        if spareDescriptionDecoder == nil { spareDescriptionDecoder = decoder } else { decoder.thread.retire() }
    }

    /// Gives up the decoder in use if a call into it hangs.
    ///
    /// - Returns: whether it did.
    func abandonHungDecoder() -> Bool {
        guard decoder.looksHung() else { return false }
        decoder.abandon()
        return true
    }

    // MARK: When it is heard

    /// Whether the sink takes no more.
    var isFull: Bool { sink.room == 0 }

    /// How much asset time the sound is behind the pictures at a rate, because the device by which it is heard delays one of the two.
    ///
    /// The media clock is the pictures'. The sound of asset time `t` is due when that clock stands at `t` and the delay more.
    private func lag(at rate: Ratio) -> MediaTime {
        guard delay != .zero else { return .zero }
        return MediaTime.nanoseconds(delay.wholeNanoseconds).scaled(by: rate)
    }

    /// The asset time of the pictures while sound of this time is heard, at the rate of the clock.
    func pictureTime(ofSound time: MediaTime, at rate: Ratio) -> MediaTime { time + lag(at: rate) }

    /// The asset time of the sound that belongs to the instant at which pictures of this time are seen.
    func soundTime(ofPicture time: MediaTime, at rate: Ratio) -> MediaTime { max(time - lag(at: rate), .zero) }

    /// Tells the sink to play so that its sound is due with pictures that begin at an instant.
    ///
    /// - Parameter position: the pictures' asset time then.
    /// - Returns: when they begin: later than asked for where the sound comes first.
    func start(at start: HostTime, position: MediaTime, rate: Ratio) -> HostTime {
        guard delay != .zero, rate > .zero else {
            sink.play(at: start)
            return start
        }
        // After a pause the sink goes on behind the pictures' place by itself; after a seek it stands at that place.
        let ahead = (renderer.upcoming ?? position) - position
        let wait = Duration.nanoseconds(ahead.scaled(by: Ratio(rate.denominator, rate.numerator)).nanoseconds) + delay
        sink.play(at: start + max(wait, .zero))
        return start + max(.zero - wait, .zero)
    }

    /// Plays what is queued from an instant on.
    func play(at instant: HostTime) { sink.play(at: instant) }

    /// Stops at once, and keeps what is queued.
    func pause() { sink.pause() }
}

extension TrackKind where Media == AudioBuffer {
    /// Sound that is not decoded.
    static func passing(_ passage: SoundPassage) -> TrackKind {
        TrackKind(
            name: "decode-audio", capacity: 32, end: { $0.end }, keepsLast: false, drainsBetweenRuns: true, longestSilence: 200,
            open: { _ in
                let packer = passage.open()
                return OpenDecoder(
                    decode: { sample throws(MediaError) in try packer.decode(sample) }, flush: { packer.flush() },
                    setHaste: { _ in })
            })
    }

    /// A description, which is mixed as it is.
    static func description(codecs: any CodecFactory, output: AudioFormat) -> TrackKind {
        .audio("decode-describe", codecs: codecs, output: output, processing: nil)
    }
}
