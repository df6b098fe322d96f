/// Writes JSON with keys in the given order, indented by two spaces: equal values always give equal bytes.
struct JSONText {
    private(set) var text = ""
    private var depth = 0
    /// Whether each open container already has a member, innermost last.
    private var hasMember: [Bool] = []

    /// Writes `{…}`; the body writes members.
    mutating func object(_ body: (inout JSONText) -> Void) { container("{", "}", body) }

    /// Writes `[…]` with one element for each value.
    mutating func array<Values: Sequence>(_ values: Values, _ element: (inout JSONText, Values.Element) -> Void) {
        container("[", "]") { json in
            for value in values {
                json.separate()
                element(&json, value)
            }
        }
    }

    /// Writes the key of a member; its value must follow.
    mutating func key(_ name: String) {
        separate()
        string(name)
        text += ": "
    }

    mutating func null() { text += "null" }

    mutating func raw(_ value: String) { text += value }

    /// Writes a string with the escapes that JSON requires.
    mutating func string(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    // MARK: - Members

    mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    mutating func member(_ name: String, _ value: Bool) {
        key(name)
        raw(value ? "true" : "false")
    }

    mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
        key(name)
        if let value { raw(String(value)) } else { null() }
    }

    /// A member whose value is the text of a number.
    mutating func member(_ name: String, number: String?) {
        key(name)
        raw(number ?? "null")
    }

    /// A member whose value is an object, or null when there is no value.
    mutating func member<Value>(_ name: String, _ value: Value?, _ body: (inout JSONText, Value) -> Void) {
        key(name)
        guard let value else { return null() }
        object { body(&$0, value) }
    }

    /// A member whose value is an array of objects.
    mutating func members<Values: Sequence>(
        _ name: String, _ values: Values, _ body: (inout JSONText, Values.Element) -> Void
    ) {
        key(name)
        array(values) { json, value in json.object { body(&$0, value) } }
    }

    /// A member whose value is an array of strings.
    mutating func members(_ name: String, _ values: [String]) {
        key(name)
        array(values) { $0.string($1) }
    }

    private mutating func container(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        text += open
        depth += 1
        hasMember.append(false)
        body(&self)
        depth -= 1
        if hasMember.removeLast() { newLine() }
        text += close
    }

    private mutating func separate() {
        if hasMember[hasMember.count - 1] { text += "," }
        hasMember[hasMember.count - 1] = true
        newLine()
    }

    private mutating func newLine() {
        text += "\n"
        for _ in 0..<depth { text += "  " }
    }
}
