@testable import Captions

extension CaptionNode {
    /// The style of a span with an explicit one; nil for everything else.
    var style: CaptionTextStyle? {
        guard case .span(let span) = self, case .style(let style) = span.kind else { return nil }
        return style
    }

    /// The nodes inside a span.
    var children: [CaptionNode] {
        guard case .span(let span) = self else { return [] }
        return span.children
    }
}

extension CaptionTextStyle {
    /// Makes a style by setting some of its values.
    init(_ change: (inout CaptionTextStyle) -> Void) {
        self.init()
        change(&self)
    }
}

extension CaptionColour {
    static let red = CaptionColour(red: 255, green: 0, blue: 0)
    static let blue = CaptionColour(red: 0, green: 0, blue: 255)
    static let yellow = CaptionColour(red: 255, green: 255, blue: 0)
}
