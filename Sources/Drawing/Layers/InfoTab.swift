import PlayerInterface

/// The Info tab: artwork, title, second line, facts, description, and up to two actions.
struct InfoTab: LayerContent {
    var info: InfoView
    var artwork: Artwork?

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
        if let place = places.artwork { canvas.picture(artwork?.pixels, in: place, radius: 14, .fitAtTop) }
        var rest = places.text
        func down(_ height: Double, gap: Double) {
            guard height > 0 else { return }
            rest.y += height + gap
            rest.height -= height + gap
        }
        down(canvas.write(info.title ?? "", kit.style(.headline, .bold), in: rest, tints.text), gap: 4)
        down(canvas.write(info.subtitle ?? "", kit.style(.body), in: rest, tints.secondaryText), gap: 8)
        let facts = String.facts(info.facts, isRightToLeft: kit.theme.isRightToLeft)
        down(canvas.write(facts, kit.style(.caption1, .bold), in: rest, tints.secondaryText), gap: 16)
        if let summary = info.summary {
            let lines = max(min(Metrics.Panel.descriptionLines, Int(rest.height / (29 * kit.theme.typeScale * 1.2) + 0.1)), 1)
            if info.isSummaryFocused {
                let style = kit.style(.body, width: rest.width, lines: lines)
                let height = kit.layout(summary, style).bounds.height
                let ring = Rect(x: rest.x, y: rest.y, width: rest.width, height: height).inset(-12, -6)
                canvas.fill(ring, radius: 10, tints.text.faded(0.12))
                canvas.stroke(ring, radius: 10, width: Double(Metrics.focusRing), tints.focusRing)
            }
            canvas.write(summary, kit.style(.body, lines: lines), in: rest, tints.text)
        }
        for (face, rect) in zip(faces(), places.actions) { canvas.button(face, rect, kit) }
    }
}
