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
}

/// Converts design pixels to the pixels of a mode. On screens that are not 16:9 the interface is as large as fits, centred.
struct Scale: Sendable, Hashable {
    /// Pixels per design pixel: 2/3 at 1280x720, 2 at 3840x2160.
    let factor: Double
    /// The origin of the design, in pixels.
    let originX, originY: Double
    /// The size of the screen in pixels.
    let width, height: Int

    /// - Parameter overscanPercent: how much the interface shrinks on each side, for televisions that crop the picture.
    init(width: Int, height: Int, overscanPercent: Int = 0) {
        let shown = 1 - Double(min(max(overscanPercent, 0), 5)) / 50
        factor = min(Double(width) / 1920, Double(height) / 1080) * shown
        originX = (Double(width) - 1920 * factor) / 2
        originY = (Double(height) - 1080 * factor) / 2
        self.width = width
        self.height = height
    }

    private init(factor: Double, originX: Double, originY: Double, width: Int, height: Int) {
        self.factor = factor
        self.originX = originX
        self.originY = originY
        self.width = width
        self.height = height
    }

    /// The same with pixels that are as wide and high as `times` of these.
    func coarser(_ times: Int) -> Scale {
        let part = Double(max(times, 1))
        return Scale(
            factor: factor / part, originX: originX / part, originY: originY / part,
            width: Int((Double(width) / part).rounded(.up)), height: Int((Double(height) / part).rounded(.up)))
    }

    /// The whole pixels that cover a rectangle.
    func pixels(_ rect: Rect) -> PixelRect {
        let left = (originX + rect.x * factor + 0.001).rounded(.down)
        let top = (originY + rect.y * factor + 0.001).rounded(.down)
        let right = (originX + rect.maxX * factor - 0.001).rounded(.up)
        let bottom = (originY + rect.maxY * factor - 0.001).rounded(.up)
        return PixelRect(x: Int(left), y: Int(top), width: max(Int(right - left), 1), height: max(Int(bottom - top), 1))
    }

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

    /// A part of the whole screen, in design pixels: what is so placed on a screen of 16:9 has the same share of another one.
    func spread(_ rect: Rect) -> Rect {
        // Without what a television crops.
        let isWide = width * 1080 >= height * 1920
        let (wide, high) =
            isWide
            ? (Double(1080 * width) / Double(max(height, 1)), 1080) : (1920, Double(1920 * height) / Double(max(width, 1)))
        guard wide != 1920 || high != 1080 else { return rect }
        return Rect(
            x: (1920 - wide) / 2 + rect.x * wide / 1920, y: (1080 - high) / 2 + rect.y * high / 1080,
            width: rect.width * wide / 1920, height: rect.height * high / 1080)
    }

    /// The whole screen in design pixels: larger than 1920x1080 when it is not 16:9, for layers that bleed to the edge.
    var screen: Rect { design(PixelRect(x: 0, y: 0, width: width, height: height)) }
}
