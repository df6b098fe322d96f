import MediaTime

/// A piece of a cue's text.
package enum CaptionNode: Sendable, Hashable {
    /// Text; line breaks are `\n`.
    case text(String)
    /// What follows is said from this moment on.
    case timestamp(MediaTime)
    /// Pieces with a style.
    case span(CaptionSpan)

    /// The text without styles, readings of ruby left out.
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

/// Pieces of a cue's text with a style.
package struct CaptionSpan: Sendable, Hashable {
    /// The style.
    package var kind: Kind
    /// The classes of a style sheet, e.g. `yellow`, `bg_black`.
    package var classes: [String]
    /// The pieces.
    package var children: [CaptionNode]

    package init(_ kind: Kind, classes: [String] = [], children: [CaptionNode] = []) {
        self.kind = kind
        self.classes = classes
        self.children = children
    }

    /// The style of a span.
    package enum Kind: Sendable, Hashable {
        /// Only its classes.
        case classes
        /// Slanted.
        case italic
        /// Heavy.
        case bold
        /// With a line below.
        case underline
        /// Text with a reading beside it.
        case ruby
        /// The reading, inside `ruby`.
        case rubyText
        /// Said by somebody.
        case voice(String)
        /// In another language (BCP 47).
        case language(String)
        /// In a colour, as the file names it: `#ffff00`, `yellow` (SubRip).
        case color(String)
        /// In a style of its own (TTML, CEA-608 and 708, ASS, style sheets).
        case style(CaptionTextStyle)
    }
}
