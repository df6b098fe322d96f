import Screens

/// The visible rows of a menu: the Subtitles, Audio and Picture tabs, and the pages of Settings.
struct MenuList: LayerContent {
    var rows: [MenuView.Row]
    /// The first of them, in the menu.
    var first: Int
    var hasMoreAbove, hasMoreBelow: Bool
    var frame: Rect
    /// The distance from the top of one row to the top of the next.
    var pitch: Double
    /// Whether the second line of a row is under the first; otherwise it is next to it.
    var isStacked: Bool

    /// - Parameter count: the number of visible rows.
    init(_ menu: MenuView, count: Int, frame: Rect, pitch: Double, isStacked: Bool) {
        first = min(max(menu.firstRow, 0), max(menu.rows.count - 1, 0))
        let last = min(first + count, menu.rows.count)
        rows = Array(menu.rows[first..<last])
        hasMoreAbove = first > 0
        hasMoreBelow = last < menu.rows.count
        self.frame = frame
        self.pitch = pitch
        self.isStacked = isStacked
    }

    private var used: Rect {
        var rect = frame
        rect.height = Double(rows.count) * pitch - Grid.rowGap
        return rect
    }

    func bounds(_ kit: Kit) -> Rect { used.inset(-focusReach - 2, -focusReach - (hasMoreAbove || hasMoreBelow ? 16 : 2)) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for isFocused in [false, true] {
            for (index, row) in rows.enumerated() where row.isFocused == isFocused {
                let rect = Rect(
                    x: frame.x, y: frame.y + Double(index) * pitch, width: frame.width, height: pitch - Grid.rowGap)
                draw(row, in: rect, canvas, kit)
            }
        }
        let tint = kit.theme.tints.text
        if hasMoreAbove { canvas.more(frame.midX, frame.y - focusReach - 4, direction: -1, tint) }
        if hasMoreBelow { canvas.more(frame.midX, used.maxY + focusReach + 4, direction: 1, tint) }
    }

    private var hasChoices: Bool {
        rows.contains { row in
            if case .choice = row.mark { return true }
            return false
        }
    }

    private func draw(_ row: MenuView.Row, in rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.ground(of: rect, radius: Radius.row, isFocused: row.isFocused, row.isEnabled ? tints.surface : nil, kit)
        let text = row.isFocused ? tints.focusedText : row.isEnabled ? tints.text : tints.disabledText
        // A fact, and why a row cannot be chosen, are to be read.
        let second = row.isFocused ? tints.focusedText : tints.secondaryTextOnSurface
        // From here on everything is laid out from left to right and then mirrored.
        var left = rect.x + Grid.rowInset, right = rect.maxX - Grid.rowInset
        var isCurrent = false
        if hasChoices {
            if case .choice(true) = row.mark {
                isCurrent = true
                let sign = kit.place(Rect(x: left, y: rect.midY - 15, width: 30, height: 30), in: rect)
                Sign.tick.draw(on: canvas, x: sign.midX, y: sign.midY, size: 30 * kit.theme.typeScale, text)
            }
            left += 30 * kit.theme.typeScale + 18
        }
        if let icon = row.icon {
            let size = (30 * kit.theme.typeScale).rounded()
            let place = kit.place(Rect(x: left, y: rect.midY - size / 2, width: size, height: size), in: rect)
            icon.draw(on: canvas, x: place.midX, y: place.midY, size: size, text)
            left += size + 22
        }
        switch row.mark {
        case .toggle(let isOn):
            let size = (width: 68.0, height: 36.0)
            let place = kit.place(
                Rect(x: right - size.width, y: rect.midY - size.height / 2, width: size.width, height: size.height), in: rect)
            canvas.toggle(
                place, isOn: isOn, isMirrored: kit.theme.isRightToLeft, ground: text,
                knob: row.isFocused ? tints.focusedGround : Tint(Palette.background))
            right -= size.width + 20
        case .submenu:
            let place = kit.place(Rect(x: right - 22, y: rect.midY - 11, width: 22, height: 22), in: rect)
            canvas.chevron(place.midX, place.midY, size: 20, direction: kit.theme.isRightToLeft ? -1 : 1, text)
            right -= 22 + 18
        case .none, .choice: break
        }
        if let value = row.value, !value.isEmpty {
            let style = kit.style(.body, tabularDigits: true)
            let width = min(kit.layout(value, style).bounds.width + 2, (right - left) * 0.55)
            let place = kit.place(Rect(x: right - width, y: rect.y, width: width, height: rect.height), in: rect)
            line(value, style, in: place, second, canvas, kit, alignment: kit.theme.trailing)
            right -= width + (row.swatch == nil ? 28 : 16)
        }
        if let swatch = row.swatch {
            let side = 28.0
            let place = kit.place(Rect(x: right - side, y: rect.midY - side / 2, width: side, height: side), in: rect)
            canvas.fill(place, radius: 6, Tint(swatch))
            canvas.stroke(place, radius: 6, width: 2, text)
            right -= side + 28
        }
        drawWords(of: row, isBold: isCurrent || row.isFocused, from: left, to: right, in: rect, text, second, canvas, kit)
    }

    private func drawWords(
        of row: MenuView.Row, isBold: Bool, from left: Double, to right: Double, in rect: Rect, _ text: Tint, _ second: Tint,
        _ canvas: Canvas, _ kit: Kit
    ) {
        let style = kit.style(.body, isBold ? .bold : .medium)
        guard let note = row.note, !note.isEmpty else {
            let place = kit.place(Rect(x: left, y: rect.y, width: right - left, height: rect.height), in: rect)
            return line(row.title, style, in: place, text, canvas, kit)
        }
        if isStacked {
            let title = kit.layout(row.title, kit.style(.body, isBold ? .bold : .medium, width: right - left))
            let small = kit.layout(note, kit.style(.caption2, width: right - left))
            let place = kit.place(Rect(x: left, y: rect.y, width: right - left, height: rect.height), in: rect)
            // In larger text the row has no room to spare: the space above the letters of a line is more than that below them.
            let up = kit.theme.hasLargerText ? 3.0 : 0
            let top = rect.midY - (title.bounds.height + small.bounds.height) / 2 - up
            canvas.text(title, x: place.x, y: top, text)
            canvas.text(small, x: place.x, y: top + title.bounds.height, second)
            return
        }
        let width = min(kit.layout(row.title, style).bounds.width + 2, (right - left) * 0.6)
        line(
            row.title, style, in: kit.place(Rect(x: left, y: rect.y, width: width, height: rect.height), in: rect), text, canvas,
            kit)
        let rest = Rect(x: left + width + 24, y: rect.y, width: max(right - left - width - 24, 1), height: rect.height)
        guard rest.width > 60 else { return }
        line(note, kit.style(.caption1), in: kit.place(rest, in: rect), second, canvas, kit)
    }

    /// One line, optically centred in a rectangle's height, or two when one is too short.
    private func line(
        _ words: String, _ style: TextStyle, in rect: Rect, _ tint: Tint, _ canvas: Canvas, _ kit: Kit,
        alignment: TextStyle.Alignment? = nil
    ) {
        var style = style
        style.width = rect.width
        if let alignment { style.alignment = alignment }
        var layout = kit.layout(words, style)
        if layout.isEllipsized {
            // Two smaller lines are better than a text that is cut off.
            style.size = min(style.size, Double(Metrics.TypeSize.caption1.pixels) * kit.theme.typeScale)
            style.lines = 2
            layout = kit.layout(words, style)
        }
        let up = layout.lineCount == 1 ? layout.opticalMiddle : layout.bounds.height / 2
        canvas.text(layout, x: rect.x, y: rect.midY - up, tint)
    }
}

/// The title of a menu that was opened from another, next to its rows.
struct MenuHeading: LayerContent {
    var title: String
    /// Its column, as in a left-to-right language.
    var frame: Rect

    func bounds(_ kit: Kit) -> Rect {
        let place = kit.place(frame, in: PanelGround.content(kit))
        let style = kit.style(.headline, .bold, width: frame.width, lines: 3)
        return Rect(x: place.x, y: place.y, width: place.width, height: kit.layout(title, style).bounds.height + 16)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var rest = bounds(kit)
        rest.y += 8
        canvas.write(title, kit.style(.headline, .bold, lines: 3), in: rest, kit.theme.tints.text)
    }
}
