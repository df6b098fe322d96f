/// What the letters of a text say of its encoding, where its language is stated. A value.
struct LanguageLetters {
    /// The encodings of the language, the usual one first.
    let encodings: [String]
    /// The small letters of the language that are not ASCII; nil where they are not known here.
    private let letters: Set<Unicode.Scalar>?

    private static let alphabets: [(languages: [String], letters: String)] = [
        (["fr"], "àâæçéèêëîïôœùûüÿ"), (["de"], "äöüß"), (["es"], "áéíñóúü"), (["pt", "gl"], "áâãàçéêíñóôõúü"),
        (["it"], "àèéìíîòóùú"),
        (["nl"], "áàäâéèëêíìïîóòöôúùüû"), (["sv"], "åäöéà"), (["fi"], "åäö"), (["da", "nb", "nn", "no"], "æøåéèêóòôâ"),
        (["is"], "áðéíóúýþæö"), (["ca"], "àçèéíïòóúü"), (["ga"], "áéíóú"), (["cs"], "áčďéěíňóřšťúůýž"),
        (["sk"], "áäčďéíĺľňóôŕšťúýž"), (["pl"], "ąćęłńóśźż"), (["hu"], "áéíóöőúüű"), (["sl", "hr", "bs"], "čćđšž"),
        (["sr"], "čćđšžабвгдђежзијклљмнњопрстћуфхцчџш"),
        (["ro", "mo"], "ăâîșțşţ"), (["et"], "äöüõšž"), (["lt"], "ąčęėįšųūž"), (["lv"], "āčēģīķļņšūž"),
        (["el"], "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ"),
    ]
    private static let latin: Set<String> = ["CP1252", "CP1250", "CP1254", "CP1257"]
    /// Fewer bytes above ASCII say nothing.
    private static let fewest = 8

    /// - Parameter tag: the BCP 47 tag of the language.
    init(_ tag: String) {
        encodings = LanguageEncodings.encodings(of: tag)
        let language = LanguageEncodings.language(of: tag)
        letters = Self.alphabets.first { $0.languages.contains(language) }.map { Set($0.letters.unicodeScalars) }
    }

    /// Whether a text can be in the language: where most letters are above ASCII, they are not Latin ones, and the language is that of something else.
    func canBe(of sample: [UInt8]) -> Bool {
        guard let usual = encodings.first, Self.latin.contains(usual) else { return true }
        let above = sample.count { $0 >= 0x80 }
        let plain = sample.count { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        return above < Self.fewest || above <= plain
    }

    /// The encoding in which a text has the fewest letters and marks that it should not have; nil if none is better than the chosen one. Encodings of Windows
    /// and of ISO differ by single letters. That a text is older than those, or of a Macintosh, must be plain.
    func likelier(than chosen: String, for sample: [UInt8], fits: (String) -> Bool) -> String? {
        guard encodings.contains(chosen) else { return nil }
        let least = strangers(in: sample, chosen)
        guard least > 0 else { return nil }
        var best: (encoding: String, count: Int)?
        for encoding in encodings where encoding != chosen && fits(encoding) {
            let count = strangers(in: sample, encoding)
            let isBetter =
                Self.isOfWindowsOrISO(chosen) && Self.isOfWindowsOrISO(encoding)
                ? count < least : letters != nil && least >= Self.plain && count * Self.plain <= least
            if isBetter, count < best?.count ?? .max { best = (encoding, count) }
        }
        return best?.encoding
    }

    /// It is plain when there are so many, and so many times more, in the other encoding.
    private static let plain = 3

    private static func isOfWindowsOrISO(_ encoding: String) -> Bool {
        encoding.hasPrefix("CP125") || encoding.hasPrefix("ISO-8859")
    }

    /// Letters that the language does not have, and marks where none can be.
    private func strangers(in sample: [UInt8], _ encoding: String) -> Int {
        guard let text = TextConverter(encoding)?.convert(sample)?.text else { return .max }
        var count = 0
        var before: Unicode.Scalar = " "
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            if !scalar.isASCII {
                let isStrange =
                    scalar.properties.isAlphabetic
                    ? isForeign(scalar)
                    : Self.isMisplaced(
                        scalar, after: before.properties.isAlphabetic, before: next?.properties.isAlphabetic ?? false)
                if isStrange { count += 1 }
            }
            before = scalar
        }
        return count
    }

    private func isForeign(_ letter: Unicode.Scalar) -> Bool {
        guard let letters else { return false }
        return !letters.contains(letter) && !letter.properties.lowercaseMapping.unicodeScalars.allSatisfy { letters.contains($0) }
    }

    /// Symbols and numbers beside a letter, and quotation marks inside a word, are rare in real text.
    private static func isMisplaced(_ mark: Unicode.Scalar, after isAfterLetter: Bool, before isBeforeLetter: Bool) -> Bool {
        switch mark.properties.generalCategory {
        case .otherSymbol, .mathSymbol, .currencySymbol, .modifierSymbol, .otherNumber: isAfterLetter || isBeforeLetter
        case .openPunctuation: isAfterLetter
        case .initialPunctuation, .finalPunctuation: isAfterLetter && isBeforeLetter && !["\u{2018}", "\u{2019}"].contains(mark)
        case .otherPunctuation: ["†", "‡", "‰", "¶", "¿", "¡"].contains(mark) && isAfterLetter
        default: false
        }
    }
}
