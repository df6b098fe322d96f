import Screens

/// How far the focus ring reaches beyond a rectangle, in design pixels: a gap, the ring, and a dark line.
let focusReach = 3.0 + Double(Metrics.focusRing) + 3

/// What measuring and drawing need besides the content.
struct Kit {
    let fonts: FontSet
    let theme: InterfaceTheme
    let scale: Scale

    /// A style at one of the interface's type sizes, larger when the viewer chose larger text.
    func style(
        _ size: Metrics.TypeSize, _ weight: TextStyle.Weight = .medium, width: Double? = nil, lines: Int = 1,
        alignment: TextStyle.Alignment? = nil, tabularDigits: Bool = false, language: String? = nil
    ) -> TextStyle {
        TextStyle(
            Double(size.pixels) * theme.typeScale, weight, width: width, lines: lines, alignment: alignment ?? theme.leading,
            tabularDigits: tabularDigits, language: language ?? theme.language)
    }

    func layout(_ text: String, _ style: TextStyle) -> TextLayout { fonts.layout(text, style) }

    /// Whether a name has a word that is wider than a line, and would be broken in its midst. Scripts without capitals are broken where they may be.
    func breaksWord(of name: String, _ style: TextStyle, width: Double) -> Bool {
        name.split(separator: " ").contains { $0.contains(where: \.isCased) && layout(String($0), style).bounds.width > width }
    }

    /// The style of sentences: their last line is not a word or a character alone.
    func proseStyle(
        _ size: Metrics.TypeSize, _ weight: TextStyle.Weight = .medium, width: Double, lines: Int,
        alignment: TextStyle.Alignment? = nil
    ) -> TextStyle {
        var style = style(size, weight, width: width, lines: lines, alignment: alignment)
        style.avoidsShortEnd = true
        return style
    }

    /// The name of a page in the largest type in which it fits in one line, otherwise in the smallest of them, in as many lines as are permitted.
    func title(_ text: String, width: Double, lines: Int = 1) -> TextLayout {
        let sizes: [Metrics.TypeSize] = theme.hasLargerText ? [.title2, .title3, .headline] : [.title2, .title3]
        let fitting = sizes.lazy.map { layout(text, style($0, .bold, width: width)) }.first { !$0.isEllipsized }
        return fitting ?? layout(text, style(sizes[sizes.count - 1], .bold, width: width, lines: lines))
    }

    /// Height of a button or a row of a menu.
    var rowHeight: Double { max(66, (29 * theme.typeScale * 1.2 + 30).rounded()) }

    /// The width of a button.
    func width(of button: ButtonFace, minimum: Double = 180) -> Double {
        let text = layout(button.widestTitle, style(.body, .bold, tabularDigits: button.countsDown)).bounds.width
        return max((text + 72 + (button.countdown == nil && button.formerTitle == nil ? 0 : 52)).rounded(.up), minimum)
    }

    /// Mirrors a rectangle in its container when the interface runs from right to left.
    func place(_ rect: Rect, in container: Rect) -> Rect {
        theme.isRightToLeft
            ? Rect(x: container.x + container.maxX - rect.maxX, y: rect.y, width: rect.width, height: rect.height) : rect
    }

    /// Rectangles for a row of buttons that starts at the leading edge of `container`.
    func row(_ buttons: [ButtonFace], in container: Rect, gap: Double = Grid.buttonGap, centred: Bool = false) -> [Rect] {
        let widths = buttons.map { width(of: $0) }
        let total = widths.reduce(0, +) + gap * Double(max(buttons.count - 1, 0))
        var x = centred ? container.midX - total / 2 : container.x
        return widths.map { width in
            defer { x += width + gap }
            return place(Rect(x: x, y: container.y, width: width, height: rowHeight), in: container)
        }
    }

    /// The rectangle of a focused element: slightly larger, and moved so that its ring stays in the safe area.
    func grown(_ rect: Rect) -> Rect {
        let more = theme.reducesMotion ? 0 : Double(Metrics.focusScalePercent - 100) / 200
        return Rect.safeArea.inset(focusReach).enclosing(rect.inset(-rect.width * min(more, 6 / rect.width), -rect.height * more))
    }

    /// The rectangle of a focused button: it grows to both sides, and at an edge of the safe area only inwards, so that the gap to the next one stays.
    func grownButton(_ rect: Rect) -> Rect {
        let grown = grown(rect), area = Rect.safeArea.inset(focusReach)
        let more = theme.reducesMotion ? 0 : 6.0
        let left = max(rect.x - more, area.x)
        return Rect(x: left, y: grown.y, width: min(rect.maxX + more, area.maxX) - left, height: grown.height)
    }

    /// What buttons take, whichever of them has focus. There is at least one.
    func reach(of buttons: [Rect]) -> Rect {
        buttons.reduce(buttons[0]) { $0.union($1).union(grownButton($1)) }.inset(-focusReach - 1)
    }

    /// The rectangle of a focused row or key: it rests on the edge of the safe area, and its ring takes the place inside.
    func ringed(_ rect: Rect) -> Rect {
        let area = Rect.safeArea.inset(focusReach)
        let left = max(rect.x, area.x), top = max(rect.y, area.y)
        return Rect(x: left, y: top, width: min(rect.maxX, area.maxX) - left, height: min(rect.maxY, area.maxY) - top)
    }
}
