import Screens

/// The background of the information panel and its row of tabs.
struct PanelGround: LayerContent {
    var tabs: [PanelView.TabTitle]
    var selected: Int
    var isFocused: Bool

    /// The whole panel.
    static func frame(_ kit: Kit) -> Rect {
        var frame = Rect(Metrics.Panel.frame)
        // Larger type needs a taller panel; its upper edge and its sides do not move.
        frame.height += (kit.theme.typeScale - 1) * 320
        return frame
    }

    /// The height of the row of tabs.
    static func tabsHeight(_ kit: Kit) -> Double {
        (Double(Metrics.Panel.tabsHeight) * (1 + (kit.theme.typeScale - 1) * 0.6)).rounded()
    }

    /// The area below the tabs, without the margin.
    static func content(_ kit: Kit) -> Rect {
        let frame = self.frame(kit), tabs = tabsHeight(kit), margin = Grid.panelInset
        return Rect(
            x: frame.x + margin, y: frame.y + tabs + 24, width: frame.width - 2 * margin,
            height: frame.height - tabs - 24 - margin)
    }

    func bounds(_ kit: Kit) -> Rect { Self.frame(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = Self.frame(kit)
        let tints = kit.theme.tints
        canvas.panel(frame, radius: Radius.panel)
        let row = Rect(x: frame.x + 24, y: frame.y, width: frame.width - 48, height: Self.tabsHeight(kit))
        canvas.fill(
            Rect(x: frame.x + Grid.panelInset, y: row.maxY - 1, width: frame.width - 2 * Grid.panelInset, height: 2),
            tints.text.faded(0.14))
        var x = row.x
        for (index, tab) in tabs.enumerated() {
            let isSelected = index == selected
            let words = kit.layout(tab.title, kit.style(.caption1, .bold, alignment: .left))
            let width = words.bounds.width + 48
            let height = row.height - 18
            let pill = kit.place(Rect(x: x, y: row.y + 9, width: width, height: height), in: row)
            let radius = height / 2
            if isSelected, isFocused {
                canvas.fill(pill.inset(4), radius: radius - 4, tints.focusedGround)
                canvas.stroke(pill.inset(-3), radius: radius + 3, width: Double(Metrics.focusRing), tints.focusRing)
            } else if isSelected {
                canvas.fill(pill, radius: radius, tints.text.faded(0.22))
                // The edge has 3:1; the ground alone has 2:1.
                canvas.stroke(pill, radius: radius, width: 2, tints.scrimControlEdge)
            }
            let tint = isSelected && isFocused ? tints.focusedText : isSelected ? tints.text : tints.secondaryText
            canvas.text(words, x: pill.midX - words.bounds.width / 2, y: pill.midY - words.opticalMiddle, tint)
            // A disabled tab is struck through, not only grey.
            if !tab.isEnabled {
                canvas.fill(Rect(x: pill.x + 18, y: pill.midY - 1, width: pill.width - 36, height: 2), tints.secondaryText)
            }
            x += width + 12
        }
    }
}
