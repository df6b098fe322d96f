/// The language in which the samples are being made.
extension Samples {
    @TaskLocal static var language = "en"

    /// The text of a sample in the selected language.
    static func s(_ english: String) -> String {
        switch language {
        case "en": english
        case "ar": SampleWords.arabic[english] ?? english
        case "ja": SampleWords.japanese[english] ?? english
        default: feedWords.contains(english) ? english : pseudo(english)
        }
    }

    /// Text that comes from a feed and not from the interface's catalogue. Its length is not ours, and it may be cut off.
    private static let feedWords: Set<String> = [
        "The Lighthouse Keeper’s Daughter", "Season 1, Episode 4 · A Storm Comes In", "Season 1, Episode 5", "Harbour News",
        "The evening edition",
        "Drama", "The Lamp", "Low Water", "What Tobias Saw on the Night of the Wreck", "The Lifeboat", "Morning", "The Wreck",
        "Fog Signals",
        "The Harbour Band", "Harbour One", "Harbour Television", "Salt", "The Long Pier", "Music", "Ropework", "Documentary",
        "North by East",
        "Sea and Shore", "Tides of the North", "Cinema", "Children", "abcdefghijklmnopqrstuvwxyz'-", "Continue Watching",
        "Episode 4 · 28 min left", "12 min left", summaryEnglish,
    ]

    /// Whether a text was lengthened by `pseudo`.
    static func isPseudo(_ words: String) -> Bool { words.contains { "åëïøüçñÿö".contains($0) } }

    /// Forty percent longer, with marks above and below the letters: the room that a translation may need.
    private static func pseudo(_ english: String) -> String {
        guard english.contains(where: \.isLetter) else { return english }
        let accents: [Character: Character] = [
            "a": "å", "e": "ë", "i": "ï", "o": "ø", "u": "ü", "A": "Å", "E": "Ë", "I": "Ï", "O": "Ø", "U": "Ü", "c": "ç",
            "n": "ñ", "y": "ÿ",
        ]
        let more = english.count * 2 / 5
        var longer = String(english.map { accents[$0] ?? $0 })
        guard more > 0 else { return longer }
        // Separate words, so that lines break as in a language.
        var filler = ""
        while filler.count < more { filler += filler.count % 7 == 0 ? " " : "ö" }
        longer += filler
        return longer
    }
}

/// Translations, for samples only.
enum SampleWords {}
