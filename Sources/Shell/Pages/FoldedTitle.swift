import Synchronization
import TextDecoding

/// A title, or words that are looked for, as search compares them: without case, marks, vowel points and punctuation, and in one form of each letter
/// (NFKC): `Ｃafé` is `cafe`, `Ё` is `е`, `أ` is `ا`, `ガ` is `か`.
struct FoldedTitle: Sendable, Equatable {
    /// Words in UTF-8, with one space between them.
    private(set) var bytes: [UInt8] = []
    /// Where a match may begin, in bytes: at each word, at each part of a word behind a sign inside it, and, in scripts that have no spaces, anywhere.
    private(set) var starts: [Int] = []
    /// The characters that are not ASCII, each once: those for which a keyboard may have no key.
    private(set) var letters: Set<Unicode.Scalar> = []
    private static let space = UInt8(ascii: " ")
    /// Stands for signs inside words.
    private static let sign: Unicode.Scalar = "\u{1}"

    /// - Parameter signsSeparate: whether a sign inside a word makes two words of it: `spider-man` is `spider man`, else `spiderman`.
    init(_ text: String, signsSeparate: Bool = false) {
        let plain =
            text.utf8.allSatisfy { $0 < 0x80 } ? Self.reduced(text.unicodeScalars.lazy.map(Self.small)) : Self.normalised(text)
        var hasSpace = false
        var isStart = true
        for scalar in plain {
            if scalar == " " || scalar == Self.sign {
                isStart = true
                hasSpace = hasSpace || scalar == " " || signsSeparate
                continue
            }
            if hasSpace, !bytes.isEmpty { bytes.append(Self.space) }
            hasSpace = false
            if isStart || Self.hasNoSpaces(scalar) { starts.append(bytes.count) }
            isStart = false
            bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            if !scalar.isASCII { letters.insert(scalar) }
        }
    }

    var isEmpty: Bool { bytes.isEmpty }
    var words: [ArraySlice<UInt8>] { bytes.split(separator: Self.space) }

    private static func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
    }

    /// The letters, spaces and signs of a text in one form (NFKC, with full case folding).
    private static func normalised(_ text: String) -> String.UnicodeScalarView {
        TextForms.composed(String(reduced(TextForms.decomposedAndFolded(text).unicodeScalars))).unicodeScalars
    }

    /// Drops marks, and replaces what is no letter and no digit by a space or a sign.
    private static func reduced(_ scalars: some Sequence<Unicode.Scalar>) -> String.UnicodeScalarView {
        var reduced = String.UnicodeScalarView()
        for scalar in scalars {
            if scalar.isASCII {
                let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                reduced.append(isPlain ? scalar : scalar.properties.isWhitespace ? " " : sign)
            } else if let plain = plainLetters[scalar] {
                reduced.append(contentsOf: plain.unicodeScalars)
            } else if let kana = hiragana(scalar) {
                reduced.append(kana)
            } else if scalar == "\u{306}", reduced.last == "и" {
                // й is a letter of its own, although it looks like one with a mark.
                reduced.append(scalar)
            } else if !isMark(scalar) {
                let isLetter = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                reduced.append(isLetter ? scalar : scalar.properties.isWhitespace ? " " : sign)
            }
        }
        return reduced
    }

    /// Whether a character says nothing about which letter it is with: accents, vowel points, joiners. The vowels of the scripts of India and beyond are
    /// marks in form, and letters to their readers.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .enclosingMark: true
        case .nonspacingMark: scalar.value < 0x900 || !scalar.properties.isAlphabetic
        // Letters in name alone: apostrophes and the like of transcriptions.
        case .modifierLetter: (0x2B9...0x2C1).contains(scalar.value) || scalar == "\u{640}"
        default: false
        }
    }

    /// Hiragana and Katakana are one, small ones are as large ones.
    private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        var value = scalar.value
        if (0x30A1...0x30F6).contains(value) { value -= 0x60 }
        let isSmall = [0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E].contains(value)
        if isSmall { value += 1 }
        return value == scalar.value ? nil : Unicode.Scalar(value)
    }

    /// Letters that no form of Unicode takes apart, and the ones that are typed for them.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n", "ə": "e",
        "ƒ": "f",
        "ٱ": "ا", "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ہ": "ه", "ھ": "ه",
        "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ",
    ]

    /// Whether words of this character's script are written without spaces between them: Chinese, Japanese, Thai, Lao, Burmese, Khmer. The syllables of
    /// Korean are found anywhere, too, as its words are often written together.
    private static func hasNoSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80..<0xFB00, 0x20000...0x3FFFF: true
        default: false
        }
    }

    // MARK: Matches

    /// Whether a word begins at one of the places where a match may begin.
    func has(_ word: ArraySlice<UInt8>) -> Bool { starts.contains { bytes[$0...].starts(with: word) } }

    /// Whether words that were written as one are found in words with spaces between them: `starwars` in `Star Wars`.
    func has(joined word: ArraySlice<UInt8>) -> Bool {
        starts.contains { start in bytes[start...].lazy.filter { $0 != Self.space }.starts(with: word) }
    }

    /// The characters that follow a word where it is found.
    func scalars(after word: ArraySlice<UInt8>) -> [Unicode.Scalar] {
        starts.compactMap { start in
            guard bytes[start...].starts(with: word) else { return nil }
            return String(decoding: bytes[(start + word.count)...].prefix(4), as: UTF8.self).unicodeScalars.first
        }
    }

    // MARK: Known titles

    private static let known = Mutex<[String: FoldedTitle]>([:])
    /// A guide of a week has some thousand titles.
    private static let mostKnown = 32_768

    /// The folded form of a title, which is made once. Any thread.
    static func of(_ title: String) -> FoldedTitle {
        if let found = known.withLock({ $0[title] }) { return found }
        let folded = FoldedTitle(title)
        known.withLock { known in
            if known.count >= mostKnown { known.removeAll() }
            known[title] = folded
        }
        return folded
    }
}
