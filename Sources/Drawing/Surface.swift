import CPangoCairo
import MediaModel

/// A Cairo image surface over the memory of a picture, with its drawing context. The only owner of both handles.
///
/// Cairo blends, so it reads back what it has written. For memory that is slow to read (`FrameAllocator.isCached == false`)
/// `LayerPainter` draws elsewhere and copies. Confined to the thread that made it; the picture may be shared only after the
/// surface is destroyed.
final class Surface {
    let pixels: PixelBuffer
    /// The drawing context (`cairo_t`), valid as long as this object; lent to `Canvas` and `TextLayout` only.
    let context: OpaquePointer
    private let surface: OpaquePointer

    /// Wraps a picture and makes it fully transparent.
    ///
    /// - Parameter pixels: an `argb8888` picture that is not shared yet.
    /// - Throws: `DrawingError` when Cairo refuses the memory (no memory, or a stride that is not a multiple of four bytes).
    init(_ pixels: PixelBuffer) throws(DrawingError) {
        precondition(pixels.format == .argb8888, "the interface is drawn in premultiplied ARGB")
        let plane = pixels.planes[0]
        let size = "\(pixels.width)x\(pixels.height)"
        pixels.storage.beginAccess()
        let first = (pixels.storage.base + plane.offset).assumingMemoryBound(to: UInt8.self)
        guard
            let surface = cairo_image_surface_create_for_data(
                first, CAIRO_FORMAT_ARGB32, Int32(pixels.width), Int32(pixels.height), Int32(plane.stride)),
            let context = cairo_create(surface)
        else {
            pixels.storage.endAccess()
            throw DrawingError(.makeSurface, on: size, reason: "no memory")
        }
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else {
            cairo_destroy(context)
            cairo_surface_destroy(surface)
            pixels.storage.endAccess()
            throw DrawingError(.makeSurface, on: size, reason: String(cString: cairo_status_to_string(status)))
        }
        self.pixels = pixels
        self.surface = surface
        self.context = context
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_paint(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
        pixels.storage.endAccess()
    }
}

/// A picture lent to Cairo as a source: artwork, posters. Read only.
final class SourceSurface {
    /// The surface (`cairo_surface_t`), valid as long as this object.
    let surface: OpaquePointer
    private let pixels: PixelBuffer

    /// Wraps a picture in `argb8888` or `xrgb8888`; nil when Cairo refuses it or it is empty.
    init?(_ pixels: PixelBuffer) {
        guard !pixels.format.isYUV, pixels.width > 0, pixels.height > 0 else { return nil }
        let plane = pixels.planes[0]
        pixels.storage.beginAccess()
        let first = (pixels.storage.base + plane.offset).assumingMemoryBound(to: UInt8.self)
        let format = pixels.format == .argb8888 ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24
        guard
            let surface = cairo_image_surface_create_for_data(
                first, format, Int32(pixels.width), Int32(pixels.height), Int32(plane.stride))
        else {
            pixels.storage.endAccess()
            return nil
        }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
            cairo_surface_destroy(surface)
            pixels.storage.endAccess()
            return nil
        }
        self.surface = surface
        self.pixels = pixels
    }

    deinit {
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
        pixels.storage.endAccess()
    }
}
