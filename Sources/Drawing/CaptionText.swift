import CPangoCairo
import Captions
import MediaModel

/// The text of one caption, broken into lines and shaped with its styles (`PangoLayout`), in design pixels. The only owner of its
/// handle; drawing thread.
final class CaptionText {
    /// The edge of the letters.
    let edge: CaptionStyle.Edge
    /// The background of each line.
    let background: Tint?
    /// The type size.
    let size: Double
    private let layout: OpaquePointer
    private let plain: String
    private let foreground: Tint

    /// A piece of text in one style.
    private struct Run {
        var text: String
        var style: CaptionTextStyle
        var language: String?
    }

    /// - Parameters:
    ///   - nodes: the caption's text.
    ///   - width: the line width, in design pixels.
    ///   - isWrapped: whether long lines are broken at all.
    init(
        _ nodes: [CaptionNode], look: CaptionLook, width: Double, alignment: CaptionSettings.Alignment, isWrapped: Bool,
        fonts: FontSet
    ) {
        var runs: [Run] = []
        Self.flatten(nodes, CaptionTextStyle(), look.language, into: &runs)
        Self.bound(&runs)
        plain = runs.map(\.text).joined()
        // A style shared by all of the text belongs to the lines, not to the letters.
        let first = runs.first?.style ?? CaptionTextStyle()
        var common = CaptionTextStyle()
        common.background = runs.allSatisfy { $0.style.background == first.background } ? first.background : nil
        common.edge = first.edge
        size = look.size
        edge = look.edge(common.edge)
        background = look.background(common)
        foreground = look.foreground(nil, over: background)
        let layout = pango_layout_new(fonts.context)!
        self.layout = layout
        let description = pango_font_description_copy(
            fonts.description(
                of: TextStyle.Face(
                    thousandths: Int((look.size * 1000).rounded()), isBold: false, hanVariant: .init(language: look.language))))!
        pango_layout_set_font_description(layout, description)
        let families = String(cString: pango_font_description_get_family(description))
        pango_font_description_free(description)
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_text(layout, plain, -1)
        if isWrapped {
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            pango_layout_set_width(layout, Int32((max(width, look.size) * Double(PANGO_SCALE)).rounded()))
        }
        let attributes = pango_attr_list_new()!
        var start = 0
        for run in runs {
            let end = start + run.text.utf8.count
            Self.add(run, look, background, families, from: start, to: end, attributes)
            start = end
        }
        pango_layout_set_attributes(layout, attributes)
        let largest = size * runs.reduce(1) { max($0, $1.style.scale ?? 1) }
        if let height = lineHeight(atMost: largest * Self.tallestLine) {
            let closer = pango_attr_list_copy(attributes)!
            pango_attr_list_insert(
                closer, pango_attr_line_height_new_absolute(Int32((height * Double(PANGO_SCALE)).rounded(.up))))
            pango_layout_set_attributes(layout, closer)
            pango_attr_list_unref(closer)
        }
        pango_attr_list_unref(attributes)
        pango_layout_set_alignment(layout, Self.pangoAlignment(alignment, layout))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// The greatest line height over the type size. Fonts for Arabic ask for more than twice the type size, for signs that subtitles rarely have.
    private static let tallestLine = 1.5

    /// The height for all lines if one is higher than `limit`: the limit, or more if the ink needs it. Nil if no line is.
    private func lineHeight(atMost limit: Double) -> Double? {
        guard let iterator = pango_layout_get_iter(layout) else { return nil }
        defer { pango_layout_iter_free(iterator) }
        var tallest = 0.0, least = limit
        repeat {
            var ink = PangoRectangle(), logical = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, &ink, &logical)
            let line = Self.rect(logical), letters = Self.rect(ink)
            tallest = max(tallest, line.height)
            // Pango takes as much away above a line as below it.
            let spare = 2 * min(letters.y - line.y, line.maxY - letters.maxY)
            if letters.height > 0 { least = max(least, line.height - max(spare, 0)) }
        } while pango_layout_iter_next_line(iterator) != 0
        return tallest > least ? least : nil
    }

    /// The direction of the whole text, from its first strong character.
    static func isRightToLeft(_ nodes: [CaptionNode]) -> Bool {
        for node in nodes {
            for scalar in node.plainText.unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
                default: return false
                }
            }
        }
        return false
    }

    /// The rectangle of its lines.
    var bounds: Rect {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return Self.rect(logical)
    }

    /// Characters without a glyph.
    var missingGlyphs: Int { Int(pango_layout_get_unknown_glyphs_count(layout)) }

    /// The rectangles of the lines, with the padding that a background needs at both ends.
    var lines: [Rect] {
        var lines: [Rect] = []
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            var logical = PangoRectangle()
            pango_layout_iter_get_line_extents(iterator, nil, &logical)
            let rect = Self.rect(logical)
            if rect.width > 0 { lines.append(rect.inset(-padding, 0)) }
        } while pango_layout_iter_next_line(iterator) != 0
        return lines
    }

    /// The padding between a letter and the edge of its background.
    var padding: Double { (size * 0.3).rounded() }

    /// Draws the letters and their edges with the upper left corner of the lines at a position.
    func draw(on canvas: Canvas, x: Double, y: Double) {
        canvas.caption(
            layout, text: plain, x: x, y: y, ink: inkBounds, size: size, edge: edge, colour: foreground,
            missingGlyphs: missingGlyphs)
    }

    /// The rectangle of the letters themselves.
    var inkBounds: Rect {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        return Self.rect(ink)
    }

    private static func rect(_ rectangle: PangoRectangle) -> Rect {
        let scale = Double(PANGO_SCALE)
        return Rect(
            x: Double(rectangle.x) / scale, y: Double(rectangle.y) / scale, width: Double(rectangle.width) / scale,
            height: Double(rectangle.height) / scale)
    }

    /// Pango swaps left and right in right-to-left paragraphs, so that "left" is where reading starts.
    private static func pangoAlignment(_ alignment: CaptionSettings.Alignment, _ layout: OpaquePointer) -> PangoAlignment {
        let isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        return switch alignment {
        case .start: PANGO_ALIGN_LEFT
        case .end: PANGO_ALIGN_RIGHT
        case .center: PANGO_ALIGN_CENTER
        case .left: isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
        case .right: isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
        }
    }

    // MARK: Runs

    private static func flatten(
        _ nodes: [CaptionNode], _ style: CaptionTextStyle, _ language: String?, into runs: inout [Run]
    ) {
        for node in nodes {
            switch node {
            case .timestamp: break
            case .text(let text):
                guard !text.isEmpty else { continue }
                if let last = runs.last, last.style == style, last.language == language {
                    runs[runs.count - 1].text += text
                } else {
                    runs.append(Run(text: text, style: style, language: language))
                }
            case .span(let span):
                var own = CaptionTextStyle()
                var language = language
                var children = span.children
                switch span.kind {
                case .italic: own.isItalic = true
                case .bold: own.isBold = true
                case .underline: own.isUnderlined = true
                case .color(let name): own.colour = CaptionColour(css: name)
                case .style(let style): own = style
                case .language(let tag): language = tag.isEmpty ? language : tag
                case .rubyText:
                    // There is no room above the line: ruby text follows its base, in small type.
                    own.scale = 0.6
                    children = [.text("\u{2009}(")] + children + [.text(")")]
                case .classes, .ruby, .voice: break
                }
                for name in span.classes {
                    if name.hasPrefix("bg_") {
                        own.background = CaptionColour.webVTTClass(String(name.dropFirst(3))) ?? own.background
                    } else {
                        own.colour = CaptionColour.webVTTClass(name) ?? own.colour
                    }
                }
                flatten(children, own.inside(style), language, into: &runs)
            }
        }
    }

    /// Leaves out what would take too long to lay out.
    private static func bound(_ runs: inout [Run]) {
        var rest = DrawableText.mostScalars
        for index in runs.indices {
            runs[index].text = DrawableText.bounded(runs[index].text, to: rest)
            rest -= runs[index].text.unicodeScalars.count
        }
    }

    private static func add(
        _ run: Run, _ look: CaptionLook, _ background: Tint?, _ families: String, from start: Int, to end: Int,
        _ attributes: OpaquePointer
    ) {
        func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
            guard let attribute else { return }
            attribute.pointee.start_index = UInt32(start)
            attribute.pointee.end_index = UInt32(end)
            pango_attr_list_insert(attributes, attribute)
        }
        func sixteen(_ value: Double) -> UInt16 { UInt16((min(max(value, 0), 1) * 65535).rounded()) }
        let style = run.style
        let ground = style.background == nil ? background : look.background(style)
        let colour = look.foreground(style.colour, over: ground)
        insert(pango_attr_foreground_new(sixteen(colour.red), sixteen(colour.green), sixteen(colour.blue)))
        insert(pango_attr_foreground_alpha_new(max(sixteen(colour.alpha), 1)))
        if let ground, style.background != nil, ground != background {
            insert(pango_attr_background_new(sixteen(ground.red), sixteen(ground.green), sixteen(ground.blue)))
            insert(pango_attr_background_alpha_new(max(sixteen(ground.alpha), 1)))
        }
        let font = look.font(style.family)
        if let own = font.families { insert(pango_attr_family_new("\(own),\(families)")) }
        if font == .smallCapitals { insert(pango_attr_variant_new(PANGO_VARIANT_SMALL_CAPS)) }
        let isSlanted = font == .cursive || font == .casual
        if (style.isItalic ?? false) != isSlanted { insert(pango_attr_style_new(PANGO_STYLE_ITALIC)) }
        if style.isBold == true { insert(pango_attr_weight_new(PANGO_WEIGHT_BOLD)) }
        if style.isUnderlined == true { insert(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)) }
        if style.isStruckThrough == true { insert(pango_attr_strikethrough_new(1)) }
        if let scale = style.scale, scale != 1 { insert(pango_attr_scale_new(min(max(scale, 0.4), 2.5))) }
        if let language = run.language { insert(pango_attr_language_new(pango_language_from_string(language))) }
    }
}
