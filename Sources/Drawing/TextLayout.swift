import CPangoCairo

/// A text broken into lines and shaped (`PangoLayout`), in design pixels. The only owner of its handle; drawing thread.
final class TextLayout {
    let style: TextStyle
    let text: String
    private let layout: OpaquePointer
    private let glyphs: GlyphCache
    /// How far lines that are broken earlier are moved, so that they start or have their middle where the others do.
    private var shift = 0.0
    /// Whether words at its end are left out.
    private var lacksWords = false

    /// - Parameter text: of any length and content (`DrawableText`).
    init(_ text: String, _ style: TextStyle, fonts: FontSet) {
        let text = DrawableText.bounded(text)
        let layout = pango_layout_new(fonts.context)!
        self.layout = layout
        self.style = style
        glyphs = fonts.glyphs
        self.text = text
        pango_layout_set_font_description(layout, fonts.description(of: style.face))
        // External text determines its own direction; the style decides where lines start, whatever that direction is.
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_text(layout, text, -1)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_ellipsize(layout, style.width == nil ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
        if let width = style.width { pango_layout_set_width(layout, Int32((max(width, 1) * Double(PANGO_SCALE)).rounded())) }
        if style.lines == 1 {
            pango_layout_set_single_paragraph_mode(layout, 1)
        }
        let whole = Double(style.lines) * style.size * style.leading * Double(PANGO_SCALE)
        pango_layout_set_height(layout, style.limitsWhole ? Int32(whole) : -Int32(style.lines))
        let attributes = pango_attr_list_new()!
        pango_attr_list_insert(
            attributes, pango_attr_line_height_new_absolute(Int32((style.size * style.leading * Double(PANGO_SCALE)).rounded())))
        if let feature = style.feature { pango_attr_list_insert(attributes, pango_attr_font_features_new(feature.rawValue)) }
        if let language = style.language {
            pango_attr_list_insert(attributes, pango_attr_language_new(pango_language_from_string(language)))
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        let isRightToLeft = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        // Pango swaps left and right in right-to-left paragraphs.
        let alignment: PangoAlignment =
            switch style.alignment {
            case .left: isRightToLeft ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
            case .right: isRightToLeft ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
            case .centre: PANGO_ALIGN_CENTER
            }
        pango_layout_set_alignment(layout, alignment)
        cut()
        if style.avoidsShortEnd, let width = style.width { lengthenEnd(width) }
    }

    /// Ends a text that does not fit after a word, and not in one. Where that would leave little of the last line it is cut where the room ends: a long word,
    /// and scripts without spaces. Pango does that too, but its ellipsis may make the last of several lines higher.
    private func cut() {
        guard isEllipsized, let width = style.width else { return }
        let lines = lineCount
        if showMost(Self.wordEnds(of: text), { _ in "…" }) {
            lacksWords = lineCount == lines && lastLineWidth >= width * Self.leastOfLine
        }
        if !lacksWords, lines > 1, Self.ellipsisLacksLineHeight {
            show("⋯")
            let hasMidlineEllipsis = missingGlyphs == 0
            lacksWords = showMost(Self.characterEnds(of: text)) { end in
                // In place of Chinese, Japanese and Korean characters it is in the middle of the line, as Pango has it.
                let isWide = text[end...].unicodeScalars.first.map { g_unichar_iswide($0.value) != 0 } ?? false
                return isWide && hasMidlineEllipsis ? "⋯" : "…"
            }
        }
        if !lacksWords { show(text) }
    }

    /// Whether the line height of a text is not that of Pango's own ellipsis: it is in 1.50, and not in 1.56.
    private static let ellipsisLacksLineHeight = pango_version() >= 15100

    /// Shows as much of the text as fits with an ellipsis behind it, up to one of these places.
    ///
    /// - Parameter ellipsis: the one behind a place.
    /// - Returns: false: not even the first of them fits, or there is none.
    private func showMost(_ ends: [String.Index], _ ellipsis: (String.Index) -> String) -> Bool {
        func showCut(at end: String.Index) { show(text[..<end] + ellipsis(end)) }
        var fitting = 0..<ends.count + 1
        // Halves what may fit until one number of places is left.
        while fitting.count > 1 {
            let middle = fitting.lowerBound + fitting.count / 2
            showCut(at: ends[middle - 1])
            fitting = isEllipsized ? fitting.lowerBound..<middle : middle..<fitting.upperBound
        }
        guard fitting.lowerBound > 0 else { return false }
        showCut(at: ends[fitting.lowerBound - 1])
        return true
    }

    private func show(_ words: String) { pango_layout_set_text(layout, words, -1) }

    /// Where the characters of a text end that are not white space.
    private static func characterEnds(of text: String) -> [String.Index] {
        text.indices.filter { !text[$0].isWhitespace }.map { text.index(after: $0) }
    }

    /// Where the words of a text end, without the signs that would stand before an ellipsis.
    private static func wordEnds(of text: String) -> [String.Index] {
        var ends: [String.Index] = [], end: String.Index?
        for index in text.indices {
            let character = text[index]
            if character == " " || character == "\n" {
                if let end, end != ends.last { ends.append(end) }
            } else if !",;:·–—-(….".contains(character) {
                end = text.index(after: index)
            }
        }
        return ends
    }

    /// The part of a line's width below which a text is cut in a word.
    private static let leastOfLine = 1.0 / 3

    /// Narrows the lines until the last one has a part of the width to show, if that needs no further line.
    private func lengthenEnd(_ width: Double) {
        let count = lineCount
        guard count > 1, !isEllipsized, lastLineWidth < width * Self.shortEnd else { return }
        for percent in stride(from: 97, through: 70, by: -3) {
            let narrower = width * Double(percent) / 100
            pango_layout_set_width(layout, Int32((narrower * Double(PANGO_SCALE)).rounded()))
            guard lineCount == count, !isEllipsized else { break }
            guard lastLineWidth >= width * Self.shortEnd else { continue }
            switch style.alignment {
            case .left: shift = 0
            case .centre: shift = (width - narrower) / 2
            case .right: shift = width - narrower
            }
            return
        }
        pango_layout_set_width(layout, Int32((max(width, 1) * Double(PANGO_SCALE)).rounded()))
    }

    /// The part of the width below which a last line is short.
    private static let shortEnd = 0.2

    /// The width of its last line.
    var lastLineWidth: Double {
        guard let line = pango_layout_get_line_readonly(layout, Int32(lineCount - 1)) else { return 0 }
        var logical = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &logical)
        return Double(logical.width) / Double(PANGO_SCALE)
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// The rectangle of its lines, relative to the drawing position: the width of the longest line, the height of all.
    var bounds: Rect {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return logical.rect.moved(shift, 0)
    }

    /// The rectangle of its ink, relative to the drawing position.
    var inkBounds: Rect {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        return ink.rect.moved(shift, 0)
    }

    /// The distance from the drawing position down to the baseline of the first line.
    var baseline: Double { Double(pango_layout_get_baseline(layout)) / Double(PANGO_SCALE) }

    /// The distance from the drawing position down to the middle of the capitals of the first line (Noto's are 0.714 of the size
    /// high).
    var opticalMiddle: Double { baseline - style.size * 0.357 }

    /// Whether its first paragraph is right-to-left.
    var isRightToLeft: Bool { pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL }

    var lineCount: Int { Int(pango_layout_get_line_count(layout)) }

    /// Whether something did not fit and was cut off.
    var isEllipsized: Bool { lacksWords || pango_layout_is_ellipsized(layout) != 0 }

    /// How many characters have no glyph in any font: a viewer would see empty boxes.
    var missingGlyphs: Int { Int(pango_layout_get_unknown_glyphs_count(layout)) }

    /// The font families used, in order of first use, including fallbacks.
    var families: [String] {
        var families: [String] = []
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator), let font = run.pointee.item.pointee.analysis.font,
                let description = pango_font_describe(font)
            else { continue }
            let family = String(cString: pango_font_description_get_family(description))
            pango_font_description_free(description)
            if !families.contains(family) { families.append(family) }
        } while pango_layout_iter_next_run(iterator) != 0
        return families
    }

    /// The horizontal position of a part of the text; nil when the text does not contain it.
    func x(of part: String) -> Double? {
        guard let range = text.firstRange(of: part) else { return nil }
        var place = PangoRectangle()
        pango_layout_index_to_pos(layout, Int32(text.utf8.distance(from: text.startIndex, to: range.lowerBound)), &place)
        // The rectangle of a right-to-left character has a negative width.
        return Double(min(place.x, place.x + place.width)) / Double(PANGO_SCALE) + shift
    }

    /// Draws it with the source of a Cairo context, its upper left corner at the current point.
    func show(in context: OpaquePointer) {
        // To make 500 out of 400, also stroke the outline, a fiftieth of the size wide.
        let line = style.weight == .medium ? style.size * 0.02 : 0
        if shift != 0 { cairo_rel_move_to(context, shift, 0) }
        guard !glyphs.show(layout, in: context, line: line) else { return }
        pango_cairo_update_layout(context, layout)
        pango_cairo_show_layout(context, layout)
    }
}

extension PangoRectangle {
    fileprivate var rect: Rect {
        let scale = Double(PANGO_SCALE)
        return Rect(x: Double(x) / scale, y: Double(y) / scale, width: Double(width) / scale, height: Double(height) / scale)
    }
}
