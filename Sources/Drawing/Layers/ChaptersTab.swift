import Screens

/// The Chapters tab: a row of cards. The current one is marked by bold text and its progress, the focused one by the ring. Cards that the edges of
/// the panel cut show that the row continues.
struct ChaptersTab: LayerContent {
    struct Card: Sendable, Equatable {
        var chapter: ChapterView
        var picture: LayerPicture?
        /// Its position: 0 is the first whole card; -1 and 5 are cut by the edges of the panel.
        var slot: Int
    }

    /// The visible cards, in order.
    var cards: [Card]

    /// The number of whole cards.
    static let perScreen = 5
    private static let gap = 24.0

    /// The whole cards: the focused one (otherwise the current one) in the middle, if there are enough.
    static func window(_ chapters: [ChapterView]) -> Range<Int> {
        let centre = chapters.firstIndex(where: \.isFocused) ?? chapters.firstIndex(where: \.isCurrent) ?? 0
        let first = max(min(centre - perScreen / 2, chapters.count - perScreen), 0)
        return first..<min(first + perScreen, chapters.count)
    }

    /// Those, and the one on each side that is cut.
    static func visible(_ chapters: [ChapterView]) -> Range<Int> {
        let whole = window(chapters)
        return max(whole.lowerBound - 1, 0)..<min(whole.upperBound + 1, chapters.count)
    }

    /// The width of the panel, and the height that the cards need.
    func bounds(_ kit: Kit) -> Rect {
        let content = PanelGround.content(kit), panel = PanelGround.frame(kit)
        return Rect(x: panel.x, y: content.y - 18, width: panel.width, height: content.height + 36)
    }

    /// The rectangle of a card's picture.
    private func place(_ slot: Int, _ kit: Kit) -> Rect {
        let content = PanelGround.content(kit)
        let size = (width: Double(Metrics.Panel.chapterCardWidth), height: Double(Metrics.Panel.chapterCardHeight))
        let row = (size.width + Self.gap) * Double(Self.perScreen) - Self.gap
        // Room for a cut card on the sides that have one.
        let isCutBefore = cards.contains { $0.slot < 0 }, isCutAfter = cards.contains { $0.slot >= Self.perScreen }
        let lead = isCutBefore ? (content.width - row) / (isCutAfter ? 2 : 1) : 0
        return kit.place(
            Rect(
                x: (content.x + lead + Double(slot) * (size.width + Self.gap)).rounded(), y: content.y + 2, width: size.width,
                height: size.height), in: content)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        // Inside the panel's line.
        canvas.clipped(to: PanelGround.frame(kit).inset(2), radius: Radius.panel) {
            for card in cards where !card.chapter.isFocused { draw(card, canvas, kit) }
            for card in cards where card.chapter.isFocused { draw(card, canvas, kit) }
        }
    }

    private func draw(_ card: Card, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let slot = place(card.slot, kit)
        let picture = card.chapter.isFocused ? kit.grown(slot) : slot
        let isWhole = (0..<Self.perScreen).contains(card.slot)
        canvas.picture(card.picture?.pixels, in: picture, radius: Radius.row)
        if card.picture?.pixels == nil, isWhole {
            let number = kit.layout(card.chapter.time, kit.style(.headline, .bold, tabularDigits: true))
            canvas.text(number, centredIn: picture, tints.secondaryText)
        }
        if let percent = card.chapter.progressPercent {
            let bar = Rect(x: picture.x + 14, y: picture.maxY - 20, width: picture.width - 28, height: 8)
            canvas.progress(percent, in: bar, least: 0.04, on: .picture, kit)
        }
        if card.chapter.isFocused { canvas.focusRing(round: picture, radius: Radius.row) }
        guard isWhole else { return }
        let stands = card.chapter.isCurrent || card.chapter.isFocused
        var rest = Rect(x: slot.x + 4, y: slot.maxY + 18, width: slot.width - 8, height: 0)
        rest.y += canvas.write(
            card.chapter.title,
            kit.style(
                .caption1, stands ? .bold : .medium, lines: Metrics.Panel.chapterTitleLines + (kit.theme.hasLargerText ? 1 : 0)),
            in: rest,
            stands ? tints.text : tints.secondaryText)
        canvas.write(card.chapter.time, kit.style(.caption2, tabularDigits: true), in: rest.moved(0, 2), tints.secondaryText)
    }
}
