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

    /// Whether a character can be part of a word.
    package static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.properties.isWhitespace, scalar.properties.generalCategory != .control else { return false }
        return !["\"", "{", "}", "[", "]", "(", ")", ",", "="].contains(scalar)
    }

    /// An identifier from outside, without quotation marks where it can be read without them.
    package static func identifier(_ text: String) -> DumpValue {
        let isWord = !text.isEmpty && text != nothing.string && text.unicodeScalars.allSatisfy(isInWord)
        return isWord ? .word(text) : .text(text)
    }

    package static func number(_ number: some BinaryInteger) -> DumpValue { .word("\(number)") }

    /// A name with a position in rows of columns.
    package static func cell(_ name: String, row: Int, column: Int) -> DumpValue {
        .tagged(name, .record([DumpField("row", .number(row)), DumpField("column", .number(column))]))
    }

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
    package var isEmpty: Bool { self == .nothing || self == .list([]) }
}

/// A named value of a record or of a fact.
package struct DumpField: Hashable, Sendable {
    package var name: String
    package var value: DumpValue

    package init(_ name: String, _ value: DumpValue) {
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

    package static func written(_ fields: [DumpField]) -> String {
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
