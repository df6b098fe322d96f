import Screens

/// The layout of a page of Settings: its title at the top, the menu on the leading half, text or a preview on the other.
enum SettingsPlaces {
    static let listWidth = 940.0
    static let pitch = 90.0

    static func top(_ kit: Kit) -> Double { kit.theme.hasLargerText ? 196 : 180 }

    /// The column of rows, mirrored with the interface.
    static func list(_ kit: Kit) -> Rect {
        let rect = Rect(
            x: Rect.safeArea.x, y: top(kit), width: listWidth, height: Rect.safeArea.maxY - top(kit))
        return kit.place(rect, in: .safeArea)
    }

    static func side(_ kit: Kit) -> Rect {
        let left = Rect.safeArea.x + listWidth + 82
        let rect = Rect(
            x: left, y: top(kit), width: Rect.safeArea.maxX - left, height: Rect.safeArea.maxY - top(kit))
        return kit.place(rect, in: .safeArea)
    }
}

/// What a page without rows says, in place of them: why it has none.
struct SettingsNote: LayerContent {
    var words: String

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(words, kit.proseStyle(.headline, width: SettingsPlaces.listWidth, lines: 6))
    }

    func bounds(_ kit: Kit) -> Rect {
        var area = SettingsPlaces.list(kit)
        area.height = layout(kit).bounds.height
        return area.inset(-4, -6)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = SettingsPlaces.list(kit)
        canvas.text(layout(kit), x: area.x, y: area.y, kit.theme.tints.text)
    }
}

/// The description of the focused row, and the title of the menu that is open within a page.
struct SettingsSide: LayerContent {
    var heading: String?
    var explanation: String?
    /// The lower edge of a preview above it.
    var top: Double
    /// The row beside which it stands, from the first on the screen; nil: at the top.
    var row: Int?

    /// Letters reach a little beyond the box of their line.
    private static let margin = 6.0

    private func layouts(_ kit: Kit) -> (heading: TextLayout?, explanation: TextLayout?) {
        let width = SettingsPlaces.side(kit).width
        return (
            heading.map { kit.layout($0, kit.style(.headline, .bold, width: width, lines: 3)) },
            explanation.map { kit.layout($0, kit.proseStyle(.body, width: width, lines: kit.theme.hasLargerText ? 6 : 8)) }
        )
    }

    func bounds(_ kit: Kit) -> Rect {
        let layouts = layouts(kit)
        let height = (layouts.heading.map { $0.bounds.height + 12 } ?? 0) + (layouts.explanation?.bounds.height ?? 0)
        var side = SettingsPlaces.side(kit)
        var y = side.y + top + 8
        if let row {
            // Its first line is that of the row's title; a long text ends with the screen.
            let middle = side.y + Double(row) * SettingsPlaces.pitch + (SettingsPlaces.pitch - Grid.rowGap) / 2
            let line = Double(Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.2
            y = max(min(middle - line / 2, side.maxY - height - Self.margin), side.y).rounded()
        }
        side.y = y
        side.height = height
        return side.inset(-4, -Self.margin)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit).inset(4, Self.margin), layouts = layouts(kit)
        var y = area.y
        if let heading = layouts.heading {
            canvas.text(heading, x: area.x, y: y, kit.theme.tints.text)
            y += heading.bounds.height + 12
        }
        if let explanation = layouts.explanation {
            canvas.text(explanation, x: area.x, y: y, kit.theme.tints.secondaryText)
        }
    }
}
