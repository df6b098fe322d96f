import CPangoCairo
import MediaModel
import Testing

@testable import Drawing

/// How pictures are compared that other libraries have drawn: what they do otherwise passes, and faults do not.
@Suite("Pictures that are near each other")
struct NearPictureTests {
    /// A line of text on a panel, as screens have it.
    private func picture(
        _ text: String = "What Tobias Saw", x: Double = 200, y: Double = 100, grey: Double = 1, panel: Double = 0.125,
        scale: Double
    ) throws -> PixelBuffer {
        let fonts = try FontSet(folder: Golden.fonts)
        let pixels = try MemoryAllocator().makeBuffer(format: .argb8888, width: 1280, height: 720)
        let surface = try Surface(pixels)
        let context = surface.context
        cairo_set_source_rgb(context, 0.5, 0.5, 0.5)
        cairo_paint(context)
        cairo_rectangle(context, 150, 80, 600, 120)
        cairo_set_source_rgb(context, panel, panel, panel)
        cairo_fill(context)
        cairo_set_source_rgb(context, grey, grey, grey)
        cairo_move_to(context, x, y)
        fonts.layout(text, TextStyle(40)).show(in: context)
        return scale == 1 ? pixels : try pixels.scaled(width: Int(1280 * scale), height: Int(720 * scale))
    }

    @Test("letters at another fraction of a pixel are near, in whole and half size", arguments: [0.25, 0.75], [1, 0.5])
    func near(shift: Double, scale: Double) throws {
        #expect(Golden.isNear(try picture(x: 200 + shift, scale: scale), try picture(scale: scale)))
    }

    @Test("another letter, place or colour, and text that is missing or too much, is not near", arguments: [1, 0.5])
    func notNear(scale: Double) throws {
        let wanted = try picture(scale: scale)
        for wrong in [
            try picture("What Tobias Sew", scale: scale), try picture("What Tobias Say", scale: scale),
            try picture("What Tobia Saw", scale: scale), try picture("", scale: scale), try picture(x: 204, scale: scale),
            try picture(y: 104, scale: scale), try picture(grey: 0.6, scale: scale), try picture(panel: 0.15, scale: scale),
        ] {
            #expect(!Golden.isNear(wrong, wanted))
            #expect(!Golden.isNear(wanted, wrong))
        }
    }
}
