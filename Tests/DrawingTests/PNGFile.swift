import CPangoCairo
import MediaModel

@testable import Drawing

/// Pictures as PNG files. Any thread.
enum PNGFile {
    struct Failure: Error {
        let path: String
        let reason: String
    }

    /// Writes a picture; the same picture gives the same bytes.
    ///
    /// - Parameters:
    ///   - pixels: in `argb8888` (premultiplied) or `xrgb8888`.
    ///   - path: the file, which is replaced if it exists.
    /// - Throws: `Failure` when the picture has another format or the file cannot be written.
    static func write(_ pixels: PixelBuffer, to path: String) throws(Failure) {
        guard !pixels.format.isYUV else {
            throw Failure(path: path, reason: "it is in \(pixels.format.rawValue)")
        }
        guard let source = SourceSurface(pixels) else {
            throw Failure(path: path, reason: "Cairo refuses \(pixels.width)x\(pixels.height) pixels")
        }
        let status = cairo_surface_write_to_png(source.surface, path)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw Failure(path: path, reason: String(cString: cairo_status_to_string(status)))
        }
    }

    /// Reads a picture into plain memory.
    ///
    /// - Returns: a picture in `argb8888`, opaque if the file has no transparency.
    /// - Throws: `Failure` when there is no such file or it is not a PNG.
    static func read(_ path: String, allocator: any FrameAllocator = MemoryAllocator()) throws(Failure)
        -> PixelBuffer
    {
        guard let surface = cairo_image_surface_create_from_png(path) else {
            throw Failure(path: path, reason: "no memory")
        }
        defer { cairo_surface_destroy(surface) }
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else {
            throw Failure(path: path, reason: String(cString: cairo_status_to_string(status)))
        }
        let format = cairo_image_surface_get_format(surface)
        guard format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24, let data = cairo_image_surface_get_data(surface)
        else {
            throw Failure(path: path, reason: "it has neither 24 nor 32 bits a pixel")
        }
        let width = Int(cairo_image_surface_get_width(surface)), height = Int(cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let pixels: PixelBuffer
        do {
            pixels = try allocator.makeBuffer(format: .argb8888, width: width, height: height)
        } catch {
            throw Failure(path: path, reason: error.sentence)
        }
        let plane = pixels.planes[0]
        let isOpaque = format == CAIRO_FORMAT_RGB24
        pixels.withMutableBytes { target in
            for row in 0..<height {
                let line = target.baseAddress! + plane.offset + row * plane.stride
                line.copyMemory(from: data + row * stride, byteCount: width * 4)
                guard isOpaque else { continue }
                for column in 0..<width { line.storeBytes(of: 255, toByteOffset: column * 4 + 3, as: UInt8.self) }
            }
        }
        return pixels
    }
}
