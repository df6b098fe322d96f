/// Configurations as TOML: the box stores the last file that it could read in this form.
extension Configuration {
    /// The applied values as TOML, including secrets: for the data partition only. Equal configurations give equal texts.
    package var appliedText: String { text(hidingSecrets: false) }

    /// The same with `(stored)` in place of each secret.
    func text(hidingSecrets: Bool) -> String {
        var text = ""
        for section in ConfigurationKey.sections.sorted() {
            var lines: [String] = []
            for key in ConfigurationKey.all where key.name.hasPrefix(section + ".") {
                guard var value = values[key.name] else { continue }
                if key.isSecret, hidingSecrets { value = value.withoutSecrets }
                lines.append("\(key.name.dropFirst(section.count + 1)) = \(value.literal)")
            }
            if !lines.isEmpty { text += (text.isEmpty ? "" : "\n") + "[\(section)]\n" + lines.joined(separator: "\n") + "\n" }
        }
        return text
    }

    /// Every applied secret that must be hidden.
    var secretTexts: [String] {
        ConfigurationKey.all.filter(\.isSecret).flatMap { key -> [String] in
            switch values[key.name] {
            case .text(let text): [text]
            case .table(let table): table.values.sorted()
            case .list(let list): list
            case .number, .truth, nil: []
            }
        }.filter { !$0.isEmpty }
    }
}

extension Configuration.Value {
    /// As TOML.
    var literal: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .list(let list): "[" + list.map(Self.quoted).joined(separator: ", ") + "]"
        case .table(let table):
            table.isEmpty
                ? "{}"
                : "{ " + table.keys.sorted().map { "\(Self.quoted($0)) = \(Self.quoted(table[$0]!))" }.joined(separator: ", ")
                    + " }"
        }
    }

    /// The same structure with the mark for stored secrets.
    var withoutSecrets: Configuration.Value {
        switch self {
        case .text(let text): .text(text.isEmpty ? "" : Configuration.storedMark)
        case .table(let table): .table(table.mapValues { $0.isEmpty ? "" : Configuration.storedMark })
        case .number, .truth, .list: self
        }
    }

    /// A basic string of TOML 1.0.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
