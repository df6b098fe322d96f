import MediaModel
import Screens

/// A caption in the style being chosen, on a grey picture with light and dark parts.
struct CaptionPreview: LayerContent {
    var words: String
    var style: CaptionStyle
    /// The picture's rectangle.
    var frame: Rect

    /// The type size at 100 percent over the height of the picture: larger than the 54 px on a screen, so that it can be judged
    /// in a small picture.
    private static let size = 0.105

    func bounds(_ kit: Kit) -> Rect { frame.inset(-1) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.clipped(to: frame, radius: Radius.row) {
            canvas.gradient(frame, to: .right, [(0, .white(0.16)), (0.55, .white(0.36)), (1, .white(0.72))])
            drawCaption(canvas, kit)
        }
        canvas.stroke(frame, radius: Radius.row, width: 2, kit.theme.tints.text.faded(0.3))
    }

    private func drawCaption(_ canvas: Canvas, _ kit: Kit) {
        let inner = frame.inset(frame.width * 0.06, frame.height * 0.08)
        let size = max(frame.height * Self.size * Double(style.sizePercent) / 100, 10)
        let layout = kit.layout(words, captionStyle(size, width: inner.width, kit))
        let text = layout.bounds
        let x = inner.x, y = max(inner.maxY - text.height, inner.y)
        let box = Rect(x: x + text.x, y: y, width: text.width, height: text.height).inset(-size * 0.3, -size * 0.12)
        if let window = style.window {
            canvas.fill(
                box.inset(-size * 0.2), radius: 4, tint(window).faded(Double(style.windowOpacityPercent ?? 100) / 100))
        }
        if let background = style.background {
            canvas.fill(box, tint(background).faded(Double(style.backgroundOpacityPercent ?? 100) / 100))
        }
        let colour = tint(style.colour ?? .white).faded(Double(style.opacityPercent ?? 100) / 100)
        // Edges have the colour that contrasts with the letters.
        let dark: Tint = style.colour == .black ? .white(1) : .white(0)
        let step = max(size * 0.045, 1)
        for (offsetX, offsetY, tint) in edges(dark, step) { canvas.ghost(layout, x: x + offsetX, y: y + offsetY, tint) }
        canvas.text(layout, x: x, y: y, colour)
    }

    private func edges(_ dark: Tint, _ step: Double) -> [(Double, Double, Tint)] {
        switch style.edge ?? .none {
        case .none: []
        case .raised: [(step, step, dark)]
        case .depressed: [(-step, -step, dark)]
        case .uniform:
            [(-1.0, 0.0), (1, 0), (0, -1), (0, 1), (-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7)].map {
                ($0.0 * step, $0.1 * step, dark)
            }
        case .dropShadow: [(step * 2, step * 2, dark.faded(0.6)), (step * 1.4, step * 1.4, dark.faded(0.6))]
        }
    }

    private func tint(_ colour: CaptionStyle.Colour) -> Tint {
        let (red, green, blue) = colour.components
        return Tint(Double(red) / 255, Double(green) / 255, Double(blue) / 255)
    }

    private func captionStyle(_ size: Double, width: Double, _ kit: Kit) -> TextStyle {
        var text = TextStyle(size, .medium, width: width, lines: 3, alignment: .centre, language: kit.theme.language)
        text.family =
            switch style.font {
            case .automatic, .proportionalSans, .casual, .smallCapitals: .sans
            case .proportionalSerif, .cursive: .serif
            case .monospacedSans, .monospacedSerif: .monospaced
            }
        text.isItalic = style.font == .cursive
        text.feature = style.font == .smallCapitals ? .smallCapitals : nil
        text.avoidsShortEnd = true
        return text
    }
}
