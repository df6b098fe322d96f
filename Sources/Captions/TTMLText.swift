/// Styles and white space of TTML text.
enum TTMLText {
    /// Marks a ruby base until its container has been parsed.
    static let rubyBase = "ruby-base"

    /// The text style given by attributes.
    static func style(_ style: TTMLStyle, _ parameters: TTMLParameters) -> CaptionTextStyle {
        var text = CaptionTextStyle()
        text.colour = style["color"].flatMap { CaptionColour(css: $0) }
        text.background = style["backgroundColor"].flatMap { CaptionColour(css: $0) }.flatMap { $0.alpha > 0 ? $0 : nil }
        if let opacity = style["opacity"].flatMap({ Double(finite: $0) }), opacity < 1, opacity >= 0 {
            var colour = text.colour ?? .white
            colour.alpha = UInt8(Double(colour.alpha) * opacity)
            text.colour = colour
        }
        if let value = style["fontStyle"] { text.isItalic = value == "italic" || value == "oblique" }
        if let value = style["fontWeight"] { text.isBold = value == "bold" }
        for value in style["textDecoration"]?.split(separator: " ") ?? [] {
            switch value {
            case "underline": text.isUnderlined = true
            case "noUnderline": text.isUnderlined = false
            case "lineThrough": text.isStruckThrough = true
            case "noLineThrough": text.isStruckThrough = false
            case "none":
                text.isUnderlined = false
                text.isStruckThrough = false
            default: break
            }
        }
        if let value = style["fontFamily"] { text.family = CaptionTextStyle.Family(genericName: value) }
        if let value = style["fontSize"] { text.scale = scale(value, parameters) }
        if let value = style["textOutline"], value != "none" { text.edge = .uniform }
        if let value = style["textShadow"], value != "none" { text.edge = .dropShadow }
        return text
    }

    /// A font size relative to the default, which is one cell of fifteen, or a fifteenth of the height.
    private static func scale(_ text: String, _ parameters: TTMLParameters) -> Double? {
        // The second of two values is the height.
        guard let last = text.split(separator: " ").last else { return nil }
        var scale: Double?
        if last.hasSuffix("%") {
            scale = Double(last.dropLast()).map { $0 / 100 }
        } else if last.hasSuffix("em") {
            scale = Double(last.dropLast(2))
        } else if last.hasSuffix("c") {
            scale = Double(last.dropLast()).map { $0 * 15 / parameters.cells.rows }
        } else if last.hasSuffix("px") {
            // Without a root size, pixels are those of 720 rows.
            scale = Double(last.dropLast(2)).map { $0 / (parameters.pixels?.height ?? 720) * 18.75 }
        } else if last.hasSuffix("rh") {
            scale = Double(last.dropLast(2)).map { $0 / 100 * 18.75 }
        }
        guard let scale, scale > 0, scale.isFinite else { return nil }
        return min(max(scale, 0.25), 4)
    }

    /// A ruby container: bases with their nearest annotation; an annotation without a base is dropped.
    static func ruby(_ nodes: [CaptionNode]) -> [CaptionNode] {
        var bases: [CaptionNode] = []
        var readings: [CaptionNode] = []
        var others: [CaptionNode] = []
        for node in nodes {
            guard case .span(let span) = node else {
                others.append(node)
                continue
            }
            if span.kind == .rubyText {
                readings.append(node)
            } else if span.classes == [rubyBase] {
                bases += span.children
            } else {
                others.append(node)
            }
        }
        let rest = others.filter { !$0.plainText.trimmed.isEmpty }
        guard !bases.isEmpty else { return rest }
        guard !readings.isEmpty else { return bases + rest }
        return [.span(CaptionSpan(.ruby, children: bases + readings))] + rest
    }

    /// Text with collapsed white space: runs become one space, and line edges have none. Annotations outside ruby are dropped.
    static func tidied(_ nodes: [CaptionNode], keepsSpace: Bool) -> [CaptionNode] {
        var nodes = withoutLooseRuby(nodes)
        guard !keepsSpace else { return nodes }
        var afterSpace = true
        collapse(&nodes, &afterSpace)
        var beforeEdge = true
        trimEnds(&nodes, &beforeEdge)
        return nodes.filter { if case .text("") = $0 { false } else { true } }
    }

    private static func withoutLooseRuby(_ nodes: [CaptionNode]) -> [CaptionNode] {
        nodes.flatMap { node -> [CaptionNode] in
            guard case .span(var span) = node else { return [node] }
            if span.kind == .ruby { return [node] }
            if span.kind == .rubyText { return [] }
            span.children = withoutLooseRuby(span.children)
            return span.classes == [rubyBase] ? span.children : [.span(span)]
        }
    }

    private static func collapse(_ nodes: inout [CaptionNode], _ afterSpace: inout Bool) {
        for index in nodes.indices {
            switch nodes[index] {
            case .text("\n"): afterSpace = true
            case .text(let text):
                var result = String.UnicodeScalarView()
                for scalar in text.unicodeScalars {
                    if CaptionText.isSpace(scalar) {
                        if !afterSpace { result.append(" ") }
                        afterSpace = true
                    } else {
                        result.append(scalar)
                        afterSpace = false
                    }
                }
                nodes[index] = .text(String(result))
            case .span(var span):
                collapse(&span.children, &afterSpace)
                nodes[index] = .span(span)
            case .timestamp: break
            }
        }
    }

    private static func trimEnds(_ nodes: inout [CaptionNode], _ beforeEdge: inout Bool) {
        for index in nodes.indices.reversed() {
            switch nodes[index] {
            case .text("\n"): beforeEdge = true
            case .text(var text):
                if beforeEdge { while text.last == " " { text.removeLast() } }
                if !text.isEmpty { beforeEdge = false }
                nodes[index] = .text(text)
            case .span(var span):
                trimEnds(&span.children, &beforeEdge)
                nodes[index] = .span(span)
            case .timestamp: break
            }
        }
    }
}
