/// A row of the table of what is stored for viewers: how a property of their settings becomes texts under a key, and is read from them. A default is not stored,
/// and an invalid text leaves the default.
struct StoredSetting: Sendable {
    typealias Path<Value> = WritableKeyPath<ViewerSettings, Value> & Sendable

    /// Its name; where several are stored, with `ID` for the rest of theirs.
    let name: String
    /// The names and texts to store.
    let entries: @Sendable (ViewerSettings) -> [(name: String, value: String)]
    /// Takes a stored text.
    ///
    /// - Returns: false if the name is that of another row.
    let take: @Sendable (_ settings: inout ViewerSettings, _ name: String, _ value: String) -> Bool

    private static func one(
        _ key: String, text: @escaping @Sendable (ViewerSettings) -> String?,
        take: @escaping @Sendable (inout ViewerSettings, String) -> Void
    ) -> StoredSetting {
        StoredSetting(
            name: key,
            entries: { settings in text(settings).map { [(key, $0)] } ?? [] },
            take: { settings, name, value in
                guard name == key else { return false }
                take(&settings, value)
                return true
            })
    }

    static func flag(_ setting: ViewerSwitch) -> StoredSetting {
        one(setting.rawValue, text: { $0[setting] ? "true" : nil }, take: { $0[setting] = $1 == "true" })
    }

    static func text(_ key: String, _ path: Path<String?>) -> StoredSetting {
        one(key, text: { $0[keyPath: path] }, take: { $0[keyPath: path] = $1 })
    }

    static func line<Value>(
        _ key: String, _ path: Path<Value?>, text: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) -> StoredSetting {
        one(key, text: { $0[keyPath: path].map(text) }, take: { $0[keyPath: path] = read($1) })
    }

    /// Several words, the best first.
    static func list(_ key: String, _ path: Path<[String]>) -> StoredSetting {
        one(
            key, text: { $0[keyPath: path].isEmpty ? nil : $0[keyPath: path].joined(separator: ",") },
            take: { $0[keyPath: path] = $1.split(separator: ",").map(String.init) })
    }

    static func word<Value: RawRepresentable<String> & Equatable & Sendable>(_ key: String, _ path: Path<Value>) -> StoredSetting
    {
        one(
            key, text: { $0[keyPath: path] == ViewerSettings()[keyPath: path] ? nil : $0[keyPath: path].rawValue },
            take: { $0[keyPath: path] = Value(rawValue: $1) ?? ViewerSettings()[keyPath: path] })
    }

    static func word<Value: RawRepresentable<String> & Sendable>(_ key: String, _ path: Path<Value?>) -> StoredSetting {
        one(key, text: { $0[keyPath: path]?.rawValue }, take: { $0[keyPath: path] = Value(rawValue: $1) })
    }

    static func number(_ key: String, _ path: Path<Int?>, _ range: ClosedRange<Int>) -> StoredSetting {
        one(
            key, text: { $0[keyPath: path].map(String.init) },
            take: { $0[keyPath: path] = Int($1).flatMap { range.contains($0) ? $0 : nil } })
    }

    static func number(_ key: String, _ path: Path<Int>, among choices: [Int]) -> StoredSetting {
        one(
            key, text: { $0[keyPath: path] == ViewerSettings()[keyPath: path] ? nil : String($0[keyPath: path]) },
            take: { if let number = Int($1), choices.contains(number) { $0[keyPath: path] = number } })
    }

    /// Values of single channels, items or outputs: the key ends with the id.
    static func each<Value>(
        _ prefix: String, _ path: Path<[String: Value]>, text: @escaping @Sendable (Value) -> String,
        read: @escaping @Sendable (String) -> Value?
    ) -> StoredSetting {
        StoredSetting(
            name: prefix + "ID",
            entries: { settings in
                settings[keyPath: path].sorted { $0.key < $1.key }.map { (prefix + $0.key, text($0.value)) }
            },
            take: { settings, name, value in
                guard name.hasPrefix(prefix), let value = read(value) else { return false }
                settings[keyPath: path][String(name.dropFirst(prefix.count))] = value
                return true
            })
    }
}
