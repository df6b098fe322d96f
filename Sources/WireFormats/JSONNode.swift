/// One value of a JSON text, with details that a checker needs and general parsers drop: numbers as written, the order of
/// members, and positions in the text.
///
/// The established parsers on Linux return numbers as binary floating point and silently keep one of two equal keys. The times of a feed
/// or a composition must be parsed as decimal text and duplicate keys refused, hence this small parser.
package struct JSONNode: Sendable {
    /// The kinds of values.
    package enum Value: Sendable {
        case null
        case boolean(Bool)
        /// The number as written, e.g. `600.50`, in the grammar of RFC 8259.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object(JSONObject)
    }

    package let value: Value
    /// The byte offset of the value.
    package let offset: Int

    package init(value: Value, offset: Int) {
        self.value = value
        self.offset = offset
    }
}

/// The members of one object in the order in which they were written.
package struct JSONObject: Sendable {
    /// One key with its value.
    package struct Member: Sendable {
        package let key: String
        /// The byte offset of the key's quotation mark.
        package let keyOffset: Int
        package let node: JSONNode
    }

    package private(set) var members: [Member] = []
    /// The indexes by their keys; empty for the small objects that most are, which are faster to search.
    private var indexes: [String: Int] = [:]
    private static let mostSearched = 16

    /// Adds a member; false when the key is a duplicate, which then keeps its first value.
    mutating func append(_ member: Member) -> Bool {
        guard index(of: member.key) == nil else { return false }
        members.append(member)
        if members.count > Self.mostSearched + 1 {
            indexes[member.key] = members.count - 1
        } else if members.count == Self.mostSearched + 1 {
            for (index, member) in members.enumerated() { indexes[member.key] = index }
        }
        return true
    }

    private func index(of key: String) -> Int? {
        members.count > Self.mostSearched ? indexes[key] : members.firstIndex { $0.key == key }
    }

    package subscript(key: String) -> JSONNode? { index(of: key).map { members[$0].node } }
}

/// The path to one value of a document (RFC 6901), e.g. `/items/3/duration`; empty for the whole document. In a further page of a feed
/// it follows the address of the page as a fragment: `https://cdn.example/2.json#/items/3/duration`.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The keys and indexes from the top, unescaped.
    package let tokens: [String]
    /// The address of the document; nil for the feed's first page, and where there is one document only.
    package let document: String?

    package init(_ tokens: [String] = [], in document: String? = nil) {
        self.tokens = tokens
        self.document = document
    }

    /// The pointer to a member of this object.
    package func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key], in: document) }

    /// The pointer to an element of this array.
    package func appending(_ index: Int) -> JSONPointer { JSONPointer(tokens + [String(index)], in: document) }

    package var description: String {
        var text = document.map { $0 + "#" } ?? ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}

/// A position in a text file, counted as editors do.
package struct TextLocation: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in characters (Unicode scalars), from 1.
    package let column: Int

    package var description: String { "line \(line) column \(column)" }
}

/// Converts byte offsets of one text to lines and columns in one pass: a text may be one long line with an error in every word.
package struct LocationWalk {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The location of an offset.
    ///
    /// - Precondition: it is not before the previous one.
    package mutating func location(of target: Int) -> TextLocation {
        precondition(target >= offset, "a walk goes forward")
        while offset < min(target, bytes.count) {
            if bytes[offset] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if offset + 1 >= bytes.count || bytes[offset + 1] & 0xC0 != 0x80 {
                // UTF-8 continuation bytes do not start a character.
                column += 1
            }
            offset += 1
        }
        return TextLocation(line: line, column: column)
    }
}
