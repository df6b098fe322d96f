/// JSON that keeps the order of its keys, which `JSONEncoder` does not. No object is written with two members of one name, because readers disagree
/// about which one counts (RFC 8259, 4).
package indirect enum JSONText: Sendable {
    /// Members with different names. Of two with one name, which is a mistake of the caller, the first is written; a debug build stops.
    case object([(String, JSONText)])
    case array([JSONText])
    case string(String)
    /// A number, as text.
    case number(String)
    case bool(Bool)
    case null

    /// The value of a parsed node, with its numbers as written.
    package init(_ node: JSONNode) {
        self =
            switch node.value {
            case .null: .null
            case .boolean(let value): .bool(value)
            case .number(let text): .number(text)
            case .string(let text): .string(text)
            case .array(let nodes): .array(nodes.map { JSONText($0) })
            case .object(let object): .object(object.members.map { ($0.key, JSONText($0.node)) })
            }
    }

    /// An object of members whose names come from outside, so that some may be there several times: their values are one array, in the place of
    /// the first.
    ///
    /// - Parameter lists: the names whose value is an array also when they are there once.
    package static func grouped(_ members: [(String, JSONText)], lists: Set<String> = []) -> JSONText {
        var values: [String: [JSONText]] = [:]
        var names: [String] = []
        for (name, value) in members {
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(value)
        }
        return .object(
            names.map { name in
                let all = values[name] ?? []
                return (name, all.count == 1 && !lists.contains(name) ? all[0] : .array(all))
            })
    }

    /// The members that are written.
    private static func distinct(_ members: [(String, JSONText)]) -> [(String, JSONText)] {
        var names = Set<String>(minimumCapacity: members.count)
        let distinct = members.filter { names.insert($0.0).inserted }
        assert(distinct.count == members.count, "an object of JSON has one name twice: \(members.map(\.0))")
        return distinct
    }

    package static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }
    package static func optional(_ number: (some BinaryInteger)?) -> JSONText { number.map { .number(String($0)) } ?? .null }

    /// The JSON on one line, without spaces.
    package var text: String {
        switch self {
        case .object(let members):
            "{" + Self.distinct(members).map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .string(let text): Self.quoted(text)
        case .number(let text): text
        case .bool(let value): value ? "true" : "false"
        case .null: "null"
        }
    }

    /// The JSON with one member or element per line, indented by two spaces.
    package var indentedText: String {
        var text = ""
        write(to: &text, indent: "\n")
        return text
    }

    private func write(to text: inout String, indent: String) {
        let inner = indent + "  "
        switch self {
        case .object(let members) where !members.isEmpty:
            for (index, member) in Self.distinct(members).enumerated() {
                text += (index == 0 ? "{" : ",") + inner + Self.quoted(member.0) + ": "
                member.1.write(to: &text, indent: inner)
            }
            text += indent + "}"
        case .array(let elements) where !elements.isEmpty:
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "[" : ",") + inner
                element.write(to: &text, indent: inner)
            }
            text += indent + "]"
        case .object, .array, .string, .number, .bool, .null: text += self.text
        }
    }

    /// A string in quotation marks.
    package static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    /// Whether a text stays on its line and does not change the lines around it.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: breaksLine) }

    /// Control characters, line separators, and the marks that change the direction of a terminal's text.
    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: false
        }
    }

    /// The inside of a string. Besides what JSON requires, line separators and the marks that change the direction of a terminal's text
    /// are escaped.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where breaksLine(scalar): result += escaped(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A line for a terminal that shows no more than it says, whatever names and texts from outside are in it: what would begin another line, or give the
    /// terminal a command, is written as in a string of JSON. Tabs, quotation marks and all else stay.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 != "\t" && breaksLine($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar != "\t", breaksLine(scalar) { result += escaped(scalar) } else { result.unicodeScalars.append(scalar) }
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}
