import Screens

/// The layout of the page of a programme: its words and, below them, its buttons, together at the bottom of the leading side.
struct ProgrammePlaces {
    private static let gap = 28.0

    /// The column of the words.
    let words: Rect
    let buttons: [Rect]

    init(_ view: ProgrammeView, _ kit: Kit) {
        let area = Rect.safeArea
        let faces = Self.faces(view)
        let width = min(max(faces.map { kit.width(of: $0, minimum: 420) }.max() ?? 0, 420), area.width)
        let pitch = kit.rowHeight + Grid.stackGap
        let top = area.maxY - focusReach - pitch * Double(faces.count) + Grid.stackGap
        buttons = faces.indices.map { index in
            kit.place(Rect(x: area.x, y: top + Double(index) * pitch, width: width, height: kit.rowHeight), in: area)
        }
        words = kit.place(Rect(x: area.x, y: area.y, width: HeroArt.textWidth(kit), height: top - Self.gap - area.y), in: area)
    }

    static func faces(_ view: ProgrammeView) -> [ButtonFace] {
        view.buttons.map { ButtonFace(title: $0.title, isFocused: $0.isFocused) }
    }
}

/// Title, facts, summary and languages of a programme, and how much of it was watched.
struct ProgrammeWords: LayerContent {
    var view: ProgrammeView
    /// Their lower edge; nil: over the buttons.
    var bottom: Double?

    private static let lines = 4
    private static let barHeight = 8.0

    private struct Line {
        var layout: TextLayout
        var tint: Tint
        /// The space above it.
        var gap: Double
    }

    private func line(_ words: String?, _ style: TextStyle, _ tint: Tint, gap: Double, _ kit: Kit) -> Line? {
        guard let words, !words.isEmpty else { return nil }
        return Line(layout: kit.layout(words, style), tint: tint, gap: gap)
    }

    private func head(_ width: Double, _ kit: Kit) -> [Line] {
        let tints = kit.theme.tints
        let facts = String.facts(view.facts + [view.watched].compactMap { $0 }, isRightToLeft: kit.theme.isRightToLeft)
        return [
            Line(layout: kit.title(view.title, width: width, lines: 2), tint: tints.text, gap: 0),
            line(view.subtitle, kit.style(.body, .bold, width: width), tints.text, gap: 6, kit),
            line(facts, kit.style(.caption1, .bold, width: width - lockWidth(kit)), tints.secondaryTextOnScrim, gap: 8, kit),
        ].compactMap { $0 }
    }

    private func foot(_ width: Double, _ kit: Kit) -> [Line] {
        view.languages.enumerated().compactMap { index, words in
            line(
                words, kit.style(.caption1, width: width, lines: 2), kit.theme.tints.secondaryTextOnScrim,
                gap: index == 0 ? 16 : 4, kit)
        }
    }

    private func lockWidth(_ kit: Kit) -> Double { view.isLocked ? 44 * kit.theme.typeScale : 0 }

    private static func height(_ lines: [Line]) -> Double { lines.reduce(0) { $0 + $1.gap + $1.layout.bounds.height } }

    private func area(_ kit: Kit) -> Rect {
        var area = ProgrammePlaces(view, kit).words
        if let bottom { area.height = bottom - area.y }
        return area
    }

    func bounds(_ kit: Kit) -> Rect { area(kit).inset(-32, 0) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let area = area(kit)
        let head = head(area.width, kit), foot = foot(area.width, kit)
        let bar = view.progressPercent == nil ? 0 : Self.barHeight + 24
        let room = area.height - Self.height(head) - Self.height(foot) - bar - 18
        let summary = summary(area.width, height: room, kit)
        // At the bottom, over the buttons.
        var y =
            area.maxY - Self.height(head) - Self.height(foot) - bar - (summary.map { Self.height($0) + 18 } ?? 0)
        for (index, line) in head.enumerated() {
            y += line.gap
            var left = area.x
            if view.isLocked, index == head.count - 1 {
                let side = 32 * kit.theme.typeScale
                let place = Rect(x: area.x, y: y + line.layout.bounds.height / 2 - side / 2, width: side, height: side)
                let sign = kit.place(place, in: area)
                Sign.lock.draw(on: canvas, x: sign.midX, y: sign.midY, size: side, kit.theme.tints.text)
                left += kit.theme.isRightToLeft ? 0 : lockWidth(kit)
            }
            canvas.text(line.layout, x: left, y: y, line.tint)
            y += line.layout.bounds.height
        }
        if let summary {
            y += 18
            if view.isSummaryFocused {
                let ring = Rect(x: area.x, y: y, width: area.width, height: Self.height(summary)).inset(-12, -6)
                let shape = Rect.safeArea.inset(2).enclosing(ring)
                canvas.fill(shape, radius: Radius.badge, kit.theme.tints.text.faded(0.12))
                canvas.stroke(shape, radius: Radius.badge, width: Double(Metrics.focusRing), kit.theme.tints.focusRing)
            }
            for line in summary {
                canvas.text(line.layout, x: area.x + (view.isSummaryFocused ? inward(kit) : 0), y: y, line.tint)
                y += line.layout.bounds.height
            }
        }
        for line in foot {
            y += line.gap
            canvas.text(line.layout, x: area.x, y: y, line.tint)
            y += line.layout.bounds.height
        }
        if let percent = view.progressPercent {
            let place = kit.place(Rect(x: area.x, y: y + 24, width: 420, height: Self.barHeight), in: area)
            canvas.progress(percent, in: place, least: 0.02, on: .picture, kit)
        }
    }

    /// How far the words move so that the ring around them stays in the safe area.
    private func inward(_ kit: Kit) -> Double { kit.theme.isRightToLeft ? -14 : 14 }

    /// The summary; if it does not fit, the word for more stands in the place of its last line.
    private func summary(_ width: Double, height: Double, _ kit: Kit) -> [Line]? {
        guard let summary = view.summary, !summary.isEmpty else { return nil }
        let tint = kit.theme.tints.text
        let width = width - 16
        let pitch = Double(Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.2
        let lines = max(min(Self.lines, Int(height / pitch)), 1)
        let whole = kit.layout(summary, kit.style(.body, width: width, lines: lines))
        guard whole.isEllipsized, lines > 1, !view.more.isEmpty else { return [Line(layout: whole, tint: tint, gap: 0)] }
        return [
            Line(layout: kit.layout(summary, kit.style(.body, width: width, lines: lines - 1)), tint: tint, gap: 0),
            Line(layout: kit.layout(view.more, kit.style(.body, .bold, width: width)), tint: tint, gap: 0),
        ]
    }
}

/// What can be done with a programme: a column of buttons.
struct ProgrammeButtons: LayerContent {
    var view: ProgrammeView

    func bounds(_ kit: Kit) -> Rect {
        kit.reach(of: ProgrammePlaces(view, kit).buttons)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (face, rect) in zip(ProgrammePlaces.faces(view), ProgrammePlaces(view, kit).buttons) {
            canvas.button(face, rect, kit)
        }
    }
}

/// The layout of a row of what is like a programme.
enum RelatedPlaces {
    /// Its upper edge: it ends with the safe area.
    static func top(_ grid: Metrics.Home.Grid) -> Double { Rect.safeArea.maxY - Double(grid.rowHeight) }
}

/// The ground of such a row over the picture, up to the edges of the screen.
struct RelatedGround: LayerContent {
    var grid: Metrics.Home.Grid

    var isUniform: Bool { true }

    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen, top = RelatedPlaces.top(grid) - 28
        return Rect(x: screen.x, y: top, width: screen.width, height: screen.maxY - top)
    }

    func draw(on canvas: Canvas, _ kit: Kit) { canvas.fill(bounds(kit), kit.theme.tints.panel) }
}

/// The upper part of the pictures of what is like a programme, which looks in from below the safe area: the row is one press away.
struct RelatedPeek: LayerContent {
    private static let top = 1044.0

    var grid: Metrics.Home.Grid
    var cells: [HomeRowLayer.Cell]

    func bounds(_ kit: Kit) -> Rect {
        let screen = kit.scale.screen
        let height = min(Self.top + Double(grid.posterHeight), screen.maxY) - Self.top
        return Rect(x: screen.x, y: Self.top, width: screen.width, height: height)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for cell in cells {
            let pitch = grid.posterWidth + grid.posterSpacing
            let poster = kit.place(
                Rect(
                    x: Rect.safeArea.x + Double(cell.slot * pitch), y: Self.top, width: Double(grid.posterWidth),
                    height: Double(grid.posterHeight)), in: .safeArea)
            if cell.picture?.pixels == nil {
                canvas.fill(poster, radius: Radius.row, kit.theme.tints.placeholder)
                canvas.stroke(poster, radius: Radius.row, width: 2, kit.theme.tints.edge)
            } else {
                canvas.picture(cell.picture?.pixels, in: poster, radius: Radius.row)
            }
        }
    }
}

extension ProgrammeView {
    /// Only what names it, without anything that can have focus.
    var head: ProgrammeView {
        ProgrammeView(
            title: title, subtitle: subtitle, facts: facts, isLocked: isLocked, watched: watched)
    }
}
