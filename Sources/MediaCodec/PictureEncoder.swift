import CFFmpeg
import MediaModel
import MediaTime

/// An encoder of H.264 with constant quality. Pictures are scaled to its size by libswscale. Confined to one thread.
final class PictureEncoder: PictureEncoding {
    private let encoder: Encoder
    private let frame: UnsafeMutablePointer<AVFrame>
    private let encoding: VideoEncoding
    private var scaler: OpaquePointer?
    private var durations: [Int64: MediaTime] = [:]
    private var last: Int64?

    init(_ encoding: VideoEncoding) throws(MediaError) {
        self.encoding = encoding
        let options = [("preset", encoding.speed), ("crf", "\(encoding.quality)"), ("forced-idr", "1")].map {
            (key: $0.0, value: $0.1)
        }
        encoder = try Encoder(.h264, options: options, quarterTurns: encoding.quarterTurns) { context in
            context.pointee.width = Int32(clamping: encoding.width)
            context.pointee.height = Int32(clamping: encoding.height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            // As many threads as the encoder finds useful.
            context.pointee.thread_count = 0
            context.pointee.time_base = AVRational(num: 1, den: encoding.timescale)
            context.pointee.colorspace = encoding.colour.space
            context.pointee.color_range = encoding.colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            if let aspect = AVRational(encoding.sampleAspect) { context.pointee.sample_aspect_ratio = aspect }
            let rate = encoding.frameRate ?? Ratio(25)
            if let rate = AVRational(rate) { context.pointee.framerate = rate }
            context.pointee.gop_size = Int32(clamping: max(encoding.keyInterval.scaled(by: rate).unitsRoundedDown(of: 1), 1))
        }
        frame = allocated(av_frame_alloc(), "a frame")
        frame.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        frame.pointee.width = encoder.context.pointee.width
        frame.pointee.height = encoder.context.pointee.height
        frame.pointee.colorspace = encoding.colour.space
        frame.pointee.color_range = encoding.colour.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        precondition(av_frame_get_buffer(frame, 0) >= 0, "no memory left for a picture")
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
        sws_freeContext(scaler)
    }

    var parameters: any CodecParameters { encoder.parameters }

    func encode(_ picture: VideoFrame?) throws(MediaError) -> [EncodedSample] {
        guard let picture else { return try encoder.encode(nil).map(timed) }
        // The encoder may still read the memory of the last picture.
        precondition(av_frame_make_writable(frame) >= 0, "no memory left for a picture")
        try scale(picture)
        let stamp = picture.time.units(of: encoding.timescale)
        // Two pictures within one unit: the second replaces nothing and is left out.
        if let last, stamp <= last { return [] }
        last = stamp
        frame.pointee.pts = stamp
        durations[stamp] = picture.duration
        return try encoder.encode(frame).map(timed)
    }

    private func timed(_ sample: EncodedSample) -> EncodedSample {
        var sample = sample
        sample.duration = durations.removeValue(forKey: sample.presentationTime.units(of: encoding.timescale)) ?? sample.duration
        return sample
    }

    private func scale(_ picture: VideoFrame) throws(MediaError) {
        let pixels = picture.pixels
        scaler = sws_getCachedContext(
            scaler, Int32(pixels.width), Int32(pixels.height), pixels.format.ffmpegFormat, frame.pointee.width,
            frame.pointee.height, AV_PIX_FMT_YUV420P, SWS_BICUBIC, nil, nil, nil)
        guard let scaler else {
            throw MediaError(
                .decoderUnsupported,
                "Scaling a picture of \(pixels.width)x\(pixels.height) pixels failed: \(pixels.format.rawValue) cannot be converted; use another source."
            )
        }
        pixels.withBytes { bytes in
            var sources = [UnsafePointer<UInt8>?](repeating: nil, count: 4)
            var strides = [Int32](repeating: 0, count: 4)
            for (index, plane) in pixels.planes.prefix(4).enumerated() {
                sources[index] = bytes.baseAddress!.advanced(by: plane.offset).assumingMemoryBound(to: UInt8.self)
                strides[index] = Int32(plane.stride)
            }
            FramePlanes.withPointers(frame) { data, sizes in
                _ = sws_scale(scaler, sources, strides, 0, Int32(pixels.height), data, sizes)
            }
        }
    }
}

extension ColourDescription {
    /// FFmpeg's name of the matrix.
    fileprivate var space: AVColorSpace {
        switch matrix {
        case .bt601: AVCOL_SPC_SMPTE170M
        case .bt709: AVCOL_SPC_BT709
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }
}

extension AVRational {
    /// A ratio as FFmpeg has it; nil if its numbers are too large.
    init?(_ ratio: Ratio) {
        guard let top = Int32(exactly: ratio.numerator), let bottom = Int32(exactly: ratio.denominator), bottom > 0 else {
            return nil
        }
        self.init(num: top, den: bottom)
    }
}
