/// Why a text is not valid JSON.
package struct JSONFault: Error, Equatable {
    /// The kinds of faults.
    package enum Kind: Equatable {
        case notUTF8
        case syntax
        case tooDeep
    }

    package let kind: Kind
    /// The byte offset at which parsing stopped.
    package let offset: Int
    /// What was found and what was expected, as the middle of a sentence.
    package let reason: String
}

/// A key that occurs twice in one object.
package struct DuplicateKey: Equatable {
    package let pointer: JSONPointer
    package let offset: Int
}

/// Parses a JSON text (RFC 8259) strictly, keeps numbers as text and reports duplicate keys.
package struct JSONReader {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var path: [String] = []
    package private(set) var duplicates: [DuplicateKey] = []

    /// - Parameter maximumDepth: the deepest nesting of arrays and objects; the outermost counts as 1.
    package init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Parses the one value of the text.
    package mutating func read() throws(JSONFault) -> JSONNode {
        if let offset = bytes.span.firstInvalidUTF8 {
            throw JSONFault(kind: .notUTF8, offset: offset, reason: "byte \(offset) is not UTF-8")
        }
        // A byte order mark carries no meaning in UTF-8 and some editors write one (RFC 8259 section 8.1 allows ignoring it).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipSpace()
        let node = try value(depth: 1)
        skipSpace()
        if position < bytes.count { throw unexpected("the end of the text") }
        return node
    }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
        let start = position
        switch peek() {
        case UInt8(ascii: "{"): return JSONNode(value: .object(try object(depth: depth)), offset: start)
        case UInt8(ascii: "["): return JSONNode(value: .array(try array(depth: depth)), offset: start)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), offset: start)
        case UInt8(ascii: "t"): return JSONNode(value: try word("true", .boolean(true)), offset: start)
        case UInt8(ascii: "f"): return JSONNode(value: try word("false", .boolean(false)), offset: start)
        case UInt8(ascii: "n"): return JSONNode(value: try word("null", .null), offset: start)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return JSONNode(value: .number(try number()), offset: start)
        default: throw unexpected("a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
        try enter(depth)
        var object = JSONObject()
        if take(UInt8(ascii: "}")) { return object }
        while true {
            skipSpace()
            let keyOffset = position
            guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotation marks") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("':' after the key") }
            skipSpace()
            path.append(key)
            let node = try value(depth: depth + 1)
            if !object.append(JSONObject.Member(key: key, keyOffset: keyOffset, node: node)) {
                duplicates.append(DuplicateKey(pointer: JSONPointer(path), offset: keyOffset))
            }
            path.removeLast()
            skipSpace()
            if take(UInt8(ascii: "}")) { return object }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or '}'") }
        }
    }

    private mutating func array(depth: Int) throws(JSONFault) -> [JSONNode] {
        try enter(depth)
        var nodes: [JSONNode] = []
        if take(UInt8(ascii: "]")) { return nodes }
        while true {
            skipSpace()
            path.append(String(nodes.count))
            nodes.append(try value(depth: depth + 1))
            path.removeLast()
            skipSpace()
            if take(UInt8(ascii: "]")) { return nodes }
            guard take(UInt8(ascii: ",")) else { throw unexpected("',' or ']'") }
        }
    }

    /// Consumes the opening bracket and the space after it.
    private mutating func enter(_ depth: Int) throws(JSONFault) {
        guard depth <= maximumDepth else {
            throw JSONFault(
                kind: .tooDeep, offset: position, reason: "arrays and objects are nested more than \(maximumDepth) deep")
        }
        position += 1
        skipSpace()
    }

    private mutating func string() throws(JSONFault) -> String {
        position += 1
        // Most strings have no escape: they are taken as a whole.
        let start = position
        while let byte = peek(), byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
        var text = Array(bytes[start..<position])
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw unexpected("an escape such as \\n: control characters are not allowed in a string")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw unexpected("the closing quotation mark")
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONFault) {
        position += 1
        let plain: UInt8
        switch peek() {
        case UInt8(ascii: "\""): plain = UInt8(ascii: "\"")
        case UInt8(ascii: "\\"): plain = UInt8(ascii: "\\")
        case UInt8(ascii: "/"): plain = UInt8(ascii: "/")
        case UInt8(ascii: "b"): plain = 0x08
        case UInt8(ascii: "f"): plain = 0x0C
        case UInt8(ascii: "n"): plain = 0x0A
        case UInt8(ascii: "r"): plain = 0x0D
        case UInt8(ascii: "t"): plain = 0x09
        case UInt8(ascii: "u"):
            position += 1
            text.append(contentsOf: String(try escapedScalar()).utf8)
            return
        default: throw unexpected("one of \" \\ / b f n r t u after the backslash")
        }
        text.append(plain)
        position += 1
    }

    /// The character of a `\u` escape, whose `u` has been consumed; two halves of a surrogate pair are one character.
    private mutating func escapedScalar() throws(JSONFault) -> Unicode.Scalar {
        let start = position
        var code = UInt32(try fourHexDigits())
        if (0xD800..<0xDC00).contains(code), peek() == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        {
            position += 2
            let low = UInt32(try fourHexDigits())
            if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw JSONFault(kind: .syntax, offset: start, reason: "found half of a surrogate pair, expected a whole character")
        }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONFault) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = peek().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw unexpected("four hexadecimal digits")
            }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    private mutating func number() throws(JSONFault) -> String {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        if position == start { throw unexpected("a digit") }
    }

    private mutating func word(_ word: String, _ value: JSONNode.Value) throws(JSONFault) -> JSONNode.Value {
        for byte in word.utf8 where !take(byte) { throw unexpected("\"\(word)\"") }
        return value
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private func unexpected(_ wanted: String) -> JSONFault {
        var found = "the end of the text"
        if position < bytes.count {
            let rest = String(decoding: bytes[position..<min(bytes.count, position + 4)], as: UTF8.self)
            found = rest.unicodeScalars.first.map { JSONText.quoted(String($0)) } ?? "nothing"
        }
        return JSONFault(kind: .syntax, offset: position, reason: "found \(found), expected \(wanted)")
    }
}
