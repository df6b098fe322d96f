import CFFmpeg
import MediaModel
import WireFormats

/// Decodes the pictures of feeds and containers (JPEG, PNG, WebP) for drawing. Stateless; any thread except the main loop's,
/// because it is slow.
package enum ImageDecoder {
    /// Longer files are refused.
    package static let longestFile = 8 << 20
    /// Pictures wider or higher than this many pixels are refused.
    package static let largestSide = 4096

    /// Progressive JPEG pictures with more scans are refused: each costs as much as a whole picture. Encoders make about ten.
    package static let mostScans = 100

    /// Decodes a picture and scales it down to fit.
    ///
    /// - Parameters:
    ///   - bytes: the file; its content determines the format.
    ///   - maximumWidth: in pixels; smaller pictures are not enlarged.
    ///   - maximumHeight: in pixels.
    /// - Returns: a picture in plain memory, `argb8888`: premultiplied.
    /// - Throws: `sourceFormat` when the format is not supported, the file is damaged, or the picture is too large.
    package static func decode(_ bytes: [UInt8], maximumWidth: Int, maximumHeight: Int) throws(MediaError) -> PixelBuffer {
        guard bytes.count <= longestFile else {
            throw refusal("it is longer than \(longestFile >> 20) MiB; use a smaller one")
        }
        guard let codec = codec(bytes) else {
            throw refusal(
                "it is \(ContentSniffer.nonMedia(bytes) ?? ContentSniffer.words(bytes)), not a JPEG, PNG or WebP picture; correct its address"
            )
        }
        // In the data of a scan every FF is followed by zero or a restart marker (ITU-T T.81, B.1.1.5).
        if codec == AV_CODEC_ID_MJPEG, zip(bytes, bytes.dropFirst()).count(where: { $0 == 0xff && $1 == 0xda }) > mostScans {
            throw refusal("it has more than \(mostScans) scans; save it again")
        }
        let decoder = try Decoder(codec)
        return try decoder.decode(
            codec == AV_CODEC_ID_PNG ? withoutTexts(bytes) : bytes, maximumWidth: max(1, maximumWidth),
            maximumHeight: max(1, maximumHeight))
    }

    private static func codec(_ bytes: [UInt8]) -> AVCodecID? {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return AV_CODEC_ID_MJPEG }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return AV_CODEC_ID_PNG }
        let isWebP = bytes.count > 12 && bytes.starts(with: Array("RIFF".utf8)) && bytes[8..<12].elementsEqual("WEBP".utf8)
        return isWebP ? AV_CODEC_ID_WEBP : nil
    }

    /// A PNG file without texts, profiles and other data of which its picture does not consist: a few bytes of them may be hundreds of megabytes unpacked.
    static func withoutTexts(_ bytes: [UInt8]) -> [UInt8] {
        var kept = Array(bytes.prefix(8))
        var cursor = ByteCursor(bytes.dropFirst(8))
        while let length = cursor.big(4), let type = cursor.take(4), let body = cursor.take(Int(clamping: length) + 4) {
            guard drawnChunks.contains(String(decoding: type, as: UTF8.self)) else { continue }
            for shift in [24, 16, 8, 0] { kept.append(UInt8(truncatingIfNeeded: length >> UInt64(shift))) }
            kept += type
            kept += body
        }
        return kept
    }

    private static let drawnChunks: Set = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT"]

    private static func refusal(_ reason: String) -> MediaError {
        MediaError(.sourceFormat, "Decoding a picture failed: \(reason).")
    }

    private final class Decoder {
        private let context: UnsafeMutablePointer<AVCodecContext>
        private let packet = allocated(av_packet_alloc(), "a packet")
        private let frame = allocated(av_frame_alloc(), "a frame")

        init(_ id: AVCodecID) throws(MediaError) {
            context = allocated(avcodec_alloc_context3(nil), "a decoder")
            context.pointee.max_pixels = Int64(largestSide * largestSide)
            context.pointee.thread_count = 1
            let codec = avcodec_find_decoder(id)
            guard codec != nil, avcodec_open2(context, codec, nil) >= 0 else {
                throw MediaError(
                    .decoderUnsupported,
                    "Decoding a picture failed: there is no decoder for \(String(cString: avcodec_get_name(id))); use JPEG or PNG."
                )
            }
        }

        deinit {
            var (context, packet, frame):
                (
                    UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVPacket>?, UnsafeMutablePointer<AVFrame>?
                ) = (context, packet, frame)
            avcodec_free_context(&context)
            av_packet_free(&packet)
            av_frame_free(&frame)
        }

        func decode(_ bytes: [UInt8], maximumWidth: Int, maximumHeight: Int) throws(MediaError) -> PixelBuffer {
            guard av_new_packet(packet, Int32(bytes.count)) >= 0 else { fatalError("no memory left for a picture") }
            bytes.withUnsafeBytes {
                UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
            var code = avcodec_send_packet(context, packet)
            if code >= 0 { code = avcodec_send_packet(context, nil) }
            if code >= 0 { code = avcodec_receive_frame(context, frame) }
            guard code >= 0 else {
                throw refusal(
                    "it is damaged or too large (\(FFmpegError(call: "avcodec_receive_frame", code: code).reason)); create it again"
                )
            }
            let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
            guard width > 0, height > 0, width <= largestSide, height <= largestSide else {
                throw refusal("it has \(width)x\(height) pixels, more than \(largestSide) a side; use a smaller one")
            }
            let (fitWidth, fitHeight) = Self.fit(width, height, maximumWidth, maximumHeight)
            let buffer = try MemoryAllocator().makeBuffer(format: .argb8888, width: fitWidth, height: fitHeight)
            try PixelConverter().convert(frame, into: buffer)
            if Self.hasAlpha(frame) { Self.premultiply(buffer) }
            return buffer
        }

        /// The largest size with the same aspect ratio within the maximum, at least one pixel.
        private static func fit(_ width: Int, _ height: Int, _ maximumWidth: Int, _ maximumHeight: Int) -> (Int, Int) {
            if width <= maximumWidth, height <= maximumHeight { return (width, height) }
            if width * maximumHeight > height * maximumWidth { return (maximumWidth, max(1, height * maximumWidth / width)) }
            return (max(1, width * maximumHeight / height), maximumHeight)
        }

        private static func hasAlpha(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
            guard let description = av_pix_fmt_desc_get(AVPixelFormat(frame.pointee.format)) else { return false }
            return description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
                || AVPixelFormat(frame.pointee.format) == AV_PIX_FMT_PAL8
        }

        private static func premultiply(_ buffer: PixelBuffer) {
            buffer.withMutableBytes { bytes in
                let plane = buffer.planes[0]
                for row in 0..<buffer.height {
                    for column in 0..<buffer.width {
                        let at = plane.offset + row * plane.stride + 4 * column
                        let alpha = UInt32(bytes[at + 3])
                        for channel in at..<at + 3 { bytes[channel] = UInt8((UInt32(bytes[channel]) * alpha + 127) / 255) }
                    }
                }
            }
        }
    }
}
