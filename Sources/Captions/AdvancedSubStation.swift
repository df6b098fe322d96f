import MediaTime

/// Parses SubStation Alpha (.ssa, .ass): text, times, positions and styles. Each cue also carries its original event, for a
/// script renderer. The parsed form has no drawings and no movement; it is the fallback without such a renderer.
package enum AdvancedSubStation {
    /// Whether a text is such a script.
    static func isScript(_ text: String) -> Bool {
        let beginning = text.prefix(2048).lowercased()
        return beginning.contains("[script info]") || beginning.contains("[v4+ styles]") || beginning.contains("[v4 styles]")
    }

    static func parse(_ text: String) -> CaptionDocument {
        let script = SubStationScript(text)
        return CaptionDocument(cues: script.cues)
    }

    /// The cue of a sample of Matroska or MP4: the fields of a `Dialogue:` line from the read order on, without times.
    ///
    /// - Parameters:
    ///   - header: the script's header, from the codec's private data.
    package static func cue(sample: String, header: SubStationHeader, start: MediaTime, end: MediaTime) -> CaptionCue? {
        let fields = sample.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 9 else { return nil }
        var cue = header.cue(
            style: fields[2], marginLeft: fields[4], marginRight: fields[5], marginVertical: fields[6], text: fields[8],
            start: start,
            end: end)
        cue?.event = SubStationEvent(head: header.text, fields: sample)
        return cue
    }
}

/// The header of a script: its size and its styles.
package struct SubStationHeader: Sendable {
    struct Style: Sendable {
        var text = CaptionTextStyle()
        /// The numeric keypad position: 2 is bottom centre.
        var alignment = 2
        var size = 18.0
        var marginLeft = 10.0, marginRight = 10.0, marginVertical = 10.0
    }

    private(set) var width = 384.0
    private(set) var height = 288.0
    private var styles: [String: Style] = [:]
    private var format: [String] = []
    private var isOld = false
    /// The text of the header.
    let text: String

    /// Parses a header.
    package init(_ text: String) {
        self.text = text
        for line in CaptionText.lines(of: text) { read(line) }
    }

    /// Parses a line; returns whether it belongs to the header.
    @discardableResult
    mutating func read(_ line: String) -> Bool {
        let trimmed = line.trimmed
        if trimmed.lowercased() == "[v4 styles]" { isOld = true }
        guard let colon = trimmed.firstIndex(of: ":") else { return false }
        let value = trimmed[trimmed.index(after: colon)...].trimmed
        switch trimmed[..<colon].lowercased() {
        case "playresx": width = Double(finite: value).flatMap { $0 > 0 ? $0 : nil } ?? width
        case "playresy": height = Double(finite: value).flatMap { $0 > 0 ? $0 : nil } ?? height
        case "format" where styles.isEmpty && value.lowercased().contains("fontname"):
            format = value.lowercased().split(separator: ",").map(\.trimmed)
        case "style": readStyle(value)
        default: return false
        }
        return true
    }

    private mutating func readStyle(_ value: String) {
        let names =
            format.isEmpty
            ? [
                "name", "fontname", "fontsize", "primarycolour", "secondarycolour", "outlinecolour", "backcolour", "bold",
                "italic",
                "underline", "strikeout", "scalex", "scaley", "spacing", "angle", "borderstyle", "outline", "shadow", "alignment",
                "marginl", "marginr", "marginv", "encoding",
            ] : format
        let values = value.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        let fields = Dictionary(zip(names, values)) { first, _ in first }
        var style = Style()
        style.text.colour = fields["primarycolour"].flatMap(Self.colour)
        style.text.isBold = fields["bold"].flatMap { Int($0) }.map { $0 != 0 }
        style.text.isItalic = fields["italic"].flatMap { Int($0) }.map { $0 != 0 }
        style.text.isUnderlined = fields["underline"].flatMap { Int($0) }.map { $0 != 0 }
        style.text.isStruckThrough = fields["strikeout"].flatMap { Int($0) }.map { $0 != 0 }
        if let outline = fields["outline"].flatMap({ Double($0) }), fields["borderstyle"] != "3" {
            style.text.edge =
                outline > 0
                ? .uniform : (fields["shadow"].flatMap { Double($0) } ?? 0) > 0 ? .dropShadow : CaptionTextStyle.Edge.none
        }
        if fields["borderstyle"] == "3" { style.text.background = fields["outlinecolour"].flatMap(Self.colour) ?? .black }
        style.size = fields["fontsize"].flatMap { Double(finite: $0) }.flatMap { $0 > 0 ? $0 : nil } ?? style.size
        if let alignment = fields["alignment"].flatMap({ Int($0) }) {
            style.alignment = isOld ? Self.modern(alignment) : alignment
        }
        style.marginLeft = fields["marginl"].flatMap { Double(finite: $0) } ?? style.marginLeft
        style.marginRight = fields["marginr"].flatMap { Double(finite: $0) } ?? style.marginRight
        style.marginVertical = fields["marginv"].flatMap { Double(finite: $0) } ?? style.marginVertical
        styles[(fields["name"] ?? "Default").filter { $0 != "*" }] = style
    }

    /// Converts SSA's alignments (1…3 bottom, 5…7 top, 9…11 middle) to keypad positions.
    static func modern(_ old: Int) -> Int {
        switch old {
        case 5...7: old + 2
        case 9...11: old - 5
        default: old
        }
    }

    /// `&HAABBGGRR`, in which AA is the transparency, or a number.
    static func colour(_ text: String) -> CaptionColour? {
        var digits = text.lowercased().filter { $0 != "&" && !$0.isWhitespace }
        let value: UInt32?
        if digits.hasPrefix("h") {
            digits.removeFirst()
            value = UInt32(digits.suffix(8), radix: 16)
        } else {
            value = Int64(digits).map { UInt32(truncatingIfNeeded: $0) }
        }
        guard let value else { return nil }
        return CaptionColour(
            red: UInt8(truncatingIfNeeded: value), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value >> 16), alpha: 255 - UInt8(truncatingIfNeeded: value >> 24))
    }

    func cue(
        style name: String, marginLeft: String, marginRight: String, marginVertical: String, text: String, start: MediaTime,
        end: MediaTime
    ) -> CaptionCue? {
        let style = styles[name.filter { $0 != "*" }] ?? styles["Default"] ?? Style()
        func margin(_ text: String, _ other: Double) -> Double {
            Double(finite: text.trimmed).flatMap { $0 > 0 ? $0 : nil } ?? other
        }
        var text = SubStationText(text, style: style, header: self)
        let nodes = text.parse()
        guard nodes.contains(where: { !$0.plainText.trimmed.isEmpty }) else { return nil }
        let left = margin(marginLeft, style.marginLeft) / width, right = margin(marginRight, style.marginRight) / width
        let vertical = margin(marginVertical, style.marginVertical) / height
        let alignment = text.alignment ?? style.alignment
        var box = CaptionBox(
            x: left, y: vertical, width: max(1 - left - right, 0.05), height: max(1 - 2 * vertical, 0.05),
            displayAlignment: (7...9).contains(alignment) ? .before : (4...6).contains(alignment) ? .middle : .after)
        if let place = text.place {
            box = Self.box(at: (place.x / width, place.y / height), alignment)
        }
        var settings = CaptionSettings()
        settings.alignment = [1, 4, 7].contains(alignment) ? .left : [3, 6, 9].contains(alignment) ? .right : .center
        let isOrdinary = alignment == 2 && text.place == nil
        return CaptionCue(
            start: start, end: end, settings: settings, nodes: nodes, source: nodes.map(\.plainText).joined(),
            box: isOrdinary ? nil : box)
    }

    /// The box at a point, on the side given by the alignment.
    private static func box(at point: (x: Double, y: Double), _ alignment: Int) -> CaptionBox {
        let x = min(max(point.x, 0), 1), y = min(max(point.y, 0), 1)
        let half = min(x, 1 - x)
        let across: (Double, Double) =
            switch alignment {
            case 1, 4, 7: (x, 1 - x)
            case 3, 6, 9: (0, x)
            default: (x - half, 2 * half)
            }
        switch alignment {
        case 7...9: return CaptionBox(x: across.0, y: y, width: across.1, height: 1 - y, displayAlignment: .before)
        case 4...6:
            let reach = min(y, 1 - y)
            return CaptionBox(x: across.0, y: y - reach, width: across.1, height: 2 * reach, displayAlignment: .middle)
        default: return CaptionBox(x: across.0, y: 0, width: across.1, height: y, displayAlignment: .after)
        }
    }
}

/// A whole script.
private struct SubStationScript {
    private(set) var cues: [CaptionCue] = []

    init(_ text: String) {
        let header = SubStationHeader(Self.head(of: text))
        var format = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
        var isEvents = false
        for line in CaptionText.lines(of: text) {
            let trimmed = line.trimmed
            if trimmed.hasPrefix("[") {
                isEvents = trimmed.lowercased() == "[events]"
                continue
            }
            guard isEvents else { continue }
            guard cues.count < CaptionBounds.cues else { break }
            if trimmed.lowercased().hasPrefix("format:") {
                let names = trimmed.dropFirst(7).lowercased().split(separator: ",").map(\.trimmed)
                if ["start", "end", "text"].allSatisfy(names.contains) { format = names }
            } else if trimmed.lowercased().hasPrefix("dialogue:") {
                let values = trimmed.dropFirst(9).split(
                    separator: ",", maxSplits: format.count - 1, omittingEmptySubsequences: false)
                guard values.count == format.count else { continue }
                let fields = Dictionary(zip(format, values.map(String.init))) { first, _ in first }
                guard let start = Self.time(fields["start"]), let end = Self.time(fields["end"]), end > start else { continue }
                var cue = header.cue(
                    style: (fields["style"] ?? "Default").trimmed, marginLeft: fields["marginl"] ?? "",
                    marginRight: fields["marginr"] ?? "", marginVertical: fields["marginv"] ?? "", text: fields["text"] ?? "",
                    start: start, end: end)
                let names = ["layer", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
                let ordered = names.map { name in
                    name == "text" ? fields[name] ?? "" : (fields[name] ?? (name == "layer" ? "0" : "")).trimmed
                }
                cue?.event = SubStationEvent(head: header.text, fields: (["\(cues.count)"] + ordered).joined(separator: ","))
                if let cue { cues.append(cue) }
            }
        }
    }

    /// The text before the events, and after them the sections that are not events.
    private static func head(of text: String) -> String {
        var lines: [Substring] = []
        var isEvents = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.trimmed.hasPrefix("[") { isEvents = line.trimmed.lowercased() == "[events]" }
            if !isEvents { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }

    private static let longestTime = MediaTime.seconds(1000 * 3600)

    /// `1:02:03.45`, below 1000 hours.
    private static func time(_ text: String?) -> MediaTime? {
        let parts = (text ?? "").trimmed.split(separator: ":")
        guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), (0..<1000).contains(hours),
            (0..<60).contains(minutes), let seconds = MediaTime(decimalSeconds: parts[2]), seconds >= .zero
        else { return nil }
        let time = MediaTime.seconds(hours * 3600 + minutes * 60) + seconds
        return time < longestTime ? time : nil
    }
}

/// The text of one event, with its overrides in braces.
private struct SubStationText {
    private var scanner: CaptionScanner
    private let base: SubStationHeader.Style
    private let header: SubStationHeader
    private var style = CaptionTextStyle()
    private var nodes: [CaptionNode] = []
    private var words = ""
    private var isDrawing = false
    /// The alignment set by `\an` or `\a`.
    private(set) var alignment: Int?
    /// The position set by `\pos` or `\move`, in the script's own pixels.
    private(set) var place: (x: Double, y: Double)?

    init(_ text: String, style: SubStationHeader.Style, header: SubStationHeader) {
        scanner = CaptionScanner(text)
        base = style
        self.header = header
        self.style = style.text
    }

    mutating func parse() -> [CaptionNode] {
        while let next = scanner.next {
            if next == "{" {
                scanner.advance()
                let start = scanner.position
                scanner.skip { $0 != "}" }
                let overrides = scanner.text(from: start, to: scanner.position)
                scanner.advance()
                apply(overrides)
            } else if scanner.take("\\N") || scanner.take("\\n") {
                words += "\n"
            } else if scanner.take("\\h") {
                words += "\u{A0}"
            } else {
                words.unicodeScalars.append(next)
                scanner.advance()
            }
        }
        flush()
        return nodes
    }

    private mutating func flush() {
        defer { words = "" }
        guard !words.isEmpty, !isDrawing else { return }
        nodes.append(style.isEmpty ? .text(words) : .span(CaptionSpan(.style(style), children: [.text(words)])))
    }

    private mutating func apply(_ overrides: String) {
        flush()
        for tag in overrides.split(separator: "\\") { apply(tag: String(tag).trimmed) }
    }

    private mutating func apply(tag: String) {
        func value(_ name: String) -> String? { tag.hasPrefix(name) ? String(tag.dropFirst(name.count)) : nil }
        func flag(_ text: String, _ own: Bool?) -> Bool? { text.isEmpty ? own : Int(text).map { $0 != 0 } }
        if let digits = value("an"), let number = Int(digits), (1...9).contains(number) {
            alignment = alignment ?? number
        } else if let inner = value("pos"), place == nil {
            place = point(inner)
        } else if let inner = value("move"), place == nil {
            place = point(inner)
        } else if let text = value("alpha") ?? value("1a") {
            let digits = text.lowercased().filter(\.isHexDigit)
            if let value = UInt8(digits, radix: 16) {
                var colour = style.colour ?? .white
                colour.alpha = 255 - value
                style.colour = colour
            }
        } else if let text = value("1c") ?? (tag.hasPrefix("clip") ? nil : value("c")) {
            let alpha = (style.colour ?? .white).alpha
            style.colour = text.isEmpty ? base.text.colour : SubStationHeader.colour(text) ?? style.colour
            style.colour?.alpha = alpha
        } else if tag == "r" || tag.hasPrefix("r"), !tag.hasPrefix("rnd") {
            style = base.text
        } else if let text = value("fs"), let size = Double(finite: text), size > 0 {
            style.scale = size / base.size
        } else if let text = value("p"), let scale = Int(text) {
            isDrawing = scale > 0
        } else if let text = value("b"), text.isEmpty || Int(text) != nil {
            style.isBold = flag(text, base.text.isBold)
        } else if let text = value("i"), text.isEmpty || Int(text) != nil {
            style.isItalic = flag(text, base.text.isItalic)
        } else if let text = value("u"), text.isEmpty || Int(text) != nil {
            style.isUnderlined = flag(text, base.text.isUnderlined)
        } else if let text = value("s"), text.isEmpty || Int(text) != nil {
            style.isStruckThrough = flag(text, base.text.isStruckThrough)
        } else if let text = value("a"), let number = Int(text) {
            alignment = alignment ?? SubStationHeader.modern(number)
        }
    }

    private func point(_ text: String) -> (x: Double, y: Double)? {
        let inner = text.filter { $0 != "(" && $0 != ")" }
        let numbers = inner.split(separator: ",").compactMap { Double(finite: $0.trimmed) }
        return numbers.count >= 2 ? (numbers[0], numbers[1]) : nil
    }
}
