import Glibc
import WireFormats

/// A file of the project's `docs` folder, as bytes; empty when it cannot be read.
package func documentation(_ name: String, file: String = #filePath) -> [UInt8] {
    guard let real = realpath(file, nil) else { return [] }
    defer { free(real) }
    let root = String(cString: real).split(separator: "/").dropLast(3).joined(separator: "/")
    guard let handle = fopen("/\(root)/docs/\(name)", "r") else { return [] }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, handle)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

extension JSONNode {
    package static func parse(_ bytes: [UInt8]) throws -> JSONNode {
        var reader = JSONReader(bytes, maximumDepth: 64)
        return try reader.read()
    }

    package var object: JSONObject? { if case .object(let object) = value { object } else { nil } }
    package var array: [JSONNode]? { if case .array(let array) = value { array } else { nil } }
    package var string: String? { if case .string(let string) = value { string } else { nil } }
    package var number: Double? { if case .number(let text) = value { Double(text) } else { nil } }
    package subscript(key: String) -> JSONNode? { object?[key] }
}

/// The part of JSON Schema 2020-12 that the published schemas use; an unknown keyword is an error in the schema.
package struct SchemaChecker {
    private let root: JSONNode

    package init(root: JSONNode) { self.root = root }

    /// The violations in a document, as pointers and keywords.
    package func faults(_ node: JSONNode, _ schema: JSONNode, at path: String = "") -> [String] {
        if case .boolean(let isAllowed) = schema.value { return isAllowed ? [] : ["\(path): nothing is allowed here"] }
        var faults: [String] = []
        for member in schema.object?.members ?? [] { faults += self.faults(node, member.key, member.node, of: schema, at: path) }
        return faults
    }

    private func faults(_ node: JSONNode, _ keyword: String, _ value: JSONNode, of schema: JSONNode, at path: String) -> [String]
    {
        let fault = ["\(path): \(keyword)"]
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description", "examples", "then": return []
        case "$ref":
            guard let name = value.string?.split(separator: "/").last, let target = root["$defs"]?[String(name)] else {
                return ["no definition \(value)"]
            }
            return faults(node, target, at: path)
        case "type":
            let names = value.array?.compactMap(\.string) ?? [value.string ?? ""]
            return names.contains { isOf(type: $0, node) } ? [] : fault
        case "const": return same(node, value) ? [] : fault
        case "enum": return value.array?.contains { same(node, $0) } == true ? [] : fault
        case "anyOf": return value.array?.contains { faults(node, $0, at: path).isEmpty } == true ? [] : fault
        case "allOf": return value.array?.flatMap { faults(node, $0, at: path) } ?? fault
        case "if":
            guard let then = schema["then"], faults(node, value, at: path).isEmpty else { return [] }
            return faults(node, then, at: path)
        case "pattern":
            guard let text = node.string, let pattern = value.string else { return [] }
            guard let regex = try? Regex(pattern) else { return ["\(path): bad pattern \(pattern)"] }
            return text.contains(regex) ? [] : fault
        case "minLength": return node.string.map { Double($0.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "minItems": return node.array.map { Double($0.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "maxItems": return node.array.map { Double($0.count) <= value.number ?? 0 } ?? true ? [] : fault
        case "minProperties": return node.object.map { Double($0.members.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "minimum": return node.number.map { $0 >= value.number ?? 0 } ?? true ? [] : fault
        case "exclusiveMinimum": return node.number.map { $0 > value.number ?? 0 } ?? true ? [] : fault
        case "maximum": return node.number.map { $0 <= value.number ?? 0 } ?? true ? [] : fault
        case "exclusiveMaximum": return node.number.map { $0 < value.number ?? 0 } ?? true ? [] : fault
        case "items": return node.array?.enumerated().flatMap { faults($1, value, at: "\(path)/\($0)") } ?? []
        case "required":
            return node.object.map { object in value.array?.allSatisfy { object[$0.string ?? ""] != nil } == true } ?? true
                ? [] : fault
        case "properties":
            return node.object?.members.flatMap { member in
                value[member.key].map { faults(member.node, $0, at: "\(path)/\(member.key)") } ?? []
            } ?? []
        case "propertyNames":
            return node.object?.members.flatMap { member in
                faults(JSONNode(value: .string(member.key), offset: 0), value, at: "\(path)/\(member.key)")
            } ?? []
        case "patternProperties": return value.object?.members.map(\.key) == ["^x-"] ? [] : ["only ^x- is known"]
        case "additionalProperties":
            return node.object?.members.filter { schema["properties"]?[$0.key] == nil && !$0.key.hasPrefix("x-") }
                .flatMap { faults($0.node, value, at: "\(path)/\($0.key)") } ?? []
        default: return ["the schema uses \(keyword), which this check does not know"]
        }
    }

    private func isOf(type: String, _ node: JSONNode) -> Bool {
        switch (type, node.value) {
        case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let text)): Int64(text) != nil
        default: false
        }
    }

    private func same(_ first: JSONNode, _ second: JSONNode) -> Bool {
        switch (first.value, second.value) {
        case (.string(let one), .string(let other)): one == other
        case (.number(let one), .number(let other)): Double(one) == Double(other)
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        default: false
        }
    }
}
