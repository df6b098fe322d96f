import CPangoCairo
import MediaModel

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

    /// Fills a rectangle with a gradient.
    ///
    /// - Parameters:
    ///   - stops: positions 0…1 from the top (or the left) and their colours.
    ///   - horizontal: whether it runs from left to right.
    func gradient(_ rect: Rect, radius: Double = 0, horizontal: Bool = false, _ stops: [(Double, Tint)]) {
        let gradient = cairo_pattern_create_linear(
            rect.x, rect.y, horizontal ? rect.maxX : rect.x, horizontal ? rect.y : rect.maxY)!
        for (place, colour) in stops {
            cairo_pattern_add_color_stop_rgba(gradient, place, colour.red, colour.green, colour.blue, colour.alpha)
        }
        path(rect, radius)
        cairo_set_source(context, gradient)
        cairo_fill(context)
        cairo_pattern_destroy(gradient)
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
