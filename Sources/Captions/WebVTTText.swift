import MediaTime

/// Parses the text of a WebVTT cue into a tree (WebVTT section 6.4): mismatched tags are ignored, open ones end with the cue.
enum WebVTTText {
    static func parse(_ text: String) -> [CaptionNode] {
        var spansLeft = CaptionBounds.spans
        return parse(CaptionBounds.text(text), spansLeft: &spansLeft)
    }

    /// - Parameter spansLeft: how many spans the text may have; those that it has are subtracted.
    static func parse(_ text: String, spansLeft: inout Int) -> [CaptionNode] {
        var tree = CaptionTree(mostSpans: spansLeft)
        defer { spansLeft -= tree.spans }
        var scanner = CaptionScanner(text)
        while let next = scanner.next {
            if next == "<" {
                scanner.advance()
                tag(&scanner, into: &tree)
            } else {
                tree.append(text: CharacterReferences.text(&scanner, until: "<"))
            }
        }
        return tree.finish()
    }

    /// A tag, after its `<`.
    private static func tag(_ scanner: inout CaptionScanner, into tree: inout CaptionTree) {
        if scanner.next == "/" {
            scanner.advance()
            tree.close(raw(&scanner))
        } else if let next = scanner.next, CaptionText.isDigit(next) {
            if let time = WebVTTSettings.time(raw(&scanner)) { tree.append(.timestamp(time)) }
        } else {
            let start = scanner.position
            scanner.skip { $0 != ">" && $0 != "." && !CaptionText.isSpace($0) }
            let name = scanner.text(from: start, to: scanner.position)
            var classes: [String] = []
            while scanner.next == "." {
                scanner.advance()
                let start = scanner.position
                scanner.skip { $0 != ">" && $0 != "." && !CaptionText.isSpace($0) }
                if scanner.position > start, classes.count < CaptionBounds.classes {
                    classes.append(scanner.text(from: start, to: scanner.position))
                }
            }
            let annotation = CharacterReferences.text(&scanner, until: ">").unicodeScalars.split(
                whereSeparator: CaptionText.isSpace
            ).map(
                String.init)
            scanner.advance()
            if let kind = kind(name, annotation: annotation.joined(separator: " ")) {
                tree.open(CaptionSpan(kind, classes: classes))
            }
        }
    }

    /// Everything up to the `>`, which is consumed.
    private static func raw(_ scanner: inout CaptionScanner) -> String {
        let start = scanner.position
        scanner.skip { $0 != ">" }
        let text = scanner.text(from: start, to: scanner.position)
        scanner.advance()
        return text
    }

    private static func kind(_ name: String, annotation: String) -> CaptionSpan.Kind? {
        switch name {
        case "c": .classes
        case "i": .italic
        case "b": .bold
        case "u": .underline
        case "ruby": .ruby
        case "rt": .rubyText
        case "v": .voice(annotation)
        case "lang": .language(annotation)
        default: nil
        }
    }
}

/// A tree of spans under construction: the innermost open one is last.
struct CaptionTree {
    private var open: [CaptionSpan] = []
    /// Deeper tags are ignored: the tree is walked recursively.
    private static let deepest = 64
    private var done: [CaptionNode] = []
    private let mostSpans: Int
    /// How many spans have been opened.
    private(set) var spans = 0

    /// - Parameter mostSpans: tags behind so many are ignored.
    init(mostSpans: Int = CaptionBounds.spans) { self.mostSpans = mostSpans }

    mutating func append(_ node: CaptionNode) {
        if open.isEmpty { done.append(node) } else { open[open.count - 1].children.append(node) }
    }

    mutating func append(text: String) {
        if !text.isEmpty { append(.text(text)) }
    }

    mutating func open(_ span: CaptionSpan) {
        // An annotation is valid only inside ruby.
        if span.kind == .rubyText, open.last?.kind != .ruby { return }
        guard open.count < Self.deepest, spans < mostSpans else { return }
        spans += 1
        open.append(span)
    }

    /// Closes the innermost span if it has this name; the end of a ruby also closes an annotation in it.
    mutating func close(_ name: String) {
        guard let last = open.last else { return }
        if last.kind.name == name {
            pop()
        } else if name == "ruby", last.kind == .rubyText {
            pop()
            pop()
        }
    }

    /// Closes the innermost span with this name and everything inside it (SubRip tags may overlap).
    mutating func closeThrough(_ name: String) {
        guard let place = open.lastIndex(where: { $0.kind.name == name }) else { return }
        while open.count > place { pop() }
    }

    mutating func finish() -> [CaptionNode] {
        while !open.isEmpty { pop() }
        return done
    }

    private mutating func pop() {
        if let span = open.popLast() { append(.span(span)) }
    }
}
