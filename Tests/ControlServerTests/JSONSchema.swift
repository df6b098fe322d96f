/// Checks values against the parts of JSON Schema 2020-12 that `openapi.json` uses. A keyword that it does not know is reported, so
/// that the document cannot describe more than is checked.
struct JSONSchema {
    /// The whole document, for references.
    let document: JSONValue
    /// Whether an object may have only the members that are described. A client tolerates others, and a test of the server does not.
    var isClosed = false

    /// What is wrong with a value, one line for each fault.
    func faults(of value: JSONValue, by schema: JSONValue, at place: String = "$") -> [String] {
        guard case .object(let keywords) = schema else { return ["\(place): the schema is not an object"] }
        let faults = keywords.keys.sorted().flatMap { check(value, $0, keywords[$0]!, keywords, place) }
        guard isClosed, let known = keywords["properties"]?.members else { return faults }
        return faults
            + (value.members ?? [:]).keys.filter { known[$0] == nil }.sorted().map { "\(place).\($0) is not described" }
    }

    /// What a reference such as `#/components/schemas/Now` refers to.
    func resolve(_ value: JSONValue) -> JSONValue {
        guard case .text(let reference) = value["$ref"] else { return value }
        return reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }

    private func check(
        _ value: JSONValue, _ keyword: String, _ operand: JSONValue, _ keywords: [String: JSONValue], _ place: String
    ) -> [String] {
        func fault(_ isFault: Bool) -> [String] { isFault ? ["\(place): \(value) breaks \(keyword) \(operand)"] : [] }
        switch (keyword, operand) {
        case ("description", _), ("format", _), ("default", _): return []
        case ("$ref", _): return faults(of: value, by: resolve(.object(keywords)), at: place)
        case ("type", .text(let type)): return fault(!value.isOfType(type))
        case ("enum", .list(let allowed)): return fault(!allowed.contains(value))
        case ("const", let allowed): return fault(value != allowed)
        case ("minimum", .number(let limit)): return fault(value.number.map { $0 < limit } ?? false)
        case ("maximum", .number(let limit)): return fault(value.number.map { $0 > limit } ?? false)
        case ("exclusiveMinimum", .number(let limit)): return fault(value.number.map { $0 <= limit } ?? false)
        case ("exclusiveMaximum", .number(let limit)): return fault(value.number.map { $0 >= limit } ?? false)
        case ("maxItems", .number(let limit)): return fault(value.list.map { Double($0.count) > limit } ?? false)
        case ("items", let items):
            return (value.list ?? []).enumerated().flatMap { faults(of: $1, by: items, at: "\(place)[\($0)]") }
        case ("required", .list(let names)):
            return names.compactMap(\.text).filter { value.members?[$0] == nil && value.members != nil }.map {
                "\(place).\($0) is missing"
            }
        case ("properties", .object(let properties)):
            return (value.members ?? [:]).sorted { $0.key < $1.key }.flatMap { name, member in
                properties[name].map { faults(of: member, by: $0, at: "\(place).\(name)") } ?? []
            }
        case ("maxLength", .number(let limit)): return fault(value.text.map { Double($0.unicodeScalars.count) > limit } ?? false)
        case ("pattern", .text("\\S")): return fault(value.text.map { $0.allSatisfy(\.isWhitespace) } ?? false)
        case ("pattern", .text(let pattern)):
            let expression = try? Regex(pattern)
            return fault(value.text.map { text in expression.map { text.firstMatch(of: $0) == nil } ?? true } ?? false)
        case ("oneOf", .list(let choices)):
            return fault(choices.filter { faults(of: value, by: $0, at: place).isEmpty }.count != 1)
        case ("anyOf", .list(let choices)):
            return fault(!choices.contains { faults(of: value, by: $0, at: place).isEmpty })
        default: return ["\(place): the keyword \(keyword) is not known here"]
        }
    }
}

extension JSONValue {
    subscript(name: String) -> JSONValue? { members?[name] }

    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }

    func isOfType(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .list), ("string", .text), ("number", .number), ("boolean", .bool), ("null", .null):
            true
        case ("integer", .number(let number)): number.rounded() == number
        default: false
        }
    }
}
