import Screens

/// The language in which the samples are being made.
extension Samples {
    @TaskLocal static var language = "en"
    /// Whether the box of the samples has larger text.
    @TaskLocal static var hasLargerText = false

    /// Every screen by its name, as a box with a language and an appearance's size of type shows it.
    static func screens(_ appearance: Appearance, in language: String = "en") -> [(name: String, state: PresentationState)] {
        $language.withValue(language) { $hasLargerText.withValue(appearance.hasLargerText) { all } }
    }

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
