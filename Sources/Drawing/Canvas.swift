import CPangoCairo
import Captions
import MediaModel
import Screens

/// A drawn text. Tests check its safe area, contrast and missing glyphs; dumps of the screen list it.
package struct DrawnText: Sendable, Hashable {
    package let text: String
    /// The rectangle of its ink, in design pixels (1920x1080) of the screen.
    package let x, y, width, height: Double
    /// Type size in design pixels.
    package let size: Double
    /// Whether it is set at weight 700.
    package let isBold: Bool
    /// Tint, not premultiplied: red, green, blue, alpha, 0…1.
    package let colour: [Double]
    /// Characters without a glyph.
    package let missingGlyphs: Int
    /// Whether something was cut off because it did not fit.
    package let isEllipsized: Bool
    /// The font families used; filled only with the fonts of a folder.
    package var families: [String] = []
}

/// Draws one layer, in design pixels of the whole screen. One canvas per layer, on the drawing thread.
final class Canvas {
    /// The texts drawn so far.
    private(set) var texts: [DrawnText] = []
    private let surface: Surface
    let drawsText: Bool
    let fonts: FontSet
    let theme: InterfaceTheme
    var context: OpaquePointer { surface.context }

    /// - Parameters:
    ///   - origin: the upper left pixel of the surface on the screen.
    ///   - drawsText: false records texts without drawing them, to measure the contrast of their background.
    init(_ surface: Surface, origin: PixelRect, scale: Scale, fonts: FontSet, theme: InterfaceTheme, drawsText: Bool) {
        self.surface = surface
        self.fonts = fonts
        self.theme = theme
        self.drawsText = drawsText
        cairo_translate(surface.context, scale.originX - Double(origin.x), scale.originY - Double(origin.y))
        cairo_scale(surface.context, scale.factor, scale.factor)
    }

    /// Records a text that was not drawn by `text`.
    func record(_ text: DrawnText) { texts.append(text) }

    // MARK: Areas

    /// Fills a rectangle with rounded corners.
    func fill(_ rect: Rect, radius: Double = 0, _ colour: Tint) {
        guard !rect.isEmpty, colour.alpha > 0 else { return }
        path(rect, radius)
        set(colour)
        cairo_fill(context)
    }

    /// Draws a line of `width` just inside a rectangle.
    func stroke(_ rect: Rect, radius: Double = 0, width: Double, _ colour: Tint) {
        guard colour.alpha > 0 else { return }
        path(rect.inset(width / 2), max(radius - width / 2, 0))
        set(colour)
        cairo_set_line_width(context, width)
        cairo_stroke(context)
    }

    /// Draws a dashed edge inside a rectangle.
    func dash(_ rect: Rect, radius: Double, width: Double, _ colour: Tint) {
        cairo_set_dash(context, [8, 8], 2, 0)
        stroke(rect, radius: radius, width: width, colour)
        cairo_set_dash(context, nil, 0, 0)
    }

    /// Fills a circle.
    func disc(_ x: Double, _ y: Double, radius: Double, _ colour: Tint) {
        cairo_new_path(context)
        cairo_arc(context, x, y, radius, 0, 2 * .pi)
        set(colour)
        cairo_fill(context)
    }

    /// Draws part of a circle's line, from the top clockwise.
    ///
    /// - Parameters:
    ///   - from: the start, in turns.
    ///   - to: the end, in turns.
    func arc(_ x: Double, _ y: Double, radius: Double, from: Double, to: Double, width: Double, _ colour: Tint) {
        guard to > from else { return }
        cairo_new_path(context)
        cairo_arc(context, x, y, radius, (from - 0.25) * 2 * .pi, (to - 0.25) * 2 * .pi)
        set(colour)
        cairo_set_line_width(context, width)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_stroke(context)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    }

    /// Draws the line of an upright ellipse.
    func ellipse(_ x: Double, _ y: Double, width: Double, height: Double, line: Double, _ colour: Tint) {
        guard width > 0, height > 0 else { return }
        cairo_new_path(context)
        cairo_save(context)
        cairo_translate(context, x, y)
        cairo_scale(context, width / 2, height / 2)
        cairo_arc(context, 0, 0, 1, 0, 2 * .pi)
        cairo_restore(context)
        set(colour)
        cairo_set_line_width(context, line)
        cairo_stroke(context)
    }

    /// Fills a crescent: a disc with another one cut out.
    func crescent(_ x: Double, _ y: Double, radius: Double, _ colour: Tint) {
        cairo_push_group(context)
        disc(x, y, radius: radius, colour)
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        disc(x + radius * 0.5, y - radius * 0.3, radius: radius * 0.84, colour)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        cairo_pop_group_to_source(context)
        cairo_paint(context)
    }

    /// Fills a polygon. A line of width `rounding` rounds its corners.
    func polygon(_ points: [(Double, Double)], rounding: Double = 0, _ colour: Tint) {
        cairo_new_path(context)
        for (x, y) in points { cairo_line_to(context, x, y) }
        cairo_close_path(context)
        set(colour)
        if rounding > 0 {
            cairo_set_line_width(context, rounding)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_fill_preserve(context)
            cairo_stroke(context)
        } else {
            cairo_fill(context)
        }
    }

    /// Draws a line through points.
    func line(_ points: [(Double, Double)], width: Double, _ colour: Tint) {
        cairo_new_path(context)
        for (x, y) in points { cairo_line_to(context, x, y) }
        set(colour)
        cairo_set_line_width(context, width)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(context)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    }

    /// The way that a gradient goes.
    enum GradientDirection { case down, right, trailing }

    /// Fills a rectangle with a gradient.
    ///
    /// - Parameter stops: positions 0…1 from where it begins, and their colours.
    func gradient(_ rect: Rect, radius: Double = 0, to direction: GradientDirection = .down, _ stops: [(Double, Tint)]) {
        let goesLeft = direction == .trailing && theme.isRightToLeft
        let gradient = cairo_pattern_create_linear(
            rect.x, rect.y, direction == .down ? rect.x : rect.maxX, direction == .down ? rect.maxY : rect.y)!
        for (place, colour) in goesLeft ? stops.reversed().map({ (1 - $0.0, $0.1) }) : stops {
            cairo_pattern_add_color_stop_rgba(gradient, place, colour.red, colour.green, colour.blue, colour.alpha)
        }
        path(rect, radius)
        cairo_set_source(context, gradient)
        cairo_fill(context)
        cairo_pattern_destroy(gradient)
    }

    /// Makes what was drawn in a rectangle transparent by degrees.
    ///
    /// - Parameter stops: positions 0…1 from where it begins, and the part of the colours that stays there.
    func fade(_ rect: Rect, to direction: GradientDirection = .down, _ stops: [(Double, Double)]) {
        cairo_set_operator(context, CAIRO_OPERATOR_DEST_OUT)
        gradient(rect, to: direction, stops.map { ($0.0, .white(0, 1 - $0.1)) })
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    /// A soft shadow below a rectangle: a few rounded rectangles, each a little larger and lighter.
    func shadow(_ rect: Rect, radius: Double, spread: Double, strength: Double) {
        let steps = 6
        for step in 0..<steps {
            let outset = spread * (1 - Double(step) / Double(steps))
            fill(rect.inset(-outset).moved(0, spread / 3), radius: radius + outset, .white(0, strength / Double(steps)))
        }
    }

    /// Clears a rectangle to transparent, so that the picture below shows through.
    func clear(_ rect: Rect, radius: Double = 0) {
        path(rect, radius)
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_fill(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    /// Replaces the pixels of a rectangle by a colour, without blending.
    func replace(_ rect: Rect, _ colour: Tint) {
        guard !rect.isEmpty else { return }
        path(rect, 0)
        set(colour)
        cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
        cairo_fill(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    }

    /// Clips drawing to a rectangle while `body` runs.
    func clipped(to rect: Rect, radius: Double = 0, _ body: () -> Void) {
        cairo_save(context)
        path(rect, radius)
        cairo_clip(context)
        body()
        cairo_restore(context)
    }

    // MARK: Pictures

    /// How a picture is fitted into a rectangle.
    enum Fit {
        /// Covers the rectangle and is cropped.
        case fill
        /// The whole picture, centred.
        case fit
        /// The whole picture, at the upper edge, next to lines of text that begin there.
        case fitAtTop
    }

    /// Draws a picture, or a placeholder if there is none.
    ///
    /// - Returns: the rectangle that it covers: all of it with `.fill`, otherwise the part with the picture's shape.
    @discardableResult
    func picture(_ pixels: PixelBuffer?, in place: Rect, radius: Double, _ fit: Fit = .fill) -> Rect {
        guard let pixels, let source = SourceSurface(pixels) else {
            fill(place, radius: radius, theme.tints.placeholder)
            return place
        }
        let across = place.width / Double(pixels.width), down = place.height / Double(pixels.height)
        let factor = fit == .fill ? max(across, down) : min(across, down)
        let whole = Rect(
            x: place.midX - Double(pixels.width) * factor / 2,
            y: fit == .fitAtTop ? place.y : place.midY - Double(pixels.height) * factor / 2,
            width: Double(pixels.width) * factor, height: Double(pixels.height) * factor)
        let target = fit == .fill ? place : whole
        cairo_save(context)
        cairo_translate(context, whole.x, whole.y)
        cairo_scale(context, factor, factor)
        let pattern = cairo_pattern_create_for_surface(source.surface)!
        cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_set_source(context, pattern)
        pathInPicture(target, radius, whole, factor)
        cairo_fill(context)
        cairo_set_source_rgba(context, 0, 0, 0, 0)
        cairo_pattern_destroy(pattern)
        cairo_restore(context)
        return target
    }

    // MARK: Text

    /// Lays out a text at the theme's type size.
    func layout(_ text: String, _ style: TextStyle) -> TextLayout { fonts.layout(text, style) }

    /// Draws a text with the upper left corner of its lines at a position.
    func text(_ layout: TextLayout, x: Double, y: Double, _ colour: Tint) {
        let ink = layout.inkBounds.moved(x, y)
        texts.append(
            DrawnText(
                text: layout.text, x: ink.x, y: ink.y, width: ink.width, height: ink.height, size: layout.style.size,
                isBold: layout.style.weight == .bold, colour: [colour.red, colour.green, colour.blue, colour.alpha],
                missingGlyphs: layout.missingGlyphs, isEllipsized: layout.isEllipsized,
                families: fonts.isFixed ? layout.families : []))
        guard drawsText else { return }
        ghost(layout, x: x, y: y, colour)
    }

    /// Draws the shapes of a text without recording it: shadows and edges under other text.
    func ghost(_ layout: TextLayout, x: Double, y: Double, _ colour: Tint) {
        cairo_new_path(context)
        cairo_move_to(context, x, y)
        set(colour)
        layout.show(in: context)
        cairo_new_path(context)
    }

    /// Draws a text of one line centred in a rectangle, optically: by capital height, without the room for accents.
    func text(_ layout: TextLayout, centredIn rect: Rect, _ colour: Tint) {
        let bounds = layout.bounds
        text(layout, x: rect.midX - bounds.width / 2 - bounds.x, y: rect.midY - layout.opticalMiddle, colour)
    }

    // MARK: Helpers

    private func set(_ colour: Tint) { cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, colour.alpha) }

    private func path(_ rect: Rect, _ radius: Double) { roundedPath(context, rect, radius) }

    /// The path of `target` in a coordinate system with its origin at `whole`'s corner, magnified by `factor`.
    private func pathInPicture(_ target: Rect, _ radius: Double, _ whole: Rect, _ factor: Double) {
        let inner = Rect(
            x: (target.x - whole.x) / factor, y: (target.y - whole.y) / factor, width: target.width / factor,
            height: target.height / factor)
        roundedPath(context, inner, radius / factor)
    }
}

private func roundedPath(_ context: OpaquePointer, _ rect: Rect, _ radius: Double) {
    cairo_new_path(context)
    let radius = min(radius, rect.width / 2, rect.height / 2)
    guard radius > 0 else { return cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height) }
    cairo_arc(context, rect.maxX - radius, rect.y + radius, radius, -.pi / 2, 0)
    cairo_arc(context, rect.maxX - radius, rect.maxY - radius, radius, 0, .pi / 2)
    cairo_arc(context, rect.x + radius, rect.maxY - radius, radius, .pi / 2, .pi)
    cairo_arc(context, rect.x + radius, rect.y + radius, radius, .pi, 3 * .pi / 2)
    cairo_close_path(context)
}

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
