import ChannelFeed
import WireFormats

/// One value of a JSON source, with the path to it.
struct SourceNode {
    let json: JSONNode
    let pointer: JSONPointer

    var place: SourcePlace { SourcePlace(pointer.description) }

    /// The value of a key; nil when this is not an object, the key is absent, or its value is null.
    subscript(key: String) -> SourceNode? {
        guard case .object(let object) = json.value, let value = object[key] else { return nil }
        if case .null = value.value { return nil }
        return SourceNode(json: value, pointer: pointer.appending(key))
    }

    /// The elements of a list; none for everything else.
    var elements: [SourceNode] {
        guard case .array(let nodes) = json.value else { return [] }
        return nodes.enumerated().map { SourceNode(json: $1, pointer: pointer.appending($0)) }
    }

    /// The elements of the list under a key.
    func list(_ key: String) -> [SourceNode] { self[key]?.elements ?? [] }

    /// A text, or a number as written: publishers often mix them up.
    var text: String? {
        switch json.value {
        case .string(let text), .number(let text): text
        case .null, .boolean, .array, .object: nil
        }
    }

    /// The texts of a list, or of one text separated by commas.
    var texts: [String] {
        if let text { return text.split(separator: ",").map { Conversion.trimmed(String($0)) } }
        return elements.compactMap(\.text)
    }

    var boolean: Bool? {
        if case .boolean(let value) = json.value { value } else { nil }
    }

    /// The keys with a value that are not among these, in the order of the source.
    func keys(except known: Set<String>) -> [String] {
        guard case .object(let object) = json.value else { return [] }
        return object.members.compactMap { member in
            if case .null = member.node.value { return nil }
            if case .array(let nodes) = member.node.value, nodes.isEmpty { return nil }
            if case .string("") = member.node.value { return nil }
            return known.contains(member.key) ? nil : member.key
        }
    }
}
