/// What became of one key of the file.
package struct KeyVerdict: Sendable, Hashable, CustomStringConvertible {
    /// Applied; right, but kept for a later version; not known; or wrong.
    package enum Outcome: String, Sendable { case applied, kept, ignored, wrong }
    /// `section.key` as written.
    package let name: String
    /// What became of it.
    package let outcome: Outcome
    /// Where it stands, counted from one; nil where that cannot be told.
    package let line: Int?
    /// What is wrong and what would be right; for an applied key its value, or `(secret)`.
    package let remark: String

    package var description: String { "\(line.map { "line \($0): " } ?? "")\(name) \(outcome.rawValue): \(remark)" }
}

/// A file that cannot be read as TOML, so that nothing of it is applied; or one that cannot be read or written at all.
package struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: Sendable, Hashable {
        /// The text stops making sense at this place, both counted from one.
        case syntax(line: Int, column: Int)
        /// The system refused, with this errno.
        case system(Int32)
    }

    /// What went wrong.
    package let code: Code
    /// One sentence: what was tried, on what, why it failed, what to do.
    package let description: String

    package init(code: Code, description: String) {
        self.code = code
        self.description = description
    }

    /// Where the text stops making sense; nil where it was not the text.
    package var line: Int? { if case .syntax(let line, _) = code { line } else { nil } }

    static func syntax(line: Int, column: Int, reason: String) -> ConfigurationError {
        ConfigurationError(
            code: .syntax(line: line, column: column),
            description:
                "marquee.toml could not be read at line \(line), column \(column): \(reason); nothing of it is applied until that is repaired."
        )
    }
}
