import Screens

/// The layout of the page of a series: its words at the top, the seasons on the leading side, the episodes beside them.
struct SeriesPlaces {

    let head, seasons, episodes, button: Rect
    /// The button over the seasons.
    let next: Rect
    /// From the top of one season or episode to the next.
    let seasonPitch, episodePitch: Double

    init(_ view: SeriesView, _ kit: Kit) {
        let area = Rect.safeArea
        let top = kit.theme.hasLargerText ? 376.0 : 330.0
        let bottom = area.maxY - focusReach
        let widest = [Self.face(view), Self.nextFace(view)].compactMap { $0.map { kit.width(of: $0) } }.max()
        let column = min(max(420, widest ?? 0), 660)
        seasonPitch = kit.rowHeight + Grid.rowGap
        episodePitch = (bottom - top + Grid.rowGap) / Double(Metrics.Series.episodesPerScreen)
        head = Rect(x: area.x, y: area.y, width: area.width, height: top - 28 - area.y)
        let seasonsHeight = seasonPitch * Double(Metrics.Series.seasonsPerScreen)
        next = kit.place(Rect(x: area.x, y: top, width: column, height: kit.rowHeight), in: area)
        let seasonsTop = view.next == nil ? top : top + kit.rowHeight + Self.nextGap
        seasons = kit.place(Rect(x: area.x, y: seasonsTop, width: column, height: seasonsHeight), in: area)
        button = kit.place(Rect(x: area.x, y: bottom - kit.rowHeight, width: column, height: kit.rowHeight), in: area)
        let left = area.x + column + Grid.columnGap
        episodes = kit.place(Rect(x: left, y: top, width: area.maxX - left, height: bottom - top), in: area)
    }

    static func face(_ view: SeriesView) -> ButtonFace? {
        view.button.map { ButtonFace(title: $0.title, isFocused: $0.isFocused) }
    }

    static func nextFace(_ view: SeriesView) -> ButtonFace? {
        view.next.map { ButtonFace(title: $0.title, isFocused: $0.isFocused) }
    }

    /// Between the button and the seasons; arrows over the seasons have room in it.
    private static let nextGap = 34.0
}

/// Title, facts and summary of a series.
struct SeriesHead: LayerContent {
    var view: SeriesView

    func bounds(_ kit: Kit) -> Rect { SeriesPlaces(view, kit).head.inset(-4, -6) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let head = SeriesPlaces(view, kit).head
        let area = kit.place(Rect(x: head.x, y: head.y, width: HeroArt.textWidth(kit), height: head.height), in: head)
        let title = kit.title(view.title, width: area.width)
        let words = String.facts(view.facts, isRightToLeft: kit.theme.isRightToLeft)
        let facts = words.isEmpty ? nil : kit.layout(words, kit.style(.caption1, .bold, width: area.width))
        let used = title.bounds.height + 4 + (facts.map { $0.bounds.height + 10 } ?? 0)
        let line = Double(Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.2
        let lines = min(Int((area.height - used) / line), 3)
        let summary = view.summary.flatMap {
            lines > 0 ? kit.layout($0, kit.style(.body, width: area.width, lines: lines)) : nil
        }
        // At the bottom, over the lists: a series of which little is said has no hole below its title.
        var y = area.maxY - used - (summary?.bounds.height ?? 0)
        canvas.text(title, x: area.x, y: y, tints.text)
        y += title.bounds.height + 4
        if let facts {
            canvas.text(facts, x: area.x, y: y, tints.secondaryTextOnScrim)
            y += facts.bounds.height + 10
        }
        if let summary { canvas.text(summary, x: area.x, y: y, tints.text) }
    }
}

/// How the series goes on, the seasons, and My List below them.
struct SeriesSeasons: LayerContent {
    var view: SeriesView

    private var visible: Range<Int> {
        let first = min(max(view.firstSeason, 0), view.seasons.count)
        return first..<min(first + Metrics.Series.seasonsPerScreen, view.seasons.count)
    }

    func bounds(_ kit: Kit) -> Rect {
        let places = SeriesPlaces(view, kit)
        let buttons = kit.grownButton(places.button).union(kit.grownButton(places.next))
        return places.seasons.union(places.button).union(places.next).union(buttons).inset(-focusReach - 2, -focusReach - 18)
            .enclosingScreenEdges()
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = SeriesPlaces(view, kit), tints = kit.theme.tints
        for isFocused in [false, true] {
            for (row, index) in visible.enumerated() where view.seasons[index].isFocused == isFocused {
                let season = view.seasons[index]
                let rect = Rect(
                    x: places.seasons.x, y: places.seasons.y + Double(row) * places.seasonPitch, width: places.seasons.width,
                    height: kit.rowHeight)
                canvas.ground(
                    of: rect, radius: Radius.row, isFocused: isFocused, season.isCurrent ? tints.currentSurface : tints.surface,
                    kit)
                let words = rect.inset(Grid.rowInset, 0)
                let layout = kit.layout(season.title, kit.style(.body, season.isCurrent ? .bold : .medium, width: words.width))
                canvas.text(
                    layout, x: words.x, y: rect.midY - layout.opticalMiddle, isFocused ? tints.focusedText : tints.text)
            }
        }
        let area = places.seasons
        if visible.lowerBound > 0 { canvas.more(area.midX, area.y - focusReach - 5, direction: -1, tints.text) }
        if visible.upperBound < view.seasons.count {
            canvas.more(area.midX, area.y + places.seasonPitch * Double(visible.count) - 4, direction: 1, tints.text)
        }
        if let face = SeriesPlaces.nextFace(view) { canvas.button(face, places.next, ground: tints.scrimControl, kit) }
        if let face = SeriesPlaces.face(view) { canvas.button(face, places.button, ground: tints.scrimControl, kit) }
    }
}

/// The episodes of a season: still, number and title, facts, summary, and what was watched of it.
struct SeriesEpisodes: LayerContent {
    struct Cell: Sendable, Equatable {
        var episode: SeriesView.Episode
        var picture: LayerPicture?
    }

    var view: SeriesView
    /// Those on the screen.
    var cells: [Cell]
    var hasMoreAbove, hasMoreBelow: Bool

    func bounds(_ kit: Kit) -> Rect {
        SeriesPlaces(view, kit).episodes.inset(-focusReach, -focusReach - 18).enclosingScreenEdges()
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = SeriesPlaces(view, kit), tints = kit.theme.tints
        let area = places.episodes
        if cells.isEmpty, let message = view.message {
            canvas.write(message, kit.style(.headline, lines: 3), in: area, tints.text)
        }
        for isFocused in [false, true] {
            for (row, cell) in cells.enumerated() where cell.episode.isFocused == isFocused {
                let rect = Rect(
                    x: area.x, y: area.y + Double(row) * places.episodePitch, width: area.width,
                    height: places.episodePitch - Grid.rowGap)
                draw(cell, in: rect, canvas, kit)
            }
        }
        if hasMoreAbove { canvas.more(area.midX, area.y - focusReach - 5, direction: -1, tints.text) }
        if hasMoreBelow { canvas.more(area.midX, area.maxY + focusReach + 4, direction: 1, tints.text) }
    }

    private func draw(_ cell: Cell, in rect: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints, isFocused = cell.episode.isFocused, entry = cell.episode.entry
        canvas.ground(of: rect, radius: Radius.cell, isFocused: isFocused, tints.surface, kit)
        let text = isFocused ? tints.focusedText : tints.text
        let second = isFocused ? tints.focusedText : tints.secondaryTextOnSurface
        let height = rect.height - 20, width = (height * 16 / 9).rounded()
        let picture = kit.place(Rect(x: rect.x + 14, y: rect.y + 10, width: width, height: height), in: rect)
        if entry.isLocked || cell.picture?.pixels == nil {
            canvas.fill(picture, radius: Radius.badge, tints.placeholder)
            if entry.isLocked { Sign.lock.draw(on: canvas, x: picture.midX, y: picture.midY, size: 44, .white(1)) }
        } else {
            canvas.picture(cell.picture?.pixels, in: picture, radius: Radius.badge)
        }
        if let percent = entry.watchedPercent {
            let bar = Rect(x: picture.x + 12, y: picture.maxY - 18, width: picture.width - 24, height: 6)
            canvas.progress(percent, in: bar, least: 0.04, on: .picture, kit)
        }
        var words = Rect(x: rect.x + width + 38, y: rect.y, width: rect.width - width - 64, height: rect.height)
        var mark = 0.0
        if entry.isWatched { mark = drawWatched(at: words, in: rect, second, canvas, kit) + 24 }
        let title = kit.layout(cell.episode.heading, kit.style(.body, .bold, width: words.width - mark))
        let facts = String.facts(entry.facts, isRightToLeft: kit.theme.isRightToLeft)
        let line = Double(Metrics.TypeSize.caption2.pixels) * kit.theme.typeScale * 1.2
        let factsLayout = facts.isEmpty ? nil : kit.layout(facts, kit.style(.caption2, .bold, width: words.width))
        let used = title.bounds.height + (factsLayout?.bounds.height ?? 0)
        let lines = min(Int((rect.height - 16 - used) / line), 2)
        let summary = entry.summary.flatMap {
            lines > 0 ? kit.layout($0, kit.style(.caption2, width: words.width, lines: lines)) : nil
        }
        words = kit.place(words, in: rect)
        var y = words.midY - (used + (summary?.bounds.height ?? 0)) / 2
        // The mark of what was watched is at the trailing end of the title's line.
        canvas.text(title, x: words.x + (kit.theme.isRightToLeft ? mark : 0), y: y, text)
        y += title.bounds.height
        for (layout, tint) in [(factsLayout, second), (summary, text)] {
            guard let layout else { continue }
            canvas.text(layout, x: words.x, y: y, tint)
            y += layout.bounds.height
        }
    }

    /// A tick and the word for watched, in the trailing upper corner.
    ///
    /// - Returns: its width.
    private func drawWatched(at words: Rect, in rect: Rect, _ tint: Tint, _ canvas: Canvas, _ kit: Kit) -> Double {
        let layout = kit.layout(view.watched, kit.style(.caption2, .bold, alignment: .left))
        let side = 24 * kit.theme.typeScale
        let width = layout.bounds.width + side + 10
        let place = kit.place(Rect(x: words.maxX - width, y: rect.y + 14, width: width, height: side), in: rect)
        let sign = kit.place(Rect(x: place.x, y: place.y, width: side, height: side), in: place)
        Sign.tick.draw(on: canvas, x: sign.midX, y: sign.midY, size: side * 0.8, tint)
        let left = kit.theme.isRightToLeft ? place.x : place.x + side + 10
        canvas.text(layout, x: left - layout.bounds.x, y: place.midY - layout.opticalMiddle, tint)
        return width
    }
}
