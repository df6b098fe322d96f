/// The language in which the samples are being made.
extension Samples {
    @TaskLocal static var language = "en"

    /// A feed's words in the selected language: titles, names and descriptions. All other words on the screen are the catalogue's.
    static func s(_ english: String) -> String {
        switch language {
        case "ar": SampleWords.arabic[english] ?? english
        case "ja": SampleWords.japanese[english] ?? english
        default: english
        }
    }

    /// Whether a text is of the catalogue of `en-XA`, whose texts are in brackets and 40 % longer than the English ones.
    static func isPseudo(_ words: String) -> Bool { words.contains("~") }
}

/// What a feed's words are in other languages.
enum SampleWords {}
