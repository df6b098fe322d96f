import Screens

/// The gradient under bar and title: soft at its upper edge, dark behind text. It never changes, so it is drawn once.
struct Scrim: LayerContent {
    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        let top = 1080 - Double(Metrics.Bar.scrimHeight)
        return Rect(x: screen.x, y: top, width: screen.width, height: screen.maxY - top)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        // Steep at first: the title is in its upper half and must be readable over a white picture.
        let curve: [(Double, Double)] = [
            (0, 0), (0.06, 0.05), (0.13, 0.20), (0.21, 0.46), (0.29, 0.70), (0.37, 0.85), (0.47, 0.93), (0.65, 0.97), (1, 1),
        ]
        let tint = kit.theme.tints.scrim
        canvas.gradient(bounds(kit), curve.map { ($0.0, tint.faded(tint.alpha * $0.1)) })
    }
}

/// Black over the picture, behind cards.
struct Dim: LayerContent {
    /// The opacity.
    var percent: Int
    /// The picture's rectangle.
    var frame: Rect

    var isUniform: Bool { true }

    func bounds(_ kit: Kit) -> Rect { frame == Rect(Metrics.screen) ? kit.scale.screen : frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        // High contrast has 7:1 for words that lie on it without a ground of their own.
        let opacity = kit.theme.hasHighContrast ? max(percent, 80) : percent
        canvas.fill(bounds(kit), .white(0, Double(opacity) / 100))
    }
}
