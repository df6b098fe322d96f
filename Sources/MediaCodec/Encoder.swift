import CFFmpeg
import MediaModel
import MediaTime

/// One open encoder of libavcodec with its packet; both are released with it. Confined to one thread.
final class Encoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    let parameters: StreamParameters
    private let packet: UnsafeMutablePointer<AVPacket>
    private let name: String

    /// The encoder for a format, if this machine's FFmpeg has one.
    static func codec(_ format: EncodedFormat) -> UnsafePointer<AVCodec>? {
        switch format {
        case .h264: avcodec_find_encoder_by_name("libx264") ?? avcodec_find_encoder_by_name("libopenh264")
        case .aac: avcodec_find_encoder_by_name("aac")
        }
    }

    /// - Parameters:
    ///   - options: the encoder's own options; those that it does not know are ignored.
    ///   - prepare: configures the context before it is opened.
    /// - Throws: `decoderUnsupported`.
    init(
        _ format: EncodedFormat, options: [(key: String, value: String)] = [], quarterTurns: Int = 0,
        prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(MediaError) {
        guard let codec = Self.codec(format) else {
            throw MediaError(
                .decoderUnsupported,
                "Encoding \(format.rawValue) failed: this machine's FFmpeg has no encoder of it; copy the samples (passthrough), or export on a computer with Debian's FFmpeg."
            )
        }
        name = String(cString: codec.pointee.name)
        var context: UnsafeMutablePointer<AVCodecContext>? = allocated(avcodec_alloc_context3(codec), "an encoder")
        prepare(context!)
        // MP4 stores the parameters once.
        context!.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        var dictionary: OpaquePointer?
        for option in options { av_dict_set(&dictionary, option.key, option.value, 0) }
        let code = avcodec_open2(context, codec, &dictionary)
        av_dict_free(&dictionary)
        guard code >= 0 else {
            avcodec_free_context(&context)
            throw MediaError(
                .decoderUnsupported,
                "Opening the encoder \(name) failed: \(FFmpegError(call: "avcodec_open2", code: code).reason); use another preset."
            )
        }
        self.context = context!
        parameters = StreamParameters(context!, name: name, quarterTurns: quarterTurns)
        packet = allocated(av_packet_alloc(), "a packet")
    }

    deinit {
        var (context, packet): (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?) = (context, packet)
        avcodec_free_context(&context)
        av_packet_free(&packet)
    }

    /// Sends a frame, or with nil the end, and returns the samples that are ready. Their times are in units of the context's time base.
    func encode(_ frame: UnsafeMutablePointer<AVFrame>?) throws(MediaError) -> [EncodedSample] {
        try check(avcodec_send_frame(context, frame))
        var samples: [EncodedSample] = []
        while true {
            let code = avcodec_receive_packet(context, packet)
            if code == marquee_averror_again || code == marquee_averror_eof { return samples }
            try check(code)
            samples.append(sample())
        }
    }

    private func sample() -> EncodedSample {
        let base = context.pointee.time_base
        let presentation = MediaTime(stamp: packet.pointee.pts, timeBase: base) ?? .zero
        let decode = MediaTime(stamp: packet.pointee.dts, timeBase: base) ?? presentation
        let duration = packet.pointee.duration > 0 ? MediaTime(stamp: packet.pointee.duration, timeBase: base) : nil
        let isSync = packet.pointee.flags & AV_PKT_FLAG_KEY != 0
        return EncodedSample(
            track: TrackID(0), presentationTime: presentation, decodeTime: decode, duration: duration, isSync: isSync,
            payload: Packet(moving: packet), parameters: parameters)
    }

    private func check(_ code: Int32) throws(MediaError) {
        guard code < 0 else { return }
        throw MediaError(
            .decoderUnsupported,
            "Encoding with \(name) failed: \(FFmpegError(call: "avcodec_send_frame", code: code).reason); use another preset.")
    }
}
