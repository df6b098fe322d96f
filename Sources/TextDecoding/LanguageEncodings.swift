/// The encodings in which texts of a language were written before Unicode.
enum LanguageEncodings {
    private static let families: [(languages: String, encodings: [String])] = [
        ("ru bg mk tg ky mn kk", ["CP1251", "KOI8-U", "IBM866", "ISO-8859-5", "MAC-CYRILLIC", "IBM855"]),
        ("uk be", ["CP1251", "KOI8-U", "IBM866", "ISO-8859-5", "MAC-CYRILLIC"]),
        ("sr", ["CP1251", "CP1250", "ISO-8859-2", "ISO-8859-5", "KOI8-U"]),
        ("cs sk pl hu sl hr bs ro mo sq", ["CP1250", "ISO-8859-2", "IBM852", "MAC-CENTRALEUROPE"]),
        ("el", ["CP1253", "ISO-8859-7", "CP737", "IBM869"]), ("tr az", ["CP1254"]), ("he iw yi", ["CP1255", "ISO-8859-8"]),
        ("ar fa ur ps", ["CP1256", "ISO-8859-6"]), ("lt lv", ["CP1257", "ISO-8859-13", "ISO-8859-4"]),
        ("et", ["CP1257", "CP1252", "ISO-8859-15", "ISO-8859-13", "ISO-8859-4"]), ("vi", ["CP1258"]), ("th", ["CP874"]),
        ("ja", ["CP932", "EUC-JP", "ISO-2022-JP"]), ("ko", ["CP949", "ISO-2022-KR"]),
        ("zh cmn yue", ["GB18030", "CP950", "BIG5-HKSCS", "EUC-TW"]),
        (
            "en de fr es pt it nl sv da nb nn no fi is fo ga gd cy ca gl eu oc br lb af id ms sw",
            ["CP1252", "ISO-8859-15", "IBM850", "IBM865", "MACINTOSH"]
        ),
    ]
    private static let traditional = ["CP950", "BIG5-HKSCS", "GB18030", "EUC-TW"]

    /// Codes of three letters (ISO 639-2) of these languages.
    private static let threeLetters: [String: String] = [
        "rus": "ru", "bul": "bg", "mac": "mk", "mkd": "mk", "ukr": "uk", "bel": "be", "srp": "sr", "cze": "cs", "ces": "cs",
        "slo": "sk",
        "slk": "sk", "pol": "pl", "hun": "hu", "slv": "sl", "hrv": "hr", "bos": "bs", "rum": "ro", "ron": "ro", "alb": "sq",
        "sqi": "sq",
        "gre": "el", "ell": "el", "tur": "tr", "aze": "az", "heb": "he", "yid": "yi", "ara": "ar", "per": "fa", "fas": "fa",
        "urd": "ur",
        "lit": "lt", "lav": "lv", "est": "et", "vie": "vi", "tha": "th", "jpn": "ja", "kor": "ko", "chi": "zh", "zho": "zh",
        "eng": "en",
        "ger": "de", "deu": "de", "fre": "fr", "fra": "fr", "spa": "es", "por": "pt", "ita": "it", "dut": "nl", "nld": "nl",
        "swe": "sv",
        "dan": "da", "nor": "no", "nob": "nb", "nno": "nn", "fin": "fi", "ice": "is", "isl": "is", "gle": "ga", "cat": "ca",
        "glg": "gl",
        "baq": "eu", "eus": "eu",
    ]

    /// The language of a BCP 47 tag, in two letters where it has them.
    static func language(of tag: String) -> String {
        let first = tag.lowercased().split { $0 == "-" || $0 == "_" }.first.map(String.init) ?? ""
        return threeLetters[first] ?? first
    }

    /// iconv's names of the encodings of a language, the usual one first; none for languages that had none or are not known here.
    static func encodings(of tag: String) -> [String] {
        let language = language(of: tag)
        let rest = tag.lowercased().split { $0 == "-" || $0 == "_" }.dropFirst().map(String.init)
        if language == "yue" || language == "zh", rest.contains(where: { ["hant", "tw", "hk", "mo"].contains($0) }) {
            return traditional
        }
        if language == "sr", rest.contains("latn") { return ["CP1250", "ISO-8859-2"] }
        return families.first { $0.languages.split(separator: " ").contains { $0 == language } }?.encodings ?? []
    }
}
