import PlayerInterface

/// Text on its own dark background, so that it can lie anywhere on the picture: labels, toasts, countdowns, hints.
struct Pill: LayerContent {
    /// Its side of the safe area.
    enum Side: Sendable, Hashable { case leading, centre, trailing }

    var words: String
    var side: Side
    var bottom: Double
    /// A dot before the text, in this colour.
    var hasDot = false
    /// Whether it has the height and the corners of a button, on whose line it is.
    var isButtonHigh = false
    var size = Metrics.TypeSize.body
    /// Whether it lies over the scrim, where its own background would not be seen.
    var isOnScrim = false

    private var padding: Double { isButtonHigh ? 36 : 26 }
    /// A button's corner radius over its height.
    static let buttonCorner = 0.28

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(
            words,
            kit.style(size, .bold, width: Rect.safeArea.width - 2 * padding - 40, lines: 2, alignment: .left, tabularDigits: true)
        )
    }

    /// The height with one line, at a type size.
    static func height(_ kit: Kit, _ size: Metrics.TypeSize = .body) -> Double {
        (Double(size.pixels) * kit.theme.typeScale * 1.2 + 22).rounded()
    }

    func bounds(_ kit: Kit) -> Rect {
        let text = layout(kit).bounds
        let width = (text.width + 2 * padding + (hasDot ? 28 : 0)).rounded(.up)
        let height = isButtonHigh ? max(kit.rowHeight, (text.height + 22).rounded()) : (text.height + 22).rounded()
        let area = Rect.safeArea
        let x: Double =
            switch side {
            case .leading: area.x
            case .centre: area.midX - width / 2
            case .trailing: area.maxX - width
            }
        return kit.place(Rect(x: x, y: bottom - height, width: width, height: height), in: area)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let text = layout(kit)
        let radius = isButtonHigh ? kit.rowHeight * Self.buttonCorner : min(rect.height / 2, Self.height(kit, size) / 2)
        let tints = kit.theme.tints
        canvas.fill(rect, radius: radius, isOnScrim ? tints.scrimControl : tints.pill)
        canvas.stroke(rect, radius: radius, width: 2, isOnScrim ? tints.scrimControlEdge : tints.edge)
        var x = rect.x + padding
        if hasDot {
            let dot = kit.place(Rect(x: x - 2, y: rect.midY - 8, width: 16, height: 16), in: rect)
            canvas.disc(dot.midX, dot.midY, radius: 8, Tint(Palette.dot))
            if !kit.theme.isRightToLeft { x += 28 }
        }
        let up = text.lineCount == 1 ? text.opticalMiddle : text.bounds.height / 2
        canvas.text(text, x: x - text.bounds.x, y: rect.midY - up, kit.theme.tints.text)
    }
}

/// The action of Select, in the bottom trailing corner.
struct ActionButton: LayerContent {
    var title: String
    var isFocused: Bool

    private func frame(_ kit: Kit) -> Rect {
        let width = kit.width(of: ButtonFace(title: title)), height = kit.rowHeight
        let area = Rect.safeArea
        return kit.place(Rect(x: area.maxX - width, y: area.maxY - height, width: width, height: height), in: area)
    }

    func bounds(_ kit: Kit) -> Rect { frame(kit).inset(-focusReach - 6, -focusReach - 3) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.button(ButtonFace(title: title, isFocused: isFocused), frame(kit), ground: kit.theme.tints.pill, kit)
    }
}

/// The time above the bar while scrubbing or scanning, with a thumbnail of that position if there is one.
struct ScrubBubble: LayerContent {
    var time: String
    var position: BarPosition
    var picture: Artwork?

    private static let bottom = Double(Metrics.Bar.frame.y - Metrics.Bar.thumbnailGap)

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(time, kit.style(picture?.pixels == nil ? .title3 : .body, .bold, alignment: .left, tabularDigits: true))
    }

    func bounds(_ kit: Kit) -> Rect {
        let text = layout(kit).bounds
        var size = (width: text.width + 56, height: (text.height + 20).rounded())
        if picture?.pixels != nil {
            size = (Double(Metrics.Bar.thumbnailWidth), Double(Metrics.Bar.thumbnailHeight) + text.height + 14)
        }
        let middle = Double(Metrics.Bar.frame.x + position.pixels)
        let area = Rect.safeArea
        return area.enclosing(
            Rect(x: middle - size.width / 2, y: Self.bottom - size.height, width: size.width, height: size.height))
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let text = layout(kit)
        canvas.fill(rect, radius: 16, kit.theme.tints.pill)
        if picture?.pixels != nil {
            let place = Rect(x: rect.x, y: rect.y, width: rect.width, height: Double(Metrics.Bar.thumbnailHeight))
            canvas.picture(picture?.pixels, in: place, radius: 16)
            canvas.stroke(rect, radius: 16, width: 3, .white(1, 0.9))
            let line = Rect(x: rect.x, y: place.maxY, width: rect.width, height: rect.maxY - place.maxY)
            canvas.text(text, centredIn: line, kit.theme.tints.text)
        } else {
            canvas.text(text, centredIn: rect, kit.theme.tints.text)
        }
        canvas.stroke(rect, radius: 16, width: 2, kit.theme.tints.edge)
    }
}

/// The row of actions above the bar, at its trailing end.
struct ActionRow: LayerContent {
    var titles: [String]
    var focused: Int?

    private func buttons() -> [ButtonFace] {
        titles.enumerated().map { ButtonFace(title: $1, isFocused: $0 == focused) }
    }

    private func frames(_ kit: Kit) -> [Rect] {
        let buttons = self.buttons()
        let gap = 28.0
        let width = buttons.reduce(-gap) { $0 + kit.width(of: $1) + gap }
        let area = Rect.safeArea
        let row = kit.place(
            Rect(x: area.maxX - width, y: TitleLine.bottom - kit.rowHeight, width: width, height: kit.rowHeight), in: area)
        return kit.row(buttons, in: row, gap: gap)
    }

    /// Its width from the trailing edge of the safe area.
    func width(_ kit: Kit) -> Double {
        guard let first = frames(kit).first else { return 0 }
        let row = frames(kit).reduce(first) { $0.union($1) }
        return row.width + 2 * (focusReach + 6)
    }

    func bounds(_ kit: Kit) -> Rect {
        let frames = self.frames(kit)
        return frames.dropFirst().reduce(frames[0]) { $0.union($1) }.inset(-focusReach - 6, -focusReach - 3)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (button, rect) in zip(buttons(), frames(kit)) {
            canvas.button(
                button, rect, ground: kit.theme.tints.scrimControl, edge: kit.theme.tints.scrimControlEdge, kit)
        }
    }
}
