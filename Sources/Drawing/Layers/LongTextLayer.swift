import Screens

/// A page of a long text, in a column of about 65 characters a line, beside the picture of its item.
struct LongTextLayer: LayerContent {
    var view: LongTextView
    /// The item's picture; nil if it has none.
    var picture: LayerPicture?

    /// Width of the column.
    private static let width = 980.0
    private static let pictureSide = 480.0
    private static let gap = 72.0

    private var area: Rect {
        var width = Self.width
        if picture != nil { width += Self.pictureSide + Self.gap }
        return Rect(x: 960 - width / 2, y: Rect.safeArea.y, width: width, height: Rect.safeArea.height)
    }

    private func column(_ kit: Kit) -> Rect {
        let area = self.area
        return kit.place(Rect(x: area.maxX - Self.width, y: area.y, width: Self.width, height: area.height), in: area)
    }

    func bounds(_ kit: Kit) -> Rect { area.inset(-12, -8) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let column = self.column(kit)
        var rest = column
        let tints = kit.theme.tints
        rest.y += 12
        if let picture {
            let place = Rect(x: area.x, y: rest.y + 8, width: Self.pictureSide, height: Self.pictureSide)
            canvas.picture(picture.pixels, in: kit.place(place, in: area), radius: Radius.row, .fitAtTop)
        }
        if let title = view.title {
            rest.y += canvas.write(title, kit.style(.title3, .bold, lines: 2), in: rest, tints.text) + 28
        }
        let foot = 64.0 * kit.theme.typeScale
        let line = 29 * kit.theme.typeScale * 1.25
        let lines = max(Int((column.maxY - foot - rest.y) / line), 1)
        var style = kit.style(.body, lines: lines)
        style.leading = 1.25
        style.limitsWhole = true
        canvas.write(view.text, style, in: rest, tints.text)
        drawFoot(canvas, kit)
    }

    /// How to close it at the leading end, and the page at the trailing end.
    private func drawFoot(_ canvas: Canvas, _ kit: Kit) {
        let column = self.column(kit), height = 44 * kit.theme.typeScale
        let foot = Rect(x: column.x, y: column.maxY - height, width: column.width, height: height)
        let tints = kit.theme.tints
        if let hint = view.hint {
            let layout = kit.layout(hint, kit.style(.caption1, width: foot.width * 0.7))
            let place = kit.place(Rect(x: foot.x, y: foot.y, width: foot.width * 0.7, height: height), in: foot)
            canvas.text(layout, x: place.x, y: foot.midY - layout.opticalMiddle, tints.secondaryText)
        }
        guard view.pageCount > 1 else { return }
        let layout = kit.layout(
            "\(view.page + 1) / \(view.pageCount)", kit.style(.caption1, .bold, alignment: .left, tabularDigits: true))
        let width = layout.bounds.width + 136
        let place = kit.place(Rect(x: foot.maxX - width, y: foot.y, width: width, height: height), in: foot)
        canvas.text(layout, centredIn: place, tints.secondaryText)
        let reach = layout.bounds.width / 2 + 40
        if view.page > 0 { canvas.more(place.midX - reach, place.midY, direction: -1, tints.text) }
        if view.page + 1 < view.pageCount { canvas.more(place.midX + reach, place.midY, direction: 1, tints.text) }
    }
}
