import Screens

/// The line on which a delay is set, over the picture at the lower edge of the safe area.
struct DelayLine: LayerContent {
    var view: DelayView

    /// Its place. It leaves the picture free above it.
    static func frame(_ kit: Kit) -> Rect {
        let width = Double(Metrics.Delay.width), height = Double(Metrics.Delay.height) * kit.theme.typeScale
        return Rect(x: Rect.safeArea.midX - width / 2, y: Rect.safeArea.maxY - height, width: width, height: height)
    }

    func bounds(_ kit: Kit) -> Rect { Self.frame(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = Self.frame(kit), tints = kit.theme.tints
        canvas.panel(frame, isOverPicture: true)
        let inner = frame.inset(Grid.panelInset, 24)
        let control = Rect(x: inner.maxX - 400, y: inner.y, width: 400, height: kit.rowHeight)
        drawValue(kit.place(control, in: inner), canvas, kit)
        let title = Rect(x: inner.x, y: inner.y, width: control.x - 32 - inner.x, height: control.height)
        let words = kit.layout(view.title, kit.style(.callout, .bold, width: title.width, alignment: kit.theme.leading))
        canvas.text(words, x: kit.place(title, in: inner).x, y: title.midY - words.opticalMiddle, tints.text)
        let lines = view.explanation?.followed(by: view.hint) ?? view.hint
        var rest = inner
        rest.y = control.maxY + 16
        canvas.write(lines, kit.proseStyle(.caption1, width: rest.width, lines: 2), in: rest, tints.secondaryText)
    }

    /// The value with focus, between the arrows that change it, and its place between the largest delays.
    private func drawValue(_ rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints, text = tints.focusedText
        canvas.fill(rect, radius: Radius.row, tints.focusedGround)
        canvas.focusRing(round: rect, radius: Radius.row)
        let size = 24 * kit.theme.typeScale
        let (toLess, toMore) = kit.theme.isRightToLeft ? (1.0, -1.0) : (-1.0, 1.0)
        for (direction, isPossible) in [(toLess, view.canLower), (toMore, view.canRaise)] where isPossible {
            let x = direction < 0 ? rect.x + 28 : rect.maxX - 28
            canvas.chevron(x, rect.midY, size: size, direction: direction, text)
        }
        let style = kit.style(.body, .bold, width: rect.width - 112, alignment: .centre, tabularDigits: true)
        let value = kit.layout(view.value, style)
        canvas.text(value, x: rect.x + 56, y: rect.midY - 6 - value.opticalMiddle, text)
        let bar = Rect(x: rect.x + 64, y: rect.maxY - 14, width: rect.width - 128, height: 6)
        canvas.fill(bar, radius: 3, text.faded(0.35))
        let share = Double(min(max(view.percent, -100), 100)) / 100 * (kit.theme.isRightToLeft ? -1 : 1)
        let middle = bar.midX, end = middle + share * bar.width / 2
        canvas.fill(
            Rect(x: min(middle, end) - 3, y: bar.y, width: abs(end - middle) + 6, height: bar.height), radius: 3, text)
    }
}
