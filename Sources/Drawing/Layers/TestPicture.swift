import Screens

/// Greys and colours of the test picture, and what a viewer should see. They are the same in every theme and language.
struct TestPicture: LayerContent {
    var words: String
    var hint: String

    private static let area = Rect(x: 360, y: 190, width: 1200, height: 700)
    private static let band = 150.0
    private static let greys = 11
    /// The primary and secondary colours of the screen, in the order of their brightness.
    private static let colours: [Tint] = [
        Tint(1, 1, 0), Tint(0, 1, 1), Tint(0, 1, 0), Tint(1, 0, 1), Tint(1, 0, 0), Tint(0, 0, 1),
    ]

    func bounds(_ kit: Kit) -> Rect { Self.area }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let greys = (0..<Self.greys).map { Tint.white(Double($0) / Double(Self.greys - 1)) }
        draw(greys, at: Self.area.y, on: canvas)
        draw(Self.colours, at: Self.area.y + Self.band + Grid.rowGap, on: canvas)
        var rest = Self.area
        rest.y += 2 * (Self.band + Grid.rowGap) + 40
        rest.y +=
            canvas.write(words, kit.style(.headline, .bold, lines: 2, alignment: .centre), in: rest, kit.theme.tints.text) + 16
        canvas.write(hint, kit.style(.body, lines: 4, alignment: .centre), in: rest, kit.theme.tints.secondaryText)
    }

    private func draw(_ colours: [Tint], at y: Double, on canvas: Canvas) {
        let width = Self.area.width / Double(colours.count)
        for (index, colour) in colours.enumerated() {
            canvas.fill(Rect(x: Self.area.x + Double(index) * width, y: y, width: width, height: Self.band), colour)
        }
    }
}

/// A corner of the screen: a television that crops the picture does not show it.
struct TestCorner: LayerContent {
    var isRight, isBottom: Bool

    private static let (length, width) = (120.0, 8.0)

    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        return Rect(
            x: isRight ? screen.maxX - Self.length : screen.x, y: isBottom ? screen.maxY - Self.length : screen.y,
            width: Self.length, height: Self.length)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        var across = area, down = area
        across.height = Self.width
        across.y = isBottom ? area.maxY - Self.width : area.y
        down.width = Self.width
        down.x = isRight ? area.maxX - Self.width : area.x
        for line in [across, down] { canvas.fill(line, .white(1)) }
    }
}
