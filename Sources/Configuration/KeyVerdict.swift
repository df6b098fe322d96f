import WireFormats

/// The verdict on one key of the file.
package struct KeyVerdict: Sendable, Hashable, CustomStringConvertible {
    /// Applied; valid, but stored for a later version; unknown; or invalid.
    package enum Outcome: String, Sendable { case applied, ignored, wrong }
    /// `section.key` as written.
    package let name: String
    package let outcome: Outcome
    /// The line, counted from one; nil when it is not known.
    package let line: Int?
    /// The problem and the remedy; for an applied key its value, or `(secret)`.
    package private(set) var remark: String

    /// Appends a part to the remark.
    mutating func add(_ words: String) { remark += remark.hasSuffix("?") ? " (\(words))" : "; \(words)" }

    /// One line, whatever a name in the file is.
    package var description: String {
        "\(line.map { "line \($0): " } ?? "")\(JSONText.escaped(name)) \(outcome.rawValue): \(remark)"
    }
}

extension KeyVerdict {
    /// On what is no section: a name that there is not, or a value or a list of tables where a section belongs.
    init(noSection member: TOMLTable.Member) {
        let known = ConfigurationKey.sections
        let remark =
            known.contains(member.name)
            ? "this is a section; write [\(member.name)] once, in single brackets, and its keys on the lines below it"
            : "there is no such section; sections are \(known.sorted().joined(separator: ", "))"
        self.init(name: member.name, outcome: .ignored, line: member.line, remark: remark)
    }
}

/// A file that is not TOML, so that nothing in it is applied; or one that cannot be read or written.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    package enum Code: Sendable, Hashable {
        /// The position of the syntax error, both counted from one.
        case syntax(line: Int, column: Int)
        /// The system call failed with this errno.
        case system(Int32)
    }

    package let code: Code
    /// One sentence: what was tried, on what, why it failed, what to do.
    package let description: String

    package init(code: Code, description: String) {
        self.code = code
        self.description = description
    }

    /// The line of the syntax error; nil for other errors.
    package var line: Int? { if case .syntax(let line, _) = code { line } else { nil } }

    static func syntax(line: Int, column: Int, reason: String) -> ConfigurationError {
        ConfigurationError(
            code: .syntax(line: line, column: column),
            description:
                "marquee.toml could not be read at line \(line), column \(column): \(reason); nothing in it is applied until this is fixed."
        )
    }
}
