import PlayerInterface

/// One colour all over the screen: what lies under a page. A few pixels that the display stretches.
struct Backdrop: LayerContent {
    var tint: Tint

    /// Under pages that lie over the picture: it is still felt to go on.
    static let page = Backdrop(tint: Tint(Palette.background).faded(0.92))
    /// Where nothing may be seen of what is under it.
    static let opaque = Backdrop(tint: Tint(Palette.background))
    /// The dark of a screen that nothing may burn into.
    static let black = Backdrop(tint: .white(0))

    var isUniform: Bool { true }

    func bounds(_ kit: Kit) -> Rect { kit.scale.screen }

    func draw(on canvas: Canvas, _ kit: Kit) { canvas.fill(kit.scale.screen, tint) }
}

/// Words at the top of a page: its name, and what it is part of.
struct PageTitle: LayerContent {
    var title: String
    var size = Metrics.TypeSize.title2

    func bounds(_ kit: Kit) -> Rect {
        Rect(
            x: Rect.safeArea.x + focusReach - 4, y: Rect.safeArea.y, width: Rect.safeArea.width - 2 * focusReach + 8,
            height: (Double(size.pixels) * kit.theme.typeScale * 1.2).rounded(.up) + 8)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.write(title, kit.style(size, .bold), in: bounds(kit).inset(4, 0), kit.theme.tints.text)
    }
}
