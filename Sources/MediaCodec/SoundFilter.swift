import CFFmpeg
import MediaModel
import MediaTime

/// A chain of libavfilter's filters whose output is exactly as long as its input divided by its rate. Used by one thread at a
/// time.
final class SoundFilter {
    private let graph: FilterGraph
    private let format: AudioFormat
    private let rate: Ratio
    private let frame = allocated(av_frame_alloc(), "a frame")
    /// Frames in and out: in the end the output is exactly as long as the input divided by the rate.
    private var taken: Int64 = 0
    private var given: Int64 = 0
    /// Called for each output frame: measuring filters store their results as metadata.
    private let onFrame: ((UnsafeMutablePointer<AVFrame>) -> Void)?

    /// The chain for a stretch of sound.
    ///
    /// - Parameter channels: the number of channels before mixing.
    /// - Returns: nil when the sound is to stay unchanged, or no filters are installed.
    static func make(_ shaping: SoundShaping, format: AudioFormat, channels: Int) throws(MediaError) -> SoundFilter? {
        let isMixed = channels > format.channels || (shaping.enhancesDialogue && format.channels > 2)
        let chain = chain(shaping, isMixed: isMixed, isStereo: channels == 2 && format.channels == 2)
        guard !chain.isEmpty, let filters = FilterLibrary.shared else { return nil }
        do throws(FFmpegError) {
            return try SoundFilter(filters, format, chain)
        } catch {
            throw MediaError(
                .decoderUnsupported, "Filtering the sound failed: \(error); turn the filters off in Settings, Sound.")
        }
    }

    static func chain(_ shaping: SoundShaping, isMixed: Bool, isStereo: Bool) -> [FilterGraph.Step] {
        var chain: [FilterGraph.Step] = []
        // For surround sound the centre is made louder instead.
        if shaping.enhancesDialogue, isStereo { chain.append(("stereotools", "mlev=1.6:slev=0.8")) }
        // Speech, at about 27 dB below full scale, keeps its level.
        if shaping.reducesLoudSounds {
            chain.append(
                (
                    "acompressor",
                    "threshold=0.01:ratio=2.5:attack=5:release=300:makeup=2.4:knee=4:link=maximum:detection=rms"
                ))
        }
        if shaping.gain != 0 { chain.append(("volume", "volume=\(shaping.gain)dB")) }
        // Channels mixed into fewer can exceed full scale.
        if !chain.isEmpty || isMixed { chain.append(("alimiter", "limit=0.98:level=0:attack=5:release=50:latency=1")) }
        return chain
    }

    /// - Parameter rate: the factor by which the chain speeds up the sound.
    init(
        _ filters: marquee_filters, _ format: AudioFormat, _ chain: [FilterGraph.Step], rate: Ratio = .one,
        onFrame: ((UnsafeMutablePointer<AVFrame>) -> Void)? = nil
    ) throws(FFmpegError) {
        self.onFrame = onFrame
        self.rate = rate
        self.format = format
        let layout = [1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"][format.channels] ?? "\(format.channels)c"
        let input = "sample_rate=\(format.sampleRate):sample_fmt=flt:channel_layout=\(layout):time_base=1/\(format.sampleRate)"
        // Filters that work in double precision are followed by a conversion back to the input format.
        graph = try FilterGraph(
            filters, source: ("abuffer", input), chain: chain + [("aformat", "sample_fmts=flt")], sink: "abuffersink", threads: 1)
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Processes interleaved samples and returns what is ready.
    ///
    /// - Returns: nil when memory is exhausted: then the samples were not consumed.
    func process(_ samples: ArraySlice<Float>) -> [Float]? {
        let count = samples.count / format.channels
        guard count > 0 else { return [] }
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = Int32(format.sampleRate)
        frame.pointee.nb_samples = Int32(count)
        frame.pointee.pts = taken
        av_channel_layout_default(&frame.pointee.ch_layout, Int32(format.channels))
        guard av_frame_get_buffer(frame, 0) >= 0, let data = frame.pointee.data.0 else { return nil }
        samples.withUnsafeBytes {
            UnsafeMutableRawPointer(data).copyMemory(from: $0.baseAddress!, byteCount: count * format.channels * 4)
        }
        taken += Int64(count)
        let isTaken = graph.send(frame)
        av_frame_unref(frame)
        return isTaken ? output() : []
    }

    /// Returns the rest, so that the output has exactly the expected length.
    func drain() -> [Float] {
        _ = graph.send(nil)
        var samples = output()
        // The rounding of the last window: missing or surplus samples.
        let whole = MediaTime(taken, Int32(format.sampleRate)).scaled(by: Ratio(rate.denominator, rate.numerator))
        let missing = Int(whole.units(of: Int32(format.sampleRate)) - given) * format.channels
        if missing > 0 {
            samples += [Float](repeating: 0, count: missing)
        } else {
            samples.removeLast(min(-missing, samples.count))
        }
        return samples
    }

    private func output() -> [Float] {
        var samples: [Float] = []
        while graph.receive(into: frame) {
            let count = Int(frame.pointee.nb_samples) * format.channels
            if let data = frame.pointee.data.0 {
                UnsafeMutableRawPointer(data).withMemoryRebound(to: Float.self, capacity: count) {
                    samples += UnsafeBufferPointer(start: $0, count: count)
                }
            }
            given += Int64(frame.pointee.nb_samples)
            onFrame?(frame)
            av_frame_unref(frame)
        }
        return samples
    }
}
