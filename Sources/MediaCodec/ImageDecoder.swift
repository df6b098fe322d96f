import CFFmpeg
import MediaModel
import WireFormats

/// Decodes the pictures of feeds and containers (JPEG, PNG, WebP, GIF, BMP, AVIF, SVG) for drawing: upright as their EXIF data says, of an animation the first
/// picture. Stateless; any thread except the main loop's, because it is slow.
package enum ImageDecoder {
    /// Longer files are refused.
    package static let longestFile = 8 << 20
    /// Pictures with more pixels are refused, except those in JPEG, which are decoded smaller.
    package static let mostPixels = 4096 * 4096

    /// Progressive JPEG pictures with more scans are refused: each costs as much as a whole picture. Encoders make about ten.
    package static let mostScans = 100

    /// Decodes a picture and scales it down to fit.
    ///
    /// - Parameters:
    ///   - bytes: the file; its content determines the format.
    ///   - maximumWidth: in pixels; smaller pictures are not enlarged, but drawings are drawn as large as fits.
    ///   - maximumHeight: in pixels.
    /// - Returns: a picture in plain memory, `argb8888`: premultiplied.
    /// - Throws: `sourceFormat` when the format is not supported, the file is damaged, or the picture is too large.
    package static func decode(_ bytes: [UInt8], maximumWidth: Int, maximumHeight: Int) throws(MediaError) -> PixelBuffer {
        try decode(file(bytes), maximumWidth: maximumWidth, maximumHeight: maximumHeight)
    }

    /// What a file has, as `decode` takes it, without its pixels.
    ///
    /// - Throws: as `decode`.
    static func file(_ bytes: [UInt8]) throws(MediaError) -> PictureFile {
        guard bytes.count <= longestFile else {
            throw refusal("it is longer than \(longestFile >> 20) MiB; use a smaller one")
        }
        let file: PictureFile?
        do throws(PictureRefusal) { file = try PictureFile(bytes) } catch { throw refusal(error.reason) }
        guard let file else {
            throw refusal("it is \(words(bytes)), not a picture in JPEG, PNG, WebP, GIF, BMP, AVIF or SVG; correct its address")
        }
        // In the data of a scan every FF is followed by zero or a restart marker (ITU-T T.81, B.1.1.5).
        if file.codec == AV_CODEC_ID_MJPEG, zip(bytes, bytes.dropFirst()).count(where: { $0 == 0xff && $1 == 0xda }) > mostScans {
            throw refusal("it has more than \(mostScans) scans; save it again")
        }
        return file
    }

    /// Decodes the picture of a file, as `decode(_:maximumWidth:maximumHeight:)` does.
    static func decode(_ file: PictureFile, maximumWidth: Int, maximumHeight: Int) throws(MediaError) -> PixelBuffer {
        let size = (width: max(1, maximumWidth), height: max(1, maximumHeight))
        let decoder = try Decoder(file, maximumWidth: size.width, maximumHeight: size.height)
        return try decoder.decode(maximumWidth: size.width, maximumHeight: size.height)
    }

    /// What a file is that is no picture in a known form.
    private static func words(_ bytes: [UInt8]) -> String {
        let forms: [(mark: String, offset: Int, words: String)] = [
            ("ftyphei", 4, "an HEIF picture"), ("ftypmif1", 4, "an HEIF picture"), ("II*\0", 0, "a TIFF picture"),
            ("MM\0*", 0, "a TIFF picture"),
            ("JXL ", 4, "a JPEG XL picture"), ("8BPS", 0, "a Photoshop document"),
        ]
        let form = forms.first { bytes.dropFirst($0.offset).starts(with: Array($0.mark.utf8)) }
        return form?.words ?? ContentSniffer.nonMedia(bytes) ?? ContentSniffer.words(bytes)
    }

    private static func refusal(_ reason: String) -> MediaError {
        MediaError(.sourceFormat, "Decoding a picture failed: \(reason).")
    }

    private final class Decoder {
        private let file: PictureFile
        private let context: UnsafeMutablePointer<AVCodecContext>
        private let packet = allocated(av_packet_alloc(), "a packet")
        private let frame = allocated(av_frame_alloc(), "a frame")

        /// The greatest sides of a drawing.
        private static let longestSide = 4096

        /// A drawing is drawn as large as fits.
        init(_ file: PictureFile, maximumWidth: Int, maximumHeight: Int) throws(MediaError) {
            self.file = file
            let codec = avcodec_find_decoder(file.codec)
            context = allocated(avcodec_alloc_context3(codec), "a decoder")
            // A decoder that halves the sides checks the whole size.
            context.pointee.max_pixels = Int64(mostPixels << (2 * file.halvings))
            context.pointee.lowres = Int32(file.halvings)
            context.pointee.thread_count = 1
            if file.isDrawing, codec != nil {
                let (width, height) = Self.drawn(
                    SVGDrawing.ratio(of: file.bytes), min(maximumWidth, Self.longestSide), min(maximumHeight, Self.longestSide))
                av_opt_set_int(context.pointee.priv_data, "width", Int64(width), 0)
                av_opt_set_int(context.pointee.priv_data, "height", Int64(height), 0)
                av_opt_set_int(context.pointee.priv_data, "keep_ar", 0, 0)
            }
            guard codec != nil, avcodec_open2(context, codec, nil) >= 0 else {
                throw MediaError(
                    .decoderUnsupported,
                    "Decoding a picture failed: there is no decoder for \(String(cString: avcodec_get_name(file.codec))); use JPEG or PNG."
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

        func decode(maximumWidth: Int, maximumHeight: Int) throws(MediaError) -> PixelBuffer {
            try decodeFrame()
            let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
            let part = file.part ?? PictureFile.Part(x: 0, y: 0, width: width, height: height)
            guard width > 0, height > 0, part.width * part.height <= mostPixels else {
                throw refusal("it has \(part.width)x\(part.height) pixels, more than \(mostPixels); use a smaller one")
            }
            let isTransposed = file.turn.isTransposed
            let (fitWidth, fitHeight) = Self.fit(
                part.width, part.height, isTransposed ? maximumHeight : maximumWidth, isTransposed ? maximumWidth : maximumHeight)
            let left = part.x * fitWidth / part.width
            let top = part.y * fitHeight / part.height
            let picture = try converted(
                width: max(1, min(fitWidth, (part.x + width) * fitWidth / part.width) - left),
                height: max(1, min(fitHeight, (part.y + height) * fitHeight / part.height) - top))
            if file.part == nil { return try file.turn.apply(to: picture) }
            let whole = try MemoryAllocator().makeBuffer(format: .argb8888, width: fitWidth, height: fitHeight)
            Self.place(picture, in: whole, left: left, top: top)
            return try file.turn.apply(to: whole)
        }

        private func decodeFrame() throws(MediaError) {
            guard av_new_packet(packet, Int32(file.bytes.count)) >= 0 else { fatalError("no memory left for a picture") }
            file.bytes.withUnsafeBytes {
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
        }

        /// The decoded picture in this size, premultiplied.
        private func converted(width: Int, height: Int) throws(MediaError) -> PixelBuffer {
            let buffer = try MemoryAllocator().makeBuffer(format: .argb8888, width: width, height: height)
            try PixelConverter().convert(frame, into: buffer)
            // The decoder of drawings multiplies itself.
            if Self.hasAlpha(frame), !file.isDrawing { Self.premultiply(buffer) }
            return buffer
        }

        /// Copies a picture into a larger one that is transparent elsewhere.
        private static func place(_ picture: PixelBuffer, in whole: PixelBuffer, left: Int, top: Int) {
            let (from, to) = (picture.planes[0], whole.planes[0])
            let columns = min(picture.width, whole.width - left)
            picture.withBytes { source in
                whole.withMutableBytes { target in
                    target.initializeMemory(as: UInt8.self, repeating: 0)
                    for row in 0..<max(0, min(picture.height, whole.height - top)) where columns > 0 {
                        target.baseAddress!.advanced(by: to.offset + (top + row) * to.stride + 4 * left)
                            .copyMemory(from: source.baseAddress! + from.offset + row * from.stride, byteCount: 4 * columns)
                    }
                }
            }
        }

        /// The largest size with this aspect ratio within the maximum, at least one pixel.
        private static func drawn(_ ratio: Double, _ maximumWidth: Int, _ maximumHeight: Int) -> (Int, Int) {
            let width = max(1, min(Double(maximumWidth), (Double(maximumHeight) * ratio).rounded()))
            let height = max(1, min(Double(maximumHeight), (width / ratio).rounded()))
            return (Int(width), Int(height))
        }

        /// The same size, or the largest one with its aspect ratio within the maximum; at least one pixel.
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
