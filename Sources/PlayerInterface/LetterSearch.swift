/// Finds titles regardless of case, accents and vowel points. Every typed word must begin a word of the title, in any order. In scripts without
/// spaces a match may begin anywhere.
package enum LetterSearch {
    /// Lower-case letters without marks: é is e, ё is е, أ is ا.
    static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for character in text.lowercased() {
            if let plain = plainLetters[character] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else {
                for scalar in character.unicodeScalars { fold(scalar, into: &folded) }
            }
        }
        return String(folded).split(separator: " ").joined(separator: " ")
    }

    private static func fold(_ scalar: Unicode.Scalar, into folded: inout String.UnicodeScalarView) {
        if (0x30A1...0x30F6).contains(scalar.value), let kana = Unicode.Scalar(scalar.value - 0x60) {
            folded.append(kana)  // Hiragana finds Katakana
        } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            folded.append(scalar)
        } else if ![.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory) {
            folded.append(" ")
        }
    }

    /// Letters with marks and their base letters. Characters compare equal whatever the encoding of their marks, so composed forms match these
    /// decomposed ones.
    private static let plainLetters: [Character: String] = {
        var table: [Character: String] = [
            "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا",
            "ى": "ي",
            "ة": "ه",
        ]
        let marks: [Unicode.Scalar] = [
            "\u{300}", "\u{301}", "\u{302}", "\u{303}", "\u{304}", "\u{306}", "\u{307}", "\u{308}", "\u{309}", "\u{30A}",
            "\u{30B}", "\u{30C}", "\u{31B}", "\u{323}", "\u{326}", "\u{327}", "\u{328}",
        ]
        for base in "abcdefghijklmnopqrstuvwxyzαεηιουωагеиоу" {
            for mark in marks {
                table[Character(String(base) + String(Character(mark)))] = String(base)
                guard ["\u{302}", "\u{306}", "\u{31B}", "\u{308}"].contains(mark) else { continue }
                for second in marks {
                    table[Character(String(base) + String(Character(mark)) + String(Character(second)))] = String(base)
                }
            }
        }
        // Separate letters, although they look like marked ones.
        table["й"] = nil
        return table
    }()

    /// The positions at which a match may begin: the starts of words, and every character of a script without spaces.
    static func starts(of folded: String) -> [Substring] {
        var starts: [Substring] = []
        var isStart = true
        for index in folded.indices {
            let character = folded[index]
            let isDense = character.unicodeScalars.first.map { $0.value >= 0x2E80 && $0.value < 0xFB00 } ?? false
            if isStart || isDense { starts.append(folded[index...]) }
            isStart = character == " "
        }
        return starts
    }

    /// The entries whose titles have words that begin with those of a query, those whose titles begin with the first word at the front.
    package static func find(_ query: String, in entries: [HomeContent.Entry]) -> [HomeContent.Entry] {
        let words = folded(query).split(separator: " ")
        guard !words.isEmpty else { return [] }
        var whole: [HomeContent.Entry] = []
        var rest: [HomeContent.Entry] = []
        for entry in entries {
            let title = folded(entry.title)
            let starts = starts(of: title)
            guard
                words.allSatisfy({ word in starts.contains { $0.hasPrefix(word) } || entry.number.map { "\($0)" == word } ?? false
                })
            else { continue }
            if title.hasPrefix(words[0]) { whole.append(entry) } else { rest.append(entry) }
        }
        return whole + rest
    }
}
