import Screens

/// The title line, with its lower edge slightly above the bar.
struct TitleLine: LayerContent {
    /// The channel's number, before the title.
    var number: Int?
    var title: String
    var subtitle: String?
    /// The available width from the leading edge of the safe area.
    var width: Double

    /// The lower edge of the title line and of everything else on that line.
    static let bottom = Double(Metrics.Bar.frame.y - Metrics.Bar.titleGap)

    private func numberLayout(_ kit: Kit) -> TextLayout? {
        number.map { kit.layout("\($0)", kit.style(.title3, .bold, alignment: .left, tabularDigits: true)) }
    }

    /// The room for the number.
    private func inset(_ kit: Kit) -> Double { numberLayout(kit).map { $0.bounds.width + 24 } ?? 0 }

    private func titleLayout(_ kit: Kit) -> TextLayout {
        kit.layout(title, kit.style(.title3, .bold, width: width - inset(kit)))
    }

    private func subtitleLayout(_ kit: Kit) -> TextLayout? {
        subtitle.map { kit.layout($0, kit.style(.body, width: width - inset(kit))) }
    }

    /// Its rectangle, including all lines.
    func frame(_ kit: Kit) -> Rect {
        let title = titleLayout(kit).bounds, subtitle = subtitleLayout(kit)?.bounds
        let height = title.height + (subtitle.map { $0.height + 2 } ?? 0)
        let used = min(max(title.width, subtitle?.width ?? 0) + 8 + inset(kit), width)
        return kit.place(Rect(x: Rect.safeArea.x, y: Self.bottom - height, width: used, height: height), in: .safeArea)
    }

    func bounds(_ kit: Kit) -> Rect { frame(kit).inset(0, -10) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = self.frame(kit)
        let inset = inset(kit)
        let x = kit.place(Rect(x: Rect.safeArea.x + inset, y: 0, width: width - inset, height: 0), in: .safeArea).x
        if let number = numberLayout(kit) {
            let place = kit.place(Rect(x: Rect.safeArea.x, y: 0, width: number.bounds.width, height: 0), in: .safeArea)
            canvas.text(number, x: place.x - number.bounds.x, y: frame.y, kit.theme.tints.secondaryTextOnScrim)
        }
        let title = titleLayout(kit)
        canvas.text(title, x: x, y: frame.y, kit.theme.tints.text)
        guard let subtitle = subtitleLayout(kit) else { return }
        canvas.text(subtitle, x: x, y: frame.y + title.bounds.height + 2, kit.theme.tints.secondaryTextOnScrim)
    }
}

/// The title while scrubbing: one line beside the bubble, on the line of its lower edge.
struct ScrubTitle: LayerContent {
    var title: String
    /// Its left and right edges.
    var left, right: Double

    /// A title at the leading end of a free stretch of the line.
    init(_ title: String, left: Double, right: Double, _ kit: Kit) {
        self.title = title
        let wanted = kit.layout(title, kit.style(.headline, .bold)).bounds.width.rounded(.up) + 8
        // Not wider than its words, so that it stays the same while the bubble moves.
        let width = min(wanted, right - left)
        self.left = kit.theme.isRightToLeft ? right - width : left
        self.right = self.left + width
    }

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(title, kit.style(.headline, .bold, width: right - left, alignment: kit.theme.leading))
    }

    func bounds(_ kit: Kit) -> Rect {
        let height = layout(kit).bounds.height
        return Rect(x: left, y: TitleLine.bottom - height, width: right - left, height: height).inset(-2)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let layout = self.layout(kit)
        canvas.text(layout, x: left, y: TitleLine.bottom - layout.bounds.height, kit.theme.tints.text)
    }
}
