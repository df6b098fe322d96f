import BoxModel
import InterfaceTexts
import MediaTime
import Synchronization

/// The texts of one language: phrases, plural forms, names of languages, the letters of the search keyboard.
///
/// It is read from the language's file (`InterfaceTexts`), that of a region on top of its language's. Missing phrases are taken from English, one by one.
package struct StringCatalogue: Sendable, Equatable {
    /// BCP 47 tag of the language.
    package let language: String
    private let texts: [CatalogueKey: String]
    /// The name of the language in itself.
    package let ownName: String
    /// Whether lines run from right to left.
    package let isRightToLeft: Bool
    /// The letters of search, in the order of the alphabet, digits last: one group, or a table whose groups begin rows of their own.
    package let letterGroups: [[Character]]
    /// The number of letters in a row of search. No more than are needed for all rows to be on the screen: a to z and the digits are six rows of six.
    package var letterColumns: Int {
        if letterGroups.count == 1 {
            // The last row has the space.
            let rows = Metrics.Search.keyRowsPerScreen - 1
            return min((letters.count + rows - 1) / rows, Metrics.Search.columns)
        }
        let longest = letterGroups.dropLast().map(\.count).max() ?? Metrics.Search.columns
        return min(longest, Metrics.Search.columns)
    }
    /// The letters of all groups.
    package var letters: [Character] { letterGroups.flatMap { $0 } }
    /// Whether the language has too many letters for a keyboard, which then shows only those that can follow.
    package let hasManyLetters: Bool
    private let clock: ClockFormat
    /// Nil where the catalogue does not say it.
    private let date: DateFormat?
    /// The changes of clocks around today, which times of day follow.
    package private(set) var changes = ClockChanges()

    /// Makes a catalogue of some phrases.
    package init(language: String, texts: [Phrase: String]) {
        self.init(language: language, texts: Dictionary(uniqueKeysWithValues: texts.map { (.phrase($0), $1) }))
    }

    /// Reads a catalogue. Unreadable lines and unknown keys are ignored; of a repeated key the last line counts.
    ///
    /// - Parameter parent: the catalogue of the language, for a file that has only the texts of a region that differ.
    init(language: String, file: CatalogueFile, parent: StringCatalogue? = nil) {
        let texts = file.entries.compactMap { entry in CatalogueKey(entry.key).map { ($0, entry.text) } }
        self.init(language: language, texts: (parent?.texts ?? [:]).merging(texts) { $1 })
    }

    private init(language: String, texts: [CatalogueKey: String]) {
        self.language = language
        self.texts = texts
        ownName = texts[.ownName] ?? language
        isRightToLeft = texts[.direction] == "rtl"
        let alphabet = texts[.letters] ?? "abcdefghijklmnopqrstuvwxyz"
        let groups: [[Character]] = alphabet.split(separator: Character(" ")).map { Array($0) }
        // Digits follow the alphabet; under a table they have rows of their own.
        letterGroups = groups.count > 1 ? groups + [Array("0123456789")] : [(groups.first ?? []) + Array("0123456789")]
        hasManyLetters = texts[.keyboard] == "suggested"
        date = texts[.datePattern].flatMap {
            DateFormat(pattern: $0, weekdays: texts[.dateWeekdays] ?? "", months: texts[.dateMonths] ?? "")
        }
        clock = texts[.timePattern].flatMap { ClockFormat(pattern: $0, periods: texts[.timePeriods] ?? "") } ?? .plain
    }

    // MARK: Texts

    /// The text of a phrase with its placeholders filled in. Arguments are isolated (UAX 9), so that their direction does not affect the sentence.
    package func text(_ phrase: Phrase, _ arguments: String...) -> String {
        fill(texts[.phrase(phrase)] ?? Self.english.texts[.phrase(phrase)] ?? phrase.rawValue, arguments)
    }

    /// The text of a phrase with a number, in the plural form of this language.
    package func plural(_ phrase: PluralPhrase, _ number: Int) -> String {
        let form = PluralCategory(max(0, number), language: language)
        let text =
            texts[.plural(phrase, form)] ?? texts[.plural(phrase, .other)] ?? Self.english.texts[.plural(phrase, .other)]
            ?? phrase.rawValue
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

    /// A name for use in a sentence: between isolates (UAX 9) if the directions of the two may differ.
    package func isolated(_ name: String) -> String {
        guard !name.isEmpty, isRightToLeft || name.unicodeScalars.contains(where: \.runsRightToLeft) else { return name }
        return "\u{2068}\(name)\u{2069}"
    }

    /// Several words, joined to a list.
    package func list(_ words: [String]) -> String {
        let separator = text(.listSeparator)
        return words.joined(separator: separator == "、" ? separator : separator + " ")
    }

    /// The name of a language in this one.
    package func languageName(of tag: String) -> String {
        var parts = tag.split(separator: "-").map(String.init)
        while !parts.isEmpty {
            if let name = texts[.name(parts.joined(separator: "-"))] { return name }
            parts.removeLast()
        }
        return isolated(Self.english.texts[.name(String(tag.prefix { $0 != "-" }))] ?? tag)
    }

    /// A time of day: "21:43", "9:43 PM".
    ///
    /// - Parameter seconds: since midnight, by the clocks of now.
    package func timeOfDay(_ seconds: Int64) -> String { clock.text(shown(seconds)) }

    /// A day without its year: "Sun 29 Nov".
    package func day(_ date: CalendarDate) -> String { self.date?.text(date) ?? date.description }

    /// A time of day with seconds: "21:43:07".
    package func timeOfDayWithSeconds(_ seconds: Int64) -> String { clock.text(shown(seconds), withSeconds: true) }

    /// A range of times of day: "20:00–20:30", "8:00 – 8:30 PM".
    package func timeRange(_ start: Int64, _ end: Int64) -> String {
        let range = clock.range(shown(start), shown(end))
        let words =
            if range.isShared, let text = texts[.timeRangeInPeriod] {
                fill(text, [range.start, range.end])
            } else {
                text(.timeRange, range.start, range.end)
            }
        // With digits alone, the words around it would decide in which order its two times are read.
        return isRightToLeft ? "\u{2067}\(words)\u{2069}" : words
    }

    /// What clocks show at a time.
    private func shown(_ seconds: Int64) -> Int64 { Int(exactly: seconds).map { Int64(changes.clock(at: $0)) } ?? seconds }

    /// The same texts, with times of day that follow these changes of clocks.
    package func with(_ changes: ClockChanges) -> StringCatalogue {
        var catalogue = self
        catalogue.changes = changes
        return catalogue
    }

    /// A size in bytes: "1.5 GB", "12 MB".
    package func size(_ bytes: Int64) -> String {
        let megabytes = (bytes + 500_000) / 1_000_000
        guard megabytes >= 1000 else { return text(.megabytes, "\(megabytes)") }
        let tenths = (megabytes + 50) / 100
        return text(.gigabytes, "\(tenths / 10)\(text(.decimalSeparator))\(tenths % 10)")
    }

    /// A duration as text: "1 h 32 min", "22 min", "45 s".
    package func duration(_ duration: MediaTime) -> String {
        let seconds = max(duration.wholeSeconds, 0)
        if seconds < 60 { return text(.durationSeconds, "\(seconds)") }
        // Without `seconds + 30`, which can exceed the type for absurd durations.
        let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
        guard minutes >= 60 else { return text(.durationMinutes, "\(minutes)") }
        return text(.durationHoursMinutes, "\(minutes / 60)", "\(minutes % 60)")
    }

    /// -1 towards the start of a line, 1 towards its end. The language decides whether that is Left or Right.
    package func step(of key: RemoteKey) -> Int { (key == .left) == isRightToLeft ? 1 : -1 }

    // MARK: All catalogues

    /// English, the fallback of all others.
    package static let english = StringCatalogue(language: "en", file: CatalogueFile(InterfaceTexts.file(of: "en")))

    /// The catalogues of all languages. Each is read at its first use.
    package static var all: [StringCatalogue] { InterfaceTexts.languages.map(catalogue(of:)) }

    private static let read = Mutex<[String: StringCatalogue]>([:])

    private static func catalogue(of language: String) -> StringCatalogue {
        if language == "en" { return english }
        let parent = InterfaceTexts.parent(of: language).map(catalogue(of:))
        return read.withLock { read in
            if let catalogue = read[language] { return catalogue }
            let catalogue = StringCatalogue(
                language: language, file: CatalogueFile(InterfaceTexts.file(of: language)), parent: parent)
            read[language] = catalogue
            return catalogue
        }
    }

    /// The languages that can be preferred for sound and captions (BCP 47).
    package static let languageTags = english.texts.keys.compactMap { if case .name(let tag) = $0 { tag } else { nil } }.sorted()

    /// English with accents and two fifths longer (`en-XA`). It shows texts that do not come from a catalogue and texts that do not fit.
    package static let pseudo: StringCatalogue = {
        var texts = english.texts.mapValues(pseudo)
        for phrase in [Phrase.decimalSeparator, .listSeparator] { texts[.phrase(phrase)] = english.texts[.phrase(phrase)] }
        for key in [
            CatalogueKey.direction, .letters, .keyboard, .timePattern, .timePeriods, .timeRangeInPeriod, .datePattern,
            .dateWeekdays,
            .dateMonths,
        ] {
            texts[key] = english.texts[key]
        }
        texts[.ownName] = "[Þšéûðö]"
        return StringCatalogue(language: "en-XA", texts: texts)
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
            if lower == "en-xa" { return pseudo }
            if let found = InterfaceTexts.languages.first(where: { $0.lowercased() == lower }) ?? related(to: lower) {
                return catalogue(of: found)
            }
        }
        return .english
    }

    /// The regions whose English CLDR takes from American English, but for Canada, which spells as Britain does.
    private static let americanRegions = Set("us ae as bi gu mh mp ph pr um vi".split(separator: " "))
    /// The regions whose Spanish CLDR takes from that of Latin America.
    private static let latinAmericanRegions = Set(
        "419 ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve".split(separator: " "))

    /// The regions whose Portuguese CLDR takes from that of Portugal.
    private static let portugueseRegions = Set("pt ao ch cv fr gq gw lu mo mz st tl".split(separator: " "))

    /// The catalogue's language for a tag, in lower case, that has no catalogue itself.
    private static func related(to tag: String) -> String? {
        let parts = tag.split(separator: "-")
        if parts.first == "zh" {
            let isTraditional =
                parts.contains("hant") || !parts.contains("hans") && parts.contains { ["tw", "hk", "mo"].contains($0) }
            return isTraditional ? "zh-Hant" : "zh-Hans"
        }
        // CLDR's `parentLocales`.
        let isOf = { (regions: Set<Substring>) in parts.dropFirst().contains { regions.contains($0) } }
        if parts.first == "en", isOf(americanRegions) { return "en-US" }
        if parts.first == "es", isOf(latinAmericanRegions) { return "es-419" }
        if parts.first == "pt", isOf(portugueseRegions) { return "pt-PT" }
        // `iw` is the former code of Hebrew.
        let base = parts.first == "iw" ? "he" : parts.first
        return InterfaceTexts.languages.first { $0.split(separator: "-").first == base }
    }

    /// "20:00–20:30".
    package func times(of programme: GuideContent.Programme) -> String {
        timeRange(Int64(programme.start), Int64(programme.end))
    }

    /// The number and the title of a channel.
    package func station(_ channel: GuideContent.Channel) -> String {
        station(number: channel.number, title: channel.title)
    }

    package func station(number: Int?, title: String) -> String {
        [number.map { "\($0)" }, title].compactMap { $0 }.joined(separator: " ")
    }

    /// "1920×1080 · 25 fps · SDR · H.264".
    package func words(_ picture: SignalFacts.Picture, rate phrase: Phrase) -> String {
        joined([
            "\(picture.width)×\(picture.height)", picture.rate.map { text(phrase, decimal($0)) }, picture.range.rawValue,
            picture.codec,
        ])
    }

    /// "AAC · 5.1 · 48 kHz".
    package func words(_ sound: SignalFacts.Sound) -> String {
        joined([
            sound.format, sound.channels.map(Self.layout),
            sound.sampleRate.map { text(.kilohertz, decimal(Ratio(Int64($0), 1000))) },
        ])
    }

    /// Each part in its own direction, one after the other in that of the language.
    private func joined(_ parts: [String?]) -> String {
        (isRightToLeft ? "\u{200F}" : "") + parts.compactMap { $0.map(isolated) }.joined(separator: " · ")
    }

    /// Two digits after the point at most, without zeros at the end.
    private func decimal(_ number: Ratio) -> String {
        let hundredths = (number.numerator * 200 / number.denominator + 1) / 2
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        guard rest != 0 else { return "\(whole)" }
        return "\(whole)" + text(.decimalSeparator) + (rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0" : "") + "\(rest)")
    }

    private static func layout(_ channels: Int) -> String {
        switch channels {
        case 6: "5.1"
        case 8: "7.1"
        default: "\(channels).0"
        }
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to a script that runs from right to left.
    package var runsRightToLeft: Bool {
        (0x590...0x8FF).contains(value) || (0xFB1D...0xFDFF).contains(value) || (0xFE70...0xFEFF).contains(value)
            || (0x10800...0x10FFF).contains(value) || (0x1E800...0x1EFFF).contains(value)
    }
}

extension String {
    /// This sentence and another one; where a full stop has the width of a character, without a space between them.
    package func followed(by sentence: String) -> String { self + (hasSuffix("。") ? "" : " ") + sentence }

    package var nonEmpty: String? { isEmpty ? nil : self }
}
