/// The language that the samples speak while they are made.
extension Samples {
    @TaskLocal static var language = "en"

    /// The words of a sample in the language that is asked for.
    static func s(_ english: String) -> String {
        switch language {
        case "en": english
        case "ar": SampleWords.arabic[english] ?? english
        case "ja": SampleWords.japanese[english] ?? english
        default: pseudo(english)
        }
    }

    /// Forty percent longer, with marks above and below the letters: what a translation may need.
    private static func pseudo(_ english: String) -> String {
        guard english.contains(where: \.isLetter) else { return english }
        let accents: [Character: Character] = [
            "a": "å", "e": "ë", "i": "ï", "o": "ø", "u": "ü", "A": "Å", "E": "Ë", "I": "Ï", "O": "Ø", "U": "Ü", "c": "ç",
            "n": "ñ", "y": "ÿ",
        ]
        let more = english.count * 2 / 5
        var longer = String(english.map { accents[$0] ?? $0 })
        guard more > 0 else { return longer }
        // Words, so that lines break as they do in a language.
        var filler = ""
        while filler.count < more { filler += filler.count % 7 == 0 ? " " : "ö" }
        longer += filler
        return longer
    }
}

/// Translations, for samples only.
enum SampleWords {}
