import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

/// Opens fake films, and counts the requests.
package final class FakeCodecs: CodecFactory {
    /// The requests so far.
    package struct Counts: Sendable, Equatable {
        /// Reading runs: each starts with a seek of the demuxer.
        package var reads = 0
        package var decodedPictures = 0
        package var videoDecoders = 0
        /// Video decoders in a call that does not return.
        package var hungVideoDecoders = 0
        package var flushes = 0
        /// Decoded stretches of sound.
        package var decodedSounds = 0
        /// Encoded pictures that were skipped in a hurry.
        package var hastyPictures = 0
        /// Of the hardware, and the pictures that they made.
        package var hardwareDecoders = 0
        package var hardwarePictures = 0
    }
    /// The hardware that decodes; nil: there is none.
    private let hardware = Mutex<FakeHardware?>(nil)
    private let state = Mutex(Counts())
    /// The codecs for which there is no decoder.
    private let missing = Mutex<Set<String>>([])
    /// The processing of the newest audio decoder.
    private let processing = Mutex<SoundProcessing?>(nil)
    let level: Float?

    /// Makes a factory.
    ///
    /// - Parameter level: the value of every sample of sound; nil: its number.
    package init(level: Float? = nil) { self.level = level }

    /// The requests so far.
    package var counts: Counts { state.withLock { $0 } }

    /// Makes decoders unavailable, by the names of their codecs: `fake-video`, `fake-audio`; in segments `fake`, and `fake-b` for sound of `b`.
    package func lack(_ names: Set<String>) { missing.withLock { $0 = names } }

    /// Gives the machine hardware, or takes it away.
    package func install(_ hardware: FakeHardware?) { self.hardware.withLock { $0 = hardware } }

    package func openHardwareDecoder(
        _ parameters: any CodecParameters, pool: SurfacePool
    ) throws(MediaError) -> (any VideoDecoding)? {
        guard let hardware = hardware.withLock({ $0 }) else { return nil }
        let number = state.withLock { state in
            state.hardwareDecoders += 1
            return state.hardwareDecoders
        }
        return try hardware.open(number, pool: pool, for: self)
    }

    private func check(_ parameters: any CodecParameters) throws(MediaError) {
        guard missing.withLock({ $0.contains(parameters.codecName) }) else { return }
        throw MediaError(.decoderUnsupported, "There is no decoder for \(parameters.codecName) in this test.")
    }

    func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }

    package func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        // Segments of a stream contain lines of text; films are identified by their addresses.
        guard stream is FakeStream else { return try FakeSegmentDemuxer(stream) }
        guard let stream = stream as? FakeStream, let media = stream.loader.media(at: stream.name) else {
            throw MediaError(.sourceFormat, "Opening \(stream.name) as media failed: it is no fake film.")
        }
        if let failure = media.failure { throw failure }
        return FakeDemuxer(media: media, stream: stream, codecs: self)
    }

    package func openVideoDecoder(
        _ parameters: any CodecParameters, allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        try check(parameters)
        let number = state.withLock { state in
            state.videoDecoders += 1
            return state.videoDecoders
        }
        return FakeVideoDecoder(allocator: allocator, codecs: self, number: number)
    }

    package func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        try check(parameters)
        if let processing { self.processing.withLock { $0 = processing } }
        return FakeAudioDecoder(output: output, codecs: self, processing: processing)
    }

    package func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching {
        FakeStretcher(channels: format.channels, rate: rate)
    }

    /// Reports a loudness as a decoder does, while loud sounds are reduced.
    package func reportLoudness(_ loudness: Double?) {
        guard let processing = processing.withLock({ $0 }), processing.shaping.reducesLoudSounds else { return }
        processing.measuredLoudness = loudness
    }

    package func checkSoundShaping(_ shaping: SoundShaping) throws(MediaError) {}

    package func canDecode(codecString: String) -> Bool? { codecString.hasPrefix("none") ? false : true }
}

/// The parameters of a fake track; all tracks of one kind are compatible.
package final class FakeParameters: CodecParameters {
    package let codecName: String

    /// Names a fake codec.
    package init(_ codecName: String) { self.codecName = codecName }

    package func canContinue(as other: any CodecParameters) -> Bool { other.codecName == codecName }
}

/// A sample without bytes, with everything that the fake decoders need.
package final class FakePayload: SamplePayload {
    /// The duration of what it decodes to.
    package let duration: MediaTime
    /// Its pretended size.
    package let byteCount: Int
    /// Whether decoding it fails.
    package let isBroken: Bool
    /// Whether its sound is negative, or its picture dark.
    package let isNegative: Bool
    let fault: DecoderFault?
    let hang: @Sendable () -> Void
    let closedCaptions: [UInt8]
    let size: (width: Int, height: Int)

    package convenience init(duration: MediaTime, byteCount: Int = 1000, isBroken: Bool = false, isNegative: Bool = false) {
        self.init(duration: duration, byteCount: byteCount, isBroken: isBroken, isNegative: isNegative, fault: nil) {}
    }

    init(
        duration: MediaTime, byteCount: Int = 1000, isBroken: Bool, isNegative: Bool = false, fault: DecoderFault?,
        closedCaptions: [UInt8] = [],
        size: (width: Int, height: Int) = (32, 18), hang: @escaping @Sendable () -> Void
    ) {
        self.closedCaptions = closedCaptions
        self.isNegative = isNegative
        self.size = size
        self.fault = fault
        self.hang = hang
        self.duration = duration
        self.byteCount = byteCount
        self.isBroken = isBroken
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try [UInt8](repeating: 0, count: byteCount).withUnsafeBytes(body)
    }
}

private final class FakeDemuxer: Demuxing {
    private let media: FakeMedia
    private let stream: FakeStream
    private let codecs: FakeCodecs
    private var frame = 0
    private var soundSample: Int64 = 0
    private var selected: Set<TrackID> = []
    private let video = FakeParameters("fake-video")
    private let audio: [FakeParameters]
    let description: ContainerDescription

    init(media: FakeMedia, stream: FakeStream, codecs: FakeCodecs) {
        self.media = media
        self.stream = stream
        self.codecs = codecs
        var tracks: [TrackDescription] = []
        if media.frameCount > 0 {
            var track = TrackDescription(id: TrackID(0), type: .video, codec: "fake-video", isDefault: true)
            (track.width, track.height) = (media.pictureSize.width, media.pictureSize.height)
            track.frameRate = media.frameRate
            track.highRange = media.highRange
            tracks.append(track)
        }
        let codecs = (0...media.languages.count).map { $0 < media.soundCodecs.count ? media.soundCodecs[$0] : "fake-audio" }
        audio = codecs.map { FakeParameters($0) }
        if media.soundDuration != nil {
            tracks.append(
                TrackDescription(id: TrackID(1), type: .audio, languageTag: media.language, codec: codecs[0], isDefault: true))
            for (number, language) in media.languages.enumerated() {
                tracks.append(
                    TrackDescription(id: TrackID(number + 2), type: .audio, languageTag: language, codec: codecs[number + 1]))
            }
        }
        description = ContainerDescription(format: "fake", tracks: tracks, duration: media.duration, startTime: .zero)
    }

    func select(_ tracks: Set<TrackID>) { selected = tracks }

    func seek(to time: MediaTime) throws(MediaError) {
        codecs.count { $0.reads += 1 }
        frame = Int(max(time, .zero).wholeSteps(of: media.frameRate.period)) / media.syncInterval * media.syncInterval
        frame = min(frame, max(media.frameCount - 1, 0) / media.syncInterval * media.syncInterval)
        let sound = media.frameCount > 0 ? media.time(of: frame) : time
        soundSample = sound.units(of: FakeMedia.sampleRate) / Int64(FakeMedia.soundFrames) * Int64(FakeMedia.soundFrames)
    }

    func nextSample() throws(MediaError) -> EncodedSample? {
        let picture = selected.contains(TrackID(0)) && frame < media.frameCount ? media.time(of: frame) : nil
        let soundTrack = selected.first { $0.number >= 1 }
        let start = MediaTime(soundSample, FakeMedia.sampleRate)
        let sound = soundTrack != nil && media.soundDuration.map { start < $0 } == true ? start : nil
        guard let next = [picture, sound].compactMap({ $0 }).min() else { return nil }
        stream.loader.passGate(at: stream.name, next) { stream.isCancelled }
        guard !stream.isCancelled else { return nil }
        if next == picture { return nextPicture(at: next) }
        return nextSound(soundTrack!, at: next)
    }

    private func nextPicture(at time: MediaTime) -> EncodedSample {
        defer { frame += 1 }
        let duration = media.frameRate.period
        return EncodedSample(
            track: TrackID(0), presentationTime: time, decodeTime: time, duration: duration,
            isSync: frame % media.syncInterval == 0,
            payload: payload(duration), parameters: video)
    }

    private func payload(_ duration: MediaTime) -> FakePayload {
        let fault = media.fault.flatMap { fault in
            fault.frame == frame || (fault.kind == .nothing && frame > fault.frame) ? fault : nil
        }
        let loader = stream.loader
        return FakePayload(
            duration: duration, isBroken: frame == media.brokenFrame, fault: fault,
            closedCaptions: media.closedCaptions[frame] ?? [], size: media.pictureSize
        ) { loader.hang() }
    }

    private func nextSound(_ track: TrackID, at time: MediaTime) -> EncodedSample {
        let left = (media.soundDuration! - time).units(of: FakeMedia.sampleRate)
        let count = min(Int64(FakeMedia.soundFrames), left)
        soundSample += count
        let duration = MediaTime(count, FakeMedia.sampleRate)
        return EncodedSample(
            track: track, presentationTime: time, decodeTime: time, duration: duration, isSync: true,
            payload: FakePayload(duration: duration, byteCount: 300), parameters: audio[track.number - 1])
    }
}

/// Makes one small grey picture from each sample.
private final class FakeVideoDecoder: VideoDecoding {
    private let allocator: any FrameAllocator
    private let codecs: FakeCodecs
    private let number: Int
    var skipsNonReference = false

    init(allocator: any FrameAllocator, codecs: FakeCodecs, number: Int) {
        self.number = number
        self.allocator = allocator
        self.codecs = codecs
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        guard let sample else { return [] }
        codecs.count { $0.decodedPictures += 1 }
        let payload = sample.payload as? FakePayload
        if payload?.isBroken == true {
            throw MediaError(.decoderUnsupported, "Decoding the picture at \(sample.presentationTime) s failed: it was made to.")
        }
        if sample.doesNotDisplay { return [] }
        // Only sync samples are reference pictures.
        if skipsNonReference, !sample.isSync {
            codecs.count { $0.hastyPictures += 1 }
            return []
        }
        if let payload, let fault = payload.fault, number <= fault.decoders {
            switch fault.kind {
            case .error:
                throw MediaError(.internal, "Decoding the picture at \(sample.presentationTime) s failed: this decoder cannot.")
            case .nothing: return []
            case .hang:
                codecs.count { $0.hungVideoDecoders += 1 }
                payload.hang()
            }
        }
        let size = payload?.size ?? (width: 32, height: 18)
        let pixels = try allocator.makeBuffer(format: .yuv420p, width: size.width, height: size.height)
        let luma: Int32 = payload?.isNegative == true ? 0x20 : 0x80
        _ = pixels.withMutableBytes { memset($0.baseAddress!, luma, $0.count) }
        var picture = VideoFrame(
            pixels: pixels, time: sample.presentationTime, duration: sample.duration ?? payload?.duration ?? .zero,
            colour: ColourDescription(matrix: .bt709, isFullRange: false))
        picture.closedCaptions = payload?.closedCaptions ?? []
        return [picture]
    }

    func flush() { codecs.count { $0.flushes += 1 } }
}

/// Makes sound whose samples are their own numbers.
private final class FakeAudioDecoder: AudioDecoding {
    private let output: AudioFormat
    private let codecs: FakeCodecs
    /// As at the start of the run. Sound with reduced loud stretches is negative.
    private var shaping: SoundShaping?
    private let processing: SoundProcessing?

    init(output: AudioFormat, codecs: FakeCodecs, processing: SoundProcessing?) {
        self.processing = processing
        self.output = output
        self.codecs = codecs
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
        guard let sample, let payload = sample.payload as? FakePayload else { return [] }
        codecs.count { $0.decodedSounds += 1 }
        let first = sample.presentationTime.units(of: FakeMedia.sampleRate)
        let count = payload.duration.units(of: FakeMedia.sampleRate)
        let level = codecs.level
        let shaping = shaping ?? processing?.shaping ?? SoundShaping()
        self.shaping = shaping
        let sign: Float = shaping.reducesLoudSounds || payload.isNegative ? -1 : 1
        let channels = output.channels
        let samples = [Float](unsafeUninitializedCapacity: Int(count) * channels) { samples, filled in
            for number in 0..<Int(count) {
                let value = sign * (level ?? Float(first + Int64(number)))
                for channel in 0..<channels { samples[number * channels + channel] = value }
            }
            filled = Int(count) * channels
        }
        return [AudioBuffer(format: output, samples: samples, time: sample.presentationTime)]
    }

    func flush() { shaping = nil }
}

/// Passes everything on to another sink, and records it.
@MainActor
package final class RecordingSink: AudioSink {
    private let inner: any AudioSink
    /// The first channel of everything that was enqueued since the last flush.
    package private(set) var enqueued: [Float] = []
    /// The greatest sample number ever enqueued.
    package private(set) var greatest: Float = 0
    /// The number of calls of play, pause and flush.
    package private(set) var plays = 0, pauses = 0, flushes = 0
    /// The sounds of the interface that it was given.
    package private(set) var mixed: [NavigationSound] = []

    package init(_ inner: any AudioSink) { self.inner = inner }

    package var name: String { inner.name }
    package var format: AudioFormat { inner.format }
    package var room: Int { inner.room }
    package var volume: Float {
        get { inner.volume }
        set { inner.volume = newValue }
    }
    package var deviceChanges: EventSource<AudioDeviceChange> { inner.deviceChanges }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let taken = inner.enqueue(samples)
        for sample in stride(from: samples.startIndex, to: samples.startIndex + taken * format.channels, by: format.channels) {
            enqueued.append(samples[sample])
            greatest = max(greatest, samples[sample])
        }
        return taken
    }

    package func release() { inner.release() }

    package func play(at time: HostTime) {
        plays += 1
        inner.play(at: time)
    }

    package func pause() {
        pauses += 1
        inner.pause()
    }

    package func flush() {
        flushes += 1
        enqueued = []
        inner.flush()
    }

    package func rise() { inner.rise() }
    package func mix(_ sound: NavigationSound, asked: HostTime) {
        mixed.append(sound)
        inner.mix(sound, asked: asked)
    }
    package var occupiesCard: Bool { inner.occupiesCard }
    package func timing() -> AudioTiming? { inner.timing() }
    package func close() { inner.close() }
}

/// Drops or repeats samples: sample numbers have no pitch.
private final class FakeStretcher: TimeStretching {
    private let channels: Int
    private let rate: Ratio
    private var taken: Int64 = 0
    private var given: Int64 = 0

    init(channels: Int, rate: Ratio) {
        self.channels = channels
        self.rate = rate
    }

    func stretch(_ samples: ArraySlice<Float>) -> [Float] {
        let frames = Int64(samples.count / channels)
        var out: [Float] = []
        while true {
            let source = given * rate.numerator / rate.denominator - taken
            guard source < frames else { break }
            let first = samples.startIndex + Int(source) * channels
            out += samples[first..<first + channels]
            given += 1
        }
        taken += frames
        return out
    }

    func drain() -> [Float] { [] }
}
