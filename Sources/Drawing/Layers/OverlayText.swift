import MediaModel
import Screens

/// The operator's words over the video, on a ground of their own: as large as the box permits for a clock or a date, otherwise in the type of lines. Words and
/// ground keep to the sides of the anchor.
struct OverlayText: LayerContent {
    private let lines: [String]
    private let isOfOneLine: Bool
    /// Whether the ground is as wide as the box, whatever the line.
    private let fillsBox: Bool
    private let box: PixelRect
    private let anchor: ScreenOverlay.Anchor

    init(_ overlay: ScreenOverlay, words: OverlayWords) {
        lines = words.lines
        isOfOneLine = words.source == .clock || words.source == .date
        fillsBox = words.isTicker
        box = overlay.box
        anchor = overlay.anchor
    }

    static let margin = (across: Double(Metrics.Words.margin.across), down: Double(Metrics.Words.margin.down))

    /// The room for words.
    static func room(in box: Rect) -> Rect {
        let room = box.inset(Self.margin.across, Self.margin.down)
        return Rect(x: room.x, y: room.y, width: max(room.width, 1), height: max(room.height, 1))
    }

    /// The types that words may have, the smallest one last.
    static func sizes(upTo largest: Metrics.TypeSize) -> [Metrics.TypeSize] {
        Metrics.TypeSize.allCases.filter { $0.pixels <= largest.pixels }
    }

    /// Draws the ground of words.
    ///
    /// - Returns: the place of the words on it.
    static func drawGround(_ ground: Rect, on canvas: Canvas, _ kit: Kit) -> Rect {
        let radius = min(ground.height / 2, Radius.cell)
        canvas.fill(ground, radius: radius, kit.theme.tints.pill)
        canvas.stroke(ground, radius: radius, width: 2, kit.theme.tints.edge)
        return ground.inset(margin.across, margin.down)
    }

    /// The words in the largest type in which they have room; in the smallest one, what has none is left out.
    private func layouts(_ kit: Kit) -> [TextLayout] {
        let sizes = Self.sizes(upTo: isOfOneLine ? .title1 : Metrics.Words.lineSize)
        let room = Self.room(in: kit.scale.spread(Rect(box)))
        for size in sizes {
            let layouts = lines.map { line in
                kit.layout(
                    line,
                    kit.style(
                        size, .bold, width: isOfOneLine ? nil : room.width, alignment: .left, tabularDigits: isOfOneLine))
            }
            let height = layouts.reduce(0) { $0 + $1.bounds.height }
            let width = layouts.map(\.bounds.width).max() ?? 0
            if height <= room.height && width <= room.width || size == sizes.last { return layouts }
        }
        return []
    }

    private func bounds(of layouts: [TextLayout], _ kit: Kit) -> Rect {
        let box = kit.scale.spread(Rect(box))
        let height = layouts.reduce(2 * Self.margin.down) { $0 + $1.bounds.height }.rounded()
        let words = ((layouts.map(\.bounds.width).max() ?? 0) + 2 * Self.margin.across).rounded(.up)
        let width = fillsBox ? box.width : words
        return Rect(
            x: box.x + (box.width - width) * anchor.across, y: box.y + (box.height - height) * anchor.down, width: width,
            height: height)
    }

    func bounds(_ kit: Kit) -> Rect { bounds(of: layouts(kit), kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let layouts = layouts(kit)
        let words = Self.drawGround(bounds(of: layouts, kit), on: canvas, kit)
        var y = words.y
        for layout in layouts {
            let x = words.x + (words.width - layout.bounds.width) * anchor.across
            canvas.text(layout, x: x - layout.bounds.x, y: y, kit.theme.tints.text)
            y += layout.bounds.height
        }
    }
}
