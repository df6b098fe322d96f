import MediaModel

@testable import Appliance

/// Reads the values of one line of a dump.
struct DumpReader {
    private var rest: Substring.UnicodeScalarView
    /// Deeper than any value of the schema.
    private static let deepest = 16

    init(_ text: Substring) { rest = text.unicodeScalars }

    /// The values without names and the named values of a whole line, the former first; nil: it is not well-formed.
    mutating func content() -> DumpContent? {
        var content = DumpContent()
        while skipSpaces() {
            if let field = field(depth: 0) {
                content.fields.append(field)
            } else if content.fields.isEmpty, let value = value(depth: 0) {
                content.values.append(value)
            } else {
                return nil
            }
        }
        return content
    }

    /// - Returns: whether there is more.
    private mutating func skipSpaces() -> Bool {
        while rest.first == " " { rest.removeFirst() }
        return !rest.isEmpty
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func word() -> String? {
        let word = rest.prefix(while: DumpValue.isInWord)
        guard !word.isEmpty else { return nil }
        rest = rest[word.endIndex...]
        return String(word)
    }

    /// A name, `=` and a value. Nothing is consumed if there is no name with `=`.
    private mutating func field(depth: Int) -> DumpField? {
        let start = rest
        guard let name = take("\"") ? quoted() : word(), take("="), let value = value(depth: depth) else {
            rest = start
            return nil
        }
        return DumpField(name, value)
    }

    private mutating func value(depth: Int) -> DumpValue? {
        guard depth < Self.deepest else { return nil }
        if take("\"") { return quoted().map { .text($0) } }
        if take("[") { return list(depth: depth + 1).map { .list($0) } }
        if take("{") { return fields(until: "}", depth: depth + 1).map { .record($0) } }
        guard let word = word() else { return nil }
        guard take("(") else { return .word(word) }
        let start = rest
        if let fields = fields(until: ")", depth: depth + 1) { return .tagged(word, .record(fields)) }
        rest = start
        guard let value = value(depth: depth + 1), take(")") else { return nil }
        return .tagged(word, value)
    }

    private mutating func fields(until end: Unicode.Scalar, depth: Int) -> [DumpField]? {
        var fields: [DumpField] = []
        while !take(end) {
            guard skipSpaces(), let field = field(depth: depth) else { return nil }
            fields.append(field)
        }
        return fields
    }

    private mutating func list(depth: Int) -> [DumpValue]? {
        var values: [DumpValue] = []
        while !take("]") {
            if !values.isEmpty { guard take(",") else { return nil } }
            guard skipSpaces(), let value = value(depth: depth) else { return nil }
            values.append(value)
        }
        return values
    }

    /// The text up to the closing quotation mark.
    private mutating func quoted() -> String? {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(text)
            case "\\":
                guard let escaped = escaped() else { return nil }
                text.append(escaped)
            default: text.append(scalar)
            }
        }
        return nil
    }

    private mutating func escaped() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "\"": return "\""
        case "\\": return "\\"
        case "n": return "\n"
        case "r": return "\r"
        case "u":
            guard take("{"), let digits = word(), take("}"), let value = UInt32(digits, radix: 16) else { return nil }
            return Unicode.Scalar(value)
        default: return nil
        }
    }
}
