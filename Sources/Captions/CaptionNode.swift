import MediaTime

/// A piece of a cue's text.
package enum CaptionNode: Sendable, Hashable {
    /// Text; line breaks are `\n`.
    case text(String)
    /// The following text is spoken from this time on.
    case timestamp(MediaTime)
    /// Nodes with a style.
    case span(CaptionSpan)

    /// The text without styles and without ruby annotations.
    package var plainText: String {
        switch self {
        case .text(let text): text
        case .timestamp: ""
        case .span(let span): span.kind == .rubyText ? "" : span.children.map(\.plainText).joined()
        }
    }

    func shifted(by offset: MediaTime) -> CaptionNode {
        switch self {
        case .text: return self
        case .timestamp(let time): return .timestamp(time + offset)
        case .span(var span):
            span.children = span.children.map { $0.shifted(by: offset) }
            return .span(span)
        }
    }
}

/// Part of a cue's text with a style.
package struct CaptionSpan: Sendable, Hashable {
    package var kind: Kind
    /// The classes of a style sheet, e.g. `yellow`, `bg_black`.
    package var classes: [String]
    package var children: [CaptionNode]

    package init(_ kind: Kind, classes: [String] = [], children: [CaptionNode] = []) {
        self.kind = kind
        self.classes = classes
        self.children = children
    }

    package enum Kind: Sendable, Hashable {
        /// Only its classes.
        case classes
        case italic
        case bold
        case underline
        /// Text with ruby annotations.
        case ruby
        /// An annotation, inside `ruby`.
        case rubyText
        /// Spoken by a named voice.
        case voice(String)
        /// In another language (BCP 47).
        case language(String)
        /// In a colour, as the file names it: `#ffff00`, `yellow` (SubRip).
        case color(String)
        /// In an explicit style (TTML, CEA-608 and 708, ASS, style sheets).
        case style(CaptionTextStyle)

        /// The name of its tag.
        var name: String {
            switch self {
            case .classes: "c"
            case .italic: "i"
            case .bold: "b"
            case .underline: "u"
            case .ruby: "ruby"
            case .rubyText: "rt"
            case .voice: "v"
            case .language: "lang"
            case .color: "font"
            case .style(let style): style.isStruckThrough == true ? "s" : ""
            }
        }
    }
}
