import CFFmpeg
import Glibc
import LinuxSupport
import MediaModel

/// A decoder of libavcodec whose frames stay in the memory of the decoding hardware (AV_PIX_FMT_DRM_PRIME): a decoder that gives only such frames, or a hardware
/// accelerator of a software decoder. Which of them exist depends on the build of FFmpeg.
///
/// Its pictures are shown as they are. What the player would have to change for the screen, it does not decode: it fails, and the pictures are decoded in
/// software. Confined to one thread.
final class HardwareDecoder: VideoDecoding {
    /// A way to decode a codec in hardware.
    struct Route {
        let codec: UnsafePointer<AVCodec>
        /// The kind of device that a hardware accelerator needs; nil for a decoder that finds its own.
        let device: AVHWDeviceType?

        /// E.g. `h264_v4l2m2m`, `hevc (drm)`.
        var name: String {
            let name = String(cString: codec.pointee.name)
            guard let device, let kind = av_hwdevice_get_type_name(device) else { return name }
            return "\(name) (\(String(cString: kind)))"
        }
    }

    private let pool: SurfacePool
    private let routes: [Route]
    private let parameters: StreamParameters
    /// Nil after a flush: the decoders of some drivers cannot be used after one.
    private var codec: CodecContext?
    private var reader = FrameFactsReader()
    private var isDrained = false

    /// - Returns: nil if there is no route for the codec, or its pictures would have to be converted.
    /// - Throws: `decoderUnsupported` if none of the routes opens.
    init?(_ parameters: StreamParameters, pool: SurfacePool) throws(MediaError) {
        let routes = parameters.withParameters { Self.routes(for: $0.pointee.codec_id) }
        guard !routes.isEmpty, !parameters.isProtected, parameters.withParameters({ Self.isShownAsItIs($0) }) else { return nil }
        self.pool = pool
        self.routes = routes
        self.parameters = parameters
        codec = try Self.open(routes, parameters)
    }

    deinit { close() }

    func decode(_ sample: EncodedSample?) throws(MediaError) -> [VideoFrame] {
        guard sample != nil else {
            guard let codec, !isDrained else { return [] }
            isDrained = true
            return try run(nil, codec)
        }
        if isDrained { flush() }
        if let codec { return try run(sample, codec) }
        let opened = try Self.open(routes, parameters)
        codec = opened
        return try run(sample, opened)
    }

    private func run(_ sample: EncodedSample?, _ codec: CodecContext) throws(MediaError) -> [VideoFrame] {
        var frames: [VideoFrame] = []
        try codec.decode(sample) { frame throws(MediaError) in frames.append(try picture(frame, codec)) }
        return frames
    }

    private func picture(_ frame: UnsafeMutablePointer<AVFrame>, _ codec: CodecContext) throws(MediaError) -> VideoFrame {
        let facts = reader.facts(of: frame, from: codec)
        guard !facts.isInterlaced, !facts.colour.isHDR, !facts.colour.primaries.isWide else {
            throw MediaError(
                .decoderUnsupported,
                "Decoding \(parameters.codecName) of \(parameters.streamName) in hardware failed: its pictures have two fields, or colours that the screen "
                    + "does not have; it is decoded in software.")
        }
        return VideoFrame(pixels: try SharedSurface(frame, pool: pool).pixels, facts, quarterTurns: parameters.quarterTurns)
    }

    /// Non-reference pictures are not skipped: hardware decodes them all.
    var skipsNonReference = false

    func flush() {
        close()
        isDrained = false
        reader = FrameFactsReader()
    }

    /// Closes the decoder and gives up its memory; pictures that are held stay.
    private func close() {
        codec = nil
        pool.forgetAll()
    }

    /// The routes that this build of FFmpeg has.
    static func routes(for codec: AVCodecID) -> [Route] { allRoutes.filter { $0.codec.pointee.id == codec } }

    static var allRoutes: [Route] {
        var routes: [Route] = []
        var place: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&place) {
            guard av_codec_is_decoder(codec) != 0, codec.pointee.type == AVMEDIA_TYPE_VIDEO else { continue }
            var index: Int32 = 0
            while let configuration = avcodec_get_hw_config(codec, index)?.pointee {
                index += 1
                guard configuration.pix_fmt == AV_PIX_FMT_DRM_PRIME else { continue }
                if configuration.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0 {
                    routes.append(Route(codec: codec, device: configuration.device_type))
                } else if configuration.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_INTERNAL | AV_CODEC_HW_CONFIG_METHOD_AD_HOC)
                    != 0
                {
                    routes.append(Route(codec: codec, device: nil))
                }
            }
        }
        return routes
    }

    /// Whether what the container states allows for pictures that are shown without any work of the CPU. What it does not state is seen in the pictures.
    private static func isShownAsItIs(_ parameters: UnsafePointer<AVCodecParameters>) -> Bool {
        let interlaced = [AV_FIELD_TT, AV_FIELD_BB, AV_FIELD_TB, AV_FIELD_BT]
        let format = AVPixelFormat(parameters.pointee.format)
        let isDeep = av_pix_fmt_desc_get(format).map { $0.pointee.comp.0.depth > 8 } ?? false
        let isBright = [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].contains(parameters.pointee.color_trc)
        let isWide = [AVCOL_PRI_BT2020, AVCOL_PRI_SMPTE432].contains(parameters.pointee.color_primaries)
        return !isDeep && !isBright && !isWide && !interlaced.contains(parameters.pointee.field_order)
    }

    private static func open(_ routes: [Route], _ parameters: StreamParameters) throws(MediaError) -> CodecContext {
        var reasons: [String] = []
        for route in routes {
            do throws(MediaError) {
                let device = try route.device.map { kind throws(MediaError) in try self.device(kind) }
                defer { unreference(device) }
                return try CodecContext(parameters, hardware: route.codec) { context in
                    context.pointee.thread_count = 1
                    context.pointee.get_format = chooseSharedFormat
                    // The player holds pictures that the decoder does not count on.
                    context.pointee.extra_hw_frames = Int32(heldPictures)
                    context.pointee.hw_device_ctx = device.flatMap { av_buffer_ref($0) }
                }
            } catch {
                reasons.append("\(route.name): \(error.sentence)")
            }
        }
        throw MediaError(
            .decoderUnsupported,
            "Opening a hardware decoder for \(parameters.codecName) failed: \(reasons.joined(separator: " ")) It is decoded in software."
        )
    }

    /// How many pictures the player may hold, and some that a drained decoder gives at once.
    private static let heldPictures = 14

    private static func unreference(_ device: UnsafeMutablePointer<AVBufferRef>?) {
        var device = device
        av_buffer_unref(&device)
    }

    /// Opens a device: that of a graphics card where one is needed, otherwise whichever is found.
    private static func device(_ kind: AVHWDeviceType) throws(MediaError) -> UnsafeMutablePointer<AVBufferRef> {
        let nodes = Folder.names("/dev/dri")
        // Render nodes first: they need no master.
        let sorted = nodes.filter { $0.hasPrefix("render") }.sorted() + nodes.filter { $0.hasPrefix("card") }.sorted()
        let paths: [String?] = kind == AV_HWDEVICE_TYPE_DRM ? sorted.map { "/dev/dri/\($0)" } : [nil]
        var device: UnsafeMutablePointer<AVBufferRef>?
        var code = -ENOENT
        for path in paths {
            code = av_hwdevice_ctx_create(&device, kind, path, nil, 0)
            if code >= 0, let device { return device }
        }
        throw MediaError(
            .decoderUnsupported, "no device opens (\(FFmpegError(call: "av_hwdevice_ctx_create", code: code))).")
    }
}

/// Only frames in shared memory are taken (AVCodecContext.get_format); without them the decoder fails.
private func chooseSharedFormat(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ formats: UnsafePointer<AVPixelFormat>?
) -> AVPixelFormat {
    var place = formats
    while let format = place?.pointee, format != AV_PIX_FMT_NONE {
        if format == AV_PIX_FMT_DRM_PRIME { return format }
        place = place?.advanced(by: 1)
    }
    return AV_PIX_FMT_NONE
}
