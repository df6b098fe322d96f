import MediaModel
import Screens

/// A rectangle in design pixels: pixels of a 1920x1080 screen, origin at the top left.
struct Rect: Sendable, Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    init(_ rect: PixelRect) {
        self.init(x: Double(rect.x), y: Double(rect.y), width: Double(rect.width), height: Double(rect.height))
    }

    /// Text and focus rings never leave it.
    static let safeArea = Rect(Metrics.safeArea)

    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }
    var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Moves each edge inwards (or, when negative, outwards).
    func inset(_ by: Double) -> Rect { inset(by, by) }

    /// Moves the left and right edges inwards by `horizontal`, the upper and lower by `vertical`.
    func inset(_ horizontal: Double, _ vertical: Double) -> Rect {
        Rect(x: x + horizontal, y: y + vertical, width: width - 2 * horizontal, height: height - 2 * vertical)
    }

    /// The rectangle moved by a distance.
    func moved(_ right: Double, _ down: Double) -> Rect { Rect(x: x + right, y: y + down, width: width, height: height) }

    /// The mirror image about the middle of a space that starts at 0 and is `width` wide.
    func mirrored(in space: Double) -> Rect { Rect(x: space - maxX, y: y, width: width, height: height) }

    /// Whether another rectangle lies completely inside.
    func contains(_ other: Rect) -> Bool { other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY }

    /// The smallest rectangle that holds both.
    func union(_ other: Rect) -> Rect {
        let left = min(x, other.x), top = min(y, other.y)
        return Rect(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Another rectangle, moved by the smallest distance that puts it inside this one.
    func enclosing(_ other: Rect) -> Rect {
        Rect(
            x: max(min(other.x, maxX - other.width), x), y: max(min(other.y, maxY - other.height), y), width: other.width,
            height: other.height)
    }

    /// Whether the two overlap.
    func intersects(_ other: Rect) -> Bool { other.x < maxX && x < other.maxX && other.y < maxY && y < other.maxY }

    /// The same rectangle, clipped at the edges of the screen.
    func enclosingScreenEdges() -> Rect {
        let left = max(x, 0), top = max(y, 0)
        return Rect(x: left, y: top, width: min(maxX, 1920) - left, height: min(maxY, 1080) - top)
    }
}

/// The same in the drawing's rectangles.
extension Scale {
    /// The whole pixels that cover a rectangle.
    func pixels(_ rect: Rect) -> PixelRect { pixels(from: (rect.x, rect.y), to: (rect.maxX, rect.maxY)) }

    /// The same rectangle with each edge at the nearest boundary between pixels. Rectangles that touch still touch.
    func snapped(_ rect: Rect) -> Rect {
        func snap(_ position: Double, _ origin: Double) -> Double { ((origin + position * factor).rounded() - origin) / factor }
        let left = snap(rect.x, originX), top = snap(rect.y, originY)
        return Rect(x: left, y: top, width: snap(rect.maxX, originX) - left, height: snap(rect.maxY, originY) - top)
    }

    /// The part of the design that a rectangle of pixels shows.
    func design(_ rect: PixelRect) -> Rect {
        Rect(
            x: (Double(rect.x) - originX) / factor, y: (Double(rect.y) - originY) / factor, width: Double(rect.width) / factor,
            height: Double(rect.height) / factor)
    }

    /// A part of the whole screen, in design pixels.
    func spread(_ rect: Rect) -> Rect {
        let (upper, lower) = (spread(x: rect.x, y: rect.y), spread(x: rect.maxX, y: rect.maxY))
        return Rect(x: upper.x, y: upper.y, width: lower.x - upper.x, height: lower.y - upper.y)
    }

    /// The whole screen in design pixels: larger than 1920x1080 when it is not 16:9, for layers that bleed to the edge.
    var screen: Rect { design(PixelRect(x: 0, y: 0, width: width, height: height)) }
}
