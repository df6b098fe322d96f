import Screens

/// The screen saver over black: a dimmed picture, and beside it the time of day.
struct ScreenSaverPicture: LayerContent {
    var view: ScreenSaverView
    var picture: LayerPicture?

    /// How much of the picture's light is kept.
    private static let dim = Tint.white(0, 0.45)

    func bounds(_ kit: Kit) -> Rect { Rect(view.frame) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = Rect(view.frame), grey = Tint.white(0.72)
        var words = frame
        if picture?.pixels != nil {
            let place = kit.place(Rect(x: frame.x, y: frame.y, width: frame.height * 16 / 9, height: frame.height), in: frame)
            canvas.picture(picture?.pixels, in: place, radius: Radius.row, .fill)
            canvas.fill(place, radius: Radius.row, Self.dim)
            let left = place.width + 36
            words = kit.place(Rect(x: frame.x + left, y: frame.y, width: frame.width - left, height: frame.height), in: frame)
        }
        let clock = view.clock.map {
            kit.layout($0, kit.style(.title1, .bold, width: words.width, alignment: kit.theme.leading, tabularDigits: true))
        }
        let hint = kit.layout(view.hint, kit.style(.caption1, width: words.width, lines: 2, alignment: kit.theme.leading))
        let height = (clock?.bounds.height ?? 0) + hint.bounds.height
        var top = words.midY - height / 2
        if let clock {
            canvas.text(clock, x: words.x, y: top, grey)
            top += clock.bounds.height
        }
        canvas.text(hint, x: words.x, y: top, grey)
    }
}
