import TOMLKit
import URLReferences

/// A parsed `marquee.toml`. A value; `Provisioning` connects it to files.
package struct Configuration: Sendable {
    /// The applied values by `section.key`.
    private(set) var values: [String: Value] = [:]
    /// The verdict on each key, in the order of the file.
    package private(set) var verdicts: [KeyVerdict] = []

    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([String])
        case table([String: String])
    }

    /// Replaces a secret that was removed from the file: the value is the one stored on the box.
    package static let storedMark = "(stored)"

    /// An empty configuration: every key has its default.
    package init() {}

    /// Parses the text of a file.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - previous: the previously applied configuration: an invalid key keeps its value, and a secret given as `(stored)` is
    ///     taken from it.
    ///   - isBeside: whether a file of this name is next to the settings, for keys that name one.
    /// - Throws: `ConfigurationError` when it is not TOML. A single invalid key is a verdict, not an error.
    package init(
        _ text: String, previous: Configuration = Configuration(), isBeside: (String) -> Bool = { _ in true }
    ) throws(ConfigurationError) {
        let root: TOMLTable
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .syntax(line: error.source.begin.line, column: error.source.begin.column, reason: error.description)
        } catch {
            throw .syntax(line: 1, column: 1, reason: "\(error)")
        }
        let lines = LineFinder(text)
        var verdicts: [KeyVerdict] = []
        for section in root.keys.sorted() {
            guard let table = root[section]?.table, ConfigurationKey.sections.contains(section) else {
                let known = ConfigurationKey.sections.sorted().joined(separator: ", ")
                verdicts.append(
                    KeyVerdict(
                        name: section, outcome: .ignored, line: lines.line(of: section),
                        remark: "there is no such section; sections are \(known)"))
                continue
            }
            for key in table.keys.sorted() {
                let name = "\(section).\(key)"
                verdicts.append(apply(name, table[key]!, lines.line(of: name), previous, isBeside))
            }
        }
        self.verdicts = verdicts.sorted { ($0.line ?? .max, $0.name) < ($1.line ?? .max, $1.name) }
    }

    private mutating func apply(
        _ name: String, _ value: TOMLValueConvertible, _ line: Int?, _ previous: Configuration, _ isBeside: (String) -> Bool
    ) -> KeyVerdict {
        func verdict(_ outcome: KeyVerdict.Outcome, _ remark: String) -> KeyVerdict {
            KeyVerdict(name: name, outcome: outcome, line: line, remark: remark)
        }
        guard let key = ConfigurationKey.byName[name] else {
            let hint = ConfigurationKey.nearest(to: name).map { "did you mean \($0)?" } ?? "see docs/provisioning.md for all keys"
            return verdict(.ignored, "there is no such key; \(hint)")
        }
        let old = previous.values[name]
        switch Self.read(key, value, old) {
        case .success(let read):
            if key.namesFile, case .text(let file) = read, !file.isEmpty, !isBeside(file) {
                return verdict(.wrong, "there is no file \(file) beside this one; put it there, or take the key out")
            }
            values[name] = read
            let words = key.isSecret ? "(secret)" : Redaction.inText(read.words)
            guard let lacking = key.waitsFor else { return verdict(.applied, words) }
            return verdict(.kept, "\(words); this version does nothing with it, as it does not have \(lacking) yet")
        case .failure(let wrong):
            values[name] = old
            guard old != nil else { return verdict(.wrong, wrong.remedy) }
            return verdict(.wrong, "\(wrong.remedy); until then the value of before stays")
        }
    }

    private static func read(
        _ key: ConfigurationKey, _ value: TOMLValueConvertible, _ old: Value?
    ) -> Result<Value, WrongValue> {
        let missing = Result<Value, WrongValue>.failure(WrongValue(remedy: "the box has none stored: write the value itself"))
        guard key.isSecret else { return key.kind.read(value) }
        if value.string == storedMark { return old.map { .success($0) } ?? missing }
        guard case .success(.table(var table)) = key.kind.read(value) else { return key.kind.read(value) }
        for (name, text) in table where text == storedMark {
            guard case .table(let before) = old, let kept = before[name] else { return missing }
            table[name] = kept
        }
        return .success(.table(table))
    }

    mutating func take(_ values: [String: Value]) { self.values = values }

    /// The keys that are not applied as written.
    package var problems: [KeyVerdict] { verdicts.filter { $0.outcome == .ignored || $0.outcome == .wrong } }

    /// The report written next to the file, which shows the integrator how the box understood it.
    package var report: String { verdicts.map(\.description).joined(separator: "\n") + (verdicts.isEmpty ? "" : "\n") }
}

extension Configuration.Value {
    /// A readable form.
    var words: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .list(let list): "[" + list.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        case .table(let table): "{" + table.keys.sorted().joined(separator: ", ") + "}"
        }
    }
}
