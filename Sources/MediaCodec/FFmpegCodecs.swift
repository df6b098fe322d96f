import CFFmpeg
import MediaModel
import MediaTime

/// FFmpeg behind `CodecFactory`: demuxers, decoders and their capabilities.
///
/// FFmpeg opens nothing itself: all bytes come through `ByteStream`. It has no state. Any thread; each opened object is confined to
/// one thread at a time.
package final class FFmpegCodecs: CodecFactory {
    /// Threads per video decoder.
    private let videoThreads: Int

    /// Threads per video decoder without another wish: the machine's cores, at most four. More threads cost more memory and delay than they gain.
    package static var standardVideoThreads: Int { max(1, min(Int(av_cpu_count()), 4)) }

    /// Makes a factory.
    ///
    /// - Parameter videoThreads: how many threads a video decoder may use; nil: `standardVideoThreads`.
    package init(videoThreads: Int? = nil) {
        self.videoThreads = max(1, videoThreads ?? Self.standardVideoThreads)
        // FFmpeg's errors become errors of this module; its warnings about damaged samples would flood the log.
        av_log_set_level(AV_LOG_QUIET)
    }

    package func openDemuxer(_ stream: any ByteStream, hint: ContainerHint?) throws(MediaError) -> any Demuxing {
        try ProgramDemuxer.open(stream, hint: hint)
    }

    package func openVideoDecoder(
        _ parameters: any CodecParameters, allocator: any FrameAllocator
    ) throws(MediaError) -> any VideoDecoding {
        try VideoDecoder(Self.own(parameters), allocator: allocator, threads: videoThreads)
    }

    package func openHardwareDecoder(
        _ parameters: any CodecParameters, pool: SurfacePool
    ) throws(MediaError) -> (any VideoDecoding)? { try HardwareDecoder(Self.own(parameters), pool: pool) }

    /// The hardware decoders of this build of FFmpeg whose pictures stay in their memory, such as `hevc (drm)`. Whether the machine has such hardware is known
    /// when one is opened.
    package static var hardwareDecoders: [String] { HardwareDecoder.allRoutes.map(\.name) }

    package func openAudioDecoder(
        _ parameters: any CodecParameters, output: AudioFormat, processing: SoundProcessing?
    ) throws(MediaError) -> any AudioDecoding {
        try AudioDecoder(Self.own(parameters), output: output, processing: processing)
    }

    package func checkSoundShaping(_ shaping: SoundShaping) throws(MediaError) {
        guard shaping.isNone || FilterLibrary.shared != nil else {
            throw MediaError(
                .decoderUnsupported,
                "Filtering the sound failed: libavfilter is not installed; install it, or play the sound unfiltered.")
        }
        _ = try SoundFilter.make(shaping, format: AudioFormat(sampleRate: 48_000, channels: 2), channels: 2)
    }

    package func makeTimeStretcher(_ format: AudioFormat, rate: Ratio) throws(MediaError) -> any TimeStretching {
        try TimeStretcher(format, rate: rate)
    }

    package func canStretchTime(_ format: AudioFormat) -> Bool {
        TimeStretcher.isInstalled || (try? makeTimeStretcher(format, rate: Ratio(2))) != nil
    }

    package func canDecode(codecString: String) -> Bool? { CodecString.canDecode(codecString) }

    /// Parameters come from this module's demuxers and return to it: any other type is a programmer error.
    static func own(_ parameters: any CodecParameters) -> StreamParameters {
        guard let own = parameters as? StreamParameters else { preconditionFailure("codec parameters of another module") }
        return own
    }
}
