import CJPEG
import CPNG
import CYUV
import Glibc
import MediaModel

extension PixelBuffer {
    /// The picture as a PNG file (8-bit RGB, without date and text): the same pixels give the same bytes.
    ///
    /// - Precondition: the format is `xrgb8888` or `argb8888` (whose alpha is dropped).
    /// - Throws: `MediaError` with code `internal` when libpng fails, e.g. when memory is exhausted.
    package func png() throws(MediaError) -> [UInt8] {
        precondition(!format.isYUV, "a picture is converted to RGB before it is written")
        let stride = width * 3
        let rows = [UInt8](unsafeUninitializedCapacity: stride * height) { rows, count in
            withReadablePlanes { planes in
                _ = ARGBToRGB24(planes.bytes(0), planes.stride(0), rows.baseAddress, Int32(stride), Int32(width), Int32(height))
            }
            count = stride * height
        }
        var image = marquee_png_image(UInt32(width), UInt32(height), marquee_png_format_bgr())
        // A viewer waits for the picture: use zlib's fast setting.
        image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
        // Room for the worst case, incompressible rows, so that one compression run is enough.
        var byteCount = stride * height + stride * height / 8 + height + 4096
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            failed = png_image_write_to_memory(&image, buffer.baseAddress, &byteCount, 0, rows, png_int_32(stride), nil) == 0
            count = failed ? 0 : byteCount
        }
        guard !failed else {
            throw MediaError(.internal, "Writing a \(width)x\(height) picture as PNG failed: \(image.problem); free some memory.")
        }
        return bytes
    }

    /// The picture as a JPEG file.
    ///
    /// - Parameter quality: 1…100.
    /// - Precondition: the format is `xrgb8888` or `argb8888` (whose alpha is dropped).
    /// - Throws: `MediaError` with code `internal` when memory is exhausted.
    package func jpeg(quality: Int) throws(MediaError) -> [UInt8] {
        precondition(!format.isYUV, "a picture is converted to RGB before it is written")
        var block: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let written = withReadablePlanes { planes in
            marquee_jpeg_compress(
                planes.bytes(0), UInt32(width), UInt32(height), Int(planes.stride(0)), Int32(quality), &block, &count)
        }
        defer { free(block) }
        guard written == 1, let block else {
            throw MediaError(
                .internal, "Writing a \(width)x\(height) picture as JPEG failed: no memory was left; free some memory.")
        }
        return [UInt8](UnsafeBufferPointer(start: block, count: Int(count)))
    }
}

extension ScreenPicture {
    /// The picture as a PNG file; see `PixelBuffer.png()`.
    package func png() throws(MediaError) -> [UInt8] { try pixels.png() }

    /// The picture as a JPEG file; see `PixelBuffer.jpeg(quality:)`.
    package func jpeg(quality: Int = 80) throws(MediaError) -> [UInt8] { try pixels.jpeg(quality: quality) }
}

extension png_image {
    /// libpng's error message.
    fileprivate var problem: String {
        withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
