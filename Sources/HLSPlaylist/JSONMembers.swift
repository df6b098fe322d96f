import WireFormats

/// Collects the members of a JSON object in order.
struct JSONMembers {
    private var members: [(String, JSONText)] = []

    var object: JSONText { .object(members) }

    mutating func member(_ name: String, _ value: String?) { members.append((name, .optional(value))) }

    mutating func member(_ name: String, _ value: Bool) { members.append((name, .bool(value))) }

    mutating func member(_ name: String, _ value: (some BinaryInteger)?) { members.append((name, .optional(value))) }

    /// A member whose value is the text of a number.
    mutating func member(_ name: String, number: String?) { members.append((name, number.map { .number($0) } ?? .null)) }

    /// A member whose value is an object, or null where there is no value.
    mutating func member<Value>(_ name: String, _ value: Value?, _ body: (inout JSONMembers, Value) -> Void) {
        members.append((name, value.map { Self.object($0, body) } ?? .null))
    }

    /// A member whose value is an array of objects.
    mutating func members<Values: Sequence>(
        _ name: String, _ values: Values, _ body: (inout JSONMembers, Values.Element) -> Void
    ) {
        members.append((name, .array(values.map { Self.object($0, body) })))
    }

    /// A member whose value is an array of strings.
    mutating func members(_ name: String, _ values: [String]) { members.append((name, .array(values.map { .string($0) }))) }

    private static func object<Value>(_ value: Value, _ body: (inout JSONMembers, Value) -> Void) -> JSONText {
        var json = JSONMembers()
        body(&json, value)
        return json.object
    }
}
