/// What the letters of a text say of its encoding, where its language is stated. A value.
struct LanguageLetters {
    /// The encodings of the language, the usual one first.
    let encodings: [String]
    /// Letters that stand where another of these encodings has a letter of the language.
    private let foreign: Set<Unicode.Scalar>

    /// Windows-1250 and ISO 8859-2 have other letters at these places, and so have Windows-1257 and ISO 8859-15.
    private static let foreign: [(languages: Set<String>, letters: String)] = [
        (["cs", "sl", "hr", "bs", "sr"], "ąĄľĽ"), (["sk"], "ąĄ"), (["pl"], "ľĽ"), (["et"], "øØ"),
    ]
    private static let latin: Set<String> = ["CP1252", "CP1250", "CP1254", "CP1257"]
    /// Fewer bytes above ASCII say nothing.
    private static let fewest = 8

    /// - Parameter tag: the BCP 47 tag of the language.
    init(_ tag: String) {
        encodings = LanguageEncodings.encodings(of: tag)
        let language = LanguageEncodings.language(of: tag)
        foreign = Set(Self.foreign.first { $0.languages.contains(language) }?.letters.unicodeScalars.map { $0 } ?? [])
    }

    /// Whether a text can be in the language: where most letters are above ASCII, they are not Latin ones, and the language is that of something else.
    func canBe(of sample: [UInt8]) -> Bool {
        guard let usual = encodings.first, Self.latin.contains(usual) else { return true }
        let above = sample.count { $0 >= 0x80 }
        let plain = sample.count { (0x41...0x5A).contains($0 & 0xDF) && $0 < 0x80 }
        return above < Self.fewest || above <= plain
    }

    /// The encoding of the same kind in which a text has the fewest letters and marks that it should not have; nil if none is better than another one.
    func likelier(than chosen: String, for sample: [UInt8], fits: (String) -> Bool) -> String? {
        guard Self.isOfWindowsOrISO(chosen), encodings.contains(chosen) else { return nil }
        var best: (encoding: String, count: Int)?
        let least = strangers(in: sample, chosen)
        guard least > 0 else { return nil }
        for encoding in encodings where encoding != chosen && Self.isOfWindowsOrISO(encoding) && fits(encoding) {
            let count = strangers(in: sample, encoding)
            if count < best?.count ?? least { best = (encoding, count) }
        }
        return best?.encoding
    }

    private static func isOfWindowsOrISO(_ encoding: String) -> Bool {
        encoding.hasPrefix("CP125") || encoding.hasPrefix("ISO-8859")
    }

    /// Letters that the language does not have, and symbols and numbers beside a letter, which are rare in real text.
    private func strangers(in sample: [UInt8], _ encoding: String) -> Int {
        guard let text = TextConverter(encoding)?.convert(sample)?.text else { return .max }
        var count = 0
        var before: Unicode.Scalar = " "
        var wasSymbol = false
        for scalar in text.unicodeScalars {
            let isLetter = scalar.properties.isAlphabetic
            let isSymbol = !scalar.isASCII && Self.isSymbol(scalar)
            if foreign.contains(scalar) || isSymbol && before.properties.isAlphabetic || isLetter && wasSymbol { count += 1 }
            (before, wasSymbol) = (scalar, isSymbol)
        }
        return count
    }

    private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .otherSymbol, .mathSymbol, .currencySymbol, .modifierSymbol, .otherNumber: true
        default: false
        }
    }
}
