import Screens

/// The layout of the channel list: a column on the leading side, as high as the safe area.
enum ChannelListPlaces {
    static let width = 760.0
    static let pitch = 104.0

    static func frame(_ kit: Kit) -> Rect {
        kit.place(
            Rect(x: Rect.safeArea.x, y: Rect.safeArea.y, width: width, height: Rect.safeArea.height), in: .safeArea)
    }

    static func rows(_ kit: Kit) -> Rect {
        let frame = self.frame(kit)
        let height = Double(Metrics.Menu.channelRows) * pitch
        return Rect(x: frame.x + 24, y: frame.y + 96, width: frame.width - 48, height: height)
    }

    /// The lines below the rows.
    static func foot(_ kit: Kit) -> Rect {
        let frame = self.frame(kit), top = rows(kit).maxY + 24
        return Rect(x: frame.x + Grid.panelInset, y: top, width: frame.width - 2 * Grid.panelInset, height: frame.maxY - 12 - top)
    }
}

/// The background of the list and its heading.
struct ChannelListGround: LayerContent {
    var title: String
    var hasMoreAbove, hasMoreBelow: Bool

    func bounds(_ kit: Kit) -> Rect { ChannelListPlaces.frame(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let frame = ChannelListPlaces.frame(kit), rows = ChannelListPlaces.rows(kit)
        let tints = kit.theme.tints
        canvas.panel(frame, isOverPicture: true)
        let layout = kit.layout(title, kit.style(.callout, .bold, width: frame.width - 2 * Grid.panelInset))
        canvas.text(layout, x: frame.x + Grid.panelInset, y: (frame.y + rows.y) / 2 - layout.opticalMiddle, tints.text)
        if hasMoreAbove { canvas.more(frame.midX, rows.y - 14, direction: -1, tints.text) }
        if hasMoreBelow { canvas.more(frame.midX, rows.maxY + 12, direction: 1, tints.text) }
    }
}

/// What comes next on the focused channel, below the rows.
struct ChannelListNext: LayerContent {
    var words: String

    func bounds(_ kit: Kit) -> Rect { ChannelListPlaces.foot(kit) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let foot = ChannelListPlaces.foot(kit)
        let layout = kit.layout(words, kit.style(.caption1, width: foot.width, lines: 2, alignment: kit.theme.leading))
        canvas.text(layout, x: foot.x, y: foot.midY - layout.bounds.height / 2, kit.theme.tints.text)
    }
}

/// The visible channels: number, icon, name, and the current programme with its progress.
struct ChannelListRows: LayerContent {
    struct Cell: Sendable, Equatable {
        var row: ChannelListView.Row
        var picture: LayerPicture?
        var isFavourite = false
    }

    var rows: [Cell]

    /// Whether names begin after a column of icons, also those of channels without one.
    private var hasIcons: Bool { rows.contains { $0.row.artwork != nil && !$0.row.isLocked } }

    func bounds(_ kit: Kit) -> Rect {
        var area = ChannelListPlaces.rows(kit)
        area.height = Double(max(rows.count, 1)) * ChannelListPlaces.pitch - 8
        return area.inset(-focusReach)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = ChannelListPlaces.rows(kit)
        for isFocused in [false, true] {
            for (index, cell) in rows.enumerated() where cell.row.isFocused == isFocused {
                let rect = Rect(
                    x: area.x, y: area.y + Double(index) * ChannelListPlaces.pitch, width: area.width,
                    height: ChannelListPlaces.pitch - 8)
                draw(cell, in: rect, canvas, kit)
            }
        }
    }

    private func draw(_ cell: Cell, in rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let row = cell.row
        let tints = kit.theme.tints
        if row.isFocused {
            canvas.fill(rect, radius: Radius.row, tints.focusedGround)
            canvas.focusRing(round: rect, radius: Radius.row)
        } else {
            canvas.fill(rect, radius: Radius.row, row.isCurrent ? tints.currentSurface : tints.surface)
            canvas.stroke(rect, radius: Radius.row, width: 2, tints.edge)
        }
        let text = row.isFocused ? tints.focusedText : tints.text
        let second = row.isFocused ? tints.focusedText : row.isCurrent ? tints.text : tints.secondaryTextOnSurface
        var left = rect.x + 16, right = rect.maxX - 20
        if let number = row.number {
            let layout = kit.layout("\(number)", kit.style(.callout, .bold, alignment: .left, tabularDigits: true))
            let width = max(layout.bounds.width, 64 * kit.theme.typeScale)
            canvas.text(layout, centredIn: kit.place(Rect(x: left, y: rect.y, width: width, height: rect.height), in: rect), text)
            left += width + 16
        }
        if hasIcons {
            let place = kit.place(Rect(x: left, y: rect.midY - 34, width: 68, height: 68), in: rect)
            if cell.picture?.pixels != nil, !row.isLocked { canvas.picture(cell.picture?.pixels, in: place, radius: 8, .fit) }
            left += 84
        }
        let signs = [row.isLocked ? Sign.lock : row.isCurrent ? .play : nil, cell.isFavourite ? .star : nil]
        for sign in signs.compactMap(\.self) {
            let place = kit.place(Rect(x: right - 32, y: rect.midY - 16, width: 32, height: 32), in: rect)
            sign.draw(on: canvas, x: place.midX, y: place.midY, size: 30, text)
            right -= 48
        }
        let words = kit.place(Rect(x: left, y: rect.y, width: right - left, height: rect.height), in: rect)
        let title = kit.layout(row.title, kit.style(.body, .bold, width: words.width))
        let ends = row.ends.map { kit.layout($0, kit.style(.caption2, alignment: .left, tabularDigits: true)) }
        let room = words.width - (ends.map { $0.bounds.width + 24 } ?? 0)
        let now = row.now.map { kit.layout($0, kit.style(.caption2, width: room)) }
        let hasBar = row.progressPercent != nil
        let height = title.bounds.height + (now?.bounds.height ?? 0) + (hasBar ? 12 : 0)
        let top = rect.midY - height / 2
        canvas.text(title, x: words.x, y: top, text)
        let line = Rect(x: words.x, y: top + title.bounds.height, width: words.width, height: 0)
        if let now {
            canvas.text(now, x: kit.place(Rect(x: line.x, y: 0, width: room, height: 0), in: line).x, y: line.y, second)
        }
        if let ends {
            let width = ends.bounds.width
            let place = kit.place(Rect(x: line.maxX - width, y: line.y, width: width, height: 0), in: line)
            canvas.text(ends, x: place.x - ends.bounds.x, y: line.y, second)
        }
        guard let percent = row.progressPercent else { return }
        let bar = Rect(x: words.x, y: top + height - 6, width: words.width, height: 6)
        canvas.progress(percent, in: bar, least: 0.02, on: row.isFocused ? .focusedRow : .row, kit)
    }
}
