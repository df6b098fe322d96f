import MediaTime

/// Parses SubRip (.srt), which has no specification; common players are the reference.
///
/// A cue is a line of times, wherever it is found; the number above it is optional. Text may contain `<b> <i> <u> <s> <font color>`
/// in any case and overlapping, the same in braces, a position such as `{\an8}`, and `\h` and `\N` for a space and a line. Tags that are not
/// known are left out, if they are closed: authors also write plain `<`.
///
/// SubViewer, and YouTube's form of it (.sbv), differ in the line of times only: `0:00:01.000,0:00:03.000`, below lines about the file in brackets.
package enum SubRipParser {
    /// Parses a SubRip text.
    ///
    /// - Throws: `CaptionError.unknownFormat` when it has no times at all, or begins with other words and no numbered cue follows, or is a page of the
    ///   web. An empty text is a file without cues.
    package static func parse(_ text: String) throws(CaptionError) -> CaptionDocument {
        let lines = CaptionText.lines(of: text)
        let timings = lines.map { $0.contains("->") || isOfSubViewer($0) ? timing($0) : nil }
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }) else { return CaptionDocument(cues: []) }
        let isSubViewer = timings.indices.contains { timings[$0] != nil && isOfSubViewer(lines[$0]) }
        // Words of its makers may stand before the first cue. A cue with its number is one of SubRip, whatever they are.
        let firstTimes = timings.firstIndex { $0 != nil } ?? lines.count
        let isNumbered = lines[..<firstTimes].last { !$0.allSatisfy(\.isWhitespace) }.map(isNumber) ?? false
        let isOpened = isNumber(lines[first]) || firstTimes == first || isSubViewer && lines[first].hasPrefix("[")
        guard isOpened || isNumbered && lines[first].trimmed.first != "<" else {
            throw .unknownFormat(beginning: String(lines[first].prefix(40)))
        }
        var cues: [CaptionCue] = []
        var spansLeft = CaptionBounds.spans
        for (index, timing) in timings.enumerated() {
            guard let timing else { continue }
            guard cues.count < CaptionBounds.cues else { break }
            let next = timings[(index + 1)...].firstIndex { $0 != nil } ?? lines.count
            var body = Array(lines[(index + 1)..<next])
            // The number of the next cue belongs to it if an empty line, or nothing, precedes it.
            if next < lines.count { dropNumber(of: &body) }
            while let last = body.last, last.allSatisfy(\.isWhitespace) { body.removeLast() }
            while let first = body.first, first.allSatisfy(\.isWhitespace) { body.removeFirst() }
            let source = CaptionBounds.text(isSubViewer ? broken(body) : body.joined(separator: "\n"))
            var cue = CaptionCue(start: timing.start, end: timing.end, nodes: [], source: source)
            if let above = lines[..<index].last(where: { !$0.allSatisfy(\.isWhitespace) }), isNumber(above) {
                cue.id = above.filter { !$0.isWhitespace }
            }
            cue.nodes = nodes(source, settings: &cue.settings, spansLeft: &spansLeft)
            cues.append(cue)
        }
        guard !cues.isEmpty else { throw .unknownFormat(beginning: String(lines[first].prefix(40))) }
        return CaptionDocument(cues: cues)
    }

    /// Whether a line is of digits, colons and points, with a comma between its two times.
    private static func isOfSubViewer(_ line: String) -> Bool {
        guard line.contains(","), line.contains(":") else { return false }
        let parts = line.trimmed.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count == 2
            && parts.allSatisfy { part in
                part.count(where: { $0 == ":" }) == 2 && part.contains(".")
                    && part.unicodeScalars.allSatisfy { CaptionText.isDigit($0) || $0 == ":" || $0 == "." }
            }
    }

    /// Lines of a SubViewer cue: `[br]` divides them too.
    private static func broken(_ lines: [String]) -> String {
        lines.joined(separator: "\n").split(separator: "[br]", omittingEmptySubsequences: false).joined(separator: "\n")
    }

    /// The number may be followed by an empty line, and then follows one: a text that is a number is kept.
    private static func dropNumber(of body: inout [String]) {
        guard let place = body.lastIndex(where: { !$0.allSatisfy(\.isWhitespace) }), isNumber(body[place]) else { return }
        let isAlone = place == body.count - 1 || place > 0 && body[place - 1].allSatisfy(\.isWhitespace)
        if isAlone { body.removeSubrange(place...) }
    }

    private static func isNumber(_ line: String) -> Bool {
        let digits = line.unicodeScalars.filter { !CaptionText.isSpace($0) && !isMark($0) }
        return !digits.isEmpty && digits.allSatisfy(CaptionText.isDigit)
    }

    /// Marks without a width, which editors and pages leave at the beginning.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FEFF}" || ("\u{200B}"..."\u{200F}").contains(scalar)
    }

    // MARK: Times

    /// `00:01:02,500 --> 00:01:04,000`; points and colons are accepted as commas, and trailing text is ignored. Times before the film, which programs that
    /// shift captions write, are its beginning.
    private static func timing(_ line: String) -> (start: MediaTime, end: MediaTime)? {
        var scanner = CaptionScanner(line)
        scanner.skip { CaptionText.isSpace($0) || isMark($0) }
        guard let start = time(&scanner) else { return nil }
        scanner.skip(while: CaptionText.isSpace)
        guard scanner.take("-->") || scanner.take("->") || scanner.take(",") else { return nil }
        scanner.skip(while: CaptionText.isSpace)
        return time(&scanner).map { (start, $0) }
    }

    private static func time(_ scanner: inout CaptionScanner) -> MediaTime? {
        // The sign may stand before any of the numbers.
        var isNegative = scanner.take("-")
        func next(_ scanner: inout CaptionScanner) -> Int64? {
            if scanner.take("-") { isNegative = true }
            return scanner.digits()?.value
        }
        guard let hours = next(&scanner), scanner.take(":"), let minutes = next(&scanner), scanner.take(":"),
            let seconds = next(&scanner)
        else { return nil }
        var milliseconds: Int64 = 0
        if scanner.take(",") || scanner.take(".") || scanner.take(":") {
            if scanner.take("-") { isNegative = true }
            guard let fraction = scanner.digits() else { return nil }
            milliseconds = fraction.value
            for _ in 0..<max(0, 3 - fraction.count) { milliseconds *= 10 }
            for _ in 0..<max(0, fraction.count - 3) { milliseconds /= 10 }
        }
        guard !isNegative else { return .zero }
        return MediaTime(caption: .milliseconds((hours * 3600 + minutes * 60 + seconds) * 1000 + milliseconds))
    }

    // MARK: Text

    /// The cue of a Matroska or MP4 sample: text as in a SubRip file.
    package static func cue(text: String, start: MediaTime, end: MediaTime) -> CaptionCue? {
        let source = CaptionBounds.text(CaptionText.lines(of: text).joined(separator: "\n").trimmed)
        guard !source.isEmpty else { return nil }
        var cue = CaptionCue(start: start, end: end, nodes: [], source: source)
        var spansLeft = CaptionBounds.spans
        cue.nodes = nodes(source, settings: &cue.settings, spansLeft: &spansLeft)
        return cue
    }

    private static func nodes(_ source: String, settings: inout CaptionSettings, spansLeft: inout Int) -> [CaptionNode] {
        var tree = CaptionTree(mostSpans: spansLeft)
        defer { spansLeft -= tree.spans }
        var scanner = CaptionScanner(source)
        var text = String.UnicodeScalarView()
        while let next = scanner.next {
            let start = scanner.position
            let end: Unicode.Scalar? = next == "<" ? ">" : next == "{" ? "}" : nil
            if let end {
                scanner.skip { $0 != end }
                if scanner.next == end {
                    let tag = scanner.text(from: start + 1, to: scanner.position)
                    scanner.advance()
                    var pending = tree
                    pending.append(text: String(text))
                    if apply(tag, inBraces: end == "}", to: &pending, settings: &settings)
                        || end == ">" && isUnknownTag(tag, before: scanner.rest)
                    {
                        tree = pending
                        text = String.UnicodeScalarView()
                    } else {
                        // Not a known tag: authors also write plain < and {.
                        text.append(contentsOf: scanner.text(from: start, to: scanner.position).unicodeScalars)
                    }
                } else {
                    text.append(contentsOf: scanner.text(from: start).unicodeScalars)
                }
            } else if scanner.take("\\h") {
                text.append("\u{A0}")
            } else if scanner.take("\\N") {
                text.append("\n")
            } else if next == "&", let reference = CharacterReferences.read(&scanner) {
                text.append(contentsOf: reference.unicodeScalars)
            } else {
                text.append(next)
                scanner.advance()
            }
        }
        tree.append(text: String(text))
        return tree.finish()
    }

    private static let struck = {
        var style = CaptionTextStyle()
        style.isStruckThrough = true
        return style
    }()

    /// Returns whether it was a tag.
    private static func apply(_ tag: String, inBraces: Bool, to tree: inout CaptionTree, settings: inout CaptionSettings) -> Bool
    {
        if inBraces, tag.hasPrefix("\\") {
            place(tag, in: &settings)
            return true
        }
        let lower = tag.lowercased()
        switch lower {
        case "i": tree.open(CaptionSpan(.italic))
        case "b": tree.open(CaptionSpan(.bold))
        case "u": tree.open(CaptionSpan(.underline))
        case "s", "strike": tree.open(CaptionSpan(.style(struck)))
        case "/strike": tree.closeThrough("s")
        case "br", "br/", "br /": if !inBraces { tree.append(text: "\n") } else { return false }
        case "/i", "/b", "/u", "/s", "/font": tree.closeThrough(String(lower.dropFirst()))
        default:
            guard !inBraces, lower == "font" || lower.hasPrefix("font ") else { return false }
            tree.open(CaptionSpan(.color(color(tag) ?? "")))
        }
        return true
    }

    /// Whether it is a tag of another format: its end follows, or it is one, or it is one of WebVTT that needs none.
    private static func isUnknownTag(_ tag: String, before rest: String) -> Bool {
        let name = tag.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = name.first, first.isLetter else { return false }
        return tag.hasPrefix("/") || ["v", "c"].contains(name.lowercased())
            || rest.lowercased().contains("</\(name.lowercased())>")
    }

    /// The colour of `font color="#ffff00"`, with or without quotation marks.
    private static func color(_ tag: String) -> String? {
        guard let range = tag.lowercased().firstRange(of: "color=") else { return nil }
        let value = tag.lowercased()[range.upperBound...]
        guard let mark = value.first, mark == "\"" || mark == "'" else { return String(value.prefix { !$0.isWhitespace }) }
        return String(value.dropFirst().prefix { $0 != mark })
    }

    /// `\an8`: the numeric keypad position, 1 to 3 at the bottom, 7 to 9 at the top.
    private static func place(_ tag: String, in settings: inout CaptionSettings) {
        guard let range = tag.firstRange(of: "\\an"), let digit = tag[range.upperBound...].first?.wholeNumberValue,
            (1...9).contains(digit)
        else {
            return
        }
        settings.alignment = [.left, .center, .right][(digit - 1) % 3]
        switch (digit - 1) / 3 {
        case 0: settings.line = .auto
        case 1:
            settings.line = .percentage(50)
            settings.lineAlignment = .center
        default: settings.line = .number(0)
        }
    }
}
