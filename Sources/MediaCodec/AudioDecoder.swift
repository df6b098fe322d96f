import CFFmpeg
import MediaModel
import MediaTime

/// An audio decoder of libavcodec whose sound comes out in one fixed format. Confined to one thread.
///
/// Time is counted in samples from the first stamp on, so that buffers follow one another exactly however coarse the container's
/// stamps are; a
/// stamp that is off by more than `tolerance`, and every new run, set the count anew. The sound of an encoded piece usually
/// overhangs its
/// splice by part of a codec frame: the last buffer is held back until the next is there, and cut where that begins.
final class AudioDecoder: AudioDecoding {
    /// More than any container's rounding, less than half of the shortest codec frame that can go missing.
    static let tolerance = MediaTime.milliseconds(10)

    private let output: AudioFormat
    /// In which the sound is shaped: stereo stays what it is until it is shaped, where the output has more channels.
    private var working: AudioFormat
    /// How much louder the centre is made where it is a channel of its own.
    private var centreGain: Float = 1
    private var codec: CodecContext
    private var resampler: Resampler?
    /// How the sound is to be shaped, and what does so for this stretch of it.
    private let shaping: SharedShaping
    private var filter: SoundFilter?
    private var meter: LoudnessMeter?
    private var assembler: AudioAssembler
    /// Keeps the count of samples and the stamps together.
    private var drift: DriftCorrector
    /// Where the next decoded sample lies if nothing has gone missing, and the run it belongs to.
    private var expected: (time: MediaTime, run: Int)?
    /// Where the container says that the newest sound ends, when that is before its codec frame does.
    private var statedEnd: MediaTime?
    /// Priming samples that are still to be thrown away.
    private var skip = 0
    private var isDrained = false

    init(_ parameters: StreamParameters, output: AudioFormat, shaping: SharedShaping = SharedShaping()) throws(MediaError) {
        precondition(output.channels > 0 && output.sampleRate > 0, "sound has channels and a rate")
        self.output = output
        working = output
        self.shaping = shaping
        assembler = AudioAssembler(format: output)
        drift = DriftCorrector(output)
        codec = try Self.open(parameters)
    }

    private static func open(_ parameters: StreamParameters) throws(MediaError) -> CodecContext {
        try CodecContext(parameters) { context in
            context.pointee.thread_count = 1
            // Priming is cut off here, where the count of samples is kept.
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
        guard var time = stamp?.time ?? expected?.time else { return }
        time += MediaTime(Int64(first), rate)
        let run = stamp?.run ?? expected?.run ?? 0
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
            let (wanted, channels) = (shaping.current, Int(frame.pointee.ch_layout.nb_channels))
            setWorking(channels: channels > 2 ? output.channels : min(output.channels, 2))
            resampler = try Resampler(
                frame, output: working, streamName: codec.parameters.streamName, enhancesCentre: wanted.enhancesDialogue)
            centreGain = wanted.enhancesDialogue && working.channels > 2 ? Float(Resampler.enhancement) : 1
            // Sound that cannot be shaped is heard as it is: whoever asked for it was told when they did.
            filter = (try? SoundFilter.make(wanted, format: working, channels: channels)) ?? nil
            meter = wanted.reducesLoudSounds ? try? LoudnessMeter(working) : nil
            if meter != nil { shaping.loudness = nil }
            assembler.begin(at: time)
        }
        let end = time + MediaTime(Int64(count), rate)
        expected = (end, run)
        statedEnd = stamp?.duration.map { stamp!.time + $0 }.flatMap { $0 + .milliseconds(1) < end ? $0 : nil }
        let (samples, shift) = drift.correct(resampler!.convert(frame, first: first, count: count))
        if let meter {
            meter.take(samples)
            if meter.isReliable { shaping.loudness = meter.integrated }
        }
        assembler.append(widened(shaped(samples)))
        // What was put in or left out moves what follows.
        if shift != 0 { expected!.time += MediaTime(Int64(shift), Int32(output.sampleRate)) }
    }

    /// Which samples of a frame are sound: priming at the start of a stream and padding at its end are not.
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

    /// Stereo in a wider output is left and right in front, and silence elsewhere: whatever mixes it up further is the receiver's.
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

    /// Gets the last samples out of the resampler, which ends it.
    private func drainResampler() {
        if let rest = resampler?.drain() {
            let last = drift.correct(rest).samples + drift.rest()
            assembler.append(widened(shaped(last) + (filter?.drain() ?? [])))
        }
        resampler = nil
        filter = nil
    }
}

/// Puts converted sound on the timeline: buffers follow each other by their sample count, and where a new stretch begins before
/// the last
/// one ended, what overhangs is cut.
struct AudioAssembler {
    private let format: AudioFormat
    /// Where the next samples lie.
    private var next: MediaTime = .zero
    private var ready: [AudioBuffer] = []
    /// The newest buffer, which may still be cut.
    private var held: AudioBuffer?
    /// Up to where sound has been given out.
    private var givenUntil: MediaTime?
    /// Frames at the beginning of a stretch that overlap with what has already been given out.
    private var surplus = 0

    /// Overlaps beyond this are no overhang: time goes back, and whoever listens is told by the stamps.
    static let longestOverhang = MediaTime.milliseconds(250)

    init(format: AudioFormat) { self.format = format }

    private func frames(_ length: MediaTime) -> Int { Int(length.units(of: Int32(format.sampleRate))) }

    /// A new stretch begins.
    mutating func begin(at time: MediaTime) {
        surplus = 0
        next = time
        guard let last = held, time < last.end, last.end - time <= Self.longestOverhang else { return }
        cut(at: time)
        if held == nil, let before = ready.last?.end ?? givenUntil, before > time { surplus = frames(before - time) }
    }

    /// Takes away what the held buffer has beyond a moment.
    private mutating func cut(at time: MediaTime) {
        guard let last = held, time < last.end else { return }
        let keep = max(frames(time - last.time), 0)
        held =
            keep == 0
            ? nil : AudioBuffer(format: format, samples: Array(last.samples.prefix(keep * format.channels)), time: last.time)
    }

    /// More samples of the stretch.
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

    /// What is certain.
    mutating func takeReady() -> [AudioBuffer] {
        defer { ready.removeAll(keepingCapacity: true) }
        if let last = ready.last { givenUntil = last.end }
        return ready
    }

    /// Everything, at the end of a track: nothing follows that could begin earlier. What lies behind `end` is no sound of it.
    mutating func takeAll(until end: MediaTime?) -> [AudioBuffer] {
        if let end { cut(at: end) }
        if let held { ready.append(held) }
        held = nil
        return takeReady()
    }
}
