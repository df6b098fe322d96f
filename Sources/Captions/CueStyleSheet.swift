/// The style sheets of a WebVTT file: the part of CSS that its section 8.2 allows.
struct CueStyleSheet {
    /// The target of a rule.
    private enum Selector: Hashable {
        case all
        case id(String)
        case tag(String)
        case classes([String])
        case voice(String)
        case language(String)
    }

    private var rules: [(selector: Selector, style: CaptionTextStyle)] = []
    /// Each rule is compared with each span; later ones are ignored. A rule with several selectors counts as that many.
    private static let mostRules = 256
    /// The comparisons of rules with cues and spans in a document; what is left then has no styles.
    private static let mostComparisons = 8_000_000
    private(set) var comparisons = 0

    init(_ sheets: [String]) {
        for sheet in sheets { read(Self.withoutComments(sheet)) }
    }

    /// A cue's text with the styles of its sheets.
    mutating func apply(to cue: CaptionCue) -> [CaptionNode] {
        guard mayCompare() else { return cue.nodes }
        var whole = CaptionTextStyle()
        for (selector, style) in rules {
            switch selector {
            case .all: whole = style.inside(whole)
            case .id(let id) where id == cue.id: whole = style.inside(whole)
            default: break
            }
        }
        let nodes = cue.nodes.map { styled($0) }
        return whole.isEmpty ? nodes : [.span(CaptionSpan(.style(whole), children: nodes))]
    }

    /// Counts the comparison of all rules with a cue or a span.
    private mutating func mayCompare() -> Bool {
        guard comparisons + rules.count <= Self.mostComparisons else { return false }
        comparisons += rules.count
        return true
    }

    private mutating func styled(_ node: CaptionNode) -> CaptionNode {
        guard case .span(var span) = node, mayCompare() else { return node }
        span.children = span.children.map { styled($0) }
        var style = CaptionTextStyle()
        for rule in rules where matches(rule.selector, span) { style = rule.style.inside(style) }
        guard !style.isEmpty else { return .span(span) }
        span.children = [.span(CaptionSpan(.style(style), children: span.children))]
        return .span(span)
    }

    private func matches(_ selector: Selector, _ span: CaptionSpan) -> Bool {
        switch selector {
        case .all, .id: return false
        case .tag(let name): return span.kind.name == name
        case .classes(let names): return names.allSatisfy(span.classes.contains)
        case .voice(let name):
            if case .voice(name) = span.kind { return true }
            return false
        case .language(let tag):
            guard case .language(let own) = span.kind else { return false }
            return own == tag || own.hasPrefix(tag + "-")
        }
    }

    // MARK: Parsing

    private static func withoutComments(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "/*") {
            result += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "*/") else { return result }
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    private mutating func read(_ sheet: String) {
        var rest = sheet[...]
        while rules.count < Self.mostRules, let open = rest.firstIndex(of: "{") {
            let selectors = rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else { return }
            let style = Self.style(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            for part in selectors.split(separator: ",") where rules.count < Self.mostRules {
                if let selector = Self.selector(part), !style.isEmpty { rules.append((selector, style)) }
            }
        }
    }

    private static func selector(_ text: Substring) -> Selector? {
        let text = text.trimmed
        guard text.hasPrefix("::cue") else { return nil }
        let argument = text.dropFirst(5)
        if argument.isEmpty { return .all }
        guard argument.first == "(", argument.last == ")" else { return nil }
        let inner = argument.dropFirst().dropLast().trimmed
        if inner.hasPrefix("#") { return .id(unescaped(inner.dropFirst())) }
        if inner.hasPrefix(".") {
            let names = inner.split(separator: ".", maxSplits: CaptionBounds.classes)
            return names.count > CaptionBounds.classes ? nil : .classes(names.map { unescaped($0) })
        }
        if let name = attribute("voice", inner) { return .voice(name) }
        if let tag = attribute("lang", inner) { return .language(tag) }
        let isName = !inner.isEmpty && inner.allSatisfy { $0.isLetter }
        return isName ? .tag(inner.lowercased()) : nil
    }

    /// `v[voice="Name"]`, `[lang="en"]`.
    private static func attribute(_ name: String, _ text: String) -> String? {
        guard let start = text.firstRange(of: "[\(name)="), text.hasSuffix("]") else { return nil }
        return String(text[start.upperBound...].dropLast()).trimmingQuotes
    }

    private static func unescaped(_ text: Substring) -> String { String(text.filter { $0 != "\\" }) }

    private static func style(_ text: Substring) -> CaptionTextStyle {
        var style = CaptionTextStyle()
        for declaration in text.split(separator: ";") {
            let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.trimmed.lowercased() }
            guard parts.count == 2 else { continue }
            let value = parts[1]
            switch parts[0] {
            case "color": style.colour = CaptionColour(css: value) ?? style.colour
            case "background-color", "background": style.background = CaptionColour(css: value) ?? style.background
            case "font-style": style.isItalic = value == "italic" || value == "oblique"
            case "font-weight": style.isBold = value == "bold" || value == "bolder" || (Int(value) ?? 0) >= 600
            case "text-decoration", "text-decoration-line":
                style.isUnderlined = value.contains("underline")
                style.isStruckThrough = value.contains("line-through")
            case "font-size": style.scale = scale(value) ?? style.scale
            case "font-family": style.family = CaptionTextStyle.Family(genericName: value)
            default: break
            }
        }
        return style
    }

    private static func scale(_ value: String) -> Double? {
        if value.hasSuffix("%") { return Double(finite: value.dropLast()).map { $0 / 100 } }
        if value.hasSuffix("em") { return Double(finite: value.dropLast(value.hasSuffix("rem") ? 3 : 2)) }
        return nil
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        var view = Substring(self).unicodeScalars
        while let first = view.first, CaptionText.isSpace(first) { view.removeFirst() }
        while let last = view.last, CaptionText.isSpace(last) { view.removeLast() }
        return String(Substring(view))
    }

    /// Without surrounding quotation marks.
    var trimmingQuotes: String {
        guard count >= 2, let first, first == "\"" || first == "'", last == first else { return String(self) }
        return String(dropFirst().dropLast())
    }
}
