import CASS
import Glibc

/// What an event of SubStation Alpha asks of libass, estimated from its text before it is drawn: libass makes bitmaps as large as a script asks for, and has no
/// bound of its own. The estimate is rather too high: where it is not clear how libass reads a tag, the larger meaning counts.
struct SubStationCost: Equatable {
    /// Bytes of bitmaps: one for each pixel of each glyph, of its border, and of what is composed of them.
    var bitmapBytes = 0.0
    /// Characters that are shaped.
    var glyphs = 0
    /// Bytes of the event's text: points of drawings, tags.
    var textBytes = 0
    /// The fonts that its tags name.
    var fonts: Set<ArraySlice<UInt8>> = []

    /// The scale of a script on the screen.
    struct Scale: Equatable {
        /// Pixels of the screen for one of the script, the larger of both directions, and by the viewer's size of text.
        var factor: Double
        /// The width and height of the picture, together.
        var reach: Double
    }

    /// The measures of a style, in pixels of the script.
    struct Style {
        var size = 0.0
        var scaleX = 1.0, scaleY = 1.0
        var border = 0.0, shadow = 0.0
        var blur = 0.0
        var spacing = 0.0
        var shearX = 0.0, shearY = 0.0
        var isTurned = false, isTilted = false

        init() {}

        init(_ style: ASS_Style) {
            size = abs(style.FontSize)
            (scaleX, scaleY) = (abs(style.ScaleX), abs(style.ScaleY))
            // The viewer's own border is at most four.
            (border, shadow) = (max(abs(style.Outline), 4), abs(style.Shadow))
            blur = min(abs(style.Blur), Self.mostBlur)
            spacing = abs(style.Spacing)
            isTurned = style.Angle != 0
        }

        /// libass goes no further.
        static let mostBlur = 100.0

        /// The larger of each.
        func joined(_ other: Style) -> Style {
            var style = self
            style.size = max(size, other.size)
            (style.scaleX, style.scaleY) = (max(scaleX, other.scaleX), max(scaleY, other.scaleY))
            (style.border, style.shadow) = (max(border, other.border), max(shadow, other.shadow))
            style.blur = max(blur, other.blur)
            style.spacing = max(spacing, other.spacing)
            (style.shearX, style.shearY) = (max(shearX, other.shearX), max(shearY, other.shearY))
            style.isTurned = isTurned || other.isTurned
            style.isTilted = isTilted || other.isTilted
            return style
        }
    }

    init() {}

    /// - Parameters:
    ///   - text: the event's text, with its tags.
    ///   - style: its style; `largest`: each measure the largest of all styles, which a tag may name.
    init(text: String, style: Style, largest: Style, scale: Scale) {
        var reader = SubStationTextCost(style: style, largest: largest, scale: scale)
        let bytes = Array(text.utf8)
        reader.read(bytes[...])
        self = reader.cost
        textBytes = bytes.count
    }

    static func + (one: SubStationCost, other: SubStationCost) -> SubStationCost {
        var sum = one
        sum.bitmapBytes += other.bitmapBytes
        sum.glyphs += other.glyphs
        sum.textBytes += other.textBytes
        sum.fonts.formUnion(other.fonts)
        return sum
    }

    /// Whether one picture may cost this.
    var isBearable: Bool {
        bitmapBytes <= Self.mostBitmapBytes && glyphs <= DrawableText.mostScalars && textBytes <= Self.mostTextBytes
            && fonts.count <= Self.mostFonts
    }

    private static let mostBitmapBytes = Double(32 << 20)
    private static let mostTextBytes = 512 << 10
    private static let mostFonts = 64
}

/// Reads the text of an event as libass does, byte by byte: tags in braces change the style of what follows.
private struct SubStationTextCost {
    private(set) var cost = SubStationCost()
    private let base: SubStationCost.Style
    private let largest: SubStationCost.Style
    private let scale: SubStationCost.Scale
    private var style: SubStationCost.Style
    /// What a tag without a value returns to.
    private var initial: SubStationCost.Style
    /// The exponent of a drawing's units; nil: text.
    private var drawing: Double?
    /// The farthest place that a tag names.
    private var farthest = 0.0
    private var hasMask = false
    private var run = Extent()
    private var line = Extent()

    private struct Extent {
        var width = 0.0, height = 0.0
    }

    init(style: SubStationCost.Style, largest: SubStationCost.Style, scale: SubStationCost.Scale) {
        (base, self.style, initial) = (style, style, style)
        self.largest = largest
        self.scale = scale
    }

    mutating func read(_ text: ArraySlice<UInt8>) {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "{")), let end = rest[start...].firstIndex(of: UInt8(ascii: "}")) {
            let isEscaped = rest[..<start].last == Self.backslash
            words(rest[..<start])
            let tags = rest[(start + 1)..<end]
            // Newer versions of libass draw it, older ones obey it.
            if isEscaped { words(tags) }
            apply(tags)
            rest = rest[(end + 1)...]
        }
        words(rest)
        endLine()
    }

    private static let backslash = UInt8(ascii: "\\")

    // MARK: Words and drawings

    private mutating func words(_ text: ArraySlice<UInt8>) {
        defer { endRun() }
        if let exponent = drawing, !text.isEmpty {
            let box = SubStationNumbers.box(ofDrawing: text) ?? (0, 0)
            let unit = scale.factor / exp2(min(max(exponent - 1, 0), 16))
            cost.glyphs += 1
            return addGlyph(width: box.width * style.scaleX * unit, height: box.height * style.scaleY * unit)
        }
        var isEscape = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || (isEscape && (scalar == "N" || scalar == "n")) {
                endLine()
                isEscape = false
                continue
            }
            isEscape = scalar == "\\"
            cost.glyphs += 1
            let size = style.size * scale.factor
            let width = (size * Self.width(of: scalar) + style.spacing * scale.factor) * style.scaleX
            // Another font begins where this one has no glyph.
            if !scalar.isASCII { endRun() }
            addGlyph(width: width, height: size * style.scaleY)
            if !scalar.isASCII { endRun() }
        }
    }

    /// The widest letters of the world are as wide as a dozen others.
    private static func width(of scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0xFDFA...0xFDFD, 0xA9C0...0xA9C5, 0x12000...0x1254F, 0x2E3A...0x2E3B: 12
        default: 1
        }
    }

    private mutating func addGlyph(width: Double, height: Double) {
        cost.bitmapBytes += area(Extent(width: width, height: height), pad: border) * (style.border > 0 ? 2 : 1)
        run = Extent(width: run.width + width, height: max(run.height, height))
        line = Extent(width: line.width + width, height: max(line.height, height))
    }

    private mutating func endRun() {
        guard run.width > 0 || run.height > 0 else { return }
        let layers = 1.0 + (style.border > 0 ? 1 : 0) + (style.shadow > 0 ? 1 : 0)
        // Soft edges reach further than their radius; a mask makes another copy.
        let bytes = area(run, pad: border + 4 * style.blur * scale.factor + 8) * layers * (hasMask ? 2 : 1)
        cost.bitmapBytes += bytes
        run = Extent()
    }

    private mutating func endLine() {
        endRun()
        line = Extent()
    }

    private var border: Double { (style.border + 1) * scale.factor }

    /// The area of a box as it lies on the screen.
    private func area(_ box: Extent, pad: Double) -> Double {
        var (width, height) = (box.width, box.height)
        (width, height) = (width + style.shearX * height, height + style.shearY * width)
        if style.isTurned || style.isTilted { (width, height) = (width + height, width + height) }
        if style.isTilted {
            // What comes nearer to the eye, which is 20,000 pixels of the script away, grows up to 16 times.
            let eye = 20_000 * min(scale.factor, 1)
            let near = eye - (farthest * scale.factor + scale.reach + line.width + width)
            let growth = eye / max(near, eye / 16)
            (width, height) = (width * growth, height * growth)
        }
        return (width + 2 * pad) * (height + 2 * pad)
    }

    // MARK: Tags

    private mutating func apply(_ tags: ArraySlice<UInt8>) {
        // What changes with time has the larger of its values.
        var isChanging = false
        for piece in tags.split(separator: Self.backslash) {
            let tag = piece.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let before = style
            if tag.starts(with: "t(".utf8) { isChanging = true }
            apply(tag: tag)
            if isChanging { style = style.joined(before) }
        }
    }

    private mutating func apply(tag: ArraySlice<UInt8>) {
        /// The sizes of the numbers of a tag, if it has one of these names. The longer names come first, as in libass.
        func values(_ names: String...) -> [Double]? {
            let name = names.first { tag.starts(with: $0.utf8) }
            return name.map { SubStationNumbers.all(in: tag.dropFirst($0.utf8.count)).map(abs) }
        }
        if let border = values("xbord", "ybord") {
            style.border = max(style.border, border.max() ?? initial.border)
        } else if let border = values("bord") {
            style.border = border.max() ?? initial.border
        } else if let shadow = values("xshad", "yshad", "shad") {
            style.shadow = max(style.shadow, shadow.max() ?? initial.shadow)
        } else if let shear = values("fax") {
            style.shearX = shear.max() ?? 0
        } else if let shear = values("fay") {
            style.shearY = shear.max() ?? 0
        } else if values("iclip", "clip") != nil {
            clip(tag)
        } else if let blur = values("blur") {
            style.blur = min(blur.max() ?? initial.blur, SubStationCost.Style.mostBlur)
        } else if let percent = values("fscx") {
            style.scaleX = percent.max().map { $0 / 100 } ?? initial.scaleX
        } else if let percent = values("fscy") {
            style.scaleY = percent.max().map { $0 / 100 } ?? initial.scaleY
        } else if values("fsc") != nil {
            (style.scaleX, style.scaleY) = (initial.scaleX, initial.scaleY)
        } else if let spacing = values("fsp") {
            style.spacing = spacing.max() ?? initial.spacing
        } else if let size = values("fs") {
            resize(size.max(), isRelative: tag.contains(UInt8(ascii: "+")) || tag.contains(UInt8(ascii: "-")))
        } else if let angle = values("frx", "fry") {
            style.isTilted = style.isTilted || angle.contains { $0 != 0 }
        } else if let angle = values("frz", "fr") {
            style.isTurned = angle.isEmpty ? initial.isTurned : angle.contains { $0 != 0 }
        } else if values("fn") != nil {
            cost.fonts.insert(tag)
        } else if let place = values("pos", "move", "org") {
            farthest = max(farthest, place.max() ?? 0)
        } else if values("pbo") != nil {
            // It moves a drawing only.
        } else if let exponent = values("p") {
            drawing = exponent.filter { $0 >= 1 }.min()
        } else if values("r") != nil {
            initial = tag.count == 1 ? base : base.joined(largest)
            style = initial
        }
    }

    private mutating func resize(_ value: Double?, isRelative: Bool) {
        guard let value else { return style.size = initial.size }
        let size = isRelative ? style.size * (1 + value / 10) : value
        style.size = isRelative || value == 0 ? max(size, initial.size) : size
    }

    /// A clip of four numbers is a rectangle, which costs nothing; any other is a drawing.
    private mutating func clip(_ tag: ArraySlice<UInt8>) {
        let inner = tag.drop { $0 != UInt8(ascii: "(") }
        guard let box = SubStationNumbers.box(ofDrawing: inner) else { return }
        cost.bitmapBytes += (box.width * scale.factor + 8) * (box.height * scale.factor + 8) * 2
        hasMask = true
    }
}

/// Numbers in a script, as the C library reads them.
private enum SubStationNumbers {
    /// All numbers of a text, whatever is between them. One that does not fit is infinite.
    static func all(in text: ArraySlice<UInt8>) -> [Double] {
        var numbers: [Double] = []
        scan(text) { if let number = $0 { numbers.append(number) } }
        return numbers
    }

    /// The box of a drawing's points; nil: it has no command.
    static func box(ofDrawing text: ArraySlice<UInt8>) -> (width: Double, height: Double)? {
        var (x, y) = (Span(), Span())
        var isY = false
        var isOrderly = true
        var isBegun = false
        scan(text) { number in
            guard let number else {
                // A command: pairs begin again.
                if isBegun, isY { isOrderly = false }
                (isBegun, isY) = (true, false)
                return
            }
            // The scale of a mask comes before its first command.
            guard isBegun else { return }
            if isY { y.add(number) } else { x.add(number) }
            isY.toggle()
        }
        guard isBegun else { return nil }
        guard isOrderly, !isY else {
            // A number is missing: which are widths and which are heights is anybody's guess.
            let both = x.joined(y).length
            return (both, both)
        }
        return (x.length, y.length)
    }

    private struct Span {
        private var range: ClosedRange<Double>?
        var length: Double { range.map { $0.upperBound - $0.lowerBound } ?? 0 }

        mutating func add(_ number: Double) {
            range = range.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
        }

        func joined(_ other: Span) -> Span {
            var span = self
            for end in [other.range?.lowerBound, other.range?.upperBound] { if let end { span.add(end) } }
            return span
        }
    }

    /// Calls for each number, and with nil for each letter that is none.
    private static func scan(_ bytes: ArraySlice<UInt8>, _ take: (Double?) -> Void) {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if let end = endOfNumber(bytes, place) {
                let number = Double(String(decoding: bytes[place..<end], as: UTF8.self)) ?? .infinity
                take(number.isFinite ? number : .infinity)
                place = end
            } else {
                if UInt8(ascii: "a")...UInt8(ascii: "z") ~= bytes[place] | 0x20 { take(nil) }
                place += 1
            }
        }
    }

    /// Where a number that begins at a place ends; nil: none begins there.
    private static func endOfNumber(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int? {
        func digits(from place: Int) -> Int {
            bytes[place...].firstIndex { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) } ?? bytes.endIndex
        }
        func isSign(_ place: Int) -> Bool {
            place < bytes.endIndex && (bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-"))
        }
        let first = isSign(start) ? start + 1 : start
        guard first < bytes.endIndex else { return nil }
        var end = digits(from: first)
        var count = end - first
        if end < bytes.endIndex, bytes[end] == UInt8(ascii: ".") {
            let last = digits(from: end + 1)
            count += last - end - 1
            if count > 0 { end = last }
        }
        guard count > 0 else { return nil }
        if end < bytes.endIndex, bytes[end] | 0x20 == UInt8(ascii: "e") {
            let exponent = isSign(end + 1) ? end + 2 : end + 1
            if exponent < bytes.endIndex, case let last = digits(from: exponent), last > exponent { end = last }
        }
        return end
    }
}
