import URLReferences
import WireFormats

/// The variables of a playlist during a parse (RFC 8216bis 4.3 and 4.4.2.3).
struct VariableTable: Sendable {
    private(set) var definitions: [Definition] = []
    private var values: [String: String] = [:]
    /// The bytes of all values.
    private var size = 0
    private var imported: [String: String]
    private var query: [(name: String, value: String)]
    private let kind: PlaylistKind

    init(imported: [String: String], url: String?, kind: PlaylistKind) {
        self.imported = imported
        self.kind = kind
        query = url.map(Self.queryItems(of:)) ?? []
    }

    /// Takes the imported variables and the address of a reload, for later definitions.
    mutating func renew(imported: [String: String], url: String?) {
        self.imported = imported
        query = url.map(Self.queryItems(of:)) ?? []
    }

    /// Handles an EXT-X-DEFINE; returns an error message, or nil.
    mutating func define(_ attributes: AttributeList) -> String? {
        let sources = ["NAME", "IMPORT", "QUERYPARAM"].filter { attributes[$0] != nil }
        guard sources.count == 1, let source = sources.first, let name = attributes[source], !name.isEmpty else {
            return "EXT-X-DEFINE needs exactly one of NAME, IMPORT and QUERYPARAM; keep one"
        }
        guard name.utf8.allSatisfy(Self.isNameByte) else {
            return "the variable name '\(name)' has characters other than letters, digits, - and _; rename it"
        }
        guard values[name] == nil else {
            return "the variable '\(name)' is defined twice and the first counts; remove one definition"
        }
        let definition: Definition
        switch source {
        case "NAME":
            guard let value = attributes["VALUE"] else { return "the variable '\(name)' has no VALUE; add one" }
            definition = Definition(name: name, value: value, source: .value)
        case "IMPORT":
            guard kind == .media else { return "IMPORT is in a multivariant playlist, which can import from no other; use NAME" }
            guard let value = imported[name] else {
                return "the multivariant playlist defines no variable '\(name)' to import; define it there"
            }
            definition = Definition(name: name, value: value, source: .import)
        default:
            guard let value = query.first(where: { $0.name == name })?.value, !value.isEmpty else {
                return "the playlist's address has no query parameter '\(name)'; request it with one"
            }
            definition = Definition(name: name, value: value, source: .queryParameter)
        }
        let total = size + definition.value.utf8.count
        guard total <= PlaylistBounds.longestText else {
            return
                "the values of all variables are longer than 64 KiB with '\(name.clipped)', which stays undefined; shorten them"
        }
        size = total
        values[name] = definition.value
        definitions.append(definition)
        return nil
    }

    /// Substitutes each `{$name}`; calls `missing` with a name that was not defined before this line.
    ///
    /// - Returns: nil when the result is longer than `PlaylistBounds.longestText`.
    func substitute(_ text: String, missing: (String) -> Void) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "{"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "$"),
                let length = bytes[(position + 2)...].firstIndex(where: { !Self.isNameByte($0) }),
                bytes[length] == UInt8(ascii: "}"), length > position + 2
            {
                let name = String(decoding: bytes[(position + 2)..<length], as: UTF8.self)
                if let value = values[name] {
                    guard result.count + value.utf8.count <= PlaylistBounds.longestText else { return nil }
                    result.append(contentsOf: value.utf8)
                } else {
                    missing(name)
                }
                position = length + 1
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-_".utf8.contains(byte) }

    /// The percent-decoded parameters of a URL's query.
    static func queryItems(of url: String) -> [(name: String, value: String)] {
        guard let query = URLReference(url).query else { return [] }
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (URLReference.percentDecoded(parts[0]), parts.count > 1 ? URLReference.percentDecoded(parts[1]) : "")
        }
    }
}
