import MediaTime

/// Writes cues as a WebVTT file (W3C WebVTT 1, section 4). Texts keep bold, italics, underlines and voices; positions of other formats are not kept.
package enum WebVTTWriter {
    /// A file of cues in order of their start, for a segment of a stream whose timestamps begin at zero with the times of the cues (RFC 8216, 3.5).
    ///
    /// - Parameter offset: the stream's timestamp of the time zero of the cues.
    package static func segment(_ cues: [CaptionCue], offset: MediaTime) -> String {
        let stamp = max(offset.units(of: 90_000), 0)
        var blocks = ["WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(stamp)"]
        for cue in cues where cue.end > cue.start {
            let text = cue.nodes.map(text).joined()
            // An empty line would end the cue.
            let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
            guard !lines.isEmpty else { continue }
            blocks.append("\(time(cue.start)) --> \(time(cue.end))\n" + lines.joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func time(_ time: MediaTime) -> String {
        let all = max(time.milliseconds, 0)
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        return
            "\(digits(all / 3_600_000, 2)):\(digits(all / 60_000 % 60, 2)):\(digits(all / 1000 % 60, 2)).\(digits(all % 1000, 3))"
    }

    private static func text(_ node: CaptionNode) -> String {
        switch node {
        case .text(let text): return escaped(text)
        case .timestamp: return ""
        case .span(let span):
            let inner = span.children.map(text).joined()
            switch span.kind {
            case .bold: return "<b>\(inner)</b>"
            case .italic: return "<i>\(inner)</i>"
            case .underline: return "<u>\(inner)</u>"
            case .voice(let name): return "<v \(escaped(name).filter { !$0.isNewline })>\(inner)</v>"
            case .style(let style):
                var result = inner
                if style.isBold == true { result = "<b>\(result)</b>" }
                if style.isItalic == true { result = "<i>\(result)</i>" }
                if style.isUnderlined == true { result = "<u>\(result)</u>" }
                return result
            // An annotation has no place in the line.
            case .rubyText: return ""
            case .classes, .ruby, .language, .color: return inner
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r\n", "\r": result += "\n"
            default: result.append(character)
            }
        }
        return result
    }
}
