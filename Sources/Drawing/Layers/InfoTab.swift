import Screens

/// The Info tab: artwork, title, second line, facts, description, what is next at the lower edge, and the actions.
struct InfoTab: LayerContent {
    var info: InfoView
    var artwork: LayerPicture?

    private struct Places {
        var artwork: Rect?
        var text: Rect
        var actions: [Rect]
    }

    private func faces() -> [ButtonFace] { info.actions.map { ButtonFace(title: $0.title, isFocused: $0.isFocused) } }

    private func places(_ kit: Kit) -> Places {
        let content = PanelGround.content(kit)
        var text = content
        var art: Rect?
        if artwork != nil {
            let side = min(Double(Metrics.Panel.artworkSide), content.height)
            art = kit.place(Rect(x: content.x, y: content.y, width: side, height: side), in: content)
            text.x += side + 40
            text.width -= side + 40
        }
        let faces = self.faces()
        var actions: [Rect] = []
        if !faces.isEmpty {
            let width = faces.map { kit.width(of: $0, minimum: 260) }.max()!
            text.width -= width + 48
            for index in faces.indices {
                let rect = Rect(
                    x: content.maxX - width - 8, y: content.y + 10 + Double(index) * (kit.rowHeight + 26), width: width,
                    height: kit.rowHeight)
                actions.append(kit.place(rect, in: content))
            }
        }
        return Places(artwork: art, text: kit.place(text, in: content), actions: actions)
    }

    func bounds(_ kit: Kit) -> Rect { PanelGround.content(kit).inset(-focusReach - 8, -10) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = self.places(kit)
        let tints = kit.theme.tints
        if let place = places.artwork { canvas.picture(artwork?.pixels, in: place, radius: Radius.row, .fitAtTop) }
        var rest = places.text
        func down(_ height: Double, gap: Double) {
            guard height > 0 else { return }
            rest.y += height + gap
            rest.height -= height + gap
        }
        down(canvas.write(info.title ?? "", kit.style(.headline, .bold), in: rest, tints.text), gap: 4)
        down(canvas.write(info.subtitle ?? "", kit.style(.body), in: rest, tints.secondaryText), gap: 8)
        down(drawFacts(in: rest, canvas, kit), gap: 16)
        if let next = info.next {
            let layout = kit.layout(next, kit.style(.body, .bold, width: rest.width))
            canvas.text(layout, x: rest.x, y: rest.maxY - layout.bounds.height, tints.secondaryText)
            rest.height -= layout.bounds.height + 12
        }
        if let summary = info.summary { draw(summary, in: rest, canvas, kit) }
        for (face, rect) in zip(faces(), places.actions) { canvas.button(face, rect, kit) }
    }

    /// The facts, and the badges in outlines after them.
    ///
    /// - Returns: the height of the line.
    private func drawFacts(in rest: Rect, _ canvas: Canvas, _ kit: Kit) -> Double {
        let tints = kit.theme.tints
        let facts = kit.layout(
            String.facts(info.facts, isRightToLeft: kit.theme.isRightToLeft), kit.style(.caption1, .bold, alignment: .left))
        let badges = info.badges.map { kit.layout($0, kit.style(.caption2, .bold, alignment: .left)) }
        let height = max(info.facts.isEmpty ? 0 : facts.bounds.height, badges.map { $0.bounds.height + 8 }.max() ?? 0)
        let line = Rect(x: rest.x, y: rest.y, width: rest.width, height: height)
        var left = line.x
        if !info.facts.isEmpty {
            let place = kit.place(Rect(x: left, y: line.y, width: facts.bounds.width, height: height), in: line)
            canvas.text(facts, x: place.x - facts.bounds.x, y: line.midY - facts.opticalMiddle, tints.secondaryText)
            left += facts.bounds.width + 20
        }
        for badge in badges {
            let width = (badge.bounds.width + 20).rounded(.up)
            guard left + width <= line.maxX else { break }
            let place = kit.place(Rect(x: left, y: line.y + 1, width: width, height: height - 2), in: line)
            canvas.stroke(place, radius: 6, width: 2, tints.secondaryText)
            canvas.text(badge, centredIn: place, tints.secondaryText)
            left += width + 12
        }
        return height
    }

    /// The description. If it does not fit, the word for more stands in the place of its last line.
    private func draw(_ summary: String, in rest: Rect, _ canvas: Canvas, _ kit: Kit) {
        let tints = kit.theme.tints
        let lines = max(min(Metrics.Panel.descriptionLines, Int(rest.height / (29 * kit.theme.typeScale * 1.2) + 0.1)), 1)
        var layout = kit.layout(summary, kit.style(.body, width: rest.width, lines: lines))
        var more: TextLayout?
        if layout.isEllipsized, lines > 1, let words = info.more {
            layout = kit.layout(summary, kit.style(.body, width: rest.width, lines: lines - 1))
            more = kit.layout(words, kit.style(.body, .bold, width: rest.width))
        }
        let height = layout.bounds.height + (more?.bounds.height ?? 0)
        if info.isSummaryFocused {
            let ring = Rect(x: rest.x, y: rest.y, width: rest.width, height: height).inset(-12, -6)
            canvas.fill(ring, radius: Radius.badge, tints.text.faded(0.12))
            canvas.stroke(ring, radius: Radius.badge, width: Double(Metrics.focusRing), tints.focusRing)
        }
        canvas.text(layout, x: rest.x, y: rest.y, tints.text)
        if let more { canvas.text(more, x: rest.x, y: rest.y + layout.bounds.height, tints.text) }
    }
}
