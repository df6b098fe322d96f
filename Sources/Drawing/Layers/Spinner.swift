import Screens

/// One phase of the spinner. There are twelve; each is drawn once and then only shown.
struct Spinner: LayerContent {
    static let phases = 12
    /// 0…11.
    var phase: Int
    /// The centre of the video.
    var x, y: Double

    private static let radius = 56.0

    func bounds(_ kit: Kit) -> Rect {
        Rect(x: x - Self.radius, y: y - Self.radius, width: 2 * Self.radius, height: 2 * Self.radius)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.disc(x, y, radius: Self.radius, kit.theme.tints.pill)
        for spoke in 0..<Self.phases {
            let age = (phase - spoke + Self.phases) % Self.phases
            let strength = max(1 - Double(age) / Double(Self.phases - 2), 0.14)
            let (sine, cosine) = Self.directions[spoke]
            canvas.line(
                [(x + sine * 20, y - cosine * 20), (x + sine * 34, y - cosine * 34)], width: 6.5,
                kit.theme.tints.text.faded(strength))
        }
    }

    /// Sine and cosine of the twelfths of a turn, clockwise from the top.
    private static let directions: [(Double, Double)] = {
        let half = 0.5, root = 0.866_025_403_784_438_6
        return [
            (0, 1), (half, root), (root, half), (1, 0), (root, -half), (half, -root), (0, -1), (-half, -root), (-root, -half),
            (-1, 0),
            (-root, half), (-half, root),
        ]
    }()

    /// The lower edge of the text under it.
    static func wordsBottom(_ y: Double, _ kit: Kit) -> Double { y + radius + 24 + Pill.height(kit) }
}
