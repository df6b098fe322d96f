import PlayerInterface

/// The top of Home: the provider's name, or why not everything can be played, and the focused entry in large type.
struct HomeHeader: LayerContent {
    var provider: String?
    /// What the viewer should know about all of Home, in place of the provider's name.
    var notice: String?
    var title: String?
    var subtitle: String?
    /// Whether the video is in the corner next to it.
    var hasCorner: Bool

    private static let area = Rect(
        x: Rect.safeArea.x, y: Rect.safeArea.y, width: Rect.safeArea.width,
        height: Double(Metrics.Home.firstRowTop) - 24 - Rect.safeArea.y)

    func bounds(_ kit: Kit) -> Rect {
        var area = Self.area
        if hasCorner { area.width -= Double(Metrics.Video.cornerFrame(isRightToLeft: false).width) + 48 }
        return kit.place(area, in: Self.area)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        var rest = area
        rest.y += 4
        if let notice {
            draw(notice, in: rest, on: canvas, kit)
        } else if let provider, !provider.isEmpty {
            let name = kit.layout(provider, kit.style(.callout, .bold, width: rest.width * 0.42))
            let place = kit.place(Rect(x: rest.x, y: rest.y, width: rest.width * 0.42, height: 0), in: area)
            canvas.text(name, x: place.x, y: rest.y + kit.rowHeight / 2 + 6 - name.opticalMiddle, kit.theme.tints.secondaryText)
        }
        rest.y += kit.rowHeight + 22
        rest.y +=
            canvas.write(
                title ?? "", kit.style(.title2, .bold, lines: kit.theme.hasLargerText ? 1 : 2), in: rest, kit.theme.tints.text)
            + 6
        guard rest.y + 40 < area.maxY else { return }
        canvas.write(subtitle ?? "", kit.style(.body), in: rest, kit.theme.tints.secondaryText)
    }

    private func draw(_ notice: String, in area: Rect, on canvas: Canvas, _ kit: Kit) {
        let size = 34 * kit.theme.typeScale
        let line = Rect(x: area.x, y: area.y, width: area.width * 0.5, height: kit.rowHeight + 12)
        let sign = kit.place(Rect(x: line.x, y: line.midY - size / 2, width: size, height: size), in: area)
        Sign.warning.draw(on: canvas, x: sign.midX, y: sign.midY, size: size, kit.theme.tints.text)
        let words = kit.place(
            Rect(x: line.x + size + 16, y: line.y, width: line.width - size - 16, height: line.height), in: area)
        let layout = kit.layout(notice, kit.style(.caption1, .bold, width: words.width, lines: 2))
        let up = layout.lineCount == 1 ? layout.opticalMiddle : layout.bounds.height / 2
        canvas.text(layout, x: words.x, y: words.midY - up, kit.theme.tints.text)
    }
}

/// Search, Guide and Settings, at the top next to the provider's name.
struct HomeButtons: LayerContent {
    var buttons: [ButtonFace]
    /// Whether the video is in the corner next to them.
    var hasCorner: Bool

    private func frames(_ kit: Kit) -> [Rect] {
        var area = Rect.safeArea
        if hasCorner { area.width -= Double(Metrics.Video.cornerFrame(isRightToLeft: false).width) + 48 }
        let total = buttons.reduce(-20) { $0 + kit.width(of: $1, minimum: 120) + 20 }
        var x = area.maxX - focusReach - total
        return buttons.map { button in
            let width = kit.width(of: button, minimum: 120)
            defer { x += width + 20 }
            let rect = Rect(x: x, y: area.y + focusReach, width: width, height: kit.rowHeight)
            return kit.place(rect, in: .safeArea)
        }
    }

    func bounds(_ kit: Kit) -> Rect {
        let frames = self.frames(kit)
        return frames.dropFirst().reduce(frames[0]) { $0.union($1) }.inset(-focusReach - 6, -focusReach - 3)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (button, rect) in zip(buttons, frames(kit)) { canvas.button(button, rect, kit) }
    }
}

/// The message on an empty Home.
struct HomeMessage: LayerContent {
    var words: String

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(words, kit.style(.headline, width: 1200, lines: 3, alignment: .centre))
    }

    func bounds(_ kit: Kit) -> Rect {
        let height = layout(kit).bounds.height
        return Rect(x: 360, y: 540 - height / 2, width: 1200, height: height).inset(0, -8)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let layout = self.layout(kit)
        canvas.text(layout, x: 360, y: 540 - layout.bounds.height / 2, kit.theme.tints.text)
    }
}

/// A row of Home: its heading and the visible entries. It is drawn for the first position on the screen and moved from there.
struct HomeRow: LayerContent {
    struct Cell: Sendable, Equatable {
        var entry: HomeContent.Entry
        var picture: Artwork?
        /// Its position: 0 is the first fully visible one; -1 and 5 are cut by the edges of the screen.
        var slot: Int
        var isFocused: Bool
        /// Whether it cannot have focus now.
        var isDimmed = false
    }

    var title: String
    /// What its entries are.
    var style: HomeContent.Row.Style
    var cells: [Cell]

    private static let width = Double(Metrics.Home.posterWidth)
    private static let height = Double(Metrics.Home.posterHeight)
    private static let pitch = width + Double(Metrics.Home.posterSpacing)

    private func postersTop(_ kit: Kit) -> Double {
        Double(Metrics.Home.firstRowTop)
            + (Double(Metrics.TypeSize.callout.pixels) * kit.theme.typeScale * 1.2 + (kit.theme.hasLargerText ? 24 : 18))
            .rounded()
    }

    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        let left = cells.contains { $0.slot < 0 } ? screen.x : Rect.safeArea.x
        let right = cells.contains { $0.slot >= Metrics.Home.postersPerScreen } ? screen.maxX : Rect.safeArea.maxX
        let area = Rect(
            x: left, y: Double(Metrics.Home.firstRowTop), width: right - left, height: Double(Metrics.Home.rowPitch) - 4)
        return kit.theme.isRightToLeft ? area.mirrored(in: 1920) : area
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var heading = Rect.safeArea
        heading.y = Double(Metrics.Home.firstRowTop)
        canvas.write(title, kit.style(.callout, .bold), in: heading, kit.theme.tints.text)
        // The focused entry is drawn over its neighbours.
        for cell in cells where !cell.isFocused { draw(cell, canvas, kit) }
        for cell in cells where cell.isFocused { draw(cell, canvas, kit) }
    }

    private func draw(_ cell: Cell, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let slot = Rect(
            x: Rect.safeArea.x + Double(cell.slot) * Self.pitch, y: postersTop(kit), width: Self.width, height: Self.height)
        let place = kit.place(slot, in: .safeArea)
        let poster = cell.isFocused ? kit.grown(place) : place
        drawPicture(cell, in: poster, canvas, kit)
        if let percent = cell.entry.watchedPercent {
            let bar = Rect(x: poster.x + 14, y: poster.maxY - 20, width: poster.width - 28, height: 6)
            canvas.fill(bar.inset(-3), radius: 6, .white(0, 0.6))
            canvas.fill(bar, radius: 3, tints.track)
            var part = bar
            part.width *= min(max(Double(percent) / 100, 0.04), 1)
            canvas.fill(part, radius: 3, tints.text)
        }
        // A picture shows through, so that the viewer finds it again when it can be played.
        if cell.isDimmed { canvas.fill(poster, radius: 14, Tint(Palette.background).faded(0.7)) }
        if let saving = cell.entry.saving, (0..<Metrics.Home.postersPerScreen).contains(cell.slot) {
            draw(saving, at: poster, canvas, kit)
        }
        if cell.isFocused { canvas.focusRing(round: poster, radius: 14) }
        // The text of entries cut by the edge of the screen would leave the safe area.
        guard (0..<Metrics.Home.postersPerScreen).contains(cell.slot) else { return }
        var words = Rect(x: place.x + 2, y: place.maxY + 18, width: place.width - 4, height: 0)
        words.y += canvas.write(
            cell.entry.title, kit.style(.caption1, .bold), in: words, cell.isFocused ? tints.text : tints.secondaryText)
        if let subtitle = cell.entry.subtitle, !kit.theme.hasLargerText {
            canvas.write(subtitle, kit.style(.caption2), in: words, tints.secondaryText)
        }
    }

    /// The badge of a saved programme, in the trailing upper corner: a tick, or an arrow with the saved part as a ring round it.
    private func draw(_ saving: HomeContent.Saving, at poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let side = 44 * kit.theme.typeScale
        let badge = kit.place(Rect(x: poster.maxX - 12 - side, y: poster.y + 12, width: side, height: side), in: poster)
        canvas.disc(badge.midX, badge.midY, radius: side / 2, tints.pill)
        switch saving {
        case .saved: Sign.tick.draw(on: canvas, x: badge.midX, y: badge.midY, size: side * 0.5, tints.text)
        case .waiting: Sign.download.draw(on: canvas, x: badge.midX, y: badge.midY, size: side * 0.5, tints.secondaryText)
        case .saving(let percent):
            let part = Double(min(max(percent, 0), 100)) / 100
            canvas.arc(badge.midX, badge.midY, radius: side / 2 - 4, from: 0, to: 1, width: 4, tints.text.faded(0.3))
            canvas.arc(badge.midX, badge.midY, radius: side / 2 - 4, from: -0.25, to: part - 0.25, width: 4, tints.text)
            Sign.download.draw(on: canvas, x: badge.midX, y: badge.midY, size: side * 0.4, tints.text)
        }
    }

    private func drawPicture(_ cell: Cell, in poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let isWhole = (0..<Metrics.Home.postersPerScreen).contains(cell.slot)
        if cell.entry.isLocked {
            // The picture would reveal what the PIN protects.
            canvas.fill(poster, radius: 14, tints.placeholder)
            canvas.stroke(poster, radius: 14, width: 2, tints.edge)
            return Sign.lock.draw(on: canvas, x: poster.midX, y: poster.midY, size: 56, .white(1))
        }
        guard cell.picture?.pixels != nil else { return drawPlaceholder(cell, in: poster, isWhole: isWhole, canvas, kit) }
        if style == .channels {
            // A channel's icon is shown whole, not cropped to the shape of a poster.
            canvas.fill(poster, radius: 14, tints.placeholder)
            canvas.stroke(poster, radius: 14, width: 2, tints.edge)
            let shape = cell.picture.flatMap { $0.pixels.map { Double($0.width) / Double(max($0.height, 1)) } } ?? 1
            let isWide = shape > 1.5
            canvas.picture(
                cell.picture?.pixels, in: isWide ? poster : poster.inset(60, 24), radius: isWide ? 14 : 8, isWide ? .fill : .fit)
        } else {
            canvas.picture(cell.picture?.pixels, in: poster, radius: 14)
        }
        guard let number = cell.entry.number, isWhole else { return }
        let layout = kit.layout("\(number)", kit.style(.caption1, .bold, alignment: .left, tabularDigits: true))
        let width = max(layout.bounds.width + 24, 44)
        let badge = kit.place(
            Rect(x: poster.x + 12, y: poster.y + 12, width: width, height: 25 * kit.theme.typeScale + 15), in: poster)
        canvas.fill(badge, radius: 10, tints.pill)
        canvas.text(layout, centredIn: badge, tints.text)
    }

    /// Text in place of a picture.
    private func drawPlaceholder(_ cell: Cell, in poster: Rect, isWhole: Bool, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        canvas.fill(poster, radius: 14, tints.placeholder)
        canvas.stroke(poster, radius: 14, width: 2, tints.edge)
        guard isWhole else { return }
        let words = cell.entry.number.map(String.init) ?? cell.entry.title
        let size: Metrics.TypeSize = cell.entry.number == nil ? .body : .title1
        let layout = kit.layout(words, kit.style(size, .bold, width: poster.width - 36, lines: 3, alignment: .centre))
        let up = layout.lineCount == 1 ? layout.opticalMiddle : layout.bounds.height / 2
        canvas.text(layout, x: poster.x + 18, y: poster.midY - up, tints.text)
    }
}

/// The ring around the video in the corner: inside its edge, which is also the safe area's.
struct CornerFocus: LayerContent {
    var frame: Rect

    func bounds(_ kit: Kit) -> Rect { frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        canvas.stroke(frame, width: 10, kit.theme.tints.focusEdge)
        canvas.stroke(frame.inset(2), radius: 4, width: 6, kit.theme.tints.focusRing)
    }
}
