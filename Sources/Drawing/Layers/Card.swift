import PlayerInterface

/// A card in the middle of the screen: the end, an error, a slow network. Its buttons are a separate layer, because they count
/// down.
struct Card: LayerContent {
    var kind: CardView.Kind
    var title: String
    var message: String?
    var code: String?
    /// The number of buttons; it decides the height.
    var buttonCount: Int
    var buttonsAreStacked: Bool

    /// A card without the changing state of its buttons.
    init(_ card: CardView, stacked: Bool) {
        kind = card.kind
        title = card.title
        message = card.message
        code = card.code
        buttonCount = card.buttons.count
        buttonsAreStacked = stacked
    }

    /// Whether the buttons are too wide for one row, with the longest titles that their countdown can have.
    static func stacks(_ card: CardView, _ kit: Kit) -> Bool {
        let widths = card.buttons.reduce(-28.0) { $0 + kit.width(of: ButtonFace(title: $1.title, countsDown: true)) + 28 }
        return widths > Double(Metrics.Card.width) - 2 * margin
    }

    fileprivate static let margin = 56.0
    private static let signSize = 60.0

    fileprivate struct Places {
        var frame: Rect
        var sign: Double?
        var title, message, code: (layout: TextLayout, y: Double)?
        var buttons: Rect
    }

    fileprivate func places(_ kit: Kit) -> Places {
        let width = Double(Metrics.Card.width)
        let inner = width - 2 * Self.margin
        let gap = Double(Metrics.Card.spacing)
        var y = Self.margin
        var sign: Double?
        if kind != .end {
            sign = y + Self.signSize / 2
            y += Self.signSize + gap
        }
        func line(_ words: String?, _ size: Metrics.TypeSize, _ weight: TextStyle.Weight, _ lines: Int, _ after: Double) -> (
            TextLayout, Double
        )? {
            guard let words, !words.isEmpty else { return nil }
            let layout = kit.layout(
                words, kit.style(size, weight, width: inner, lines: lines, alignment: .centre, tabularDigits: true))
            defer { y += layout.bounds.height + after }
            return (layout, y)
        }
        let titleLine = line(title, .title3, .bold, 2, gap * 0.75)
        let messageLine = line(message, .body, .medium, 4, gap * 0.75)
        let codeLine = line(code, .caption2, .medium, 1, gap * 0.5)
        y += gap * 0.75
        let rows = buttonsAreStacked ? Double(buttonCount) : min(Double(buttonCount), 1)
        let buttonsHeight = rows * kit.rowHeight + max(rows - 1, 0) * 22
        let height = y + buttonsHeight + (buttonCount == 0 ? 0 : Self.margin)
        let frame = Rect(x: 960 - width / 2, y: (540 - height / 2).rounded(), width: width, height: height)
        return Places(
            frame: frame, sign: sign.map { frame.y + $0 }, title: titleLine.map { ($0.0, frame.y + $0.1) },
            message: messageLine.map { ($0.0, frame.y + $0.1) }, code: codeLine.map { ($0.0, frame.y + $0.1) },
            buttons: Rect(x: frame.x + Self.margin, y: frame.y + y, width: inner, height: buttonsHeight))
    }

    func bounds(_ kit: Kit) -> Rect { places(kit).frame.inset(-2) }

    func draw(on canvas: Canvas, _ kit: Kit) {
        let places = self.places(kit)
        let tints = kit.theme.tints
        canvas.fill(places.frame, radius: Double(Metrics.Card.corner), tints.panel.faded(0.94))
        canvas.stroke(places.frame, radius: Double(Metrics.Card.corner), width: 2, tints.edge)
        if let y = places.sign {
            let sign: Sign =
                switch kind {
                case .error: .warning
                case .stillWatching: .pause
                case .sleepTimer: .moon
                case .slow, .end: .replay
                }
            sign.draw(on: canvas, x: places.frame.midX, y: y, size: Self.signSize, tints.text)
        }
        let x = places.frame.x + Self.margin
        if let (layout, y) = places.title { canvas.text(layout, x: x, y: y, tints.text) }
        if let (layout, y) = places.message { canvas.text(layout, x: x, y: y, tints.text) }
        if let (layout, y) = places.code { canvas.text(layout, x: x, y: y, tints.secondaryText) }
    }
}

struct CardButtons: LayerContent {
    var card: Card
    var buttons: [ButtonView]

    private func faces() -> [ButtonFace] {
        buttons.map { ButtonFace(title: $0.title, isFocused: $0.isFocused, countsDown: true) }
    }

    private func frames(_ kit: Kit) -> [Rect] {
        let area = card.places(kit).buttons
        guard card.buttonsAreStacked else { return kit.row(faces(), in: area, centred: true) }
        return buttons.indices.map {
            Rect(x: area.x, y: area.y + Double($0) * (kit.rowHeight + 22), width: area.width, height: kit.rowHeight)
        }
    }

    func bounds(_ kit: Kit) -> Rect {
        let frames = self.frames(kit)
        return frames.dropFirst().reduce(frames[0]) { $0.union($1) }.inset(-focusReach - 6, -focusReach - 3)
    }

    func draw(on canvas: Canvas, _ kit: Kit) {
        for (face, rect) in zip(faces(), frames(kit)) { canvas.button(face, rect, kit) }
    }
}
