import Screens

/// A card in the middle of the screen: the end, an error, a slow network. Its countdown and its buttons are a separate layer, because they
/// change each second.
struct CardLayer: LayerContent {
    var kind: CardView.Kind
    var title: String
    var message: String?
    var code: String?
    /// The item's picture; nil if it has none.
    var picture: LayerPicture?
    /// The lines for what happens next; 0 if nothing happens by itself.
    var countdownLines = 0
    /// The number of buttons; it decides the height.
    var buttonCount: Int
    var buttonsAreStacked = false
    /// Its middle, from the top of the screen.
    var middle = 540.0

    /// A card without what changes each second.
    init(_ card: CardView, picture: LayerPicture?, _ kit: Kit) {
        kind = card.kind
        title = card.title
        message = card.message
        code = card.code
        self.picture = picture
        buttonCount = card.buttons.count
        // Too wide for one row, with the longest titles that their countdown can have.
        let widths = card.buttons.reduce(-Grid.buttonGap) {
            $0 + kit.width(of: ButtonFace(title: $1.title, countsDown: true)) + Grid.buttonGap
        }
        buttonsAreStacked = widths > column.width
        if let related = card.related { middle = (Rect.safeArea.y + RelatedPlaces.top(related.grid)) / 2 }
        countdownLines = card.countdown.map { kit.layout($0, style(.body, .bold, 2, kit)).lineCount } ?? 0
    }

    fileprivate static let margin = 56.0
    private static let signSize = 60.0
    /// The picture's width and height.
    private static let pictureSize = (width: 288.0, height: 162.0)

    /// The symbol over its lines; nil for none.
    private var sign: Sign? {
        switch kind {
        case .error, .erasure: .warning
        case .stillWatching: .pause
        case .sleepTimer: .moon
        case .reminder: .bell
        case .slow: .replay
        case .end, .question: nil
        }
    }

    /// Where the lines and the buttons begin in the card, and their width: beside the picture.
    private var column: (x: Double, width: Double) {
        let inner = Double(Metrics.Card.width) - 2 * Self.margin
        guard picture != nil else { return (Self.margin, inner) }
        return (Self.margin + Self.pictureSize.width + 40, inner - Self.pictureSize.width - 40)
    }

    fileprivate struct Places {
        var frame: Rect
        /// The column of the lines.
        var column: Rect
        var picture: Rect?
        var sign: (x: Double, y: Double)?
        var title, message, code: (layout: TextLayout, y: Double)?
        /// The top of the line that counts down.
        var countdown: Double
        var buttons: Rect
    }

    fileprivate func style(_ size: Metrics.TypeSize, _ weight: TextStyle.Weight, _ lines: Int, _ kit: Kit) -> TextStyle {
        var style = kit.style(
            size, weight, width: column.width, lines: lines, alignment: picture == nil ? .centre : kit.theme.leading,
            tabularDigits: true)
        style.avoidsShortEnd = true
        return style
    }

    fileprivate func places(_ kit: Kit) -> Places {
        let width = Double(Metrics.Card.width)
        let column = self.column
        let gap = Double(Metrics.Card.spacing)
        var y = Self.margin
        var sign: Double?
        if self.sign != nil {
            sign = y + Self.signSize / 2
            y += Self.signSize + gap
        }
        func line(_ words: String?, _ size: Metrics.TypeSize, _ weight: TextStyle.Weight, _ lines: Int, _ after: Double) -> (
            TextLayout, Double
        )? {
            guard let words, !words.isEmpty else { return nil }
            let layout = kit.layout(words, style(size, weight, lines, kit))
            defer { y += layout.bounds.height + after }
            return (layout, y)
        }
        let titleLine = line(title, picture == nil ? .title3 : .headline, .bold, picture == nil ? 2 : 3, gap * 0.75)
        let messageLine = line(message, .body, .medium, 4, gap * 0.75)
        let countdownTop = y
        if countdownLines > 0 {
            y += Double(countdownLines * Metrics.TypeSize.body.pixels) * kit.theme.typeScale * 1.2 + gap * 0.75
        }
        let codeLine = line(code, .caption2, .medium, 1, gap * 0.5)
        y += gap * 0.75
        let rows = buttonsAreStacked ? Double(buttonCount) : min(Double(buttonCount), 1)
        let buttonsHeight = rows * kit.rowHeight + max(rows - 1, 0) * Grid.stackGap
        let lines = y + buttonsHeight + (buttonCount == 0 ? 0 : Self.margin)
        let height = picture == nil ? lines : max(lines, Self.pictureSize.height + 2 * Self.margin)
        let frame = Rect(x: 960 - width / 2, y: (middle - height / 2).rounded(), width: width, height: height)
        let lead = frame.y + ((height - lines) / 2).rounded()
        let words = kit.place(Rect(x: frame.x + column.x, y: frame.y, width: column.width, height: height), in: frame)
        var pictureFrame: Rect?
        if picture != nil {
            let place = Rect(
                x: frame.x + Self.margin, y: (frame.midY - Self.pictureSize.height / 2).rounded(), width: Self.pictureSize.width,
                height: Self.pictureSize.height)
            pictureFrame = kit.place(place, in: frame)
        }
        let signX = kit.place(Rect(x: words.x, y: 0, width: Self.signSize, height: 0), in: words).midX
        return Places(
            frame: frame, column: words, picture: pictureFrame,
            sign: sign.map { (picture == nil ? words.midX : signX, lead + $0) }, title: titleLine.map { ($0.0, lead + $0.1) },
            message: messageLine.map { ($0.0, lead + $0.1) }, code: codeLine.map { ($0.0, lead + $0.1) },
            countdown: lead + countdownTop,
            buttons: Rect(x: words.x, y: lead + y, width: words.width, height: buttonsHeight))
    }

    func bounds(_ kit: Kit) -> Rect { places(kit).frame.inset(-2) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = self.places(kit)
        let tints = kit.theme.tints
        canvas.fill(places.frame, radius: Radius.panel, tints.panel.faded(0.94))
        // A dark picture, or a page, would hide its shape.
        canvas.stroke(places.frame, radius: Radius.panel, width: 2, tints.overlayEdge)
        if let frame = places.picture { canvas.picture(picture?.pixels, in: frame, radius: Radius.row, .fit) }
        if let sign, let (x, y) = places.sign { sign.draw(on: canvas, x: x, y: y, size: Self.signSize, tints.text) }
        let x = places.column.x
        if let (layout, y) = places.title { canvas.text(layout, x: x, y: y, tints.text) }
        if let (layout, y) = places.message { canvas.text(layout, x: x, y: y, tints.text) }
        if let (layout, y) = places.code { canvas.text(layout, x: x, y: y, tints.secondaryText) }
    }
}

struct CardButtons: LayerContent {
    var card: CardLayer
    var buttons: [ButtonView]
    /// What happens next, and when.
    var countdown: String?

    private func faces() -> [ButtonFace] {
        buttons.map { ButtonFace(title: $0.title, isFocused: $0.isFocused, countsDown: true) }
    }

    private func countdownLayout(_ words: String, _ kit: Kit) -> TextLayout {
        kit.layout(words, card.style(.body, .bold, max(card.countdownLines, 1), kit))
    }

    private func frames(_ kit: Kit) -> [Rect] {
        let area = card.places(kit).buttons
        guard card.buttonsAreStacked else { return kit.row(faces(), in: area, centred: card.picture == nil) }
        return buttons.indices.map {
            Rect(x: area.x, y: area.y + Double($0) * (kit.rowHeight + Grid.stackGap), width: area.width, height: kit.rowHeight)
        }
    }

    func bounds(_ kit: Kit) -> Rect {
        let frames = self.frames(kit)
        var bounds = kit.reach(of: frames)
        if let countdown {
            let places = card.places(kit), line = countdownLayout(countdown, kit).bounds
            bounds = bounds.union(
                Rect(x: places.column.x + line.x, y: places.countdown, width: line.width, height: line.height))
        }
        return bounds
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        if let countdown {
            let places = card.places(kit)
            let layout = countdownLayout(countdown, kit)
            canvas.text(layout, x: places.column.x, y: places.countdown, kit.theme.tints.text)
        }
        for (face, rect) in zip(faces(), frames(kit)) { canvas.button(face, rect, kit) }
    }
}
