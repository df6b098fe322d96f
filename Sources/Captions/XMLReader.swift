/// An XML element with its contents. Names are local: prefixes are dropped.
struct XMLElement: Sendable {
    enum Child: Sendable {
        case element(XMLElement)
        case text(String)
    }

    var name: String
    /// The address of its namespace; for a prefix that is not declared, the prefix.
    var namespace = ""
    /// Those without a prefix first. Attributes of namespaces that have nothing to do with captions are left out.
    var attributes: [(name: String, value: String)]
    var children: [Child] = []

    /// The value of an attribute.
    subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// The child elements.
    var elements: [XMLElement] {
        children.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// The first child element with a name.
    func first(_ name: String) -> XMLElement? { elements.first { $0.name == name } }

    /// Whether it has text of its own, apart from white space.
    var hasText: Bool {
        children.contains {
            switch $0 {
            case .text(let text): !text.trimmed.isEmpty
            case .element(let element): element.name == "br"
            }
        }
    }

    /// All text inside.
    var text: String {
        children.map { child in
            switch child {
            case .element(let element): element.text
            case .text(let text): text
            }
        }.joined()
    }
}

/// Parses XML as used in caption files: elements, attributes, text, CDATA, character references. Document types, processing
/// instructions and comments are skipped. Only XML's own entities are known, so expansion cannot grow the text. Elements left
/// open at the end are closed.
struct XMLReader {
    private var scanner: CaptionScanner
    /// The addresses of the prefixes that are declared around the current place, the innermost element last.
    private var scopes: [[String: String]] = [[:]]
    private static let deepest = 64
    /// The prefixes around a place; further ones are not declared.
    private static let mostPrefixes = 64

    /// The root element; nil when there is none.
    static func parse(_ text: String) -> XMLElement? {
        var reader = XMLReader(scanner: CaptionScanner(text))
        return reader.document()
    }

    private init(scanner: CaptionScanner) { self.scanner = scanner }

    private mutating func document() -> XMLElement? {
        var open: [XMLElement] = []
        func close(_ open: inout [XMLElement], _ scopes: inout [[String: String]]) -> XMLElement? {
            let element = open.removeLast()
            scopes.removeLast()
            guard !open.isEmpty else { return element }
            open[open.count - 1].children.append(.element(element))
            return nil
        }
        while let next = scanner.next {
            guard next == "<" else {
                let text = CharacterReferences.text(&scanner, until: "<")
                if !open.isEmpty, !text.isEmpty { open[open.count - 1].children.append(.text(text)) }
                continue
            }
            if scanner.take("<!--") {
                skip(through: "-->")
            } else if scanner.take("<![CDATA[") {
                let text = raw(through: "]]>")
                if !open.isEmpty { open[open.count - 1].children.append(.text(text)) }
            } else if scanner.take("<?") {
                skip(through: "?>")
            } else if scanner.take("<!") {
                skip(through: ">")
            } else if scanner.take("</") {
                let name = Self.local(raw(through: ">").trimmed)
                guard let place = open.lastIndex(where: { $0.name == name }) else { continue }
                while open.count > place { if let root = close(&open, &scopes) { return root } }
            } else {
                scanner.advance()
                guard let (written, isEmpty) = tag() else { continue }
                guard open.count < Self.deepest else { continue }
                let (element, scope) = Self.resolved(written, in: scopes.last ?? [:])
                open.append(element)
                scopes.append(scope)
                if isEmpty, let root = close(&open, &scopes) { return root }
            }
        }
        while !open.isEmpty { if let root = close(&open, &scopes) { return root } }
        return nil
    }

    private mutating func tag() -> (XMLElement, isEmpty: Bool)? {
        let start = scanner.position
        scanner.skip { !CaptionText.isSpace($0) && $0 != ">" && $0 != "/" }
        let name = scanner.text(from: start, to: scanner.position)
        var element = XMLElement(name: name, attributes: [])
        while true {
            scanner.skip(while: CaptionText.isSpace)
            if scanner.take("/>") { return name.isEmpty ? nil : (element, true) }
            guard let next = scanner.next else { return name.isEmpty ? nil : (element, false) }
            if next == ">" {
                scanner.advance()
                return name.isEmpty ? nil : (element, false)
            }
            if next == "/" {
                scanner.advance()
                continue
            }
            let start = scanner.position
            scanner.skip { !CaptionText.isSpace($0) && $0 != "=" && $0 != ">" && $0 != "/" }
            let attribute = scanner.text(from: start, to: scanner.position)
            if scanner.position == start {
                scanner.advance()
                continue
            }
            scanner.skip(while: CaptionText.isSpace)
            guard scanner.take("=") else { continue }
            scanner.skip(while: CaptionText.isSpace)
            guard let quote = scanner.next, quote == "\"" || quote == "'" else { continue }
            scanner.advance()
            let value = CharacterReferences.text(&scanner, until: quote)
            scanner.advance()
            element.attributes.append((attribute, value))
        }
    }

    /// An element with its names as written becomes one with local names.
    private static func resolved(_ written: XMLElement, in outer: [String: String]) -> (XMLElement, scope: [String: String]) {
        var scope = outer
        for (name, value) in written.attributes {
            guard scope.count < mostPrefixes else { break }
            if name == "xmlns" { scope[""] = value } else if name.hasPrefix("xmlns:") { scope[String(name.dropFirst(6))] = value }
        }
        var element = XMLElement(name: local(written.name), attributes: [])
        let own = prefix(of: written.name)
        element.namespace = scope[own] ?? own
        var prefixed: [(name: String, value: String)] = []
        for (name, value) in written.attributes {
            let prefix = prefix(of: name)
            if prefix.isEmpty {
                element.attributes.append((name, value))
            } else if scope[prefix].map(concernsCaptions) ?? true {
                prefixed.append((local(name), value))
            }
        }
        element.attributes += prefixed
        return (element, scope)
    }

    /// TTML in all its versions, SMPTE-TT, EBU-TT, IMSC, and XML's own namespace.
    private static func concernsCaptions(_ namespace: String) -> Bool {
        ["/ttml", "/ttaf1", "smpte", "ebu", "www.w3.org/XML"].contains { namespace.contains($0) }
    }

    private static func prefix(of name: String) -> String {
        name.firstIndex(of: ":").map { String(name[..<$0]) } ?? ""
    }

    private static func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    private mutating func skip(through end: String) { _ = raw(through: end) }

    private mutating func raw(through end: String) -> String {
        let start = scanner.position
        while !scanner.isAtEnd {
            let here = scanner.position
            if scanner.take(end) { return scanner.text(from: start, to: here) }
            scanner.advance()
        }
        return scanner.text(from: start)
    }
}
