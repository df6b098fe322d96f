import PlayerInterface

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

/// The description of the focused row, and the title of the menu that is open within a page.
struct SettingsSide: LayerContent {
    var heading: String?
    var explanation: String?
    /// The lower edge of a preview above it.
    var top: Double

    func bounds(_ kit: Kit) -> Rect {
        var side = SettingsPlaces.side(kit)
        side.y += top
        side.height = min(side.height - top, 460)
        return side.inset(-4, 0)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var rest = bounds(kit).inset(4, 0)
        rest.y += 8
        if let heading {
            rest.y += canvas.write(heading, kit.style(.headline, .bold, lines: 3), in: rest, kit.theme.tints.text) + 12
        }
        canvas.write(
            explanation ?? "", kit.style(.body, lines: kit.theme.hasLargerText ? 6 : 8), in: rest, kit.theme.tints.secondaryText)
    }
}
