import MediaModel

/// The content of a line after the kind of the fact.
struct DumpContent: Hashable, Sendable {
    /// Positional values.
    var values: [DumpValue]
    /// Named values, after the positional ones.
    var fields: [DumpField]

    /// Fields without a value are omitted.
    init(_ values: DumpValue..., fields: KeyValuePairs<String, DumpValue> = [:]) {
        self.values = values
        self.fields = fields.compactMap { $0.value.isEmpty ? nil : DumpField($0.key, $0.value) }
    }

    /// Values whose names come from outside.
    init(named fields: [DumpField]) {
        values = []
        self.fields = fields
    }

    /// The value of a fact whose subject is absent.
    static let none = DumpContent(.word("none"))
}

extension DumpContent: CustomStringConvertible {
    var description: String {
        (values.map(\.description) + (fields.isEmpty ? [] : [DumpValue.written(fields)])).joined(separator: " ")
    }
}
