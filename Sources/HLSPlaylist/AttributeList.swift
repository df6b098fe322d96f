/// The attributes of a tag as written, in their order, variables substituted.
package struct AttributeList: Sendable, Hashable, RandomAccessCollection {
    /// One `NAME=value`.
    package struct Attribute: Sendable, Hashable {
        /// The name, e.g. `BANDWIDTH`.
        package let name: String
        /// The value, without its quotation marks.
        package let value: String
        /// Whether the value stood in quotation marks.
        package let isQuoted: Bool
    }

    private var attributes: [Attribute]

    /// An empty list.
    package init() { attributes = [] }

    package var startIndex: Int { attributes.startIndex }
    package var endIndex: Int { attributes.endIndex }
    package subscript(position: Int) -> Attribute { attributes[position] }

    /// The value of an attribute, or nil where it does not stand there. Of two with one name the last counts.
    package subscript(name: String) -> String? { attributes.last { $0.name == name }?.value }

    /// The attributes whose names start with `X-`: those a client or a provider defined.
    package var clientAttributes: [Attribute] { attributes.filter { $0.name.hasPrefix("X-") } }

    mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    /// The attributes of both lists; where both have one, the later value counts.
    func merging(_ later: AttributeList) -> AttributeList {
        var result = self
        for attribute in later.attributes {
            result.attributes.removeAll { $0.name == attribute.name }
            result.attributes.append(attribute)
        }
        return result
    }

    /// What went wrong in reading a list.
    enum Fault { case malformed(String), duplicate(String) }

    /// Reads what follows the colon of a tag: as much as can be read, and what could not be.
    static func read(_ text: Bytes, fault: (Fault) -> Void) -> AttributeList {
        var list = AttributeList()
        var position = 0
        while position < text.count {
            let byte = text[position]
            if byte.isBlank || byte == .comma {
                position += 1
                continue
            }
            let nameStart = position
            while position < text.count, text[position] != UInt8(ascii: "="), text[position] != .comma { position += 1 }
            let name = text.part(nameStart, position).trimmed.text
            guard position < text.count, text[position] == UInt8(ascii: "=") else {
                fault(.malformed(name))
                continue
            }
            position += 1
            while position < text.count, text[position].isBlank { position += 1 }
            let value: Bytes
            let isQuoted = position < text.count && text[position] == .quote
            if isQuoted {
                let start = position + 1
                if let end = text.position(of: .quote, from: start) {
                    value = text.part(start, end)
                    position = end + 1
                } else {
                    // Without its closing mark the value cannot be told from what follows: it takes the rest.
                    value = text.part(start, text.count)
                    position = text.count
                    fault(.malformed(name))
                }
                let rest = position
                while position < text.count, text[position] != .comma { position += 1 }
                if !text.part(rest, position).trimmed.isEmpty { fault(.malformed(name)) }
            } else {
                let start = position
                while position < text.count, text[position] != .comma { position += 1 }
                value = text.part(start, position).trimmed
            }
            if list.attributes.contains(where: { $0.name == name }) { fault(.duplicate(name)) }
            list.attributes.append(Attribute(name: name, value: value.text, isQuoted: isQuoted))
        }
        return list
    }

    /// The same list with every value that may hold a variable passed through `substitute`.
    func substituting(_ substitute: (String) -> String) -> AttributeList {
        var result = self
        result.attributes = attributes.map { attribute in
            // RFC 8216bis 4.3: variables stand in quoted strings and hexadecimal sequences (and URI lines) only.
            guard attribute.isQuoted || attribute.value.hasPrefix("0x") || attribute.value.hasPrefix("0X"),
                attribute.value.utf8.contains(UInt8(ascii: "{"))
            else { return attribute }
            return Attribute(name: attribute.name, value: substitute(attribute.value), isQuoted: attribute.isQuoted)
        }
        return result
    }
}
