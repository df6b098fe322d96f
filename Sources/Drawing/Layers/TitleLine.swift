import PlayerInterface

/// The title line, with its lower edge slightly above the bar.
struct TitleLine: LayerContent {
    var title: String
    var subtitle: String?
    /// The available width from the leading edge of the safe area.
    var width: Double

    /// The lower edge of the title line and of everything else on that line.
    static let bottom = Double(Metrics.Bar.frame.y - Metrics.Bar.titleGap)

    private func titleLayout(_ kit: Kit) -> TextLayout { kit.layout(title, kit.style(.title3, .bold, width: width)) }

    private func subtitleLayout(_ kit: Kit) -> TextLayout? {
        subtitle.map { kit.layout($0, kit.style(.body, width: width)) }
    }

    /// Its rectangle, including all lines.
    func frame(_ kit: Kit) -> Rect {
        let title = titleLayout(kit).bounds, subtitle = subtitleLayout(kit)?.bounds
        let height = title.height + (subtitle.map { $0.height + 2 } ?? 0)
        let used = min(max(title.width, subtitle?.width ?? 0) + 8, width)
        return kit.place(Rect(x: Rect.safeArea.x, y: Self.bottom - height, width: used, height: height), in: .safeArea)
    }

    func bounds(_ kit: Kit) -> Rect { frame(kit).inset(0, -10) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = self.frame(kit)
        let x = kit.place(Rect(x: Rect.safeArea.x, y: 0, width: width, height: 0), in: .safeArea).x
        let title = titleLayout(kit)
        canvas.text(title, x: x, y: frame.y, kit.theme.tints.text)
        guard let subtitle = subtitleLayout(kit) else { return }
        canvas.text(subtitle, x: x, y: frame.y + title.bounds.height + 2, kit.theme.tints.secondaryTextOnScrim)
    }
}
