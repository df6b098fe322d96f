import CPangoCairo

/// The fonts of the interface: Noto through fontconfig, with a private Pango font map.
///
/// A Pango font map belongs to one thread, so a `FontSet` is made on the drawing thread and stays there. The first one of a
/// process reads fontconfig's cache, which may take a few hundred milliseconds: `InterfaceRenderer` makes it before it has to
/// show anything.
final class FontSet {
    /// The Pango context (`PangoContext`) for layouts; valid as long as this object.
    let context: OpaquePointer
    let glyphs = GlyphCache()
    /// Whether they come from one folder.
    let isFixed: Bool
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private var descriptions: [TextStyle.Face: OpaquePointer] = [:]

    /// Opens the fonts.
    ///
    /// - Parameter folder: use only the fonts in this folder, so that pictures are the same on every machine; nil: the machine's.
    /// - Throws: `DrawingError` when Pango has no font map at all, or the folder has no fonts.
    init(folder: String? = nil) throws(DrawingError) {
        guard let map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT) else {
            throw DrawingError(.makeFonts, on: "the interface", reason: "Pango was built without FreeType")
        }
        if let folder {
            guard let config = FcConfigCreate(), FcConfigAppFontAddDir(config, folder) != 0 else {
                g_object_unref(UnsafeMutableRawPointer(map))
                throw DrawingError(.makeFonts, on: folder, reason: "fontconfig cannot read the folder")
            }
            pango_fc_font_map_set_config(OpaquePointer(map), config)
            FcConfigDestroy(config)
        }
        guard let context = pango_font_map_create_context(map) else {
            g_object_unref(UnsafeMutableRawPointer(map))
            throw DrawingError(.makeFonts, on: "the interface", reason: "no memory")
        }
        isFixed = folder != nil
        fontMap = map
        self.context = context
        // The same shapes and widths at every screen size: no hinting, no rounding to whole pixels.
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_round_glyph_positions(context, 0)
    }

    deinit {
        for description in descriptions.values { pango_font_description_free(description) }
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fontMap))
    }

    /// Lays out a text. Drawing thread.
    func layout(_ text: String, _ style: TextStyle) -> TextLayout {
        TextLayout(text, style, fonts: self)
    }

    private static let families = "Noto Sans,Noto Sans Arabic,Noto Sans Hebrew,Noto Sans Thai,Noto Sans Devanagari"

    /// The description (`PangoFontDescription`) of a face, owned by this object.
    func description(of face: TextStyle.Face) -> OpaquePointer {
        if let known = descriptions[face] { return known }
        let description = pango_font_description_new()!
        // Listed one by one, because fontconfig's default fallbacks for "Noto Sans" differ between machines.
        let first =
            switch face.family {
            case .sans: ""
            case .serif: "Noto Serif,"
            // The last one is in the same files as Noto Sans CJK, which every machine with the interface has.
            case .monospaced: "Noto Sans Mono,Noto Mono,Noto Sans Mono CJK JP,"
            }
        pango_font_description_set_family(description, "\(first)\(Self.families),Noto Sans CJK \(face.hanVariant.rawValue)")
        if face.isItalic { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
        pango_font_description_set_weight(description, face.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(description, Double(face.thousandths) / 1000 * Double(PANGO_SCALE))
        descriptions[face] = description
        return description
    }
}
