import MediaTime

/// The attributes of a tag as written, in their order, variables substituted.
package struct AttributeList: Sendable, Hashable, RandomAccessCollection {
    /// One `NAME=value`.
    package struct Attribute: Sendable, Hashable {
        /// The name, e.g. `BANDWIDTH`.
        package let name: String
        /// The value, without quotation marks.
        package let value: String
        /// Whether the value was in quotation marks.
        package let isQuoted: Bool
    }

    private var attributes: [Attribute]

    /// An empty list.
    package init() { attributes = [] }

    package var startIndex: Int { attributes.startIndex }
    package var endIndex: Int { attributes.endIndex }
    package subscript(position: Int) -> Attribute { attributes[position] }

    /// The value of an attribute, or nil when it is absent. If a name occurs twice the last one counts.
    package subscript(name: String) -> String? { attributes.last { $0.name == name }?.value }

    /// The attributes whose names start with `X-`, defined by a client or a provider. If a name occurs twice the last one counts.
    package var clientAttributes: [Attribute] {
        var names: Set<String> = []
        return attributes.reversed().filter { $0.name.hasPrefix("X-") && names.insert($0.name).inserted }.reversed()
    }

    mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    /// The attributes of both lists; for names in both, the later value counts.
    func merging(_ later: AttributeList) -> AttributeList {
        var result = self
        for attribute in later.attributes {
            result.attributes.removeAll { $0.name == attribute.name }
            result.attributes.append(attribute)
        }
        return result
    }

    /// An error in an attribute list.
    enum Fault { case malformed(String), duplicate(String) }

    /// Parses the text after a tag's colon: returns what could be parsed, and reports the rest.
    static func read(_ text: Bytes, fault: (Fault) -> Void) -> AttributeList {
        var list = AttributeList()
        var position = 0
        while position < text.count {
            guard list.count < PlaylistBounds.attributes else {
                fault(.malformed("the attribute \(PlaylistBounds.attributes + 1)"))
                break
            }
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
                    // Without a closing quotation mark the end of the value is unknown: it takes the rest.
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

    /// The same list with every value that may contain a variable passed through `substitute`.
    func substituting(_ substitute: (String) -> String) -> AttributeList {
        var result = self
        result.attributes = attributes.map { attribute in
            // RFC 8216bis 4.3: variables are allowed only in quoted strings and hexadecimal sequences (and URI lines).
            guard attribute.isQuoted || attribute.value.hasPrefix("0x") || attribute.value.hasPrefix("0X"),
                attribute.value.utf8.contains(UInt8(ascii: "{"))
            else { return attribute }
            return Attribute(name: attribute.name, value: substitute(attribute.value), isQuoted: attribute.isQuoted)
        }
        return result
    }

    /// A decimal number of seconds; nil when absent, not a number, or beyond a leap year.
    func time(_ name: String) -> MediaTime? {
        guard let text = self[name] else { return nil }
        return Numbers.withBytes(of: text) { Numbers.decimal($0) }.flatMap {
            $0.billionths.magnitude <= PlaylistBounds.longestSpan.magnitude ? MediaTime.nanoseconds($0.billionths) : nil
        }
    }

    /// The items of a comma-separated list.
    func words(_ name: String) -> [String] {
        guard let text = self[name] else { return [] }
        return text.split(separator: ",").map { word in
            String(word.drop { $0 == " " }.prefix { $0 != " " })
        }
    }
}
