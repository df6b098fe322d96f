import PlayerInterface

/// A page of a long text, in a column of readable width.
struct LongText: LayerContent {
    var title: String?
    var text: String
    var page: Int
    var pageCount: Int

    /// Width of the column.
    static let width = 1500.0

    private var column: Rect {
        Rect(x: 960 - Self.width / 2, y: Rect.safeArea.y, width: Self.width, height: Rect.safeArea.height)
    }

    func bounds(_ kit: Kit) -> Rect { column.inset(-12, -8) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var rest = column
        let tints = kit.theme.tints
        rest.y += 12
        if let title {
            rest.y += canvas.write(title, kit.style(.title3, .bold, lines: 2), in: rest, tints.text) + 28
        }
        let foot = pageCount > 1 ? 64.0 * kit.theme.typeScale : 8
        let line = 29 * kit.theme.typeScale * 1.25
        let lines = max(Int((column.maxY - foot - rest.y) / line), 1)
        var style = kit.style(.body, lines: lines)
        style.leading = 1.25
        style.limitsWhole = true
        canvas.write(text, style, in: rest, tints.text)
        guard pageCount > 1 else { return }
        let layout = kit.layout("\(page + 1) / \(pageCount)", kit.style(.caption1, .bold, alignment: .left, tabularDigits: true))
        let place = Rect(
            x: column.x, y: column.maxY - 44 * kit.theme.typeScale, width: column.width, height: 44 * kit.theme.typeScale)
        canvas.text(layout, centredIn: place, tints.secondaryText)
        let reach = layout.bounds.width / 2 + 48
        if page > 0 { canvas.more(place.midX - reach, place.midY, direction: -1, tints.text) }
        if page + 1 < pageCount { canvas.more(place.midX + reach, place.midY, direction: 1, tints.text) }
    }
}
