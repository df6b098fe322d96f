import TOMLKit

/// Why a value is not taken.
struct WrongValue: Error, Sendable {
    /// What would be right.
    let remedy: String
}

extension ConfigurationKey.Kind {
    /// The value if it is of this kind.
    func read(_ value: TOMLValueConvertible) -> Result<Configuration.Value, WrongValue> {
        switch self {
        case .text: value.string.map { .success(.text($0)) } ?? wrong("write text in quotes, such as \"news\"")
        case .truth: value.bool.map { .success(.truth($0)) } ?? wrong("write true or false")
        case .wholeNumber(let range): readNumber(value, range)
        case .list: readList(value)
        case .table: readTable(value)
        case .word(let words):
            readText(value, "write one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))") { words.contains($0) }
        case .window: readText(value, "write two times of day, such as \"02:00-05:00\"", Self.isWindow)
        case .digest:
            readText(value, "write the 64 hexadecimal digits of a SHA-256, or nothing") { $0.isEmpty || Self.isDigest($0) }
        }
    }

    private func wrong(_ remedy: String) -> Result<Configuration.Value, WrongValue> { .failure(WrongValue(remedy: remedy)) }

    private func readNumber(_ value: TOMLValueConvertible, _ range: ClosedRange<Int>) -> Result<Configuration.Value, WrongValue> {
        guard let number = value.int, range.contains(number) else {
            return wrong("write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return .success(.number(number))
    }

    private func readList(_ value: TOMLValueConvertible) -> Result<Configuration.Value, WrongValue> {
        guard let array = value.array else { return wrong("write a list of texts, such as [\"10.0.0.5\"]") }
        let texts = array.map { $0.string }
        guard texts.allSatisfy({ $0 != nil }) else { return wrong("write a list of texts, such as [\"10.0.0.5\"]") }
        return .success(.list(texts.compactMap { $0 }))
    }

    private func readTable(_ value: TOMLValueConvertible) -> Result<Configuration.Value, WrongValue> {
        guard let table = value.table else { return wrong("write a table of texts, such as { Authorization = \"Bearer …\" }") }
        var texts: [String: String] = [:]
        for key in table.keys {
            guard let text = table[key]?.string else { return wrong("write text in quotes for \(key)") }
            texts[key] = text
        }
        return .success(.table(texts))
    }

    private func readText(_ value: TOMLValueConvertible, _ remedy: String, _ isGood: (String) -> Bool) -> Result<
        Configuration.Value, WrongValue
    > {
        guard let text = value.string, isGood(text) else { return wrong(remedy) }
        return .success(.text(text))
    }

    private static func isWindow(_ text: String) -> Bool {
        let times = text.split(separator: "-", omittingEmptySubsequences: false)
        return times.count == 2
            && times.allSatisfy { time in
                let parts = time.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]),
                    let minute = Int(parts[1])
                else { return false }
                return (0..<24).contains(hour) && (0..<60).contains(minute)
            }
    }

    private static func isDigest(_ text: String) -> Bool { text.utf8.count == 64 && text.allSatisfy(\.isHexDigit) }
}

/// Finds the lines of keys in the text: the TOML library tells places of errors only.
struct LineFinder {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var section = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.first == "[" {
                section = String(words.dropFirst().prefix { $0 != "]" }).filter { $0 != " " }
                lines[section] = lines[section] ?? number + 1
            } else if let equals = words.firstIndex(of: "="), words.first != "#" {
                let key = words[..<equals].filter { $0 != " " && $0 != "\"" && $0 != "\t" }
                let name = section.isEmpty ? String(key) : "\(section).\(key)"
                lines[name] = lines[name] ?? number + 1
            }
        }
    }

    func line(of name: String) -> Int? { lines[name] }
}
