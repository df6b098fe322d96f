import MediaTime
import TextDecoding
import WireFormats

/// Parses the samples of 3GPP timed text (`tx3g`, QuickTime's `text`): a text with style ranges.
package enum TimedTextSample {
    /// The cue of a sample; nil when it is empty, which ends the previous cue.
    ///
    /// - Parameter pieces: the text of the samples before it, by which its encoding is told where it is no Unicode.
    static func cue(_ bytes: [UInt8], start: MediaTime, end: MediaTime, _ pieces: inout TextPieces) -> CaptionCue? {
        guard bytes.count >= 2 else { return nil }
        let length = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
        guard length > 0 else { return nil }
        let text = pieces.text(Array(bytes[2..<(2 + length)]))
        // Style ranges count Unicode characters.
        let scalars = Array(text.unicodeScalars)
        var styles: [(range: Range<Int>, style: CaptionTextStyle)] = []
        var settings = CaptionSettings()
        for part in MP4Box.boxes(in: bytes[(2 + length)...]) {
            switch part.type {
            case "styl": styles = Self.styles(part.body, count: scalars.count)
            default: break
            }
        }
        settings.alignment = .center
        let nodes = Self.nodes(scalars, styles)
        guard nodes.contains(where: { !$0.plainText.trimmed.isEmpty }) else { return nil }
        return CaptionCue(start: start, end: end, settings: settings, nodes: nodes, source: text)
    }

    private static func styles(_ body: ArraySlice<UInt8>, count: Int) -> [(range: Range<Int>, style: CaptionTextStyle)] {
        let start = body.startIndex
        guard body.count >= 2 else { return [] }
        let entries = Int(body[start]) << 8 | Int(body[start + 1])
        return (0..<entries).compactMap { index in
            let place = start + 2 + index * 12
            guard place + 12 <= body.endIndex else { return nil }
            let from = Int(body[place]) << 8 | Int(body[place + 1]), to = Int(body[place + 2]) << 8 | Int(body[place + 3])
            guard from < to, from < count else { return nil }
            var style = CaptionTextStyle()
            let flags = body[place + 6]
            if flags & 1 != 0 { style.isBold = true }
            if flags & 2 != 0 { style.isItalic = true }
            if flags & 4 != 0 { style.isUnderlined = true }
            let colour = CaptionColour(
                red: body[place + 8], green: body[place + 9], blue: body[place + 10], alpha: body[place + 11])
            if colour != .white, colour.alpha > 0 { style.colour = colour }
            return style.isEmpty ? nil : (from..<min(to, count), style)
        }
    }

    private static func nodes(
        _ scalars: [Unicode.Scalar], _ styles: [(range: Range<Int>, style: CaptionTextStyle)]
    ) -> [CaptionNode] {
        func text(_ range: Range<Int>) -> CaptionNode {
            var view = String.UnicodeScalarView()
            // Carriage returns are line breaks.
            view.append(contentsOf: scalars[range].map { $0 == "\r" ? "\n" : $0 })
            return .text(String(view))
        }
        var nodes: [CaptionNode] = []
        var place = 0
        for (range, style) in styles where range.lowerBound >= place {
            if range.lowerBound > place { nodes.append(text(place..<range.lowerBound)) }
            nodes.append(.span(CaptionSpan(.style(style), children: [text(range)])))
            place = range.upperBound
        }
        if place < scalars.count { nodes.append(text(place..<scalars.count)) }
        return nodes
    }
}
