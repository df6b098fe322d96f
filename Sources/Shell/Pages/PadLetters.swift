/// The letters that titles need and a keyboard lacks: a list in one language has titles in other scripts. A value.
struct PadLetters {
    /// The letters of alphabets, in their order: a group for each script.
    var other: [[Character]]
    private let titles: [FoldedTitle]

    /// - Parameter keys: those that are there anyway.
    init(of titles: [FoldedTitle], besides keys: [Character]) {
        self.titles = titles
        var needed: Set<Unicode.Scalar> = []
        for title in titles { needed.formUnion(title.letters.lazy.filter { !Self.isOfMany($0) }) }
        let latin = Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
        // Latin letters are not remembered title by title, because nearly all have some.
        if titles.contains(where: { $0.bytes.contains { (0x61...0x7A).contains($0) } }) { needed.formUnion(latin) }
        for key in keys { needed.subtract(FoldedTitle(String(key)).letters.union(key.unicodeScalars)) }
        var groups: [Int: [Character]] = [:]
        for scalar in needed.sorted() { groups[Self.script(scalar), default: []].append(Character(scalar)) }
        other = groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The letters of scripts with too many of them for a keyboard that follow a query in titles, the most frequent first.
    func next(after query: String, limit: Int) -> [Character] {
        let typed = FoldedTitle(query)
        let last = query.last == " " ? [] : typed.words.last ?? []
        let before = typed.words.dropLast(last.isEmpty ? 0 : 1)
        var counts: [Unicode.Scalar: Int] = [:]
        for title in titles where title.letters.contains(where: Self.isOfMany) && before.allSatisfy({ title.has($0) }) {
            for scalar in title.scalars(after: last) where Self.isOfMany(scalar) { counts[scalar, default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map { Character($0.key) }
    }

    /// Whether a character's script has thousands: Chinese characters, the syllables of Korean.
    private static func isOfMany(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2E80..<0x3040, 0x3100..<0xD7FB, 0xF900..<0xFB00, 0x20000...0x3FFFF: true
        default: false
        }
    }

    /// Scripts as blocks of Unicode, in their order: each alphabet begins a row of the pad.
    private static func script(_ scalar: Unicode.Scalar) -> Int {
        let ends: [UInt32] = [
            0x370, 0x400, 0x530, 0x590, 0x600, 0x700, 0x900, 0xE00, 0x10A0, 0x1100, 0x1E00, 0x1F00, 0x2000, 0x3100,
        ]
        return ends.firstIndex { scalar.value < $0 } ?? ends.count
    }

    /// A letter as it is on a key: large, except in Georgian, whose large letters few fonts have.
    static func label(of letter: Character) -> String {
        letter.unicodeScalars.contains { (0x10D0...0x10FF).contains($0.value) } ? String(letter) : letter.uppercased()
    }

    /// Whether a key is one of the digits; some Chinese characters are numbers, too.
    static func isDigit(_ letter: Character) -> Bool { ("0"..."9").contains(letter) }

    /// Whether a letter is of a script that runs from right to left.
    static func isRightToLeft(_ letter: Character) -> Bool { letter.unicodeScalars.contains(where: \.runsRightToLeft) }
}
