import MediaTime

extension TimedTextSample {
    /// The bytes of a sample (`tx3g`, 3GPP TS 26.245): the texts of cues one below the other, with bold, italics and underlines; a sample without cues is empty.
    package static func bytes(_ cues: [CaptionCue]) -> [UInt8] {
        var writer = TimedTextBytes()
        for cue in cues {
            writer.beginLine()
            for node in cue.nodes { writer.add(node, face: 0) }
        }
        return writer.bytes
    }
}

/// A text with style ranges. A value.
private struct TimedTextBytes {
    private var scalars = String.UnicodeScalarView()
    /// Faces of ranges of Unicode characters: 1 bold, 2 italic, 4 underlined.
    private var styles: [(range: Range<Int>, face: UInt8)] = []

    /// The length of a text has 16 bits.
    private static let longest = 0xFFFF
    private static let mostStyles = 1000

    mutating func beginLine() { if !scalars.isEmpty { scalars.append("\n") } }

    mutating func add(_ node: CaptionNode, face: UInt8) {
        switch node {
        case .text(let text):
            let start = scalars.count
            for scalar in text.unicodeScalars where scalar != "\0" { scalars.append(scalar) }
            if face != 0, scalars.count > start { styles.append((start..<scalars.count, face)) }
        case .timestamp: break
        case .span(let span):
            if span.kind == .rubyText { return }
            for child in span.children { add(child, face: face | Self.face(span.kind)) }
        }
    }

    private static func face(_ kind: CaptionSpan.Kind) -> UInt8 {
        switch kind {
        case .bold: 1
        case .italic: 2
        case .underline: 4
        case .style(let style):
            (style.isBold == true ? 1 : 0) | (style.isItalic == true ? 2 : 0) | (style.isUnderlined == true ? 4 : 0)
        case .classes, .ruby, .rubyText, .voice, .language, .color: 0
        }
    }

    var bytes: [UInt8] {
        var text: [UInt8] = []
        for scalar in scalars {
            let next = Array(String(scalar).utf8)
            if text.count + next.count > Self.longest { break }
            text += next
        }
        var result = Self.big(text.count, 2) + text
        // Positions of the style box have 16 bits too.
        let kept = styles.filter { $0.range.upperBound <= Self.longest }.prefix(Self.mostStyles)
        guard !kept.isEmpty else { return result }
        var body = Self.big(kept.count, 2)
        for style in kept {
            body += Self.big(style.range.lowerBound, 2) + Self.big(style.range.upperBound, 2)
            // The first font, 18 points, white.
            body += [0, 1, style.face, 18, 255, 255, 255, 255]
        }
        result += Self.big(body.count + 8, 4) + Array("styl".utf8) + body
        return result
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
