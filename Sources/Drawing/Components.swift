import Screens

/// The appearance of a button.
struct ButtonFace: Sendable, Equatable {
    var title: String
    /// Whether Select activates it.
    var isFocused = false
    /// The remaining part of a countdown ring, 0…1; nil draws none.
    var countdown: Double?
    /// Whether it can be used now.
    var isEnabled = true
    /// Whether its title counts down, so that its width is that of the longest one and the buttons beside it do not move.
    var countsDown = false
    /// The title that it had while it counted down with a ring; nil if it counts down, or never did.
    var formerTitle: String?

    /// The title whose width it has.
    var widestTitle: String {
        guard countsDown else { return title }
        var words = "", digits = 0
        for character in (formerTitle ?? title) + " " {
            if character.isASCII, character.isNumber {
                digits += 1
            } else {
                if digits > 0 { words += String(repeating: "0", count: max(digits, 2)) }
                digits = 0
                words.append(character)
            }
        }
        return String(words.dropLast())
    }
}

extension Canvas {
    /// Draws the focus ring: white with dark lines on both sides, so that it is visible on white, on black and without colours.
    func focusRing(round rect: Rect, radius: Double) {
        let ring = Double(Metrics.focusRing)
        stroke(rect.inset(-focusReach), radius: radius + focusReach, width: focusReach, theme.tints.focusEdge)
        stroke(rect.inset(-3 - ring), radius: radius + 3 + ring, width: ring, theme.tints.focusRing)
    }

    /// Draws the ground of a row, a cell or a key; a focused one is light, slightly larger and has the ring, another one has an edge.
    ///
    /// - Parameter ground: the colour of one without focus; nil for one that cannot be chosen, which has no edge either.
    func ground(of rect: Rect, radius: Double, isFocused: Bool, _ ground: Tint?, _ kit: Kit) {
        let tints = theme.tints
        if isFocused {
            let shape = kit.ringed(rect)
            fill(shape, radius: radius, tints.focusedGround)
            focusRing(round: shape, radius: radius)
        } else {
            guard let ground else { return }
            fill(rect, radius: radius, ground)
            stroke(rect, radius: radius, width: 2, tints.edge)
        }
    }

    /// Draws a button; a focused one is light, slightly larger and has the ring.
    ///
    /// - Parameters:
    ///   - ground: the background of an unfocused button; nil: the colour used on a panel.
    ///   - edge: its edge; nil: that of the theme.
    func button(_ button: ButtonFace, _ place: Rect, ground: Tint? = nil, edge: Tint? = nil, _ kit: Kit) {
        let tints = theme.tints
        let rect = button.isFocused ? kit.grownButton(place) : place
        let radius = rect.height * Pill.buttonCorner
        fill(rect, radius: radius, button.isFocused ? tints.focusedGround : ground ?? tints.control)
        if button.isFocused {
            focusRing(round: rect, radius: radius)
        } else {
            stroke(rect, radius: radius, width: 2, edge ?? tints.edge)
        }
        let colour = button.isFocused ? tints.focusedText : button.isEnabled ? tints.text : tints.disabledText
        var room = rect.inset(32, 0)
        if let countdown = button.countdown {
            let ring = kit.place(Rect(x: room.x - 4, y: rect.midY - 17, width: 34, height: 34), in: rect)
            arc(ring.midX, ring.midY, radius: 15, from: 0, to: 1, width: 5, colour.faded(0.25))
            arc(ring.midX, ring.midY, radius: 15, from: 1 - min(max(countdown, 0), 1), to: 1, width: 5, colour)
            room = kit.place(Rect(x: room.x + 46, y: room.y, width: room.width - 46, height: room.height), in: rect)
        }
        let words = kit.layout(
            button.title, kit.style(.body, .bold, width: room.width, alignment: .centre, tabularDigits: button.countsDown))
        text(words, x: room.x, y: rect.midY - words.opticalMiddle, colour)
    }

    /// Writes lines into a rectangle from its upper edge, aligned to the leading side.
    ///
    /// - Returns: the height of the lines.
    @discardableResult
    func write(_ words: String, _ style: TextStyle, in rect: Rect, _ colour: Tint) -> Double {
        guard !words.isEmpty else { return 0 }
        var style = style
        style.width = rect.width
        let lines = fonts.layout(words, style)
        text(lines, x: rect.x, y: rect.y, colour)
        return lines.bounds.height
    }

    /// Draws how far something is, on a bar. Its part and its rest have 3:1 over any picture.
    ///
    /// - Parameters:
    ///   - least: the smallest part that is drawn, of the whole.
    ///   - runsRight: whether it begins at the left in every language, as time does; otherwise it begins at the leading end.
    ///   - isHollow: whether the part is only a line.
    func progress(
        _ percent: Int, in bar: Rect, least: Double = 0, on ground: BarGround, runsRight: Bool = false, isHollow: Bool = false,
        _ kit: Kit
    ) {
        let radius = bar.height / 2, tints = theme.tints
        if ground == .picture { fill(bar.inset(-3), radius: radius + 3, tints.trackMargin) }
        fill(bar, radius: radius, ground.rest(tints))
        var part = bar
        part.width *= min(max(Double(percent) / 100, least), 1)
        if !runsRight { part = kit.place(part, in: bar) }
        let tint = ground == .focusedRow ? tints.focusedText : tints.text
        if isHollow, !part.isEmpty { stroke(part, radius: radius, width: 2, tint) } else { fill(part, radius: radius, tint) }
    }

    /// Draws the background of a panel or card.
    ///
    /// - Parameter isOverPicture: whether it lies on the moving picture, of which a dark part would hide its shape.
    func panel(_ rect: Rect, radius: Double = Radius.panel, isOverPicture: Bool = false) {
        fill(rect, radius: radius, theme.tints.panel)
        stroke(rect, radius: radius, width: 2, isOverPicture ? theme.tints.overlayEdge : theme.tints.edge)
    }

    /// An arrow around most of a circle: to the right (1) or to the left (-1).
    func arcArrow(_ x: Double, _ y: Double, radius: Double, direction: Double, width: Double, _ colour: Tint) {
        if direction > 0 {
            arc(x, y, radius: radius, from: 0.14, to: 1, width: width, colour)
        } else {
            arc(x, y, radius: radius, from: 0, to: 0.86, width: width, colour)
        }
        let head = radius * 0.42, top = y - radius
        polygon([(x, top - head), (x + direction * head * 1.05, top), (x, top + head)], rounding: width * 0.3, colour)
    }

    /// Draws a code at the top of an area, as wide as it, with words under it.
    ///
    /// - Returns: the y below the words.
    func code(_ code: QRCode, _ caption: String?, in area: Rect, _ kit: Kit) -> Double {
        // Modules are whole pixels, so that a phone can read their sharp edges.
        let modules = Double(code.size + 2 * QRCode.quietZone)
        let module = max((area.width * kit.scale.factor / modules).rounded(.down), 1) / kit.scale.factor
        let side = module * modules
        let left = ((area.midX - side / 2) * kit.scale.factor).rounded() / kit.scale.factor
        let top = (area.y * kit.scale.factor).rounded() / kit.scale.factor
        fill(Rect(x: left, y: top, width: side, height: side), .white(1))
        let quiet = Double(QRCode.quietZone) * module
        for y in 0..<code.size {
            for x in 0..<code.size where code[x, y] {
                fill(
                    Rect(
                        x: left + quiet + Double(x) * module, y: top + quiet + Double(y) * module, width: module, height: module),
                    .white(0))
            }
        }
        var rest = area
        rest.y = top + side + 16
        if let caption {
            rest.y += write(caption, kit.style(.caption1, .bold, lines: 2, alignment: .centre), in: rest, kit.theme.tints.text)
        }
        return rest.y
    }

    /// A chevron that points right (1) or left (-1).
    func chevron(_ x: Double, _ y: Double, size: Double, direction: Double, _ colour: Tint) {
        line(
            [
                (x - direction * size * 0.25, y - size * 0.5), (x + direction * size * 0.25, y),
                (x - direction * size * 0.25, y + size * 0.5),
            ],
            width: max(size * 0.2, 3), colour)
    }

    /// A chevron that points down (1) or up (-1), for more content.
    func more(_ x: Double, _ y: Double, direction: Double, _ colour: Tint) {
        line([(x - 14, y - direction * 5), (x, y + direction * 6), (x + 14, y - direction * 5)], width: 4, colour)
    }

    /// A switch. The position of its knob and a tick show whether it is on, so that no colour is needed.
    func toggle(_ rect: Rect, isOn: Bool, isMirrored: Bool, ground: Tint, knob: Tint) {
        let radius = rect.height / 2
        if isOn {
            fill(rect, radius: radius, ground)
        } else {
            stroke(rect, radius: radius, width: 3, ground)
        }
        let onRight = isOn != isMirrored
        let x = onRight ? rect.maxX - radius : rect.x + radius
        disc(x, rect.midY, radius: radius - (isOn ? 4 : 8), isOn ? knob : ground)
        if isOn { Sign.tick.draw(on: self, x: x, y: rect.midY, size: radius * 1.0, ground) }
    }
}

/// What a bar that shows progress lies on.
enum BarGround: Sendable, CaseIterable {
    case panel
    /// A picture, of which a bright part would hide the bar.
    case picture
    /// A row or a cell on a panel.
    case row
    case focusedRow

    fileprivate func rest(_ tints: ThemeTints) -> Tint {
        switch self {
        case .panel, .picture: tints.track
        case .row: tints.rowTrack
        case .focusedRow: tints.focusedText.faded(0.35)
        }
    }
}
