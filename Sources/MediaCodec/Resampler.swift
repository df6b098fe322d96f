import CFFmpeg
import MediaModel

/// libswresample from one format of decoded sound to the output's: sample format, rate, and channels mixed by ITU-R BS.775.
///
/// Its first output sample has exactly the time of its first input sample. Confined to one thread.
final class Resampler {
    private let context: OpaquePointer
    private let channels: Int
    private let input: (format: Int32, rate: Int32, channels: Int32)

    /// 5.1 with surrounds at the back, and at the sides: bits of libavutil's channel masks.
    private static let (backSurround, sideSurround): (UInt64, UInt64) = (0x3F, 0x60F)
    /// ITU-R BS.775: centre and surrounds enter stereo 3 dB softer than left and right; low-frequency effects are dropped.
    static let mixedLevel = 0.5.squareRoot()
    /// Enhanced dialogue makes the centre 4 dB louder than the standard.
    static let enhancement = 1.6
    static let enhancedCentreLevel = mixedLevel * enhancement

    init(_ frame: UnsafeMutablePointer<AVFrame>, output: AudioFormat, streamName: String, enhancesCentre: Bool = false)
        throws(MediaError)
    {
        var from = AVChannelLayout()
        if frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
            av_channel_layout_default(&from, frame.pointee.ch_layout.nb_channels)
        } else {
            av_channel_layout_copy(&from, &frame.pointee.ch_layout)
        }
        // With speakers at the sides and the back, the surrounds of 5.1 are those at the sides (BS.775), whatever the codec calls
        // them.
        if output.channels == 8, from.order == AV_CHANNEL_ORDER_NATIVE, from.u.mask == Self.backSurround {
            av_channel_layout_from_mask(&from, Self.sideSurround)
        }
        var to = AVChannelLayout()
        av_channel_layout_default(&to, Int32(output.channels))
        defer {
            av_channel_layout_uninit(&from)
            av_channel_layout_uninit(&to)
        }
        var context: OpaquePointer?
        var code = swr_alloc_set_opts2(
            &context, &to, AV_SAMPLE_FMT_FLT, Int32(output.sampleRate), &from, AVSampleFormat(frame.pointee.format),
            frame.pointee.sample_rate, 0, nil)
        if code >= 0, let context {
            let object = UnsafeMutableRawPointer(context)
            av_opt_set_double(object, "center_mix_level", enhancesCentre ? Self.enhancedCentreLevel : Self.mixedLevel, 0)
            av_opt_set_double(object, "surround_mix_level", Self.mixedLevel, 0)
            av_opt_set_double(object, "lfe_mix_level", 0, 0)
            code = swr_init(context)
        }
        guard code >= 0, let context else {
            swr_free(&context)
            throw MediaError(
                .decoderUnsupported,
                "Converting the sound of \(streamName) (\(frame.pointee.sample_rate) Hz, \(frame.pointee.ch_layout.nb_channels) channels) failed: "
                    + "\(FFmpegError(call: "swr_init", code: code).reason); use stereo at 48 kHz.")
        }
        self.context = context
        channels = output.channels
        input = (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels)
    }

    deinit {
        var context: OpaquePointer? = context
        swr_free(&context)
    }

    /// Whether a frame has the format that this object was made for.
    func accepts(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        input == (frame.pointee.format, frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels)
    }

    /// Converts part of a frame; some output may follow with the next.
    func convert(_ frame: UnsafeMutablePointer<AVFrame>, first: Int, count: Int) -> [Float] {
        let format = AVSampleFormat(frame.pointee.format)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let channels = Int(frame.pointee.ch_layout.nb_channels)
        let step = Int(av_get_bytes_per_sample(format)) * (isPlanar ? 1 : channels)
        let planes = (0..<(isPlanar ? channels : 1)).map { plane in
            frame.pointee.extended_data[plane].map { UnsafePointer($0 + first * step) }
        }
        return output(count, planes)
    }

    /// Returns the remaining samples.
    func drain() -> [Float] { output(0, nil) }

    private func output(_ count: Int, _ planes: [UnsafePointer<UInt8>?]?) -> [Float] {
        let room = max(Int(swr_get_out_samples(context, Int32(count))), 0)
        guard room > 0 else { return [] }
        return [Float](unsafeUninitializedCapacity: room * channels) { samples, filled in
            let made = samples.withMemoryRebound(to: UInt8.self) { bytes -> Int32 in
                var target: UnsafeMutablePointer<UInt8>? = bytes.baseAddress
                guard var planes else { return swr_convert(context, &target, Int32(room), nil, 0) }
                return swr_convert(context, &target, Int32(room), &planes, Int32(count))
            }
            filled = max(Int(made), 0) * channels
        }
    }
}

extension AVSampleFormat {
    /// The number stored in frames.
    init(_ number: Int32) { self.init(rawValue: number) }
}
