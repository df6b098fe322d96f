import WireFormats

/// The members of an object that this box has written.
struct JSONMembers {
    private let object: JSONObject

    /// Nil for any other text.
    init?(_ text: String) {
        var reader = JSONReader(Array(text.utf8), maximumDepth: 4)
        guard let node = try? reader.read(), case .object(let object) = node.value else { return nil }
        self.object = object
    }

    func text(_ name: String) -> String? { if case .string(let text)? = object[name]?.value { text } else { nil } }

    func whole(_ name: String) -> Int64? { if case .number(let text)? = object[name]?.value { Int64(text) } else { nil } }

    func flag(_ name: String) -> Bool? { if case .boolean(let value)? = object[name]?.value { value } else { nil } }
}
