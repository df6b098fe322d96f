import WireFormats

/// A feed that is being made. Each part knows from which place of the source it is.
struct FeedDocument {
    /// One object of the feed: its keys in the order in which they are written.
    struct Entry {
        let place: SourcePlace
        private(set) var fields: [Field] = []

        struct Field {
            let key: String
            var value: JSONText
            let place: SourcePlace
        }

        init(at place: SourcePlace) { self.place = place }

        subscript(key: String) -> JSONText? { fields.first { $0.key == key }?.value }

        /// Sets a key; nil sets nothing.
        mutating func set(_ key: String, _ value: JSONText?, at place: SourcePlace? = nil) {
            guard let value else { return }
            if let index = fields.firstIndex(where: { $0.key == key }) {
                fields[index].value = value
            } else {
                fields.append(Field(key: key, value: value, place: place ?? self.place))
            }
        }

        mutating func remove(_ key: String) { fields.removeAll { $0.key == key } }

        /// The place of a key in the source, or of the object.
        func place(of key: String) -> SourcePlace { fields.first { $0.key == key }?.place ?? place }

        var json: JSONText { .object(fields.map { ($0.key, $0.value) }) }
    }

    /// The lists of a feed, in the order in which they are written.
    enum List: String, CaseIterable { case channels, series, items, rows }

    var head = Entry(at: .whole)
    private var lists: [List: [Entry]] = [:]

    subscript(list: List) -> [Entry] {
        get { lists[list] ?? [] }
        set { lists[list] = newValue }
    }

    mutating func append(_ entry: Entry, to list: List) { lists[list, default: []].append(entry) }

    /// Changes one entry of a list in place.
    mutating func change(_ list: List, _ index: Int, _ body: (inout Entry) -> Void) { body(&lists[list, default: []][index]) }

    var json: JSONText {
        var members: [(String, JSONText)] = [("feedVersion", .number("1"))]
        members += head.fields.map { ($0.key, $0.value) }
        for list in List.allCases where !self[list].isEmpty {
            members.append((list.rawValue, .array(self[list].map(\.json))))
        }
        return .object(members)
    }
}

extension JSONText {
    /// The text of a string, or nil.
    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of a list, or none.
    var elements: [JSONText] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The value of a key of an object, or nil.
    subscript(key: String) -> JSONText? {
        if case .object(let members) = self { members.first { $0.0 == key }?.1 } else { nil }
    }

    /// This value without what these paths lead to, in one pass. A path that leads to nothing changes nothing.
    func removing(_ paths: [ArraySlice<String>]) -> JSONText {
        var inside: [String: [ArraySlice<String>]] = [:]
        for path in paths { if let first = path.first { inside[first, default: []].append(path.dropFirst()) } }
        func kept(_ key: String, _ value: JSONText) -> JSONText? {
            guard let rest = inside[key] else { return value }
            return rest.contains(where: \.isEmpty) ? nil : value.removing(rest)
        }
        switch self {
        case .object(let members): return .object(members.compactMap { key, value in kept(key, value).map { (key, $0) } })
        case .array(let elements): return .array(elements.enumerated().compactMap { kept(String($0), $1) })
        case .string, .number, .bool, .null: return self
        }
    }
}
