import Screens

/// The layout of the programme guide. Channels are on the leading side; time runs in the direction of the language.
enum GuidePlaces {
    static let gap = 8.0
    static var pitch: Double { Double(Metrics.Guide.rowHeight) + gap }
    static let top = 374.0

    static func channels(_ kit: Kit) -> Rect {
        kit.place(
            Rect(x: Rect.safeArea.x, y: top, width: Double(Metrics.Guide.channelWidth), height: Rect.safeArea.maxY - top),
            in: .safeArea)
    }

    static func axis(_ kit: Kit) -> Rect {
        let width = Double(Metrics.Guide.axisWidth)
        return kit.place(
            Rect(x: Rect.safeArea.maxX - width, y: top, width: width, height: Rect.safeArea.maxY - top), in: .safeArea)
    }

    /// Row `index` on the screen.
    static func row(_ index: Int) -> (y: Double, height: Double) {
        (top + Double(index) * pitch, Double(Metrics.Guide.rowHeight))
    }
}

/// The time and the day, and the focused programme in large type.
struct GuideHeader: LayerContent {
    var clock: String?
    var day: String
    var title: String?
    var facts: [String]
    var detail: String?

    func bounds(_ kit: Kit) -> Rect {
        Rect(x: Rect.safeArea.x, y: Rect.safeArea.y, width: Rect.safeArea.width, height: GuidePlaces.top - 62 - Rect.safeArea.y)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        let tints = kit.theme.tints
        let dayStyle = kit.style(.callout, .bold, alignment: kit.theme.trailing, tabularDigits: true)
        let clockLayout = clock.map { kit.layout($0, kit.style(.callout, .bold, alignment: .left, tabularDigits: true)) }
        let clockWidth = clockLayout.map { ($0.bounds.width + 28).rounded(.up) } ?? 0
        let dayWidth = min((kit.layout(day, dayStyle).bounds.width + 4).rounded(.up), 520)
        let width = dayWidth + clockWidth
        let dayPlace = kit.place(Rect(x: area.maxX - width, y: area.y + 12, width: dayWidth, height: 60), in: area)
        canvas.write(day, dayStyle, in: dayPlace, tints.secondaryText)
        if let clockLayout {
            let place = kit.place(
                Rect(x: area.maxX - clockLayout.bounds.width, y: area.y + 12, width: clockLayout.bounds.width, height: 60),
                in: area)
            canvas.text(clockLayout, x: place.x - clockLayout.bounds.x, y: place.y, tints.text)
        }
        var rest = kit.place(Rect(x: area.x, y: area.y, width: min(area.width - width - 60, 1240), height: area.height), in: area)
        rest.y += canvas.write(title ?? "", kit.style(.title3, .bold), in: rest, tints.text) + 2
        let words = String.facts(facts, isRightToLeft: kit.theme.isRightToLeft)
        rest.y += canvas.write(words, kit.style(.caption1, .bold), in: rest, tints.secondaryText) + 8
        let room = area.maxY - rest.y
        let lines = max(Int(room / (29 * kit.theme.typeScale * 1.2)), 1)
        canvas.write(detail ?? "", kit.style(.body, lines: min(lines, 3)), in: rest, tints.secondaryText)
    }
}

/// The times along the top.
struct GuideTimes: LayerContent {
    var ticks: [GuideView.Tick]

    func bounds(_ kit: Kit) -> Rect {
        let axis = GuidePlaces.axis(kit)
        return Rect(x: axis.x, y: GuidePlaces.top - 54, width: axis.width, height: 46)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = bounds(kit)
        let style = kit.style(.caption1, .bold, alignment: .left, tabularDigits: true)
        for tick in ticks {
            let layout = kit.layout(tick.title, style)
            let x = area.x + Double(tick.x)
            let mark = Rect(x: min(x, area.maxX - 2), y: area.maxY - 12, width: 2, height: 12)
            canvas.fill(kit.place(mark, in: area), kit.theme.tints.text.faded(0.5))
            // The last one stays in the safe area.
            let left = min(x + 10, area.maxX - layout.bounds.width)
            let place = kit.place(Rect(x: left, y: area.y, width: layout.bounds.width, height: area.height), in: area)
            canvas.text(layout, x: place.x - layout.bounds.x, y: area.y, kit.theme.tints.secondaryText)
        }
    }
}

/// A channel's row: its name and its programmes.
struct GuideRow: LayerContent {
    var row: GuideView.Row
    var picture: LayerPicture?
    /// The row on the screen, which decides its position.
    var index: Int

    func bounds(_ kit: Kit) -> Rect {
        let (y, height) = GuidePlaces.row(index)
        return Rect(x: Rect.safeArea.x - 2, y: y, width: Rect.safeArea.width + 4, height: height).inset(0, -focusReach)
            .enclosingScreenEdges()
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        drawChannel(canvas, kit)
        let (y, height) = GuidePlaces.row(index)
        let axis = GuidePlaces.axis(kit)
        let tints = kit.theme.tints
        if row.cells.isEmpty, let message = row.message {
            let rect = Rect(x: axis.x, y: y, width: axis.width, height: height)
            canvas.fill(rect, radius: Radius.badge, tints.text.faded(0.05))
            let layout = kit.layout(message, kit.style(.caption1, width: rect.width - 48))
            canvas.text(layout, x: rect.x + 24, y: rect.midY - layout.opticalMiddle, tints.secondaryTextOnSurface)
        }
        for isFocused in [false, true] {
            for cell in row.cells where cell.isFocused == isFocused {
                let left = min(max(Double(cell.x), 0), axis.width), right = min(Double(cell.x + cell.width), axis.width)
                // The last one ends where the rows end.
                let gap = right < axis.width ? 6.0 : 0
                guard right - left > 6 else { continue }
                let rest = kit.place(Rect(x: axis.x + left, y: y, width: right - left - gap, height: height), in: axis)
                let isCut = (before: cell.x < 0, after: Double(cell.x + cell.width) > axis.width)
                draw(cell, in: isFocused ? kit.ringed(rest) : rest, isCut, canvas, kit)
            }
        }
    }

    /// - Parameter isCut: whether it began before the times on the screen, and whether it ends after them.
    private func draw(
        _ cell: GuideView.Cell, in rect: Rect, _ isCut: (before: Bool, after: Bool), _ canvas: Canvas, _ kit: Kit
    ) {
        let tints = kit.theme.tints
        let radius = min(10, rect.width / 2)
        canvas.fill(
            rect, radius: radius, cell.isFocused ? tints.focusedGround : cell.isOnNow ? tints.currentSurface : tints.surface)
        if cell.isFocused {
            canvas.focusRing(round: rect, radius: radius)
        } else {
            canvas.stroke(rect, radius: radius, width: 2, tints.edge)
        }
        let text = cell.isFocused ? tints.focusedText : tints.text
        var words = rect.inset(18, 0)
        // A chevron at the side where the programme goes on.
        let isCutLeft = kit.theme.isRightToLeft ? isCut.after : isCut.before
        let isCutRight = kit.theme.isRightToLeft ? isCut.before : isCut.after
        if isCutLeft, words.width > 60 {
            canvas.chevron(rect.x + 14, rect.midY, size: 16, direction: -1, text)
            words.x += 14
            words.width -= 14
        }
        if isCutRight, words.width > 60 {
            canvas.chevron(rect.maxX - 14, rect.midY, size: 16, direction: 1, text)
            words.width -= 14
        }
        if let sign = cell.hasReminder ? Sign.bell : cell.canBeWatched ? .replay : nil, words.width > 80 {
            let size = 26.0
            let place = kit.place(Rect(x: words.maxX - size, y: rect.midY - size / 2, width: size, height: size), in: words)
            sign.draw(on: canvas, x: place.midX, y: place.midY, size: size, text)
            words = kit.place(Rect(x: words.x, y: words.y, width: words.width - size - 12, height: words.height), in: words)
        }
        let room = words.width
        guard room > 40 else { return }
        let second = cell.isFocused ? tints.focusedText : tints.secondaryTextOnSurface
        let title = kit.layout(cell.title, kit.style(.caption1, cell.isOnNow || cell.isFocused ? .bold : .medium, width: room))
        let times = kit.layout(cell.times, kit.style(.caption2, width: room, tabularDigits: true))
        guard room > 150, !cell.times.isEmpty, title.bounds.height + times.bounds.height <= rect.height else {
            return canvas.text(title, x: words.x, y: rect.midY - title.opticalMiddle, text)
        }
        let top = rect.midY - (title.bounds.height + times.bounds.height) / 2
        canvas.text(title, x: words.x, y: top, text)
        canvas.text(times, x: words.x, y: top + title.bounds.height, second)
    }

    private func drawChannel(_ canvas: Canvas, _ kit: Kit) {
        let (y, height) = GuidePlaces.row(index)
        let column = GuidePlaces.channels(kit)
        var rect = Rect(x: column.x, y: y, width: column.width - 16, height: height)
        if kit.theme.isRightToLeft { rect.x += 16 }
        let tints = kit.theme.tints
        if row.isFocused {
            rect = Rect.safeArea.inset(focusReach, 0).enclosing(rect)
            canvas.fill(rect, radius: Radius.badge, tints.focusedGround)
            canvas.focusRing(round: rect, radius: Radius.badge)
        }
        let text = row.isFocused ? tints.focusedText : tints.text
        var left = rect.x + 12
        if let number = row.number {
            let layout = kit.layout("\(number)", kit.style(.callout, .bold, alignment: .centre, tabularDigits: true))
            let width = max(layout.bounds.width, 52 * kit.theme.typeScale)
            let place = kit.place(Rect(x: left, y: rect.y, width: width, height: rect.height), in: rect)
            canvas.text(layout, centredIn: place, text)
            left += width + 14
        }
        // No word of a name is broken: the picture makes way for it, and else the name is cut.
        let style = kit.style(.caption1, .bold)
        let end = rect.maxX - 10
        if picture?.pixels != nil,
            !kit.breaksWord(of: row.title, style, width: end - left - 70)
                || kit.breaksWord(of: row.title, style, width: end - left)
        {
            let place = kit.place(Rect(x: left, y: rect.midY - 28, width: 56, height: 56), in: rect)
            canvas.picture(picture?.pixels, in: place, radius: 8, .fit)
            left += 70
        }
        let words = kit.place(Rect(x: left, y: rect.y, width: end - left, height: rect.height), in: rect)
        let lines = kit.breaksWord(of: row.title, style, width: words.width) ? 1 : 2
        let layout = kit.layout(row.title, kit.style(.caption1, .bold, width: words.width, lines: lines))
        let up = layout.lineCount == 1 ? layout.opticalMiddle : layout.bounds.height / 2
        canvas.text(layout, x: words.x, y: rect.midY - up, text)
    }
}

/// The current time: a mark at the times, and dashes down the rows over the gaps between them, so that no title is struck through.
struct GuideNow: LayerContent {
    var x: Int
    var rows: Int

    /// How far a dash reaches into a row.
    private static let reach = 6.0

    private func middle(_ kit: Kit) -> Double {
        let axis = GuidePlaces.axis(kit)
        return kit.place(Rect(x: axis.x + Double(x), y: axis.y, width: 0, height: 0), in: axis).x
    }

    func bounds(_ kit: Kit) -> Rect {
        let last = GuidePlaces.row(max(rows - 1, 0))
        return Rect(
            x: middle(kit) - 11, y: GuidePlaces.top - 22, width: 22,
            height: last.y + last.height - GuidePlaces.top + 22 + GuidePlaces.gap)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let x = middle(kit)
        let tint = Tint(Palette.live)
        canvas.polygon(
            [(x - 8, GuidePlaces.top - 20), (x + 8, GuidePlaces.top - 20), (x, GuidePlaces.top - 4)], rounding: 3, tint)
        for index in 0...max(rows, 1) {
            let y = GuidePlaces.row(index).y - GuidePlaces.gap - (index == 0 ? 0 : Self.reach)
            let end = GuidePlaces.row(index).y + (index == rows ? -GuidePlaces.gap : Self.reach)
            canvas.fill(Rect(x: x - 2, y: y, width: 4, height: end - y), radius: 2, tint)
        }
    }
}

/// Shows that there are channels above or below.
struct GuideMore: LayerContent {
    var isAbove: Bool
    var rows: Int

    private func place(_ kit: Kit) -> (x: Double, y: Double) {
        let column = GuidePlaces.channels(kit)
        let last = GuidePlaces.row(max(rows - 1, 0))
        return (column.midX, isAbove ? GuidePlaces.top - 22 : min(last.y + last.height + 16, Rect.safeArea.maxY - 8))
    }

    func bounds(_ kit: Kit) -> Rect {
        let (x, y) = place(kit)
        return Rect(x: x - 20, y: y - 10, width: 40, height: 20)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let (x, y) = place(kit)
        canvas.more(x, y, direction: isAbove ? -1 : 1, kit.theme.tints.text)
    }
}
