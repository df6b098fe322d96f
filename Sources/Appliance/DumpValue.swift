import MediaTime

/// A value in a dump, with one written form. The grammar is in docs/dump.md.
package indirect enum DumpValue: Hashable, Sendable {
    /// A number, a time, or a name from a fixed list: written as it is.
    case word(String)
    /// Text from outside: written in quotation marks.
    case text(String)
    /// A name with one value, or with the fields of one record, in parentheses.
    case tagged(String, DumpValue)
    /// Values in square brackets.
    case list([DumpValue])
    /// Named values in braces, in a fixed order.
    case record([DumpField])

    /// No value.
    package static let nothing = DumpValue.word("-")

    /// An identifier from outside, without quotation marks where it can be read without them.
    static func identifier(_ text: String) -> DumpValue {
        let isWord = !text.isEmpty && text != nothing.string && text.unicodeScalars.allSatisfy(DumpReader.isInWord)
        return isWord ? .word(text) : .text(text)
    }

    static func number(_ number: some BinaryInteger) -> DumpValue { .word("\(number)") }

    /// A word or a text; nil for other values.
    package var string: String? {
        switch self {
        case .word(let string), .text(let string): string
        case .tagged, .list, .record: nil
        }
    }

    /// The elements of a list; nil for other values.
    package var elements: [DumpValue]? {
        guard case .list(let elements) = self else { return nil }
        return elements
    }

    /// The value of a field of a record, or of a tagged record; nil if it has no such field.
    package subscript(name: String) -> DumpValue? {
        switch self {
        case .record(let fields): fields.first { $0.name == name }?.value
        case .tagged(_, let value): value[name]
        case .word, .text, .list: nil
        }
    }

    /// A whole number; nil for other values.
    package var integer: Int? { string.flatMap { Int($0) } }

    /// A time in decimal seconds; nil for other values.
    package var time: MediaTime? {
        guard let string else { return nil }
        guard string.hasPrefix("-") else { return MediaTime(decimalSeconds: string) }
        return MediaTime(decimalSeconds: String(string.dropFirst())).map { -$0 }
    }

    /// `true` or `false`; nil for other values.
    package var flag: Bool? { string.flatMap { Bool($0) } }

    /// Whether a field with this value is omitted.
    var isEmpty: Bool { self == .nothing || self == .list([]) }
}

/// A named value of a record or of a fact.
package struct DumpField: Hashable, Sendable {
    package var name: String
    package var value: DumpValue

    init(_ name: String, _ value: DumpValue) {
        self.name = name
        self.value = value
    }
}

extension DumpValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .word(let word): word
        case .text(let text): Self.quoted(text)
        case .tagged(let name, .record(let fields)): "\(name)(\(Self.written(fields)))"
        case .tagged(let name, let value): "\(name)(\(value))"
        case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        case .record(let fields): "{\(Self.written(fields))}"
        }
    }

    static func written(_ fields: [DumpField]) -> String {
        fields.map { "\(identifier($0.name))=\($0.value)" }.joined(separator: " ")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            // Line separators and invisible characters.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Reads the values of one line.
struct DumpReader {
    private var rest: Substring.UnicodeScalarView
    /// Deeper than any value of the schema.
    private static let deepest = 16

    init(_ text: Substring) { rest = text.unicodeScalars }

    /// Whether a character can be part of a word.
    static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isWhitespace, scalar.properties.generalCategory != .control else { return false }
        return !["\"", "{", "}", "[", "]", "(", ")", ",", "="].contains(scalar)
    }

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
        let word = rest.prefix(while: Self.isInWord)
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

/// The content of a line after the kind of the fact.
struct DumpContent: Hashable, Sendable {
    /// Positional values.
    var values: [DumpValue]
    /// Named values, after the positional ones.
    var fields: [DumpField]

    /// Fields without a value are omitted.
    init(_ values: DumpValue..., fields: KeyValuePairs<String, DumpValue> = [:]) {
        self.values = values
        self.fields = fields.compactMap { $0.value.isEmpty ? nil : DumpField($0.key, $0.value) }
    }

    /// Values whose names come from outside.
    init(named fields: [DumpField]) {
        values = []
        self.fields = fields
    }

    subscript(name: String) -> DumpValue? { fields.first { $0.name == name }?.value }

    /// The value at a position; nil if there are fewer.
    func value(_ position: Int) -> DumpValue? { values.indices.contains(position) ? values[position] : nil }

    /// The word or text at a position.
    func string(_ position: Int = 0) -> String? { value(position)?.string }
}

extension DumpContent: CustomStringConvertible {
    var description: String {
        (values.map(\.description) + (fields.isEmpty ? [] : [DumpValue.written(fields)])).joined(separator: " ")
    }
}
