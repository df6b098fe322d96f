import CFFmpeg
import MediaModel
import MediaTime

/// An audio decoder of libavcodec with a fixed output format. Confined to one thread.
///
/// Time is counted in samples from the first timestamp on, so that buffers are contiguous even when the container's timestamps
/// are coarse. A timestamp that is off by more than `tolerance`, and every new run, restarts the count. The sound of an encoded
/// segment usually overhangs its splice by part of a codec frame: the last buffer is held until the next arrives, and is cut
/// where that begins.
final class AudioDecoder: AudioDecoding {
    /// More than any container's rounding, less than half of the shortest codec frame that can be missing.
    static let tolerance = MediaTime.milliseconds(10)

    private let output: AudioFormat
    /// The format in which sound is shaped: stereo stays stereo until after shaping, even if the output has more channels.
    private var working: AudioFormat
    /// The gain of the centre, when it is a separate channel.
    private var centreGain: Float = 1
    private var codec: CodecContext
    private var resampler: Resampler?
    /// The wanted shaping; nil where sound is neither shaped nor measured.
    private let processing: SoundProcessing?
    /// Shapes the current stretch of sound.
    private var filter: SoundFilter?
    private var meter: LoudnessMeter?
    private var assembler: AudioAssembler
    /// Corrects drift between the sample count and the timestamps.
    private var drift: DriftCorrector
    /// The time of the next decoded sample if nothing is missing, and its run.
    private var expected: (time: MediaTime, run: Int)?
    /// The container's end of the newest sound, when it lies before the end of the codec frame.
    private var statedEnd: MediaTime?
    /// Priming samples still to be dropped.
    private var skip = 0
    private var isDrained = false

    init(_ parameters: StreamParameters, output: AudioFormat, processing: SoundProcessing? = nil) throws(MediaError) {
        precondition(output.channels > 0 && output.sampleRate > 0, "sound has channels and a rate")
        self.output = output
        working = output
        self.processing = processing
        assembler = AudioAssembler(format: output)
        drift = DriftCorrector(output)
        codec = try Self.open(parameters)
    }

    private static func open(_ parameters: StreamParameters) throws(MediaError) -> CodecContext {
        try CodecContext(parameters) { context in
            context.pointee.thread_count = 1
            // Priming is dropped here, where samples are counted.
            context.pointee.flags2 |= Int32(AV_CODEC_FLAG2_SKIP_MANUAL)
        }
    }

    func flush() {
        codec.flush()
        resampler = nil
        filter = nil
        assembler = AudioAssembler(format: output)
        drift = DriftCorrector(output)
        expected = nil
        statedEnd = nil
        skip = 0
        isDrained = false
    }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [AudioBuffer] {
        guard let sample else {
            if isDrained { return [] }
            isDrained = true
            try run(nil)
            drainResampler()
            return assembler.takeAll(until: statedEnd)
        }
        let parameters = FFmpegCodecs.own(sample.parameters)
        if parameters !== codec.parameters, !codec.parameters.canContinue(as: parameters) {
            if !isDrained { try run(nil) }
            codec = try Self.open(parameters)
            isDrained = false
        } else if isDrained {
            codec.flush()
            isDrained = false
        }
        try run(sample)
        return assembler.takeReady()
    }

    private func run(_ sample: EncodedSample?) throws(MediaError) {
        try codec.decode(sample) { frame throws(MediaError) in try take(frame) }
    }

    private func take(_ frame: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        guard frame.pointee.nb_samples > 0, frame.pointee.sample_rate > 0 else { return }
        let rate = frame.pointee.sample_rate
        let stamp = codec.stamp(of: frame)
        let (first, count) = kept(of: frame)
        // Decoders that cut their own frames out of samples (WMA Pro) give the first of them no stamp: it begins with its sample.
        guard var time = stamp?.time ?? expected?.time ?? codec.newest?.time else { return }
        time += MediaTime(Int64(first), rate)
        let run = stamp?.run ?? expected?.run ?? codec.newest?.run ?? 0
        if let resampler, !resampler.accepts(frame) { drainResampler() }
        if let expected, resampler != nil {
            let isNear = (time - expected.time).magnitude <= Self.tolerance
            if run == expected.run, isNear {
                if stamp?.time != nil { drift.observe(time - expected.time) }
                time = expected.time
            } else {
                drainResampler()
            }
        }
        guard count > 0 else {
            expected = expected.map { _ in (time, run) }
            return
        }
        if resampler == nil {
            let (wanted, channels) = (processing?.shaping ?? SoundShaping(), Int(frame.pointee.ch_layout.nb_channels))
            setWorking(channels: channels > 2 ? output.channels : min(output.channels, 2))
            resampler = try Resampler(
                frame, output: working, streamName: codec.parameters.streamName, enhancesCentre: wanted.enhancesDialogue)
            centreGain = wanted.enhancesDialogue && working.channels > 2 ? Float(Resampler.enhancement) : 1
            // Sound that cannot be shaped is played unshaped; the request already reported the failure.
            filter = (try? SoundFilter.make(wanted, format: working, channels: channels)) ?? nil
            meter = wanted.reducesLoudSounds ? try? LoudnessMeter(working) : nil
            if meter != nil { processing?.measuredLoudness = nil }
            assembler.begin(at: time)
        }
        let end = time + MediaTime(Int64(count), rate)
        expected = (end, run)
        statedEnd = stamp?.duration.map { stamp!.time + $0 }.flatMap { $0 + .milliseconds(1) < end ? $0 : nil }
        let (samples, shift) = drift.correct(resampler!.convert(frame, first: first, count: count))
        if let meter {
            meter.take(samples)
            if meter.isReliable { processing?.measuredLoudness = meter.integrated }
        }
        assembler.append(widened(shaped(samples)))
        // Inserted or dropped samples move what follows.
        if shift != 0 { expected!.time += MediaTime(Int64(shift), Int32(output.sampleRate)) }
    }

    /// The samples of a frame that are sound, without priming at the start of a stream and padding at its end.
    private func kept(of frame: UnsafeMutablePointer<AVFrame>) -> (first: Int, count: Int) {
        var discard = 0
        if let side = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES), side.pointee.size >= 8 {
            let bytes = UnsafeRawBufferPointer(start: side.pointee.data, count: 8)
            skip = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)))
            discard = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        }
        let count = Int(frame.pointee.nb_samples)
        let first = min(skip, count)
        skip -= first
        return (first, max(count - first - discard, 0))
    }

    private func setWorking(channels: Int) {
        guard channels != working.channels else { return }
        working = AudioFormat(sampleRate: output.sampleRate, channels: channels)
        drift = DriftCorrector(working)
    }

    private func shaped(_ samples: [Float]) -> [Float] {
        var samples = samples
        if centreGain != 1 {
            for index in stride(from: 2, to: samples.count, by: working.channels) { samples[index] *= centreGain }
        }
        return filter?.process(samples[...]) ?? samples
    }

    /// Stereo in a wider output is front left and right, with silence elsewhere; any upmix is the receiver's.
    private func widened(_ samples: [Float]) -> [Float] {
        let (narrow, wide) = (working.channels, output.channels)
        guard narrow < wide else { return samples }
        let frames = samples.count / narrow
        return [Float](unsafeUninitializedCapacity: frames * wide) { buffer, filled in
            buffer.initialize(repeating: 0)
            for frame in 0..<frames {
                for channel in 0..<narrow { buffer[frame * wide + channel] = samples[frame * narrow + channel] }
            }
            filled = frames * wide
        }
    }

    /// Drains the resampler, which ends it.
    private func drainResampler() {
        if let rest = resampler?.drain() {
            let last = drift.correct(rest).samples + drift.rest()
            assembler.append(widened(shaped(last) + (filter?.drain() ?? [])))
        }
        resampler = nil
        filter = nil
    }
}

/// Places converted sound on the timeline: buffers follow each other by their sample count, and when a new stretch begins before
/// the last one ended, the overhang is cut.
struct AudioAssembler {
    private let format: AudioFormat
    /// The time of the next samples.
    private var next: MediaTime = .zero
    private var ready: [AudioBuffer] = []
    /// The newest buffer, which may still be cut.
    private var held: AudioBuffer?
    /// The end of the sound that was output.
    private var givenUntil: MediaTime?
    /// Frames at the start of a stretch that overlap sound already output.
    private var surplus = 0

    /// A longer overlap is not an overhang: time goes back, and the timestamps show it.
    static let longestOverhang = MediaTime.milliseconds(250)

    init(format: AudioFormat) { self.format = format }

    private func frames(_ length: MediaTime) -> Int { Int(length.units(of: Int32(format.sampleRate))) }

    mutating func begin(at time: MediaTime) {
        surplus = 0
        next = time
        guard let last = held, time < last.end, last.end - time <= Self.longestOverhang else { return }
        cut(at: time)
        if held == nil, let before = ready.last?.end ?? givenUntil, before > time { surplus = frames(before - time) }
    }

    /// Cuts the held buffer at a time.
    private mutating func cut(at time: MediaTime) {
        guard let last = held, time < last.end else { return }
        let keep = max(frames(time - last.time), 0)
        held =
            keep == 0
            ? nil : AudioBuffer(format: format, samples: Array(last.samples.prefix(keep * format.channels)), time: last.time)
    }

    /// Adds samples of the stretch.
    mutating func append(_ samples: [Float]) {
        var samples = samples
        if surplus > 0 {
            let cut = min(surplus, samples.count / format.channels)
            samples.removeFirst(cut * format.channels)
            surplus -= cut
            next += MediaTime(Int64(cut), Int32(format.sampleRate))
        }
        guard !samples.isEmpty else { return }
        let buffer = AudioBuffer(format: format, samples: samples, time: next)
        next = buffer.end
        if let held { ready.append(held) }
        held = buffer
    }

    /// The buffers that can no longer be cut.
    mutating func takeReady() -> [AudioBuffer] {
        defer { ready.removeAll(keepingCapacity: true) }
        if let last = ready.last { givenUntil = last.end }
        return ready
    }

    /// All buffers, at the end of a track: nothing follows that could start earlier. Samples after `end` are dropped.
    mutating func takeAll(until end: MediaTime?) -> [AudioBuffer] {
        if let end { cut(at: end) }
        if let held { ready.append(held) }
        held = nil
        return takeReady()
    }
}
