import Screens

/// The top of Home: the time, the provider's name or why not everything can be played, and what the focused entry is.
struct HomeHeader: LayerContent {
    /// The time of day.
    var clock: String?
    var provider: String?
    /// What the viewer should know about all of Home, in place of the provider's name.
    var notice: String?
    var title: String?
    /// The second line and the facts of the focused entry.
    var facts: [String] = []
    var summary: String?
    /// Whether the video is in the corner next to it.
    var hasCorner: Bool
    /// The room of the buttons at the trailing end of its first line.
    var buttonsWidth = 0.0

    init(clock: String?, provider: String?, notice: String?, hasCorner: Bool) {
        self.clock = clock
        self.provider = provider
        self.notice = notice
        self.hasCorner = hasCorner
    }

    func bounds(_ kit: Kit) -> Rect {
        let grid = kit.theme.hasLargerText ? Metrics.Home.Grid.larger : .standard
        var area = Rect.safeArea
        area.height = Double(grid.firstRowTop) - 16 - area.y
        if hasCorner { area.width -= Double(Metrics.Video.cornerFrame(isRightToLeft: false).width) + 48 }
        return kit.place(area, in: .safeArea)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        drawTop(in: area, canvas, kit)
        let width = min(area.width, HeroArt.textWidth(kit))
        var rest = kit.place(Rect(x: area.x, y: area.y + kit.rowHeight + 6, width: width, height: 0), in: area)
        rest.y += canvas.write(title ?? "", kit.style(.title3, .bold), in: rest, kit.theme.tints.text) + 2
        let words = String.facts(facts, isRightToLeft: kit.theme.isRightToLeft)
        rest.y += canvas.write(words, kit.style(.caption1, .bold), in: rest, kit.theme.tints.secondaryTextOnScrim) + 8
        let line = Double(Metrics.TypeSize.caption1.pixels) * kit.theme.typeScale * 1.2
        let lines = min(Int((area.maxY - rest.y + 0.5) / line), 2)
        guard let summary, lines > 0 else { return }
        canvas.write(summary, kit.style(.caption1, lines: lines), in: rest, kit.theme.tints.text)
    }

    /// The line beside the buttons.
    private func drawTop(in area: Rect, _ canvas: Canvas, _ kit: Kit) {
        let width = min(area.width - buttonsWidth, HeroArt.textWidth(kit))
        let room = Rect(x: area.x, y: area.y, width: width, height: kit.rowHeight + 12)
        var left = room.x
        if let clock {
            let layout = kit.layout(clock, kit.style(.callout, .bold, alignment: .left, tabularDigits: true))
            let place = kit.place(Rect(x: left, y: room.y, width: layout.bounds.width, height: room.height), in: area)
            canvas.text(layout, x: place.x - layout.bounds.x, y: place.midY - layout.opticalMiddle, kit.theme.tints.text)
            left += layout.bounds.width + 28
        }
        let rest = Rect(x: left, y: room.y, width: room.maxX - left, height: room.height)
        guard rest.width > 160 else { return }
        if let notice {
            draw(notice, in: kit.place(rest, in: area), on: canvas, kit)
        } else if let provider, !provider.isEmpty {
            let place = kit.place(rest, in: area)
            let name = kit.layout(provider, kit.style(.callout, .bold, width: place.width))
            canvas.text(name, x: place.x, y: place.midY - name.opticalMiddle, kit.theme.tints.secondaryTextOnScrim)
        }
    }

    private func draw(_ notice: String, in area: Rect, on canvas: Canvas, _ kit: Kit) {
        let size = 34 * kit.theme.typeScale
        let line = area
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

    /// The room that they take, with the space before them.
    func width(_ kit: Kit) -> Double {
        buttons.isEmpty ? 0 : buttons.reduce(12) { $0 + kit.width(of: $1, minimum: 120) + Grid.buttonGap }
    }

    private func frames(_ kit: Kit) -> [Rect] {
        var area = Rect.safeArea
        if hasCorner { area.width -= Double(Metrics.Video.cornerFrame(isRightToLeft: false).width) + 48 }
        let total = buttons.reduce(-Grid.buttonGap) { $0 + kit.width(of: $1, minimum: 120) + Grid.buttonGap }
        var x = area.maxX - total
        return buttons.map { button in
            let width = kit.width(of: button, minimum: 120)
            defer { x += width + Grid.buttonGap }
            let rect = Rect(x: x, y: area.y + focusReach, width: width, height: kit.rowHeight)
            return kit.place(rect, in: .safeArea)
        }
    }

    func bounds(_ kit: Kit) -> Rect {
        kit.reach(of: frames(kit))
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        // Opaque, over artwork.
        let ground = kit.theme.tints.control.over(Tint(Palette.background))
        for (button, rect) in zip(buttons, frames(kit)) { canvas.button(button, rect, ground: ground, kit) }
    }
}

/// The message on an empty Home.
struct HomeMessage: LayerContent {
    var words: String

    private func layout(_ kit: Kit) -> TextLayout {
        kit.layout(words, kit.proseStyle(.headline, width: 1200, lines: 3, alignment: .centre))
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
struct HomeRowLayer: LayerContent {
    struct Cell: Sendable, Equatable {
        var entry: HomeContent.Entry
        var picture: LayerPicture?
        /// Its position: 0 is the first fully visible one; -1 and 5 are cut by the edges of the screen.
        var slot: Int
        var isFocused: Bool
        /// Whether it cannot have focus now.
        var isDimmed = false
        /// Whether it is a favourite channel.
        var isFavourite = false
    }

    var title: String
    /// What its entries are.
    var style: HomeContent.Row.Style
    /// The badge of a watched programme.
    var watched: String
    var grid: Metrics.Home.Grid
    /// Whether all of it is on the screen, and not only its heading and the upper part of its pictures.
    var isWhole: Bool
    var cells: [Cell]
    /// Its upper edge, from which Home moves it.
    var top: Double

    private var columns: Range<Int> { 0..<grid.postersPerScreen }

    /// Where the pictures of a row begin, whose heading begins at `top`.
    static func postersTop(_ grid: Metrics.Home.Grid, top: Double, _ kit: Kit) -> Double {
        top + (Double(Metrics.TypeSize.callout.pixels) * kit.theme.typeScale * 1.2 + Double(grid.pictureGap)).rounded()
    }

    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        let left = cells.contains { $0.slot < 0 } ? screen.x : Rect.safeArea.x
        let right = cells.contains { $0.slot >= grid.postersPerScreen } ? screen.maxX : Rect.safeArea.maxX
        // The row that looks in ends with the screen.
        let room = isWhole ? Double(grid.rowHeight) : screen.maxY - top - Double(grid.rowsPerScreen * grid.rowPitch)
        let area = Rect(x: left, y: top, width: right - left, height: min(room, Double(grid.rowHeight)))
        return kit.theme.isRightToLeft ? area.mirrored(in: 1920) : area
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        var heading = Rect.safeArea
        heading.y = top
        canvas.write(title, kit.style(.callout, .bold), in: heading, kit.theme.tints.text)
        for cell in cells { draw(cell, canvas, kit) }
    }

    /// The rectangle of a cell's picture without focus.
    fileprivate func place(of cell: Cell, _ kit: Kit) -> Rect {
        let slot = Rect(
            x: Rect.safeArea.x + Double(cell.slot * (grid.posterWidth + grid.posterSpacing)),
            y: Self.postersTop(grid, top: top, kit),
            width: Double(grid.posterWidth), height: Double(grid.posterHeight))
        return kit.place(slot, in: .safeArea)
    }

    /// Draws a cell's picture with what lies on it.
    fileprivate func drawPoster(_ cell: Cell, in poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        drawPicture(cell, in: poster, canvas, kit)
        if let percent = cell.entry.watchedPercent {
            let bar = Rect(x: poster.x + 14, y: poster.maxY - 20, width: poster.width - 28, height: 6)
            canvas.progress(percent, in: bar, least: 0.04, on: .picture, kit)
        }
        if cell.entry.isWatched, isWhole, columns.contains(cell.slot) { drawWatched(on: poster, canvas, kit) }
        // A picture shows through, so that the viewer finds it again when it can be played.
        if cell.isDimmed { canvas.fill(poster, radius: Radius.row, Tint(Palette.background).faded(0.7)) }
        guard isWhole, columns.contains(cell.slot) else { return }
        if let saving = cell.entry.saving { draw(saving, at: poster, canvas, kit) }
        if cell.isFavourite {
            let badge = drawBadge(at: poster, canvas, kit)
            Sign.star.draw(on: canvas, x: badge.midX, y: badge.midY, size: badge.width * 0.62, kit.theme.tints.text)
        }
    }

    /// A tick and the word for watched, in the leading lower corner.
    private func drawWatched(on poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints, side = 24 * kit.theme.typeScale
        let layout = kit.layout(watched, kit.style(.caption2, .bold, alignment: .left))
        let width = min(layout.bounds.width + side + 34, poster.width - 24)
        let height = (layout.bounds.height + 10).rounded()
        let badge = kit.place(Rect(x: poster.x + 12, y: poster.maxY - 12 - height, width: width, height: height), in: poster)
        canvas.fill(badge, radius: Radius.badge, tints.pill)
        canvas.stroke(badge, radius: Radius.badge, width: 2, tints.edge)
        let sign = kit.place(Rect(x: badge.x + 12, y: badge.midY - side / 2, width: side, height: side), in: badge)
        Sign.tick.draw(on: canvas, x: sign.midX, y: sign.midY, size: side * 0.75, tints.text)
        let left = kit.theme.isRightToLeft ? badge.x + 12 : badge.x + side + 22
        canvas.text(layout, x: left - layout.bounds.x, y: badge.midY - layout.opticalMiddle, tints.text)
    }

    private func draw(_ cell: Cell, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let place = place(of: cell, kit)
        // The focused one is a layer of its own (`HomeFocus`).
        if !cell.isFocused { drawPoster(cell, in: place, canvas, kit) }
        // The text of entries cut by the edge of the screen would leave the safe area.
        guard isWhole, columns.contains(cell.slot) else { return }
        var words = Rect(x: place.x + 2, y: place.maxY + Double(grid.captionGap), width: place.width - 4, height: 0)
        words.y += canvas.write(
            cell.entry.title, kit.style(.caption1, .bold, lines: grid.titleLines), in: words,
            cell.isFocused ? tints.text : tints.secondaryText)
        if let subtitle = cell.entry.subtitle {
            canvas.write(subtitle, kit.style(.caption2), in: words, tints.secondaryText)
        }
    }

    /// The ground of a badge in the trailing upper corner: a disc.
    private func drawBadge(at poster: Rect, _ canvas: Canvas, _ kit: Kit) -> Rect {
        let side = 44 * kit.theme.typeScale
        let badge = kit.place(Rect(x: poster.maxX - 12 - side, y: poster.y + 12, width: side, height: side), in: poster)
        canvas.disc(badge.midX, badge.midY, radius: side / 2, kit.theme.tints.pill)
        return badge
    }

    /// The badge of a saved programme: a tick, or an arrow with the saved part as a ring round it.
    private func draw(_ saving: HomeContent.Saving, at poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let badge = drawBadge(at: poster, canvas, kit), side = badge.width
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
        let isWhole = self.isWhole && columns.contains(cell.slot)
        if cell.entry.isLocked {
            // The picture would reveal what the PIN protects.
            canvas.fill(poster, radius: Radius.row, tints.placeholder)
            canvas.stroke(poster, radius: Radius.row, width: 2, tints.edge)
            return Sign.lock.draw(on: canvas, x: poster.midX, y: poster.midY, size: 56, .white(1))
        }
        guard cell.picture?.pixels != nil else { return drawPlaceholder(cell, in: poster, isWhole: isWhole, canvas, kit) }
        if style == .channels {
            // A channel's icon is shown whole, not cropped to the shape of a poster.
            canvas.fill(poster, radius: Radius.row, tints.placeholder)
            canvas.stroke(poster, radius: Radius.row, width: 2, tints.edge)
            let shape = cell.picture.flatMap { $0.pixels.map { Double($0.width) / Double(max($0.height, 1)) } } ?? 1
            let isWide = shape > 1.5
            canvas.picture(
                cell.picture?.pixels, in: isWide ? poster : poster.inset(60, 24), radius: isWide ? Radius.row : 8,
                isWide ? .fill : .fit)
        } else {
            canvas.picture(cell.picture?.pixels, in: poster, radius: Radius.row)
        }
        if let number = cell.entry.number, isWhole { drawNumber(number, on: poster, canvas, kit) }
    }

    private static func numberHeight(_ kit: Kit) -> Double {
        (Double(Metrics.TypeSize.caption1.pixels) * kit.theme.typeScale + 15).rounded()
    }

    /// A channel's number, in the leading upper corner.
    private func drawNumber(_ number: Int, on poster: Rect, _ canvas: Canvas, _ kit: Kit) {
        let layout = kit.layout("\(number)", kit.style(.caption1, .bold, alignment: .left, tabularDigits: true))
        let width = max(layout.bounds.width + 24, 44)
        let badge = kit.place(
            Rect(x: poster.x + 12, y: poster.y + 12, width: width, height: Self.numberHeight(kit)), in: poster)
        canvas.fill(badge, radius: Radius.badge, kit.theme.tints.pill)
        canvas.text(layout, centredIn: badge, kit.theme.tints.text)
    }

    /// The name in place of a picture; a channel has a colour of its own.
    private func drawPlaceholder(_ cell: Cell, in poster: Rect, isWhole: Bool, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let isTile = style == .channels && !kit.theme.hasHighContrast
        canvas.fill(poster, radius: Radius.row, isTile ? Tint.tile(cell.entry.id) : tints.placeholder)
        canvas.stroke(poster, radius: Radius.row, width: 2, tints.edge)
        guard isWhole else { return }
        if let number = cell.entry.number { drawNumber(number, on: poster, canvas, kit) }
        let layout = kit.layout(
            cell.entry.title,
            kit.style(.body, .bold, width: poster.width - 36, lines: cell.entry.number == nil ? 3 : 2, alignment: .centre))
        let up = layout.lineCount == 1 ? layout.opticalMiddle : layout.bounds.height / 2
        // Below the number, whose corner a long name would reach.
        let top = cell.entry.number == nil ? 0 : Self.numberHeight(kit)
        canvas.text(layout, x: poster.x + 18, y: poster.midY + top / 2 - up, tints.text)
    }
}

/// The picture of the focused entry of Home, larger than the others, with the ring. It lies over its row, so that it grows without being drawn again.
struct HomeFocus: LayerContent {
    /// The row with the focused entry only.
    private var row: HomeRowLayer

    /// The focused entry.
    var cell: HomeRowLayer.Cell { row.cells[0] }

    /// The size of a resting picture, of this one.
    static let rest = 100 / Double(Metrics.focusScalePercent)

    /// - Returns: nil if no entry of the row has focus.
    init?(_ row: HomeRowLayer) {
        guard let cell = row.cells.first(where: \.isFocused) else { return nil }
        self.row = row
        self.row.cells = [cell]
        self.row.title = ""
    }

    private func poster(_ kit: Kit) -> Rect { kit.grown(row.place(of: cell, kit)) }

    func bounds(_ kit: Kit) -> Rect { poster(kit).inset(-focusReach - 1) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let poster = poster(kit)
        row.drawPoster(cell, in: poster, canvas, kit)
        canvas.focusRing(round: poster, radius: Radius.row)
    }
}

/// The frame of the video in the corner: rounded like the posters, with the title of what plays. Its ring is inside its edge, which is also the safe
/// area's.
struct HomeCorner: LayerContent {
    var frame: Rect
    var title: String?
    var isFocused: Bool

    private static let radius = Radius.row

    func bounds(_ kit: Kit) -> Rect { frame }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        // The video below is a rectangle; its corners are covered.
        canvas.fill(frame, radius: 0, Tint(Palette.background))
        canvas.clear(frame, radius: Self.radius)
        if let title, !title.isEmpty {
            let layout = kit.layout(title, kit.style(.caption2, .bold, alignment: .left))
            let width = min(layout.bounds.width + 28, frame.width - 32).rounded(.up)
            let height = (layout.bounds.height + 12).rounded(.up)
            let pill = kit.place(Rect(x: frame.x + 16, y: frame.maxY - 16 - height, width: width, height: height), in: frame)
            canvas.fill(pill, radius: Radius.badge, tints.pill)
            canvas.stroke(pill, radius: Radius.badge, width: 2, tints.edge)
            let words = kit.layout(title, kit.style(.caption2, .bold, width: pill.width - 28))
            canvas.text(words, x: pill.x + 14, y: pill.midY - words.opticalMiddle, tints.text)
        }
        guard isFocused else { return }
        canvas.stroke(frame, radius: Self.radius, width: 10, tints.focusEdge)
        canvas.stroke(frame.inset(2), radius: Self.radius - 2, width: 6, tints.focusRing)
    }
}
