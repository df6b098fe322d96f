import TOMLKit

/// What became of one key of the file.
public struct KeyVerdict: Sendable, Hashable, CustomStringConvertible {
    /// Applied, not known, or wrong.
    public enum Outcome: String, Sendable { case applied, ignored, wrong }
    /// `section.key` as written.
    public let name: String
    /// What became of it.
    public let outcome: Outcome
    /// Where it stands, counted from one; nil where that cannot be told.
    public let line: Int?
    /// What is wrong and what would be right; for an applied key its value, or `(secret)`.
    public let remark: String

    public var description: String { "\(line.map { "line \($0): " } ?? "")\(name) \(outcome.rawValue): \(remark)" }
}

/// A file that cannot be read as TOML: nothing of it is applied.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// Where the text stops making sense, counted from one.
    public let line: Int
    /// See `line`.
    public let column: Int
    /// The reader's words.
    public let reason: String

    public var description: String {
        "marquee.toml could not be read at line \(line), column \(column): \(reason); nothing of it is applied until that is repaired."
    }
}

/// `marquee.toml` as the box understood it.
public struct Configuration: Sendable {
    /// The applied values by `section.key`.
    private var values: [String: Value] = [:]
    /// What became of each key, in the order of the file.
    public private(set) var verdicts: [KeyVerdict] = []

    enum Value: Sendable, Hashable {
        case text(String)
        case number(Int)
        case truth(Bool)
        case list([String])
        case table([String: String])
    }

    /// No file: every key has its default.
    public init() {}

    /// Reads the text of a file.
    ///
    /// - Throws: `ConfigurationError` when it is no TOML. A single wrong key is a verdict, not an error.
    public init(_ text: String) throws(ConfigurationError) {
        let root: TOMLTable
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError(line: error.source.begin.line, column: error.source.begin.column, reason: error.description)
        } catch {
            throw ConfigurationError(line: 1, column: 1, reason: "\(error)")
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
                verdicts.append(apply("\(section).\(key)", table[key]!, lines.line(of: "\(section).\(key)")))
            }
        }
        self.verdicts = verdicts.sorted { ($0.line ?? .max, $0.name) < ($1.line ?? .max, $1.name) }
    }

    private mutating func apply(_ name: String, _ value: TOMLValueConvertible, _ line: Int?) -> KeyVerdict {
        guard let key = ConfigurationKey.byName[name] else {
            let hint = ConfigurationKey.nearest(to: name).map { "did you mean \($0)?" } ?? "see docs/provisioning.md for all keys"
            return KeyVerdict(name: name, outcome: .ignored, line: line, remark: "there is no such key; \(hint)")
        }
        switch key.kind.read(value) {
        case .success(let read):
            values[name] = read
            return KeyVerdict(name: name, outcome: .applied, line: line, remark: key.isSecret ? "(secret)" : "\(read.words)")
        case .failure(let wrong):
            return KeyVerdict(name: name, outcome: .wrong, line: line, remark: wrong.remedy)
        }
    }

    func text(_ name: String) -> String? { if case .text(let text) = values[name], !text.isEmpty { text } else { nil } }
    func number(_ name: String) -> Int? { if case .number(let number) = values[name] { number } else { nil } }
    func truth(_ name: String) -> Bool? { if case .truth(let truth) = values[name] { truth } else { nil } }
    func list(_ name: String) -> [String] { if case .list(let list) = values[name] { list } else { [] } }

    // What the program asks for.

    /// `[feed] url`.
    public var feedURL: String? { text("feed.url") }
    /// `[feed] file`.
    public var feedFile: String? { text("feed.file") }
    /// `[feed] allow_http`: hosts from which plain http is taken.
    public var plainHTTPHosts: Set<String> { Set(list("feed.allow_http")) }
    /// `[box] language`.
    public var language: String? { text("box.language") }
    /// `[box] name`.
    public var boxName: String? { text("box.name") }
    /// `[box] group`.
    public var group: String? { text("box.group") }
    /// `[box] kiosk`.
    public var isKiosk: Bool { truth("box.kiosk") ?? false }
    /// `[display] mode`, e.g. `1280x720@50`; nil is automatic.
    public var displayMode: String? { text("display.mode").flatMap { $0 == "auto" ? nil : $0 } }
    /// `[audio] output`: an ALSA device; nil is automatic.
    public var audioOutput: String? { text("audio.output").flatMap { $0 == "auto" ? nil : $0 } }
    /// `[display] overscan` in percent.
    public var overscanPercent: Int { number("display.overscan") ?? 0 }

    /// What is written beside the file so that the integrator sees what the box understood.
    public var report: String { verdicts.map(\.description).joined(separator: "\n") + (verdicts.isEmpty ? "" : "\n") }
}

extension Configuration.Value {
    /// As people read it.
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
