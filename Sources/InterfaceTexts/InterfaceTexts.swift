/// The texts of the interface: a file for each language in `Texts`, embedded in the program. `Texts/en.txt` describes their form.
///
/// They are a separate module because the compiler needs seconds for embedded bytes: this way only after a change of a text.
package enum InterfaceTexts {
    /// The languages that have a file (BCP 47), in the order in which Settings lists them. English comes first.
    package static let languages = [
        "en", "en-US", "es", "es-419", "fr", "de", "pt-BR", "pt-PT", "ru", "zh-Hans", "zh-Hant", "ja", "ko", "ar", "he",
    ]

    /// The language whose texts a region's file completes; nil for a file with all texts.
    package static func parent(of language: String) -> String? {
        switch language {
        case "en-US": "en"
        case "es-419": "es"
        case "pt-PT": "pt-BR"
        default: nil
        }
    }

    /// The file of a language, in UTF-8; empty when there is none.
    package static func file(of language: String) -> [UInt8] {
        switch language {
        case "en": PackageResources.en_txt
        case "en-US": PackageResources.en_US_txt
        case "es": PackageResources.es_txt
        case "es-419": PackageResources.es_419_txt
        case "fr": PackageResources.fr_txt
        case "de": PackageResources.de_txt
        case "pt-BR": PackageResources.pt_BR_txt
        case "pt-PT": PackageResources.pt_PT_txt
        case "ru": PackageResources.ru_txt
        case "zh-Hans": PackageResources.zh_Hans_txt
        case "zh-Hant": PackageResources.zh_Hant_txt
        case "ja": PackageResources.ja_txt
        case "ko": PackageResources.ko_txt
        case "ar": PackageResources.ar_txt
        case "he": PackageResources.he_txt
        default: []
        }
    }
}
