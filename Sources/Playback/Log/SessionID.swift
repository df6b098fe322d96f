/// Ids of playback sessions, with which their logs are found.
package enum SessionID {
    /// The form that is shown to viewers and read aloud on the telephone: the first eight characters.
    package static func short(_ id: String) -> String { String(id.prefix(8)) }

    /// Whether a person means a session: by its whole id or its short form, in capitals or not, with spaces between the characters or not.
    package static func matches(_ id: String, _ wanted: String) -> Bool {
        let wanted = wanted.filter { !$0.isWhitespace }.lowercased()
        return wanted == id.lowercased() || wanted == short(id).lowercased()
    }

    /// A random id of four groups of digits.
    @MainActor package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(UInt32(truncatingIfNeeded: generator.next()), radix: 16, uppercase: true)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined(separator: "-")
    }

    /// Consecutive numbers: the same in every run.
    @MainActor package static func counted() -> @MainActor () -> String {
        var count = 0
        return {
            count += 1
            return "simulated-\(count)"
        }
    }
}
