import Screens

/// The text of a content proposal. Its layout depends on where the video is: below the small picture, over the full one, or
/// alone.
struct ProposalLayer: LayerContent {
    var heading: String?
    var title: String
    var subtitle: String?
    var facts: [String]
    var summary: String?
    var picture: LayerPicture?
    var videoPlace: ProposalPresentation.VideoPlace

    init(_ proposal: ProposalView, picture: LayerPicture?) {
        heading = proposal.heading
        title = proposal.title
        subtitle = proposal.subtitle
        facts = proposal.facts
        summary = proposal.summary
        self.picture = picture
        videoPlace = proposal.videoPlace
    }

    fileprivate struct Places {
        /// The background over the full picture; nil when there is no picture.
        var ground: Rect?
        var picture: Rect?
        var text: Rect
        var buttons: Rect
    }

    fileprivate func places(_ kit: Kit) -> Places {
        let area = Rect.safeArea
        let row = kit.rowHeight
        let buttonsY = area.maxY - focusReach - 4 - row
        switch videoPlace {
        case .preferred:
            let top = Double(Metrics.Video.proposalFrame.y + Metrics.Video.proposalFrame.height) + 36
            return places(kit, in: Rect(x: area.x, y: top, width: area.width, height: buttonsY - 28 - top), buttonsY: buttonsY)
        case .full:
            let height = 456 + (kit.theme.typeScale - 1) * 300
            let ground = Rect(x: area.x, y: area.maxY - height, width: area.width, height: height)
            let inner = ground.inset(Grid.panelInset)
            var places = self.places(
                kit, in: Rect(x: inner.x, y: inner.y, width: inner.width, height: inner.height - row - 28),
                buttonsY: inner.maxY - row)
            places.ground = ground
            places.buttons.x = inner.x
            places.buttons.width = inner.width
            return places
        case .hidden:
            let picture = Rect(x: 960 - 400, y: area.y, width: 800, height: 450)
            let text = Rect(x: area.x, y: picture.maxY + 36, width: area.width, height: buttonsY - picture.maxY - 64)
            return Places(
                picture: self.picture == nil ? nil : picture, text: text,
                buttons: Rect(x: area.x, y: buttonsY, width: area.width, height: row))
        }
    }

    private func places(_ kit: Kit, in rect: Rect, buttonsY: Double) -> Places {
        var text = rect
        var picture: Rect?
        if self.picture != nil {
            let width = (rect.height * 16 / 9).rounded()
            picture = kit.place(Rect(x: rect.x, y: rect.y, width: width, height: rect.height), in: rect)
            text.x += width + 40
            text.width -= width + 40
        }
        text = kit.place(text, in: rect)
        return Places(
            picture: picture, text: text,
            buttons: Rect(x: rect.x, y: buttonsY, width: rect.width, height: kit.rowHeight)
        )
    }

    func bounds(_ kit: Kit) -> Rect {
        let places = self.places(kit)
        if let ground = places.ground { return ground }
        return (places.picture.map { $0.union(places.text) } ?? places.text).inset(0, -6)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = self.places(kit)
        let tints = kit.theme.tints
        if let ground = places.ground { canvas.panel(ground) }
        if let picture = places.picture { canvas.picture(self.picture?.pixels, in: picture, radius: Radius.cell) }
        let alignment: TextStyle.Alignment? = videoPlace == .hidden ? .centre : nil
        var rest = places.text
        func write(_ words: String, _ style: TextStyle, _ tint: Tint, gap: Double) {
            guard !words.isEmpty, rest.height > style.size else { return }
            let height = canvas.write(words, style, in: rest, tint) + gap
            rest.y += height
            rest.height -= height
        }
        write(heading ?? "", kit.style(.caption1, .bold, alignment: alignment), tints.secondaryText, gap: 2)
        write(title, kit.style(.title3, .bold, alignment: alignment), tints.text, gap: 4)
        write(subtitle ?? "", kit.style(.body, alignment: alignment), tints.secondaryText, gap: 8)
        write(
            String.facts(facts, isRightToLeft: kit.theme.isRightToLeft), kit.style(.caption1, .bold, alignment: alignment),
            tints.secondaryText,
            gap: 12)
        let line = Double(Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.2
        let lines = min(Int(rest.height / line), 3)
        if let summary, lines > 0 {
            canvas.write(summary, kit.style(.body, lines: lines, alignment: alignment), in: rest, tints.text)
        }
    }
}

/// The buttons of a proposal, the first with the countdown ring. They change every second, so they are a separate layer.
struct ProposalButtons: LayerContent {
    var proposal: ProposalLayer
    var buttons: [ButtonView]
    var ringPercent: Int?

    private func faces() -> [ButtonFace] {
        buttons.enumerated().map { index, button in
            ButtonFace(
                title: button.title, isFocused: button.isFocused,
                countdown: index == 0 ? ringPercent.map { Double($0) / 100 } : nil, countsDown: index == 0,
                formerTitle: button.formerTitle)
        }
    }

    private func frames(_ kit: Kit) -> [Rect] {
        kit.row(faces(), in: proposal.places(kit).buttons, centred: proposal.videoPlace == .hidden)
    }

    func bounds(_ kit: Kit) -> Rect {
        kit.reach(of: frames(kit))
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (face, rect) in zip(faces(), frames(kit)) { canvas.button(face, rect, kit) }
    }
}
