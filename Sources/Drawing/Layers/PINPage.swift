import Screens

/// The purpose of the PIN, and how many digits were entered: the digits are never shown.
struct PINHeader: LayerContent {
    var title: String
    var message: String?
    var enteredCount: Int
    var length: Int
    var warning: String?

    static let padTop = 520.0

    func bounds(_ kit: Kit) -> Rect {
        Rect(x: 360, y: 96, width: 1200, height: Self.padTop - 96 - focusReach - 6)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        let tints = kit.theme.tints
        Sign.lock.draw(on: canvas, x: area.midX, y: area.y + 34, size: 60, tints.text)
        var rest = area
        rest.y += 84
        rest.y += canvas.write(title, kit.style(.title3, .bold, alignment: .centre), in: rest, tints.text) + 4
        let style = kit.proseStyle(.body, width: rest.width, lines: 2, alignment: .centre)
        canvas.write(message ?? "", style, in: rest, tints.secondaryText)
        let step = 56.0
        let y = area.maxY - (kit.theme.hasLargerText ? 84 : 92)
        let first = area.midX - step * Double(max(length, 1) - 1) / 2
        for index in 0..<max(length, 1) {
            let x = first + Double(index) * step
            if index < enteredCount {
                canvas.disc(x, y, radius: 15, tints.text)
            } else {
                canvas.arc(x, y, radius: 13, from: 0, to: 1, width: 4, tints.text.faded(0.7))
            }
        }
        guard let warning, !warning.isEmpty else { return }
        let layout = kit.layout(warning, kit.style(.body, .bold, width: area.width - 80, tabularDigits: true))
        let width = layout.bounds.width + 48
        let place = Rect(x: area.midX - width / 2, y: area.maxY - 48, width: width, height: 44)
        let sign = kit.place(Rect(x: place.x, y: place.midY - 17, width: 34, height: 34), in: place)
        Sign.warning.draw(on: canvas, x: sign.midX, y: sign.midY, size: 34, tints.text)
        let words = kit.place(Rect(x: place.x + 48, y: place.y, width: layout.bounds.width, height: place.height), in: place)
        canvas.text(layout, x: words.x - layout.bounds.x, y: place.midY - layout.opticalMiddle, tints.text)
    }
}

/// The PIN's keypad, in telephone layout in every language.
struct PINPad: LayerContent {
    var keys: [[String]]
    var focused: PINView.Focus
    var isLocked: Bool

    private static let size = (width: 200.0, height: 96.0), gap = 20.0

    private var area: Rect {
        let columns = Double(keys.first?.count ?? 3), rows = Double(keys.count)
        let width = columns * (Self.size.width + Self.gap) - Self.gap
        return Rect(
            x: 960 - width / 2, y: PINHeader.padTop, width: width, height: rows * (Self.size.height + Self.gap) - Self.gap)
    }

    func bounds(_ kit: Kit) -> Rect { area.inset(-focusReach - 2) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = self.area
        let tints = kit.theme.tints
        for (row, keys) in keys.enumerated() {
            for (column, words) in keys.enumerated() {
                let rect = Rect(
                    x: area.x + Double(column) * (Self.size.width + Self.gap),
                    y: area.y + Double(row) * (Self.size.height + Self.gap), width: Self.size.width, height: Self.size.height)
                let isFocused = focused == .key(row: row, column: column)
                let isDigit = words.count == 1 && words.allSatisfy(\.isNumber)
                // While digits are refused, only the key with the focus acts.
                let isDead = isLocked && !isFocused
                if isFocused {
                    canvas.fill(rect, radius: Radius.cell, tints.focusedGround)
                    canvas.focusRing(round: rect, radius: Radius.cell)
                } else if isDead {
                    // Not only darker: without a surface, and with a dashed edge.
                    canvas.dash(rect.inset(1), radius: Radius.cell, width: 2, tints.secondaryText.faded(0.6))
                } else {
                    canvas.fill(rect, radius: Radius.cell, tints.surface)
                    canvas.stroke(rect, radius: Radius.cell, width: 2, tints.edge)
                }
                let style = kit.style(isDigit ? .headline : .caption1, .bold, width: rect.width - 16, alignment: .centre)
                let layout = kit.layout(words, style)
                let tint = isFocused ? tints.focusedText : isDead ? tints.secondaryText : tints.text
                canvas.text(layout, x: rect.x + 8, y: rect.midY - layout.opticalMiddle, tint)
            }
        }
    }
}
