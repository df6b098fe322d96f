import XMLEvents

/// An element of an XML source.
final class XMLElement {
    /// The name with the usual prefix of its namespace, whatever prefix the source has: `media:content`, `item`.
    let name: String
    /// By their names without prefixes.
    let attributes: [String: String]
    /// Its number among the siblings with its name, from 1.
    let number: Int
    fileprivate(set) var children: [XMLElement] = []
    fileprivate(set) var text = ""
    private let parentPath: String
    fileprivate var counts: [String: Int] = [:]

    fileprivate init(name: String, attributes: [String: String], number: Int, parentPath: String) {
        self.name = name
        self.attributes = attributes
        self.number = number
        self.parentPath = parentPath
    }

    /// The path to it in the manner of XPath: `/rss/channel[1]/item[4]`.
    var path: String { parentPath + "/" + name + (parentPath.isEmpty ? "" : "[\(number)]") }
    var place: SourcePlace { SourcePlace(path) }

    func place(ofAttribute name: String) -> SourcePlace { SourcePlace(path + "/@" + name) }

    /// The first child with a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children with a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Reads an XML text into elements. Namespaces are recognised by their addresses in all spellings that occur, and where none is declared by
/// the usual prefix.
final class XMLTreeReader: XMLEventReceiver {
    /// Deeper elements are ignored: no part of Media RSS is.
    private static let mostDepth = 32
    /// The most text of one element, in bytes.
    private static let mostText = 1 << 20

    private var open: [XMLElement] = []
    private var scopes: [[String: String]] = []
    private var ignored = 0
    private var root: XMLElement?

    /// Parses a text. When it ends early, what came before is used.
    ///
    /// - Returns: the outermost element, if there is one, and why the text ends early.
    static func read(_ bytes: [UInt8]) -> (root: XMLElement?, fault: XMLFault?) {
        let reader = XMLTreeReader()
        guard let parser = XMLEventParser(reader) else { return (nil, nil) }
        do throws(XMLFault) {
            try parser.parse(bytes)
            return (reader.root, nil)
        } catch {
            return (reader.root, error)
        }
    }

    func began(_ name: String, _ attributes: [String: String]) {
        guard open.count < Self.mostDepth else {
            ignored += 1
            return
        }
        var scope = scopes.last ?? [:]
        var plain: [String: String] = [:]
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }) {
            if key == "xmlns" {
                scope[""] = value
            } else if key.hasPrefix("xmlns:") {
                scope[String(key.dropFirst(6))] = value
            } else {
                plain[key.split(separator: ":").last.map(String.init) ?? key] = value
            }
        }
        scopes.append(scope)
        let name = Self.usualName(name, scope)
        let number = open.last.map { parent in
            parent.counts[name, default: 0] += 1
            return parent.counts[name, default: 1]
        }
        let element = XMLElement(name: name, attributes: plain, number: number ?? 1, parentPath: open.last?.path ?? "")
        open.last?.children.append(element)
        if root == nil { root = element }
        open.append(element)
    }

    func came(_ text: String) {
        guard ignored == 0, let element = open.last, element.text.utf8.count + text.utf8.count <= Self.mostText else { return }
        element.text += text
    }

    func ended(_ name: String) {
        guard ignored == 0 else {
            ignored -= 1
            return
        }
        open.removeLast()
        scopes.removeLast()
    }

    private static func usualName(_ name: String, _ scope: [String: String]) -> String {
        let parts = name.split(separator: ":", maxSplits: 1)
        let prefix = parts.count == 2 ? String(parts[0]) : ""
        let local = String(parts.last ?? "")
        guard let address = scope[prefix] else { return name }
        let bare = address.lowercased().split(separator: ":", maxSplits: 1).last?.drop { $0 == "/" } ?? ""
        let usual: [(String, String)] = [
            ("search.yahoo.com/mrss", "media"), ("purl.org/dc/terms", "dcterms"), ("purl.org/dc/elements", "dc"),
            ("www.itunes.com/dtds/podcast", "itunes"), ("purl.org/rss/1.0/modules/content", "content"),
            ("www.w3.org/2005/atom", "atom"),
        ]
        if let known = usual.first(where: { bare.hasPrefix($0.0) }) { return known.1 + ":" + local }
        return prefix.isEmpty ? local : name
    }
}
