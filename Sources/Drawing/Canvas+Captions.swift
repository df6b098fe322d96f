import CPangoCairo
import Captions
import MediaModel

/// Drawing of captions.
extension Canvas {
    /// Draws a shaped caption with the upper left corner of its lines at a position: first the edges of the letters, then the
    /// letters in their own colours.
    func caption(
        _ layout: OpaquePointer, text: String, x: Double, y: Double, ink: Rect, size: Double, edge: CaptionStyle.Edge,
        colour: Tint,
        missingGlyphs: Int
    ) {
        record(
            DrawnText(
                text: text, x: ink.x + x, y: ink.y + y, width: ink.width, height: ink.height, size: size, isBold: false,
                colour: [colour.red, colour.green, colour.blue, colour.alpha], missingGlyphs: missingGlyphs, isEllipsized: false))
        guard drawsText else { return }
        let reach = max(size / 18, 2)
        func shape(_ right: Double, _ down: Double, _ tint: Tint, line: Double = 0) {
            cairo_new_path(context)
            cairo_move_to(context, x + right, y + down)
            cairo_set_source_rgba(context, tint.red, tint.green, tint.blue, tint.alpha)
            pango_cairo_update_layout(context, layout)
            pango_cairo_layout_path(context, layout)
            if line > 0 {
                cairo_set_line_width(context, line)
                cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
                cairo_stroke(context)
            } else {
                cairo_fill(context)
            }
        }
        switch edge {
        case .none: break
        case .uniform: shape(0, 0, .white(0, colour.alpha), line: reach * 2)
        case .dropShadow: shape(reach, reach, .white(0, 0.85 * colour.alpha))
        case .raised:
            shape(reach * 0.7, reach * 0.7, .white(0, 0.9 * colour.alpha))
            shape(-reach * 0.4, -reach * 0.4, .white(1, 0.5 * colour.alpha))
        case .depressed:
            shape(-reach * 0.7, -reach * 0.7, .white(0, 0.9 * colour.alpha))
            shape(reach * 0.4, reach * 0.4, .white(1, 0.5 * colour.alpha))
        }
        cairo_new_path(context)
        cairo_move_to(context, x, y)
        cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha)
        pango_cairo_update_layout(context, layout)
        pango_cairo_show_layout(context, layout)
        cairo_new_path(context)
    }

    /// Draws a caption image into a rectangle.
    func image(_ image: CaptionImage, in place: Rect) {
        guard image.width > 0, image.height > 0, let surface = image.makeSurface() else { return }
        defer { cairo_surface_destroy(surface) }
        cairo_save(context)
        cairo_translate(context, place.x, place.y)
        cairo_scale(context, place.width / Double(image.width), place.height / Double(image.height))
        cairo_set_source_surface(context, surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
        cairo_paint(context)
        cairo_set_source_rgba(context, 0, 0, 0, 0)
        cairo_restore(context)
    }
}

extension CaptionImage {
    /// A Cairo surface with a copy of the picture, which the caller destroys; nil when the picture cannot be read.
    fileprivate func makeSurface() -> OpaquePointer? {
        switch coding {
        case .bgra:
            guard pixels.count >= width * height * 4,
                let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)),
                let data = cairo_image_surface_get_data(surface)
            else { return nil }
            let stride = Int(cairo_image_surface_get_stride(surface))
            pixels.withUnsafeBytes { bytes in
                for row in 0..<height {
                    (UnsafeMutableRawPointer(data) + row * stride)
                        .copyMemory(from: bytes.baseAddress! + row * width * 4, byteCount: width * 4)
                }
            }
            cairo_surface_mark_dirty(surface)
            return surface
        case .png:
            var source = PNGSource(bytes: pixels, place: 0)
            guard let surface = withUnsafeMutablePointer(to: &source, { cairo_image_surface_create_from_png_stream(readPNG, $0) })
            else { return nil }
            guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
                cairo_surface_destroy(surface)
                return nil
            }
            return surface
        }
    }
}

private struct PNGSource {
    let bytes: [UInt8]
    var place: Int
}

/// The read callback of Cairo's PNG reader: copies the next bytes.
private func readPNG(
    _ closure: UnsafeMutableRawPointer?, _ data: UnsafeMutablePointer<UInt8>?, _ length: UInt32
) -> cairo_status_t {
    guard let closure, let data else { return CAIRO_STATUS_READ_ERROR }
    let source = closure.assumingMemoryBound(to: PNGSource.self)
    let count = Int(length)
    guard source.pointee.place + count <= source.pointee.bytes.count else { return CAIRO_STATUS_READ_ERROR }
    for index in 0..<count { data[index] = source.pointee.bytes[source.pointee.place + index] }
    source.pointee.place += count
    return CAIRO_STATUS_SUCCESS
}
