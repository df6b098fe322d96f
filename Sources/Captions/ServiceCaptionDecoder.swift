import MediaTime

/// Decodes one service of CEA-708, the captions of digital television: windows with pens. Its input is the service blocks of a
/// channel.
///
/// Pure; one thread at a time.
struct ServiceCaptionDecoder: Sendable {
    struct Pen: Sendable, Hashable {
        var isItalic = false
        var isUnderlined = false
        var scale = 1.0
        var family: CaptionTextStyle.Family?
        var edge: CaptionTextStyle.Edge?
        var colour = CaptionColour.white
        var background = CaptionColour.black
    }

    fileprivate struct Cell: Sendable, Hashable {
        var character: Character
        var pen: Pen
    }

    fileprivate struct Window: Sendable, Hashable {
        var isVisible = false
        var priority = 0
        var isRelative = false
        var vertical = 0, horizontal = 0
        var anchor = 0
        var rows = 1, columns = 32
        var fill: CaptionColour?
        var justify = 0
        var cells: [[Cell]] = [[]]
        var row = 0, column = 0
        var pen = Pen()
    }

    private var windows: [Window?] = Array(repeating: nil, count: 8)
    private var current = 0
    private var hasChanged = false

    /// Decodes the bytes of a service block. Returns the captions on the screen from then on, if they changed.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> [CaptionCue]? {
        hasChanged = false
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let used = command(bytes[place...])
            guard used > 0, used <= bytes.endIndex - place else { break }
            place += used
        }
        return hasChanged ? cues() : nil
    }

    // MARK: Codes

    /// Executes the first code and returns its length; zero when it is incomplete.
    private mutating func command(_ bytes: ArraySlice<UInt8>) -> Int {
        let code = bytes.first!
        let start = bytes.startIndex
        func argument(_ index: Int) -> UInt8 { bytes[start + index] }
        func has(_ count: Int) -> Bool { bytes.count >= count }
        switch code {
        case 0x08: backspace()
        case 0x0C: formFeed()
        case 0x0D: carriageReturn()
        case 0x0E: horizontalReturn()
        case 0x10: return extended(bytes)
        case 0x18:
            // A 16-bit character.
            guard has(3) else { return 0 }
            let value = UInt32(argument(1)) << 8 | UInt32(argument(2))
            if let scalar = Unicode.Scalar(value) { write(Character(scalar)) }
            return 3
        case 0x00...0x0F: break
        case 0x11...0x17: return 2
        case 0x19...0x1F: return 3
        case 0x20...0x7E: write(Character(Unicode.Scalar(code)))
        case 0x7F: write("♪")
        case 0x80...0x87: current = Int(code & 7)
        case 0x88...0x8C:
            guard has(2) else { return 0 }
            windows(code, mask: argument(1))
            return 2
        case 0x8D: return 2
        case 0x8F:
            hasChanged = hasChanged || windows.contains { $0 != nil }
            windows = Array(repeating: nil, count: 8)
        case 0x90:
            guard has(3) else { return 0 }
            penAttributes(argument(1), argument(2))
            return 3
        case 0x91:
            guard has(4) else { return 0 }
            penColour(argument(1), argument(2))
            return 4
        case 0x92:
            guard has(3) else { return 0 }
            edit { window in
                window.row = min(Int(argument(1) & 15), 14)
                window.column = Int(argument(2) & 63)
            }
            return 3
        case 0x97:
            guard has(5) else { return 0 }
            let fill = Self.colour(argument(1))
            let justify = Int(argument(3) & 3)
            edit { window in
                window.fill = fill.alpha > 0 ? fill : nil
                window.justify = justify
            }
            touch()
            return 5
        case 0x98...0x9F:
            guard has(7) else { return 0 }
            define(Int(code & 7), (1...6).map { argument($0) })
            return 7
        case 0xA0...0xFF: write(Character(Unicode.Scalar(code)))
        default: break
        }
        return 1
    }

    /// Codes after EXT1: a few characters; commands are skipped by their length.
    private mutating func extended(_ bytes: ArraySlice<UInt8>) -> Int {
        guard bytes.count >= 2 else { return 0 }
        let code = bytes[bytes.startIndex + 1]
        switch code {
        case 0x00...0x07: return 2
        case 0x08...0x0F: return 3
        case 0x10...0x17: return 4
        case 0x18...0x1F: return 5
        case 0x20...0x7F:
            if let character = Self.extended[code] { write(character) }
            return 2
        case 0x80...0x87: return 6
        case 0x88...0x8F: return 7
        case 0xA0: write("㏄")
        default: write("_")
        }
        return 2
    }

    private static let extended: [UInt8: Character] = [
        0x20: " ", 0x21: "\u{A0}", 0x25: "…", 0x2A: "Š", 0x2C: "Œ", 0x30: "█", 0x31: "‘", 0x32: "’", 0x33: "“", 0x34: "”",
        0x35: "•", 0x39: "™", 0x3A: "š", 0x3C: "œ", 0x3D: "℠", 0x3F: "Ÿ", 0x76: "⅛", 0x77: "⅜", 0x78: "⅝", 0x79: "⅞",
        0x7A: "│", 0x7B: "┐", 0x7C: "└", 0x7D: "─", 0x7E: "┘", 0x7F: "┌",
    ]

    // MARK: Windows

    private mutating func windows(_ code: UInt8, mask: UInt8) {
        for index in 0..<8 where mask & 1 << UInt8(index) != 0 {
            guard windows[index] != nil else { continue }
            switch code {
            case 0x88:
                windows[index]!.cells = [[]]
                windows[index]!.row = 0
                windows[index]!.column = 0
            case 0x89: windows[index]!.isVisible = true
            case 0x8A: windows[index]!.isVisible = false
            case 0x8B: windows[index]!.isVisible.toggle()
            default: windows[index] = nil
            }
            hasChanged = true
        }
    }

    private mutating func define(_ index: Int, _ bytes: [UInt8]) {
        let isNew = windows[index] == nil
        var window = windows[index] ?? Window()
        window.isVisible = bytes[0] & 0x20 != 0
        window.priority = Int(bytes[0] & 7)
        window.isRelative = bytes[1] & 0x80 != 0
        window.vertical = Int(bytes[1] & 0x7F)
        window.horizontal = Int(bytes[2])
        window.anchor = Int(bytes[3] >> 4)
        window.rows = Int(bytes[3] & 15) + 1
        window.columns = Int(bytes[4] & 63) + 1
        let (windowStyle, penStyle) = (Int(bytes[5] >> 3 & 7), Int(bytes[5] & 7))
        if isNew || windowStyle > 0 {
            // Predefined styles: 2 and 5 have no background, 4 to 6 are centred.
            window.fill = [2, 5].contains(windowStyle) ? nil : .black
            window.justify = (4...6).contains(windowStyle) ? 2 : 0
        }
        if isNew || penStyle > 0 {
            window.pen = Pen()
            let families: [CaptionTextStyle.Family?] = [
                nil, nil, .monospacedSerif, .serif, .monospaced, .sans, .monospaced, .sans,
            ]
            window.pen.family = families[penStyle]
            if penStyle >= 6 {
                window.pen.edge = .uniform
                window.pen.background = .transparent
            }
        }
        windows[index] = window
        current = index
        hasChanged = true
    }

    private mutating func edit(_ body: (inout Window) -> Void) {
        guard windows[current] != nil else { return }
        body(&windows[current]!)
    }

    private mutating func touch() { if windows[current]?.isVisible == true { hasChanged = true } }

    // MARK: Pens and characters

    private mutating func penAttributes(_ one: UInt8, _ two: UInt8) {
        edit { window in
            window.pen.scale = [0.8, 1, 1.25, 1][Int(one & 3)]
            window.pen.isItalic = two & 0x80 != 0
            window.pen.isUnderlined = two & 0x40 != 0
            let edges: [CaptionTextStyle.Edge?] = [nil, .raised, .depressed, .uniform, .dropShadow, .dropShadow, nil, nil]
            window.pen.edge = edges[Int(two >> 3 & 7)]
            let families: [CaptionTextStyle.Family?] = [
                nil, .monospacedSerif, .serif, .monospaced, .sans, .casual, .cursive, .smallCapitals,
            ]
            window.pen.family = families[Int(two & 7)]
        }
    }

    private mutating func penColour(_ foreground: UInt8, _ background: UInt8) {
        edit { window in
            window.pen.colour = Self.colour(foreground)
            window.pen.background = Self.colour(background)
        }
    }

    /// Two bits each of opacity, red, green and blue. Opacity: 0 solid, 1 flashing, 2 translucent, 3 transparent.
    private static func colour(_ byte: UInt8) -> CaptionColour {
        let alpha: UInt8 = [255, 255, 128, 0][Int(byte >> 6)]
        return CaptionColour(red: (byte >> 4 & 3) * 85, green: (byte >> 2 & 3) * 85, blue: (byte & 3) * 85, alpha: alpha)
    }

    private mutating func write(_ character: Character) {
        edit { window in
            window.room(for: window.row)
            while window.cells[window.row].count <= window.column {
                window.cells[window.row].append(Cell(character: " ", pen: window.pen))
            }
            window.cells[window.row][window.column] = Cell(character: character, pen: window.pen)
            // A row holds at most 42 characters.
            window.column = min(window.column + 1, 41)
        }
        touch()
    }

    private mutating func backspace() {
        edit { window in
            guard window.column > 0, window.cells.indices.contains(window.row) else { return }
            window.column -= 1
            if window.cells[window.row].count > window.column { window.cells[window.row].removeSubrange(window.column...) }
        }
        touch()
    }

    private mutating func formFeed() {
        edit { window in
            window.cells = [[]]
            window.row = 0
            window.column = 0
        }
        touch()
    }

    private mutating func horizontalReturn() {
        edit { window in
            window.room(for: window.row)
            window.cells[window.row] = []
            window.column = 0
        }
        touch()
    }

    private mutating func carriageReturn() {
        edit { window in
            window.column = 0
            window.room(for: window.row)
            if window.row + 1 < window.rows {
                window.row += 1
                window.room(for: window.row)
            } else {
                window.cells.removeFirst()
                window.cells.append([])
                window.row = window.cells.count - 1
            }
        }
        touch()
    }

    // MARK: Output

    private func cues() -> [CaptionCue] {
        let visible = windows.compactMap { $0 }.filter(\.isVisible).sorted { $0.priority > $1.priority }
        return visible.flatMap(Self.cues)
    }

    /// A window is one box; each row is a paragraph of it.
    private static func cues(_ window: Window) -> [CaptionCue] {
        let lines = window.cells.prefix(window.rows)
        guard lines.contains(where: { line in line.contains { $0.character != " " } }) else { return [] }
        var settings = CaptionSettings()
        settings.alignment = [CaptionSettings.Alignment.left, .right, .center, .left][window.justify]
        var nodes: [CaptionNode] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { nodes.append(.text("\n")) }
            nodes += Self.nodes(line)
        }
        return [
            CaptionCue(
                start: .zero, end: .zero, settings: settings, nodes: nodes, source: nodes.map(\.plainText).joined(),
                box: box(window))
        ]
    }

    /// The box of a window: its anchor is a point on a grid of 75 rows and 210 columns (or 160 in 4:3) inside the safe area, or
    /// of 100 parts each way.
    private static func box(_ window: Window) -> CaptionBox {
        let vertical = Double(window.vertical) / (window.isRelative ? 100 : 75)
        let horizontal = Double(window.horizontal) / (window.isRelative ? 100 : 210)
        let height = min(Double(window.rows) * 0.0533, 1), width = min(Double(window.columns) / 42 * 0.8, 0.8)
        let x = 0.1 + 0.8 * min(horizontal, 1), y = 0.1 + 0.8 * min(vertical, 1)
        let left = [x, x - width / 2, x - width][window.anchor % 3]
        let top = [y, y - height / 2, y - height][min(window.anchor / 3, 2)]
        let side: CaptionBox.Side = [.before, .middle, .after][min(window.anchor / 3, 2)]
        return CaptionBox(
            x: min(max(left, 0), 1 - width), y: min(max(top, 0), max(1 - height, 0)), width: width, height: height,
            displayAlignment: side, window: window.fill)
    }

    private static func nodes(_ cells: [Cell]) -> [CaptionNode] {
        var nodes: [CaptionNode] = []
        var text = ""
        var pen = cells.first?.pen ?? Pen()
        func flush() {
            guard !text.isEmpty else { return }
            var style = CaptionTextStyle()
            if pen.colour != .white { style.colour = pen.colour }
            if pen.background != .black { style.background = pen.background }
            if pen.isItalic { style.isItalic = true }
            if pen.isUnderlined { style.isUnderlined = true }
            if pen.scale != 1 { style.scale = pen.scale }
            style.family = pen.family
            style.edge = pen.edge
            nodes.append(style.isEmpty ? .text(text) : .span(CaptionSpan(.style(style), children: [.text(text)])))
            text = ""
        }
        for cell in cells {
            if cell.pen != pen {
                flush()
                pen = cell.pen
            }
            text.append(cell.character)
        }
        flush()
        return nodes
    }
}

extension ServiceCaptionDecoder.Window {
    fileprivate mutating func room(for row: Int) { while cells.count <= row { cells.append([]) } }
}
