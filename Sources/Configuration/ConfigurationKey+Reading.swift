import TOMLKit

/// Why a value is not accepted.
struct WrongValue: Error, Sendable {
    /// What would be valid.
    let remedy: String
}

extension ConfigurationKey.Kind {
    /// The value if it is of this kind.
    func read(_ value: TOMLValueConvertible) -> Result<Configuration.Value, WrongValue> {
        switch self {
        case .text(let rule): readText(value, rule)
        case .truth: value.bool.map { .success(.truth($0)) } ?? wrong("write true or false")
        case .wholeNumber(let range): readNumber(value, range)
        case .list(let rule): readList(value, rule)
        case .table: readTable(value)
        }
    }

    private func wrong(_ remedy: String) -> Result<Configuration.Value, WrongValue> { .failure(WrongValue(remedy: remedy)) }

    private func readNumber(_ value: TOMLValueConvertible, _ range: ClosedRange<Int>) -> Result<Configuration.Value, WrongValue> {
        guard let number = value.int, range.contains(number) else {
            return wrong("write a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return .success(.number(number))
    }

    private func readList(_ value: TOMLValueConvertible, _ rule: TextRule) -> Result<Configuration.Value, WrongValue> {
        guard let array = value.array else { return wrong(rule.remedy) }
        let texts = array.map { $0.string }
        guard texts.allSatisfy({ $0.map(rule.allows) ?? false }) else { return wrong(rule.remedy) }
        return .success(.list(texts.compactMap { $0 }))
    }

    private func readTable(_ value: TOMLValueConvertible) -> Result<Configuration.Value, WrongValue> {
        guard let table = value.table else { return wrong("write a table of texts, such as { Authorization = \"Bearer …\" }") }
        var texts: [String: String] = [:]
        for key in table.keys {
            guard let text = table[key]?.string else { return wrong("write text in quotes for \(key)") }
            // It becomes a header line: no character may end the line or the name early.
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }),
                text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return wrong("write names without spaces and colons, and values on one line") }
            texts[key] = text
        }
        return .success(.table(texts))
    }

    private func readText(_ value: TOMLValueConvertible, _ rule: TextRule) -> Result<Configuration.Value, WrongValue> {
        guard let text = value.string, rule.allows(text) else { return wrong(rule.remedy) }
        return .success(.text(text))
    }
}

/// Finds the lines of keys in the text: the TOML library gives positions only for errors.
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
                // A dotted key also stands for the tables on its path.
                let parts = name.split(separator: ".")
                for count in 1...max(parts.count, 1) where count <= parts.count {
                    let prefix = parts[..<count].joined(separator: ".")
                    lines[prefix] = lines[prefix] ?? number + 1
                }
            }
        }
    }

    func line(of name: String) -> Int? { lines[name] }
}
