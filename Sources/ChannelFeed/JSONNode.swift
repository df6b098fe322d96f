/// One value of a JSON text, with what a checker needs and general readers throw away: numbers as they were written,
/// the order of members, and the place in the text.
///
/// The well-kept readers that exist on Linux hand numbers over as binary floating point and keep one of two equal keys without a word;
/// a feed's times must be read as decimal text and its duplicate keys refused, hence this small reader of our own.
struct JSONNode: Sendable {
    /// The value itself.
    enum Value: Sendable {
        case null
        case boolean(Bool)
        /// The number as written, e.g. `600.50`; its grammar is RFC 8259's.
        case number(String)
        case string(String)
        case array([JSONNode])
        case object(JSONObject)
    }

    let value: Value
    /// Where the value begins: the count of bytes before it.
    let offset: Int
}

/// The members of one object in the order in which they were written.
struct JSONObject: Sendable {
    struct Member: Sendable {
        let key: String
        /// Where the key begins: the count of bytes before its quotation mark.
        let keyOffset: Int
        let node: JSONNode
    }

    private(set) var members: [Member] = []
    private var indexes: [String: Int] = [:]

    /// Adds a member; false where the key was there before, which then keeps its first value.
    mutating func append(_ member: Member) -> Bool {
        guard indexes[member.key] == nil else { return false }
        indexes[member.key] = members.count
        members.append(member)
        return true
    }

    subscript(key: String) -> JSONNode? { indexes[key].map { members[$0].node } }
}

/// The way to one value of a document (RFC 6901), e.g. `/items/3/duration`; the whole document is the empty text.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// The keys and indexes from the top, unescaped.
    package let tokens: [String]

    /// Makes the pointer that follows these keys and indexes from the top.
    package init(_ tokens: [String] = []) { self.tokens = tokens }

    /// The pointer to a member of the object this one leads to.
    package func appending(_ key: String) -> JSONPointer { JSONPointer(tokens + [key]) }

    /// The pointer to an element of the array this one leads to.
    package func appending(_ index: Int) -> JSONPointer { JSONPointer(tokens + [String(index)]) }

    package var description: String {
        var text = ""
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

/// A place in a text file as editors count it.
package struct TextLocation: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in characters (Unicode scalars), from 1.
    package let column: Int

    package var description: String { "line \(line) column \(column)" }
}

/// Turns byte offsets of one text into lines and columns, in one walk: a text may be one long line with a mistake in every word.
struct LocationWalk {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The place of an offset.
    ///
    /// - Precondition: it is not before the one asked for last.
    mutating func location(of target: Int) -> TextLocation {
        precondition(target >= offset, "a walk goes forward")
        while offset < min(target, bytes.count) {
            if bytes[offset] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if offset + 1 >= bytes.count || bytes[offset + 1] & 0xC0 != 0x80 {
                // Continuation bytes of UTF-8 do not begin a character.
                column += 1
            }
            offset += 1
        }
        return TextLocation(line: line, column: column)
    }
}
