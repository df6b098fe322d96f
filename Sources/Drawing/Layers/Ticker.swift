import LinuxSupport
import MediaModel
import Screens

/// The operator's lines as one that passes by, on a ground as wide as the box: from its end to its beginning, again and again. Lines that have room stand.
struct Ticker: LayerContent {
    private let line: String
    private let size: Metrics.TypeSize
    private let box: PixelRect
    private let anchor: ScreenOverlay.Anchor
    /// How far the line has come, in design pixels.
    private let distance: Double

    /// Between lines.
    private static let separator = "   ·   "
    /// Design pixels in a second.
    private static let speed: Int64 = 120

    /// Nil for words that do not pass by.
    init?(_ overlay: ScreenOverlay, words: OverlayWords, at time: HostTime, _ kit: Kit) {
        guard words.isTicker else { return nil }
        line = words.lines.joined(separator: Self.separator)
        (box, anchor) = (overlay.box, overlay.anchor)
        let room = OverlayText.room(in: kit.scale.spread(Rect(overlay.box)))
        let line = line
        size =
            OverlayText.sizes(upTo: Metrics.Words.lineSize).first { Self.layout(line, $0, kit).bounds.height <= room.height }
            ?? .caption2
        let width = Self.layout(line, size, kit).bounds.width
        guard width > room.width else { return nil }
        // The same for the same time, so that a screen that is drawn again shows the line where it was.
        let way = Int64((width + room.width).rounded(.up))
        distance = Double(time.nanoseconds / 1_000_000 % (way * 1000 / Self.speed) * Self.speed) / 1000
    }

    private static func layout(_ line: String, _ size: Metrics.TypeSize, _ kit: Kit) -> TextLayout {
        kit.layout(line, kit.style(size, .bold, alignment: .left))
    }

    func bounds(_ kit: Kit) -> Rect {
        let height = (Self.layout(line, size, kit).bounds.height + 2 * OverlayText.margin.down).rounded()
        let box = kit.scale.spread(Rect(box))
        let y = box.y + (box.height - height) * anchor.down
        return Rect(x: box.x, y: y, width: box.width, height: height)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let layout = Self.layout(line, size, kit)
        let words = OverlayText.drawGround(bounds(kit), on: canvas, kit)
        let x = kit.theme.isRightToLeft ? words.x - layout.bounds.width + distance : words.maxX - distance
        canvas.clipped(to: words) { canvas.text(layout, x: x - layout.bounds.x, y: words.y, kit.theme.tints.text) }
    }
}
