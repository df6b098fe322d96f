import PlayerInterface

/// The Chapters tab: a row of cards. The current one is marked by bold text and a bar, the focused one by the ring.
struct ChaptersTab: LayerContent {
    struct Card: Sendable, Equatable {
        var chapter: ChapterView
        var picture: Artwork?
    }

    /// The visible cards, in order.
    var cards: [Card]
    var hasMoreBefore, hasMoreAfter: Bool

    /// The number of visible cards.
    static let perScreen = 5

    /// The visible cards: the focused one (otherwise the current one) in the middle, if there are enough.
    static func window(_ chapters: [ChapterView]) -> Range<Int> {
        let centre = chapters.firstIndex(where: \.isFocused) ?? chapters.firstIndex(where: \.isCurrent) ?? 0
        let first = max(min(centre - perScreen / 2, chapters.count - perScreen), 0)
        return first..<min(first + perScreen, chapters.count)
    }

    func bounds(_ kit: Kit) -> Rect { PanelGround.content(kit).inset(-24, -18) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let content = PanelGround.content(kit)
        let tints = kit.theme.tints
        let size = (width: Double(Metrics.Panel.chapterCardWidth), height: Double(Metrics.Panel.chapterCardHeight))
        let gap = (content.width - size.width * Double(Self.perScreen)) / Double(Self.perScreen - 1)
        for (index, card) in cards.enumerated() {
            let slot = Rect(
                x: content.x + Double(index) * (size.width + gap), y: content.y + 2, width: size.width, height: size.height)
            let place = kit.place(slot, in: content)
            canvas.picture(card.picture?.pixels, in: place, radius: 12)
            if card.picture?.pixels == nil {
                let number = kit.layout(card.chapter.time, kit.style(.headline, .bold, tabularDigits: true))
                canvas.text(number, centredIn: place, tints.secondaryText)
            }
            if card.chapter.isCurrent {
                let bar = Rect(x: place.x + 14, y: place.maxY - 20, width: place.width - 28, height: 8)
                canvas.fill(bar.inset(-3), radius: 7, .white(0, 0.6))
                canvas.fill(bar, radius: 4, tints.text)
            }
            if card.chapter.isFocused { canvas.focusRing(round: place, radius: 12) }
            let weight: TextStyle.Weight = card.chapter.isCurrent || card.chapter.isFocused ? .bold : .medium
            let tint = card.chapter.isCurrent || card.chapter.isFocused ? tints.text : tints.secondaryText
            var rest = Rect(x: place.x + 4, y: place.maxY + 14, width: place.width - 8, height: 0)
            rest.y += canvas.write(
                card.chapter.title, kit.style(.caption1, weight, lines: Metrics.Panel.chapterTitleLines), in: rest, tint)
            canvas.write(
                card.chapter.time, kit.style(.caption2, tabularDigits: true), in: rest.moved(0, 2), tints.secondaryText)
        }
        for (isThere, isAfter) in [(hasMoreBefore, false), (hasMoreAfter, true)] where isThere {
            // Chevrons at the edges show that the row continues.
            let y = content.y + 2 + size.height / 2
            let onRight = isAfter != kit.theme.isRightToLeft
            let x = onRight ? content.maxX + 14 : content.x - 14
            let direction = onRight ? 1.0 : -1.0
            canvas.line([(x - direction * 4, y - 12), (x + direction * 5, y), (x - direction * 4, y + 12)], width: 4, tints.text)
        }
    }
}
