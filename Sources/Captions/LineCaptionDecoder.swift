import MediaTime

/// Decodes CEA-608, the captions of analogue line 21: pop-on, roll-up and paint-on, in one of four channels.
///
/// It takes byte pairs of a field in presentation order and returns the screen after each change. Pure; one thread at a time.
package struct LineCaptionDecoder: Sendable {
    /// The screen from a time on.
    package struct Screen: Sendable, Hashable {
        package var time: MediaTime
        /// The rows with text, as cues without times.
        package var rows: [CaptionCue]
    }

    /// The style of one character.
    struct Pen: Sendable, Hashable {
        var colour = CaptionColour.white
        var isItalic = false
        var isUnderlined = false
    }

    struct Cell: Sendable, Hashable {
        var character: Character
        var pen: Pen
    }

    private enum Mode: Sendable { case none, popOn, rollUp, paintOn, text }

    /// 15 rows of 32 columns.
    private typealias Memory = [[Cell?]]
    private static let rows = 15, columns = 32
    private static let blank: Memory = Array(repeating: Array(repeating: nil, count: columns), count: rows)

    /// 1 or 2 in its field.
    private let channel: Int
    private var mode = Mode.none
    private var shown = Self.blank
    private var hidden = Self.blank
    private var row = 14
    private var column = 0
    private var pen = Pen()
    private var rollRows = 2
    private var lastControl: (UInt8, UInt8)?
    private var isOwnChannel = false
    private var hasChanged = false

    /// - Parameter channel: 1 for CC1 and CC3, 2 for CC2 and CC4; the field says which.
    package init(channel: Int) { self.channel = channel }

    /// Decodes a pair of bytes, parity bits included.
    ///
    /// - Returns: the new screen if this pair changed it.
    package mutating func take(_ first: UInt8, _ second: UInt8, at time: MediaTime) -> Screen? {
        let one = first & 0x7F, two = second & 0x7F
        // Bytes with wrong parity are lost characters.
        guard Self.hasOddParity(first), Self.hasOddParity(second) || two == 0 else {
            lastControl = nil
            return nil
        }
        guard one != 0 || two != 0 else { return nil }
        hasChanged = false
        if (0x10...0x1F).contains(one) {
            // Control codes are sent twice; the second one is ignored.
            if let last = lastControl, last == (one, two) {
                lastControl = nil
                return nil
            }
            lastControl = (one, two)
            isOwnChannel = (one & 0x08 == 0 ? 1 : 2) == channel
            if isOwnChannel { control(one & 0x17, two) }
        } else if one >= 0x20 {
            lastControl = nil
            guard isOwnChannel else { return nil }
            write(Self.basic(one))
            if two >= 0x20 { write(Self.basic(two)) }
        } else {
            // Extended data services: ignore bytes until the next caption code.
            isOwnChannel = false
        }
        return hasChanged ? Screen(time: time, rows: cues()) : nil
    }

    /// Resets after a discontinuity.
    package mutating func reset() {
        self = LineCaptionDecoder(channel: channel)
    }

    private static func hasOddParity(_ byte: UInt8) -> Bool { byte.nonzeroBitCount % 2 == 1 }

    // MARK: Control codes

    private mutating func control(_ one: UInt8, _ two: UInt8) {
        switch (one, two) {
        case (0x14, 0x20...0x2F), (0x15, 0x20...0x2F): miscellaneous(two)
        // The text service has a cursor and a pen of its own.
        case _ where mode == .text: break
        case (0x17, 0x21...0x23): column = min(column + Int(two & 3), Self.columns - 1)
        case (0x11, 0x20...0x2F): midRow(two)
        case (0x11, 0x30...0x3F): write(Self.special[Int(two - 0x30)])
        case (0x12, 0x20...0x3F): replace(Self.extendedWest[Int(two - 0x20)])
        case (0x13, 0x20...0x3F): replace(Self.extendedEast[Int(two - 0x20)])
        case (_, 0x40...0x7F): address(one, two)
        default: break
        }
    }

    private mutating func miscellaneous(_ two: UInt8) {
        switch two {
        case 0x20: mode = .popOn
        case 0x21: backspace()
        case 0x24: deleteToEnd()
        case 0x25, 0x26, 0x27: rollUp(Int(two - 0x23))
        case 0x29: mode = .paintOn
        case 0x2A, 0x2B: mode = .text
        case 0x2C:
            // Erase displayed memory.
            hasChanged = hasChanged || shown != Self.blank
            shown = Self.blank
        case 0x2D: carriageReturn()
        case 0x2E: hidden = Self.blank
        case 0x2F:
            mode = .popOn
            swap(&shown, &hidden)
            hasChanged = true
        default: break
        }
    }

    private mutating func rollUp(_ rows: Int) {
        if mode != .rollUp {
            hasChanged = hasChanged || shown != Self.blank
            shown = Self.blank
            hidden = Self.blank
            row = 14
        }
        mode = .rollUp
        rollRows = rows
        column = 0
        pen = Pen()
    }

    private mutating func carriageReturn() {
        guard mode == .rollUp else { return }
        let top = max(row - rollRows + 1, 0)
        for line in top..<max(row, top) { shown[line] = shown[line + 1] }
        shown[row] = Array(repeating: nil, count: Self.columns)
        for line in 0..<top { shown[line] = Array(repeating: nil, count: Self.columns) }
        column = 0
        pen = Pen()
        hasChanged = true
    }

    private mutating func backspace() {
        guard mode != .text, column > 0 else { return }
        column -= 1
        let (row, column) = (row, column)
        edit { $0[row][column] = nil }
    }

    private mutating func deleteToEnd() {
        let (row, column) = (row, column)
        edit { memory in for place in column..<Self.columns { memory[row][place] = nil } }
    }

    private mutating func midRow(_ two: UInt8) {
        write(" ")
        setPen(Int(two >> 1 & 7), isUnderlined: two & 1 != 0)
    }

    private mutating func setPen(_ index: Int, isUnderlined: Bool) {
        pen.isUnderlined = isUnderlined
        if index == 7 {
            pen.isItalic = true
        } else {
            pen.isItalic = false
            pen.colour = Self.colours[index]
        }
    }

    /// Preamble address codes: a row, and either a colour or an indent.
    private mutating func address(_ one: UInt8, _ two: UInt8) {
        guard let wanted = Self.addressedRow(one, two) else { return }
        if mode == .rollUp, wanted != row {
            // Rolled-up rows move with their base row.
            let top = max(row - rollRows + 1, 0)
            let lines = Array(shown[top...row])
            shown = Self.blank
            let newTop = max(wanted - lines.count + 1, 0)
            for (index, line) in lines.suffix(wanted - newTop + 1).enumerated() { shown[newTop + index] = line }
            hasChanged = true
        }
        row = wanted
        column = 0
        let isUnderlined = two & 1 != 0
        if two & 0x10 != 0 {
            pen = Pen(isUnderlined: isUnderlined)
            column = Int(two >> 1 & 7) * 4
        } else {
            pen = Pen()
            setPen(Int(two >> 1 & 7), isUnderlined: isUnderlined)
        }
    }

    private static func addressedRow(_ one: UInt8, _ two: UInt8) -> Int? {
        let isSecond = two & 0x20 != 0
        return switch one {
        case 0x11: isSecond ? 1 : 0
        case 0x12: isSecond ? 3 : 2
        case 0x15: isSecond ? 5 : 4
        case 0x16: isSecond ? 7 : 6
        case 0x17: isSecond ? 9 : 8
        case 0x10: isSecond ? nil : 10
        case 0x13: isSecond ? 12 : 11
        case 0x14: isSecond ? 14 : 13
        default: nil
        }
    }

    // MARK: Characters

    private mutating func write(_ character: Character) {
        guard mode != .text else { return }
        let (row, place, pen) = (row, column, pen)
        edit { $0[row][place] = Cell(character: character, pen: pen) }
        column = min(column + 1, Self.columns - 1)
    }

    /// An extended character replaces the previous one, which is its fallback for decoders without it.
    private mutating func replace(_ character: Character) {
        if column > 0 { column -= 1 }
        write(character)
    }

    private mutating func edit(_ body: (inout Memory) -> Void) {
        switch mode {
        case .none, .text: return
        case .popOn: body(&hidden)
        case .rollUp, .paintOn:
            body(&shown)
            hasChanged = true
        }
    }

    // MARK: Output

    private func cues() -> [CaptionCue] {
        shown.enumerated().compactMap { index, cells -> CaptionCue? in
            guard let first = cells.firstIndex(where: { $0 != nil && $0?.character != " " }),
                let last = cells.lastIndex(where: { $0 != nil && $0?.character != " " })
            else { return nil }
            var settings = CaptionSettings()
            settings.alignment = .left
            // The grid covers the middle four fifths of the picture.
            let x = 0.1 + 0.8 * Double(first) / Double(Self.columns)
            let box = CaptionBox(
                x: x, y: 0.1 + 0.8 * Double(index) / Double(Self.rows), width: 0.9 - x, height: 0.8 / Double(Self.rows),
                displayAlignment: .before, isGrid: true)
            let nodes = Self.nodes(cells[first...last])
            return CaptionCue(
                start: .zero, end: .zero, settings: settings, nodes: nodes, source: nodes.map(\.plainText).joined(), box: box)
        }
    }

    private static func nodes(_ cells: ArraySlice<Cell?>) -> [CaptionNode] {
        var nodes: [CaptionNode] = []
        var text = "", pen = Pen()
        func flush() {
            guard !text.isEmpty else { return }
            var style = CaptionTextStyle()
            if pen.colour != .white { style.colour = pen.colour }
            if pen.isItalic { style.isItalic = true }
            if pen.isUnderlined { style.isUnderlined = true }
            nodes.append(style.isEmpty ? .text(text) : .span(CaptionSpan(.style(style), children: [.text(text)])))
            text = ""
        }
        for cell in cells {
            let own = cell?.pen ?? pen
            if own != pen {
                flush()
                pen = own
            }
            text.append(cell?.character ?? " ")
        }
        flush()
        return nodes
    }

    private static let colours = [
        CaptionColour.white, CaptionColour(red: 0, green: 255, blue: 0), CaptionColour(red: 0, green: 0, blue: 255),
        CaptionColour(red: 0, green: 255, blue: 255), CaptionColour(red: 255, green: 0, blue: 0),
        CaptionColour(red: 255, green: 255, blue: 0), CaptionColour(red: 255, green: 0, blue: 255),
    ]

    /// ASCII except for ten codes.
    private static func basic(_ code: UInt8) -> Character {
        switch code {
        case 0x2A: "á"
        case 0x5C: "é"
        case 0x5E: "í"
        case 0x5F: "ó"
        case 0x60: "ú"
        case 0x7B: "ç"
        case 0x7C: "÷"
        case 0x7D: "Ñ"
        case 0x7E: "ñ"
        case 0x7F: "█"
        default: Character(Unicode.Scalar(code))
        }
    }

    private static let special: [Character] = Array("®°½¿™¢£♪à\u{A0}èâêîôû")
    private static let extendedWest: [Character] = Array("ÁÉÓÚÜü‘¡*’—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»")
    private static let extendedEast: [Character] = Array("ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘")
}
