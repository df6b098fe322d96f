import CSQLite

/// Why SQLite refused something: what was tried, on what file, and the reason.
package struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What callers tell apart.
    package enum Cause: Equatable, Sendable {
        /// The file is no database, or a damaged one.
        case damaged
        /// The disk has failed, or has no room.
        case disk
        case other
    }

    /// E.g. `opening`, or ``executing `COMMIT` ``. Without the values of a statement, which may be secrets.
    package let action: String
    package let path: String
    /// The extended code (https://www.sqlite.org/rescode.html).
    package let code: Int32
    /// The words of SQLite and, where it has asked the system for a file, of the system.
    package let reason: String

    package var description: String { "\(action) failed on \(path): \(reason) (SQLite code \(code))" }

    package var cause: Cause {
        switch code & 0xFF {
        case SQLITE_NOTADB, SQLITE_CORRUPT: .damaged
        case SQLITE_IOERR, SQLITE_FULL: .disk
        default: .other
        }
    }

    init(_ action: String, on path: String, code: Int32, reason: String? = nil) {
        self.action = action
        self.path = path
        self.code = code
        self.reason = reason ?? String(cString: sqlite3_errstr(code))
    }

    /// What an action is called that executes statements: their text on one line, shortened.
    static func executing(_ text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "executing `\(words.count > longestText ? words.prefix(longestText) + "…" : words)`"
    }

    private static let longestText = 120
}
