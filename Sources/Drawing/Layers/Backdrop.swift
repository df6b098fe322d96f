import PlayerInterface

/// One colour over the whole screen, under a page. A few pixels that the display stretches.
struct Backdrop: LayerContent {
    var tint: Tint

    /// Under pages over the picture: playback stays faintly visible.
    static let page = Backdrop(tint: Tint(Palette.background).faded(0.92))
    /// Hides everything under it.
    static let opaque = Backdrop(tint: Tint(Palette.background))
    /// Black, against burn-in.
    static let black = Backdrop(tint: .white(0))

    var isUniform: Bool { true }

    func bounds(_ kit: Kit) -> Rect { kit.scale.screen }

    func draw(on canvas: Canvas, _ kit: Kit) { canvas.fill(kit.scale.screen, tint) }
}

/// The title of a page and of its parent.
struct PageTitle: LayerContent {
    var title: String
    var size = Metrics.TypeSize.title2

    func bounds(_ kit: Kit) -> Rect {
        Rect(
            x: Rect.safeArea.x - 4, y: Rect.safeArea.y, width: Rect.safeArea.width + 8,
            height: (Double(size.pixels) * kit.theme.typeScale * 1.2).rounded(.up) + 8)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.write(title, kit.style(size, .bold), in: bounds(kit).inset(4, 0), kit.theme.tints.text)
    }
}
