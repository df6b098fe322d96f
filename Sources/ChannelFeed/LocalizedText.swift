import Languages

/// One text in several languages, in the order of the feed.
package struct LocalizedText: Sendable, Hashable {
    /// A text and the BCP 47 tag of its language.
    package struct Entry: Sendable, Hashable {
        /// The language; `und` suits everyone.
        package let language: String
        /// The text; empty hides the stream's own.
        package let text: String

        package init(language: String, text: String) {
            self.language = language
            self.text = text
        }
    }

    /// The entries in the feed's order.
    package let entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    package init(_ text: String) { entries = [Entry(language: LanguageTag.undetermined, text: text)] }

    /// The best text for a viewer: by the preferred languages in order (BCP 47), then `und`, then the first. Nil only when there
    /// is none at all.
    package func best(for preferredLanguages: [String]) -> String? { bestEntry(for: preferredLanguages)?.text }

    /// As `best(for:)`, with the language found.
    package func bestEntry(for preferredLanguages: [String]) -> Entry? {
        LanguageTag.best(of: entries.map(\.language), for: preferredLanguages).map { entries[$0] }
    }

    /// Whether the feed hides this text in every language.
    package var isEmpty: Bool { entries.allSatisfy(\.text.isEmpty) }
}
