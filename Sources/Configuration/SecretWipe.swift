/// Removes secrets from the text of `marquee.toml` and leaves everything else unchanged.
enum SecretWipe {
    /// The text with `"(stored)"` in place of each secret; nil when it contains none.
    ///
    /// Literals are replaced in place. The result is parsed again to detect layouts in which that fails (escapes, several lines,
    /// a secret in a comment, a secret that is also another key's value). Such a file is rewritten from the values: comments and
    /// keys that were not applied are then lost.
    static func text(of file: String, as configuration: Configuration) -> String? {
        let secrets = configuration.secretTexts.filter { $0 != Configuration.storedMark }
        guard let read = try? Configuration(file), !read.secretTexts.allSatisfy({ $0 == Configuration.storedMark }) else {
            return nil
        }
        let replaced = secrets.reduce(file) { text, secret in
            ["\"\(secret)\"", "'\(secret)'"].reduce(text) { $0.replacing($1, with: "\"\(Configuration.storedMark)\"") }
        }
        return isSound(replaced, configuration, secrets)
            ? replaced
            : "# Rewritten by the box, which keeps the secrets that were in it.\n\n" + configuration.text(hidingSecrets: true)
    }

    /// Whether a text has the same meaning for a box that has the secrets, and contains none of them.
    private static func isSound(_ text: String, _ configuration: Configuration, _ secrets: [String]) -> Bool {
        guard !secrets.contains(where: text.contains), let again = try? Configuration(text, previous: configuration) else {
            return false
        }
        return again.values == configuration.values
    }
}
