import Screens

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
    /// A symbol before the text.
    var sign: Sign?
    var size = Metrics.TypeSize.body
    /// Whether it lies over the scrim, where its own background would not be seen.
    var isOnScrim = false
    /// The part of the safe area that it has, before mirroring.
    var area = Rect.safeArea

    private var padding: Double { isButtonHigh ? 36 : 26 }
    /// A button's corner radius over its height.
    static let buttonCorner = 0.28

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(
            words,
            kit.style(size, .bold, width: area.width - 2 * padding - 40, lines: 2, alignment: .left, tabularDigits: true)
        )
    }

    /// The height with one line, at a type size.
    static func height(_ kit: Kit, _ size: Metrics.TypeSize = .body) -> Double {
        (Double(size.pixels) * kit.theme.typeScale * 1.2 + 22).rounded()
    }

    /// The side of the symbol.
    private func signSize(_ kit: Kit) -> Double { (Double(size.pixels) * kit.theme.typeScale * 0.9).rounded() }

    /// The room for the dot or the symbol.
    private func lead(_ kit: Kit) -> Double { (hasDot ? 28 : 0) + (sign == nil ? 0 : signSize(kit) + 18) }

    func bounds(_ kit: Kit) -> Rect {
        let text = layout(kit).bounds
        let width = (text.width + 2 * padding + lead(kit)).rounded(.up)
        let height = isButtonHigh ? max(kit.rowHeight, (text.height + 22).rounded()) : (text.height + 22).rounded()
        let x: Double =
            switch side {
            case .leading: area.x
            case .centre: area.midX - width / 2
            case .trailing: area.maxX - width
            }
        return kit.place(Rect(x: x, y: bottom - height, width: width, height: height), in: .safeArea)
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
        }
        if let sign {
            let side = signSize(kit)
            let place = kit.place(Rect(x: x, y: rect.midY - side / 2, width: side, height: side), in: rect)
            sign.draw(on: canvas, x: place.midX, y: place.midY, size: side, tints.text)
        }
        if !kit.theme.isRightToLeft { x += lead(kit) }
        let up = text.lineCount == 1 ? text.opticalMiddle : text.bounds.height / 2
        canvas.text(text, x: x - text.bounds.x, y: rect.midY - up, kit.theme.tints.text)
    }
}

/// The action of Select, in the bottom trailing corner.
struct ActionButton: LayerContent {
    var title: String
    var isFocused: Bool

    /// Its lower edge, and that of the labels on its line: its ring ends with the safe area, and so it does not move when it has focus.
    static let bottom = Rect.safeArea.maxY - focusReach - 2

    private func frame(_ kit: Kit) -> Rect {
        let width = kit.width(of: ButtonFace(title: title)), height = kit.rowHeight
        let area = Rect.safeArea
        return kit.place(Rect(x: area.maxX - width, y: Self.bottom - height, width: width, height: height), in: area)
    }

    func bounds(_ kit: Kit) -> Rect { kit.reach(of: [frame(kit)]) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.button(ButtonFace(title: title, isFocused: isFocused), frame(kit), ground: kit.theme.tints.pill, kit)
    }
}

/// The bubble above the bar while scrubbing or scanning: the time, the chapter and how far the position has moved, with a thumbnail of that
/// position if there is one.
struct ScrubBubble: LayerContent {
    var time: String
    var chapter: String?
    var offset: String?
    var position: BarPosition
    var picture: LayerPicture?

    /// The bubble of a search.
    init(_ scrub: TransportBarView.Scrub, position: BarPosition, picture: LayerPicture?) {
        time = scrub.time
        chapter = scrub.chapter
        offset = scrub.offset
        self.position = position
        self.picture = picture
    }

    private static let bottom = Double(Metrics.Bar.frame.y - Metrics.Bar.thumbnailGap)
    /// The sum of the margins at the sides of its words.
    private static let margins = 56.0
    private static let gap = 20.0

    private var hasPicture: Bool { picture?.pixels != nil }

    private struct Lines {
        var time: TextLayout
        var chapter, offset: TextLayout?

        /// The width and height of the line under the time.
        var details: (width: Double, height: Double) {
            let parts = [chapter, offset].compactMap { $0?.bounds }
            guard !parts.isEmpty else { return (0, 0) }
            return (parts.reduce(-ScrubBubble.gap) { $0 + $1.width + ScrubBubble.gap }, parts.map(\.height).max() ?? 0)
        }
    }

    private func lines(_ kit: Kit) -> Lines {
        let time = kit.layout(time, kit.style(hasPicture ? .body : .title3, .bold, alignment: .left, tabularDigits: true))
        let offset = offset.map { kit.layout($0, kit.style(.caption1, .bold, alignment: .left, tabularDigits: true)) }
        let room = hasPicture ? Double(Metrics.Bar.thumbnailWidth) - Self.margins : 480
        let left = room - (offset.map { $0.bounds.width + Self.gap } ?? 0)
        let chapter = chapter.map { words in
            // As wide as its words, so that the line can be centred.
            let width = kit.layout(words, kit.style(.caption1)).bounds.width.rounded(.up) + 1
            return kit.layout(words, kit.style(.caption1, width: min(width, left)))
        }
        return Lines(time: time, chapter: chapter, offset: offset)
    }

    func bounds(_ kit: Kit) -> Rect {
        let lines = self.lines(kit)
        let text = (
            width: max(lines.time.bounds.width, lines.details.width), height: lines.time.bounds.height + lines.details.height
        )
        var size = (width: text.width + Self.margins, height: (text.height + 20).rounded())
        if hasPicture {
            size = (Double(Metrics.Bar.thumbnailWidth), (Double(Metrics.Bar.thumbnailHeight) + text.height + 14).rounded())
        }
        let middle = Double(Metrics.Bar.frame.x + position.pixels)
        let area = Rect.safeArea
        return area.enclosing(
            Rect(x: middle - size.width / 2, y: Self.bottom - size.height, width: size.width, height: size.height))
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let lines = self.lines(kit)
        let tints = kit.theme.tints
        canvas.fill(rect, radius: Radius.cell, tints.pill)
        var words = rect
        if hasPicture {
            let place = Rect(x: rect.x, y: rect.y, width: rect.width, height: Double(Metrics.Bar.thumbnailHeight))
            canvas.picture(picture?.pixels, in: place, radius: Radius.cell)
            canvas.stroke(rect, radius: Radius.cell, width: 3, .white(1, 0.9))
            words.y = place.maxY
            words.height = rect.maxY - place.maxY
        }
        let time = lines.time.bounds, details = lines.details
        let top = words.midY - (time.height + details.height) / 2
        canvas.text(lines.time, x: words.midX - time.width / 2 - time.x, y: top, tints.text)
        let row = Rect(
            x: words.midX - details.width / 2, y: top + time.height, width: details.width, height: details.height)
        var left = row.x
        for (layout, tint) in [(lines.chapter, tints.secondaryText), (lines.offset, tints.text)] {
            guard let layout else { continue }
            let place = kit.place(Rect(x: left, y: row.y, width: layout.bounds.width, height: row.height), in: row)
            canvas.text(layout, x: place.x - layout.bounds.x, y: row.y, tint)
            left += layout.bounds.width + Self.gap
        }
        canvas.stroke(rect, radius: Radius.cell, width: 2, tints.edge)
    }
}

/// What Up and Down lead to, above the bar at its trailing end: a chevron and a name each.
struct KeyNames: LayerContent {
    var above, below: String?

    private static let gap = 48.0
    private static let sign = 28.0

    private func layouts(_ kit: Kit) -> [(isAbove: Bool, words: TextLayout)] {
        [(true, above), (false, below)].compactMap { isAbove, words in
            words.map { (isAbove, kit.layout($0, kit.style(.caption1, .bold, alignment: .left))) }
        }
    }

    /// Its width from the trailing edge of the safe area.
    func width(_ kit: Kit) -> Double {
        layouts(kit).reduce(-Self.gap) { $0 + Self.sign + 14 + $1.words.bounds.width + Self.gap }
    }

    static func height(_ kit: Kit) -> Double {
        (Double(Metrics.TypeSize.caption1.pixels) * kit.theme.typeScale * 1.2 + 8).rounded(.up)
    }

    func bounds(_ kit: Kit) -> Rect {
        let width = width(kit).rounded(.up), height = Self.height(kit), area = Rect.safeArea
        return kit.place(Rect(x: area.maxX - width, y: TitleLine.bottom - height, width: width, height: height), in: area)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let rect = bounds(kit)
        let tint = kit.theme.tints.secondaryTextOnScrim
        var left = rect.x
        for (isAbove, words) in layouts(kit) {
            let sign = kit.place(Rect(x: left, y: rect.y, width: Self.sign, height: rect.height), in: rect)
            canvas.more(sign.midX, sign.midY, direction: isAbove ? -1 : 1, tint)
            left += Self.sign + 14
            let place = kit.place(Rect(x: left, y: rect.y, width: words.bounds.width, height: rect.height), in: rect)
            canvas.text(words, x: place.x - words.bounds.x, y: rect.midY - words.opticalMiddle, tint)
            left += words.bounds.width + Self.gap
        }
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
        let gap = Grid.buttonGap
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
        kit.reach(of: frames(kit))
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (button, rect) in zip(buttons(), frames(kit)) {
            canvas.button(
                button, rect, ground: kit.theme.tints.scrimControl, edge: kit.theme.tints.scrimControlEdge, kit)
        }
    }
}
