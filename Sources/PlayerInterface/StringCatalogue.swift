/// The texts of one language, with what belongs to them: plural forms, names of languages, the letters of search.
///
/// A catalogue is a text, one `key = value` a line: the keys of `Phrase`, `KEY[FORM]` for each form of a `PluralPhrase`, `lang.TAG` for
/// names of languages, and a few about the language itself. What it lacks is taken from English.
package struct StringCatalogue: Sendable, Equatable {
    /// BCP 47 tag of the language.
    package let language: String
    private let texts: [Phrase: String]
    private let plurals: [String: String]
    private let names: [String: String]
    /// The name of the language in itself.
    package let ownName: String
    /// Whether lines run from right to left.
    package let isRightToLeft: Bool
    /// The letters of search, in the order of the alphabet, digits last.
    package let letters: [Character]
    /// Whether the language has too many letters for a pad: those that can follow are offered.
    package let hasManyLetters: Bool

    /// Makes a catalogue. A phrase that it lacks is taken from English.
    package init(language: String, texts: [Phrase: String]) {
        self.init(language: language, texts: texts, plurals: [:], names: [:], own: [:])
    }

    /// Reads a catalogue from its text.
    init(language: String, source: String) {
        var (texts, plurals, names, own) = ([Phrase: String](), [String: String](), [String: String](), [String: String]())
        for (key, value) in Self.lines(of: source) {
            if let phrase = Phrase(rawValue: key) {
                texts[phrase] = value
            } else if key.hasPrefix("lang.") {
                names[String(key.dropFirst(5))] = value
            } else if key.hasSuffix("]") {
                plurals[key] = value
            } else {
                own[key] = value
            }
        }
        self.init(language: language, texts: texts, plurals: plurals, names: names, own: own)
    }

    private init(
        language: String, texts: [Phrase: String], plurals: [String: String], names: [String: String], own: [String: String]
    ) {
        self.language = language
        self.texts = texts
        self.plurals = plurals
        self.names = names
        ownName = own["own.name"] ?? language
        isRightToLeft = own["own.direction"] == "rtl"
        letters = Array((own["own.letters"] ?? "abcdefghijklmnopqrstuvwxyz") + "0123456789")
        hasManyLetters = own["own.script"] == "many"
    }

    /// Keys and values in the order of the lines.
    static func lines(of source: String) -> [(key: String, value: String)] {
        source.split(separator: "\n").compactMap { line in
            guard let sign = line.firstIndex(of: "="), line.first != "#" else { return nil }
            var key = line[..<sign]
            while key.last == " " { key.removeLast() }
            var value = line[line.index(after: sign)...]
            if value.first == " " { value.removeFirst() }
            return (String(key), String(value))
        }
    }

    // MARK: Texts

    /// The text of a phrase, with what is filled in. Names are isolated, so that their direction does not disturb the sentence's.
    package func text(_ phrase: Phrase, _ arguments: String...) -> String {
        fill(texts[phrase] ?? Self.english.texts[phrase] ?? phrase.rawValue, arguments)
    }

    /// The text of a phrase with a number, in the form that the number has in this language.
    package func plural(_ phrase: PluralPhrase, _ number: Int) -> String {
        let form = PluralCategory(max(0, number), language: language)
        let text =
            plurals["\(phrase.rawValue)[\(form.rawValue)]"] ?? plurals["\(phrase.rawValue)[other]"]
            ?? Self.english.plurals["\(phrase.rawValue)[other]"] ?? phrase.rawValue
        return fill(text, ["\(number)"])
    }

    private func fill(_ text: String, _ arguments: [String]) -> String {
        var filled = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "%") {
            filled += rest[..<mark]
            let next = rest.index(after: mark)
            if next < rest.endIndex, let number = rest[next].wholeNumberValue, arguments.indices.contains(number - 1) {
                filled += isolated(arguments[number - 1])
                rest = rest[rest.index(after: next)...]
            } else {
                filled.append("%")
                rest = rest[next...]
            }
        }
        return filled + rest
    }

    /// A name as it may stand in a sentence: between isolates (UAX 9) where it may run the other way.
    package func isolated(_ name: String) -> String {
        guard !name.isEmpty, isRightToLeft || name.unicodeScalars.contains(where: \.runsRightToLeft) else { return name }
        return "\u{2068}\(name)\u{2069}"
    }

    /// Several words as a list.
    func list(_ words: [String]) -> String {
        let separator = text(.listSeparator)
        return words.joined(separator: separator == "、" ? separator : separator + " ")
    }

    /// The name of a language in this one.
    package func languageName(of tag: String) -> String {
        var parts = tag.split(separator: "-").map(String.init)
        while !parts.isEmpty {
            if let name = names[parts.joined(separator: "-")] { return name }
            parts.removeLast()
        }
        return isolated(Self.english.names[String(tag.prefix { $0 != "-" })] ?? tag)
    }

    /// A size in bytes: "1.5 GB", "12 MB".
    package func size(_ bytes: Int64) -> String {
        let megabytes = (bytes + 500_000) / 1_000_000
        guard megabytes >= 1000 else { return text(.megabytes, "\(megabytes)") }
        let tenths = (megabytes + 50) / 100
        return text(.gigabytes, "\(tenths / 10)\(text(.decimalSeparator))\(tenths % 10)")
    }

    // MARK: All of them

    /// English: what every other catalogue is measured by.
    package static let english = StringCatalogue(language: "en", source: Catalogues.english)

    /// The languages of the interface.
    package static let all: [StringCatalogue] = [
        .english, StringCatalogue(language: "es", source: Catalogues.spanish),
        StringCatalogue(language: "fr", source: Catalogues.french), StringCatalogue(language: "de", source: Catalogues.german),
        StringCatalogue(language: "pt-BR", source: Catalogues.brazilianPortuguese),
        StringCatalogue(language: "ru", source: Catalogues.russian),
        StringCatalogue(language: "zh-Hans", source: Catalogues.simplifiedChinese),
        StringCatalogue(language: "zh-Hant", source: Catalogues.traditionalChinese),
        StringCatalogue(language: "ja", source: Catalogues.japanese), StringCatalogue(language: "ko", source: Catalogues.korean),
        StringCatalogue(language: "ar", source: Catalogues.arabic), StringCatalogue(language: "he", source: Catalogues.hebrew),
    ]

    /// The languages that sound and captions can be asked for in.
    package static var languageTags: [String] { english.names.keys.sorted() }

    /// English with accents and two fifths longer: what does not come from a catalogue, or does not fit, is seen at once. Its tag is `en-XA`.
    package static let pseudo: StringCatalogue = {
        var texts = english.texts.mapValues(pseudo)
        for phrase in [Phrase.decimalSeparator, .listSeparator] { texts[phrase] = english.texts[phrase] }
        return StringCatalogue(
            language: "en-XA", texts: texts, plurals: english.plurals.mapValues(pseudo), names: english.names.mapValues(pseudo),
            own: ["own.name": "[Þšéûðö]"])
    }()

    private static func pseudo(_ text: String) -> String {
        let accents: [Character: Character] = [
            "a": "å", "e": "é", "i": "î", "o": "ö", "u": "û", "y": "ý", "c": "ç", "n": "ñ", "s": "š", "z": "ž", "A": "Å",
            "E": "É",
            "I": "Î", "O": "Ö", "U": "Û", "C": "Ç", "N": "Ñ", "S": "Š", "Z": "Ž", "P": "Þ", "D": "Ð", "d": "ð",
        ]
        let accented = String(text.map { accents[$0] ?? $0 })
        let padding = (text.count * 2 + 4) / 5
        return "[\(accented)\(String(repeating: "~", count: max(0, padding - 2)))]"
    }

    /// The catalogue for a viewer: by the preferred languages in their order, else English.
    package static func best(for languages: [String]) -> StringCatalogue {
        for wanted in languages {
            let lower = wanted.lowercased()
            if lower == pseudo.language.lowercased() { return pseudo }
            if let exact = all.first(where: { $0.language.lowercased() == lower }) { return exact }
            let parts = lower.split(separator: "-")
            if parts.first == "zh" {
                let isTraditional =
                    parts.contains("hant") || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
                if let chinese = all.first(where: { $0.language == (isTraditional ? "zh-Hant" : "zh-Hans") }) { return chinese }
            }
            // Hebrew had another code once.
            let base = parts.first == "iw" ? "he" : parts.first.map(String.init)
            if let same = all.first(where: { $0.language.split(separator: "-").first.map(String.init)?.lowercased() == base }) {
                return same
            }
        }
        return .english
    }

    /// What a catalogue lacks or has too much of, in words: for tests.
    var faults: [String] {
        var faults: [String] = []
        func placeholders(_ text: String) -> [Character] {
            zip(text, text.dropFirst()).filter { $0.0 == "%" && $0.1.isNumber }.map(\.1).sorted()
        }
        for phrase in Phrase.allCases {
            guard let text = texts[phrase] else {
                faults.append("\(language): no \(phrase.rawValue)")
                continue
            }
            let expected = placeholders(Self.english.texts[phrase] ?? "")
            if placeholders(text) != expected { faults.append("\(language): \(phrase.rawValue) has other placeholders") }
            if text.isEmpty { faults.append("\(language): \(phrase.rawValue) is empty") }
        }
        for phrase in PluralPhrase.allCases {
            for form in PluralCategory.all(of: language) where plurals["\(phrase.rawValue)[\(form.rawValue)]"] == nil {
                faults.append("\(language): no \(phrase.rawValue)[\(form.rawValue)]")
            }
        }
        for tag in Self.languageTags where names[tag] == nil { faults.append("\(language): no name for \(tag)") }
        if letters.count < 20 { faults.append("\(language): too few letters") }
        return faults
    }
}

extension Unicode.Scalar {
    /// Whether it is a letter of a script that runs from right to left.
    var runsRightToLeft: Bool {
        (0x590...0x8FF).contains(value) || (0xFB1D...0xFDFF).contains(value) || (0xFE70...0xFEFF).contains(value)
            || (0x10800...0x10FFF).contains(value) || (0x1E800...0x1EFFF).contains(value)
    }
}
