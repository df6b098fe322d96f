import CPangoCairo

/// Caches glyphs as masks of one byte per pixel. Each is made from its outline once and then only added: shaping is cheap,
/// outlines are expensive.
///
/// A glyph is cached for each quarter of a pixel at which it may start, so that spacing stays even at small sizes (Cairo 1.16
/// would move each glyph to a whole pixel). Bounded: two generations of at most `byteLimit / 2` each; glyphs not used since the
/// last change of generation are dropped. Drawing thread only.
final class GlyphCache {
    private struct Key: Hashable {
        var font: OpaquePointer
        var glyph: UInt32
        /// Pixels per design pixel, in thousandths.
        var scale: Int32
        /// Offset to the right in quarters of a pixel.
        var phase: UInt8
        /// Width of the line drawn along the outline, in thousandths of a design pixel.
        var line: Int32
    }
    private struct Mask {
        var x, y, width, height: Int
        var bytes: [UInt8]
    }

    private let byteLimit: Int
    private var young: [Key: Mask] = [:], old: [Key: Mask] = [:]
    private var youngBytes = 0
    /// Fonts used in keys, retained so that their addresses stay unique.
    private var fonts: Set<OpaquePointer> = []
    private var scratch: [UInt8] = []
    /// How many glyphs have been made from outlines.
    private(set) var rendered = 0

    /// - Parameter byteLimit: the limit for all masks together.
    init(byteLimit: Int = 4 << 20) { self.byteLimit = byteLimit }

    deinit { for font in fonts { g_object_unref(UnsafeMutableRawPointer(font)) } }

    /// The size of all masks.
    var byteCount: Int { youngBytes + old.values.reduce(0) { $0 + $1.bytes.count } }

    /// Draws a layout with the source of a Cairo context, its upper left corner at the current point.
    ///
    /// - Parameter line: width of a line drawn along the outlines, in design pixels; it makes a weight that no font has.
    /// - Returns: false when the layout contains something other than plain glyphs, such as an empty box; nothing is drawn then.
    func show(_ layout: OpaquePointer, in context: OpaquePointer, line: Double) -> Bool {
        guard pango_layout_get_unknown_glyphs_count(layout) == 0 else { return false }
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        var x = 0.0, y = 0.0
        cairo_get_current_point(context, &x, &y)
        cairo_user_to_device(context, &x, &y)
        let scale = matrix.xx
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        guard ink.width > 0, ink.height > 0 else { return true }
        let unit = scale / Double(PANGO_SCALE)
        let margin = 3 + Int((line * scale).rounded(.up))
        let left = Int((x + Double(ink.x) * unit).rounded(.down)) - margin
        let top = Int((y + Double(ink.y) * unit).rounded(.down)) - margin
        let width = Int((Double(ink.width) * unit).rounded(.up)) + 2 * margin + 1
        let height = Int((Double(ink.height) * unit).rounded(.up)) + 2 * margin + 1
        let stride = (width + 3) / 4 * 4
        let needed = stride * height
        if scratch.count < needed { scratch = [UInt8](repeating: 0, count: needed) }
        guard let iterator = pango_layout_get_iter(layout) else { return false }
        defer { pango_layout_iter_free(iterator) }
        scratch.withUnsafeMutableBufferPointer { $0[..<needed].update(repeating: 0) }
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator), let font = run.pointee.item.pointee.analysis.font else {
                continue
            }
            var extents = PangoRectangle()
            pango_layout_iter_get_run_extents(iterator, nil, &extents)
            let baseline = y + Double(pango_layout_iter_get_baseline(iterator)) * unit
            var advance = extents.x
            let string = run.pointee.glyphs!
            for index in 0..<Int(string.pointee.num_glyphs) {
                let info = string.pointee.glyphs[index]
                defer { advance += info.geometry.width }
                // Glyphs that take room and show nothing.
                guard info.glyph != 0x0FFF_FFFF else { continue }
                let glyphX = x + Double(advance + info.geometry.x_offset) * unit
                let glyphY = Int((baseline + Double(info.geometry.y_offset) * unit).rounded())
                let column = (glyphX * 4).rounded(.down)
                let whole = (column / 4).rounded(.down)
                let key = Key(
                    font: OpaquePointer(font), glyph: info.glyph, scale: Int32((scale * 1000).rounded()),
                    phase: UInt8(column - whole * 4), line: Int32((line * 1000).rounded()))
                add(mask(key), x: Int(whole) - left, y: glyphY - top, stride: stride, width: width, height: height)
            }
        } while pango_layout_iter_next_run(iterator) != 0
        lay(context, x: left, y: top, width: width, height: height, stride: stride)
        return true
    }

    // MARK: Adding up

    /// Adds a glyph to the text's mask; where two touch, they do not darken each other.
    private func add(_ mask: Mask, x: Int, y: Int, stride: Int, width: Int, height: Int) {
        let left = x + mask.x, top = y + mask.y
        let firstColumn = max(0, -left), lastColumn = min(mask.width, width - left)
        let firstRow = max(0, -top), lastRow = min(mask.height, height - top)
        guard firstColumn < lastColumn, firstRow < lastRow else { return }
        mask.bytes.withUnsafeBufferPointer { source in
            scratch.withUnsafeMutableBufferPointer { target in
                for row in firstRow..<lastRow {
                    let from = source.baseAddress! + row * mask.width
                    let to = target.baseAddress! + (top + row) * stride + left
                    for column in firstColumn..<lastColumn {
                        let (sum, overflow) = to[column].addingReportingOverflow(from[column])
                        to[column] = overflow ? 255 : sum
                    }
                }
            }
        }
    }

    /// Draws the text's mask onto the context in its colour.
    private func lay(_ context: OpaquePointer, x: Int, y: Int, width: Int, height: Int, stride: Int) {
        scratch.withUnsafeMutableBufferPointer { bytes in
            guard
                let surface = cairo_image_surface_create_for_data(
                    bytes.baseAddress!, CAIRO_FORMAT_A8, Int32(width), Int32(height), Int32(stride))
            else { return }
            cairo_save(context)
            cairo_identity_matrix(context)
            cairo_mask_surface(context, surface, Double(x), Double(y))
            cairo_restore(context)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
    }

    // MARK: Glyphs

    private func mask(_ key: Key) -> Mask {
        if let known = young[key] { return known }
        let mask = old[key] ?? render(key)
        youngBytes += mask.bytes.count
        young[key] = mask
        if youngBytes > byteLimit / 2 {
            old = young
            young = [:]
            youngBytes = 0
        }
        return mask
    }

    private func render(_ key: Key) -> Mask {
        rendered += 1
        if fonts.insert(key.font).inserted { g_object_ref(UnsafeMutableRawPointer(key.font)) }
        let empty = Mask(x: 0, y: 0, width: 0, height: 0, bytes: [])
        guard let scaled = pango_cairo_font_get_scaled_font(key.font) else { return empty }
        let scale = Double(key.scale) / 1000, line = Double(key.line) / 1000
        var glyph = cairo_glyph_t(index: UInt(key.glyph), x: 0, y: 0)
        var extents = cairo_text_extents_t()
        cairo_scaled_font_glyph_extents(scaled, &glyph, 1, &extents)
        guard extents.width > 0, extents.height > 0 else { return empty }
        let edge = line * scale / 2 + 1
        let left = Int((extents.x_bearing * scale - edge).rounded(.down)),
            top = Int((extents.y_bearing * scale - edge).rounded(.down))
        let right = Int(((extents.x_bearing + extents.width) * scale + edge + 1).rounded(.up))
        let bottom = Int(((extents.y_bearing + extents.height) * scale + edge).rounded(.up))
        let width = right - left, height = bottom - top, stride = (width + 3) / 4 * 4
        var bytes = [UInt8](repeating: 0, count: stride * height)
        bytes.withUnsafeMutableBufferPointer { pixels in
            guard
                let surface = cairo_image_surface_create_for_data(
                    pixels.baseAddress!, CAIRO_FORMAT_A8, Int32(width), Int32(height), Int32(stride))
            else { return }
            let context = cairo_create(surface)!
            cairo_translate(context, Double(-left) + Double(key.phase) / 4, Double(-top))
            cairo_scale(context, scale, scale)
            var matrix = cairo_matrix_t()
            cairo_scaled_font_get_font_matrix(scaled, &matrix)
            cairo_set_font_face(context, cairo_scaled_font_get_font_face(scaled))
            cairo_set_font_matrix(context, &matrix)
            let options = cairo_font_options_create()
            cairo_scaled_font_get_font_options(scaled, options)
            cairo_set_font_options(context, options)
            cairo_font_options_destroy(options)
            cairo_glyph_path(context, &glyph, 1)
            cairo_set_source_rgba(context, 1, 1, 1, 1)
            if line > 0 {
                cairo_set_line_width(context, line)
                cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
                cairo_fill_preserve(context)
                cairo_stroke(context)
            } else {
                cairo_fill(context)
            }
            cairo_destroy(context)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
        guard stride != width else { return Mask(x: left, y: top, width: width, height: height, bytes: bytes) }
        var tight: [UInt8] = []
        tight.reserveCapacity(width * height)
        for row in 0..<height { tight += bytes[row * stride..<row * stride + width] }
        return Mask(x: left, y: top, width: width, height: height, bytes: tight)
    }
}
