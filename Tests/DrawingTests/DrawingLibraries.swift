import CASS
import CPangoCairo
import MediaModel

@testable import Drawing

/// What draws on this machine: libraries, processor, and the checksum of a sample that they have drawn. Versions alone do not tell: a distribution patches a
/// library without another number, and a library chooses its code by the processor.
enum DrawingLibraries {
    /// A line each, for a golden file.
    static let description: String = {
        let versions = [String(cString: cairo_version_string()), String(cString: pango_version_string())]
        return
            "cairo \(versions[0])\npango \(versions[1])\nlibass \(String(ass_library_version(), radix: 16))\n\(processor)\nsample \(sample)\n"
    }()

    private static var processor: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "another processor"
        #endif
    }

    /// The checksum of the sample. The project's own code has no part in it, apart from the memory: a change of that code must not pass for another library.
    private static var sample: String {
        guard let pixels = try? MemoryAllocator().makeBuffer(format: .argb8888, width: 400, height: 300),
            let surface = try? Surface(pixels)
        else { return "none" }
        let context = surface.context
        drawShapes(context)
        drawTexts(context)
        // A part of it smaller, as artwork is.
        guard let copy = SourceSurface(pixels) else { return "none" }
        cairo_save(context)
        cairo_translate(context, 210.4, 160.7)
        cairo_scale(context, 0.43, 0.37)
        cairo_set_source_surface(context, copy.surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
        cairo_paint_with_alpha(context, 0.8)
        cairo_restore(context)
        return ScreenText.sum(pixels)
    }

    /// A gradient, an arc, a line and a clip.
    private static func drawShapes(_ context: OpaquePointer) {
        let gradient = cairo_pattern_create_linear(0, 0, 130, 300)
        cairo_pattern_add_color_stop_rgba(gradient, 0, 0.1, 0.3, 0.9, 1)
        cairo_pattern_add_color_stop_rgba(gradient, 1, 0.9, 0.2, 0.1, 0.4)
        cairo_set_source(context, gradient)
        cairo_pattern_destroy(gradient)
        cairo_paint(context)
        cairo_set_source_rgba(context, 1, 0.9, 0.3, 0.7)
        cairo_arc(context, 90.3, 210.6, 61.7, 0.2, 5.1)
        cairo_fill(context)
        cairo_save(context)
        cairo_arc(context, 300, 70, 50, 0, 6.2831)
        cairo_clip(context)
        cairo_set_source_rgba(context, 0.2, 0.8, 0.5, 0.6)
        cairo_move_to(context, 230, 20)
        cairo_curve_to(context, 280, 130, 330, 10, 380, 110)
        cairo_set_line_width(context, 17.3)
        cairo_stroke(context)
        cairo_restore(context)
    }

    /// Letters of three scripts in the fonts of the goldens.
    private static func drawTexts(_ context: OpaquePointer) {
        guard let map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT), let config = FcConfigCreate() else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(map)) }
        FcConfigAppFontAddDir(config, Golden.fonts)
        pango_fc_font_map_set_config(OpaquePointer(map), config)
        FcConfigDestroy(config)
        guard let pango = pango_font_map_create_context(map) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(pango, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(pango, 0)
        guard let layout = pango_layout_new(pango) else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = pango_font_description_from_string("Noto Sans,Noto Sans Arabic,Noto Sans CJK JP 21.7px")
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        cairo_set_source_rgba(context, 1, 1, 1, 0.9)
        for (row, text) in ["Settings & Saga, 1947 — AV fi", "الإعدادات", "設定と言語"].enumerated() {
            pango_layout_set_text(layout, text, -1)
            cairo_move_to(context, 12.25, 8.5 + Double(row) * 33.3)
            pango_cairo_show_layout(context, layout)
        }
    }
}
