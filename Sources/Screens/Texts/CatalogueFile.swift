/// The keys and texts of a catalogue's file. `InterfaceTexts/Texts/en.txt` describes its form.
struct CatalogueFile {
    /// The entries in the order of the lines.
    private(set) var entries: [(key: String, text: String)] = []
    /// The numbers of invalid lines, from 1: no `=`, no key, no text, or not UTF-8.
    private(set) var unreadableLines: [Int] = []

    init(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = Self.trimmed(line)
            guard !line.isEmpty, line.first != UInt8(ascii: "#") else { continue }
            if let sign = line.firstIndex(of: UInt8(ascii: "=")),
                let key = String(validating: Self.trimmed(line[..<sign]), as: UTF8.self), !key.isEmpty,
                let text = String(validating: Self.trimmed(line[(sign + 1)...]), as: UTF8.self), !text.isEmpty
            {
                entries.append((key, text))
            } else {
                unreadableLines.append(index + 1)
            }
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
        }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return bytes[first...last]
    }
}

/// The kind of key in a line.
enum CatalogueKey: Hashable {
    case phrase(Phrase)
    case plural(PluralPhrase, PluralCategory)
    /// The name of another language, by its tag.
    case name(String)
    case ownName, direction, letters, keyboard
    /// How times of day are written (`ClockFormat`).
    case timePattern, timePeriods, timeRangeInPeriod
    /// How days are written (`DateFormat`).
    case datePattern, dateWeekdays, dateMonths

    /// By their keys: `Phrase(rawValue:)` compares a key with each of them.
    private static let phrases = Dictionary(uniqueKeysWithValues: Phrase.allCases.map { ($0.rawValue, $0) })

    /// Nil for an unknown key.
    init?(_ key: String) {
        switch key {
        case "language.name": self = .ownName
        case "language.direction": self = .direction
        case "language.letters": self = .letters
        case "language.keyboard": self = .keyboard
        case "time.pattern": self = .timePattern
        case "time.periods": self = .timePeriods
        case "time.rangeInPeriod": self = .timeRangeInPeriod
        case "date.pattern": self = .datePattern
        case "date.weekdays": self = .dateWeekdays
        case "date.months": self = .dateMonths
        default:
            if let phrase = Self.phrases[key] {
                self = .phrase(phrase)
            } else if key.hasPrefix("name.") {
                self = .name(String(key.dropFirst(5)))
            } else if key.hasSuffix("]"), let bracket = key.firstIndex(of: "["),
                let phrase = PluralPhrase(rawValue: String(key[..<bracket])),
                let form = PluralCategory(rawValue: String(key[key.index(after: bracket)...].dropLast()))
            {
                self = .plural(phrase, form)
            } else {
                return nil
            }
        }
    }
}
